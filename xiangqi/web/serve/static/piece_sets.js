/* Which characters, or letters, stand on the pieces; the choice stays in this browser. */

import { page } from "./page.js";

const KEPT = "meihua-pieces";

/* Every piece that is drawn is a copy of a part, so that to change the part changes them all. */
function takeSet(name) {
  for (const letter of "KABNRCPkabnrcp") {
    const chosen = document.getElementById(`${name}-${letter}`).cloneNode(true);
    document.getElementById(`piece-${letter}`).replaceChildren(...chosen.childNodes);
  }
}

function keptSet() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // the browser keeps nothing
  }
}

page("pieces").addEventListener("change", ({ target }) => {
  takeSet(target.value);
  try {
    localStorage.setItem(KEPT, target.value);
  } catch {
    return; // it is a choice for now
  }
});

const kept = keptSet();
if ([...page("pieces").options].some(({ value }) => value === kept)) page("pieces").value = kept;
if (page("pieces").value !== page("pieces").dataset.usual) takeSet(page("pieces").value);
