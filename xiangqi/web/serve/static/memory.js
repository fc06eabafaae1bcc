/* Progress of the reader, stored in this browser (IndexedDB): a card for each puzzle, the solver's
 * rating, and positions of own games. It can be saved as a file and read from one. */

const DATABASE = "meihua-learning";
const STORES = ["cards", "own", "solver"];
const FORMAT = "meihua-learning-1";

let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** All entries of a store by their keys.
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

/* Everything as text, and back; what is read replaces entries of the same name. */
export async function exportAll() {
  const stores = {};
  for (const name of STORES) stores[name] = Object.fromEntries(await readAll(name));
  return JSON.stringify({ format: FORMAT, ...stores });
}

export async function importAll(text) {
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    return false;
  }
  if (data?.format !== FORMAT) return false;
  for (const name of STORES) {
    for (const [key, value] of Object.entries(data[name] ?? {})) await put(name, key, value);
  }
  return true;
}
