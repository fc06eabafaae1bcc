/* Replaces this document by the report page that reach.js has stored in the parent window. */
"use strict";

document.open();
document.write(parent.reportPage);
document.close();
parent.onReport(document);
