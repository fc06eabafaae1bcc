/* Connection to the server. The static site replaces this file by its own. */

export const reach = (path, options) => fetch(path, options);
