/* Test page: rules on all cases of the rule book and runs the bench in this browser. */
"use strict";

const worker = new Worker("worker.js", { type: "module" });
const found = document.getElementById("found");

worker.addEventListener("message", ({ data: { piece } }) => {
  if (!piece) return; // progress of loading, or begin or end of the response
  const result = JSON.parse(new TextDecoder().decode(piece));
  found.textContent = result.words ?? result.error.message;
  found.dataset.result = JSON.stringify(result);
});
worker.addEventListener("error", ({ message }) => { found.textContent = message; });
const request = JSON.stringify({ lang: document.documentElement.lang });
worker.postMessage({
  number: 0, method: "POST", path: "/api/check", body: new TextEncoder().encode(request).buffer,
});
