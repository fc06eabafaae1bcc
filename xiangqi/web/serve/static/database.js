/* Storage in the browser that outlasts the tab: training and games, in IndexedDB. */

const DATABASE = "meihua-learning";
const VERSION = 2;
const STORES = ["cards", "own", "solver", "games"];

let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      const { result } = request;
      for (const name of STORES) if (!result.objectStoreNames.contains(name)) result.createObjectStore(name);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Read all entries of a store by key.
 * @returns {Promise<Map<string, any>>} */
export async function readAll(name) {
  const store = (await open()).transaction(name).objectStore(name);
  const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
  return new Map(keys.map((key, place) => [key, values[place]]));
}

export async function put(name, key, value) {
  await done((await open()).transaction(name, "readwrite").objectStore(name).put(value, key));
}

export async function remove(name, key) {
  await done((await open()).transaction(name, "readwrite").objectStore(name).delete(key));
}
