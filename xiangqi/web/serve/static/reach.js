/* How the page reaches what answers it: a server. The site without one has another file for this,
 * by the same name. */

export const reach = (path, options) => fetch(path, options);
export const visit = (path) => location.assign(path);
