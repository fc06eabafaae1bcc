/* Starts a worker with Python in it, in a browser or in Node. */

import { MeihuaError } from "./errors.js";

const isNode = typeof process === "object" && Boolean(process.versions?.node);

/* `part` is "referee" or "engine". `onMessage` gets what the worker sends once it is ready. */
export function startWorker(part, { runtime, onProgress = () => {} }, onMessage) {
  const worker = isNode ? nodeWorker() : webWorker();
  const ready = new Promise((resolve, reject) => {
    const fail = (message) => reject(new MeihuaError({ code: "load", message }));
    let isReady = false;
    worker.listen(
      (message) => {
        if (message.progress) onProgress(message.progress);
        else if (message.loadFailure) fail(message.loadFailure);
        else if (message.isReady) resolve(isReady = true);
        else onMessage(message);
      },
      (failure) => (isReady ? onMessage({ failure }) : fail(failure)),
    );
  });
  worker.post({ part, runtime: isNode ? null : runtimeUrl(runtime) });
  return { ...worker, ready };
}

/* The folder of Pyodide's files: beside the package, or where the page says. */
function runtimeUrl(runtime) {
  const url = runtime ? new URL(runtime, document.baseURI) : new URL("../pyodide/", import.meta.url);
  return url.href.replace(/\/?$/, "/");
}

function webWorker() {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    ref() {},
    unref() {},
    listen(hear, fail) {
      worker.addEventListener("message", ({ data }) => hear(data));
      worker.addEventListener("error", ({ message }) => fail(message ?? "the worker cannot be loaded"));
    },
  };
}

function nodeWorker() {
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(new URL("./worker.js", import.meta.url));
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    listen(hear, fail) {
      worker.on("message", hear);
      worker.on("error", (error) => fail(String(error)));
    },
  };
}
