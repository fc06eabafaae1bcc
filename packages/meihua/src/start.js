/* Starts a worker that runs Python, in a browser or in Node. */

import { checkKeys, MeihuaError, optionError } from "./errors.js";

export const isNode = typeof process === "object" && Boolean(process.versions?.node);

const TYPES = { folder: "string", onProgress: "function" };
const EXPECTED = { string: "text", function: "a function" };

function checkOptions(options) {
  checkKeys("options", options, Object.keys(TYPES));
  for (const [name, type] of Object.entries(TYPES)) {
    const value = options[name];
    if (value !== undefined && typeof value !== type) throw optionError(name, value, EXPECTED[type]);
  }
}

/*
 * `name` is "referee" or "engine", `version` that of the calling script, `pack` the engine's: its path
 * in a folder, its size, and `beside`, which returns its URL without a folder. `onMessage` is called with the messages of the loaded
 * worker, `onEnd` once, with the error that has ended it. Throws a MeihuaError for an invalid option.
 */
export function startWorker({ name, version, pack }, options, onMessage, onEnd) {
  checkOptions(options);
  const { folder, onProgress = () => {} } = options;
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
        else if (message.hasQuit) end("closed", `the ${name} has quit`);
        else if (message.isReady) resolve(state = "ready");
        else onMessage(message);
      },
      (failure) => end(state === "loading" ? "load" : "internal", failure),
    );
  });
  ready.catch(() => {}); // reported by `onEnd`
  const url = pack && (folder && !isNode ? folderUrl(folder) + pack.path : pack.beside().href);
  worker.post({ name, version, pack: pack && { url, bytes: pack.bytes } });
  const terminate = () => {
    worker.terminate();
    end("closed", `the ${name} has been terminated`);
  };
  return { ...worker, terminate, ready };
}

/* Resolve the name of a folder to its URL. */
function folderUrl(name) {
  return new URL(name.replace(/\/?$/, "/"), globalThis.document?.baseURI ?? location.href).href;
}

function webWorker(folder) {
  const worker = folder
    ? new Worker(`${folderUrl(folder)}meihua/worker.mjs`, { type: "module" })
    : new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" }); // as bundlers expect
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
  const beside = (name) => new URL(name, import.meta.url); // not in the form by which bundlers copy one file
  const worker = new threads.Worker(beside("./worker.mjs"));
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
