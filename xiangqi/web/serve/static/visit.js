/* Showing a page of a file of games. The static site replaces this file by its own. */

export const visit = (path) => location.assign(path);
