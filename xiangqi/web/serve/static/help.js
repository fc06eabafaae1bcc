/* The keys, in a window of the page. */

import { onKey } from "./keyboard.js";
import { onClick, page } from "./page.js";

function toggle() {
  if (page("help").open) page("help").close();
  else page("help").showModal();
}

onKey("?", toggle);
onClick("help-open", toggle);
onClick("help-close", toggle);
