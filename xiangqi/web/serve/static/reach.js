/* How the page reaches what answers it: a server. The site without one has another file for this. */
"use strict";

const reach = (path, options) => fetch(path, options);
const visit = (path) => location.assign(path);
