/* Keyboard shortcuts, which work everywhere but in fields. */

const FIELDS = "input:not([type=checkbox], [type=file]), select, textarea";
const keys = new Map();

export function onKey(key, action) {
  keys.set(key, action);
}

/* Action of a key; with Ctrl or Command only undo and redo. */
function actionOf({ key, altKey, ctrlKey, metaKey }) {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return keys.get({ z: "z", Z: "Z", y: "Z" }[key]);
  return keys.get(key);
}

export function mount() {
  document.addEventListener("keydown", (event) => {
    const action = actionOf(event);
    const { target } = event;
    if (!(target instanceof Element) || !action || target.closest(FIELDS)) return;
    if (event.key === " " && target.closest("button, summary, input, a")) return;
    event.preventDefault();
    action();
  });
}
