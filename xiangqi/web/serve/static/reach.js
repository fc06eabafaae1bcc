/* Connection to the server. The site without one has another file of this name. */

export const reach = (path, options) => fetch(path, options);
export const visit = (path) => location.assign(path);
