/* The elements of the page, its words and its keys. All texts are set as text, never as markup. */

export const LANG = document.documentElement.lang;

/** An element by its id; each is of its own type, as the template says.
 * @param {string} id
 * @returns {any} */
export const page = (id) => document.getElementById(id);

/** All elements of a selector.
 * @param {string} selector
 * @returns {any[]} */
export const all = (selector) => [...document.querySelectorAll(selector)];

/* A text of the page in its language, by the name that it has in the page's data. */
export const word = (name) => page("game").dataset[name];

export function setText(id, text) {
  page(id).textContent = text || "";
  page(id).hidden = !text;
}

/** A new element with properties and what stands in it.
 * @param {string} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node | string)} content
 * @returns {any} */
export function make(tag, properties = {}, ...content) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

/** @param {string} text
 * @param {() => unknown} action
 * @param {Record<string, unknown>} [properties] */
export function makeButton(text, action, properties = {}) {
  const button = make("button", { type: "button", textContent: text, ...properties });
  button.addEventListener("click", action);
  return button;
}

export function onClick(id, action) {
  page(id).addEventListener("click", action);
}

/* Keys that work everywhere but in fields. */

const FIELDS = "input:not([type=checkbox], [type=file]), select, textarea";
const keys = new Map();

/* Have a key do something wherever no field wants it. */
export function onKey(key, action) {
  keys.set(key, action);
}

/* Actions of the keys; with Ctrl or Command those that every program has. */
function actionOf({ key, altKey, ctrlKey, metaKey }) {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return keys.get({ z: "z", Z: "Z", y: "Z" }[key]);
  return keys.get(key);
}

document.addEventListener("keydown", (event) => {
  const action = actionOf(event);
  const { target } = event;
  if (!(target instanceof Element) || !action || target.closest(FIELDS)) return;
  if (event.key === " " && target.closest("button, summary, input, a")) return;
  event.preventDefault();
  action();
});
