/* Starts a worker that runs Python, in a browser or in Node. */

import { MeihuaError } from "./errors.js";

const isNode = typeof process === "object" && Boolean(process.versions?.node);

/*
 * `part` is "referee" or "engine". `onMessage` is called with the messages of the loaded worker,
 * `onEnd` once, with the error that has ended it.
 */
export function startWorker(part, { folder, runtime, onProgress = () => {} }, onMessage, onEnd) {
  const worker = isNode ? nodeWorker() : webWorker(folder);
  let state = "loading";
  let end;
  const ready = new Promise((resolve, reject) => {
    end = (code, message) => {
      if (state === "ended") return;
      state = "ended";
      const error = new MeihuaError({ code, message });
      reject(error);
      onEnd(error);
    };
    worker.listen(
      (message) => {
        if (message.progress) onProgress(message.progress);
        else if (message.loadFailure) end("load", message.loadFailure);
        else if (message.hasQuit) end("closed", `the ${part} has quit`);
        else if (message.isReady) resolve(state = "ready");
        else onMessage(message);
      },
      (failure) => end(state === "loading" ? "load" : "internal", failure),
    );
  });
  ready.catch(() => {}); // reported by `onEnd`
  const python = isNode ? null : runtimeUrl(folder, runtime);
  worker.post({ part, folder: python, module: isNode ? "pyodide" : `${python}pyodide.mjs` });
  const terminate = () => {
    worker.terminate();
    end("closed", `the ${part} has been terminated`);
  };
  return { ...worker, terminate, ready };
}

/* Resolve the name of a folder to its URL. */
function folderUrl(name) {
  return new URL(name.replace(/\/?$/, "/"), globalThis.document?.baseURI ?? location.href).href;
}

/* URL of Pyodide's folder: as given in the options, or beside the package. */
function runtimeUrl(folder, runtime) {
  if (runtime) return folderUrl(runtime);
  return folder ? `${folderUrl(folder)}pyodide/` : new URL("../pyodide/", import.meta.url).href;
}

function webWorker(folder) {
  const worker = folder
    ? new Worker(`${folderUrl(folder)}meihua/worker.js`, { type: "module" })
    : new Worker(new URL("./worker.js", import.meta.url), { type: "module" }); // as bundlers expect
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    ref() {},
    unref() {},
    listen(receive, fail) {
      worker.addEventListener("message", ({ data }) => receive(data));
      worker.addEventListener("error", ({ message }) => fail(message ?? "the worker cannot be loaded"));
    },
  };
}

function nodeWorker() {
  const threads = process.getBuiltinModule("node:worker_threads");
  const here = import.meta.url; // a variable, so that bundlers for browsers do not add the file twice
  const worker = new threads.Worker(new URL("./worker.js", here));
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    listen(receive, fail) {
      worker.on("message", receive);
      worker.on("error", (error) => fail(String(error)));
      worker.on("exit", () => fail("the worker has ended"));
    },
  };
}
