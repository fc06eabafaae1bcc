/* Showing a page of a file of games. The static site replaces this file by its own. */

/** @param {string} path
 * @param {(place: string) => void} _openGame  not needed: games have links to this page */
export const visit = (path, _openGame) => location.assign(path);
