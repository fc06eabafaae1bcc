/* Becomes the page that the board's page has requested. */
"use strict";

document.open();
document.write(parent.reportPage);
document.close();
parent.onReport(document);
