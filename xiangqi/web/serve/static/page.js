/* Elements and labels of the page. Texts are set as text, never as markup. */

export const LANG = document.documentElement.lang;

/** Find an element by its id; `any`, as its type depends on the template.
 * @param {string} id
 * @returns {any} */
export const page = (id) => document.getElementById(id);

/** Find all elements of a selector.
 * @param {string} selector
 * @returns {any[]} */
export const all = (selector) => [...document.querySelectorAll(selector)];

/* Look up a label in the page's language by its name in the data attributes. */
export const word = (name) => page("game").dataset[name];

/* Fill the placeholders of a text. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

export function setText(id, text) {
  page(id).textContent = text || "";
  page(id).hidden = !text;
}

/** Make an element with properties and content.
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

/* Download a file. */
export function saveAs(name, blob) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

export function onClick(id, action) {
  page(id).addEventListener("click", action);
}
