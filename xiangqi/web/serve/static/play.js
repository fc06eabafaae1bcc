/* The page begins: every part watches the game for itself (state.js), then the game is there. */

import "./referee.js";
import "./table.js";
import "./pointer.js";
import "./keyboard.js";
import "./move_list.js";
import "./files.js";
import "./opponent.js";
import "./controls.js";
import "./editor.js";
import "./piece_sets.js";
import "./match_table.js";
import "./match_setup.js";
import "./annotating.js";
import "./shapes.js";
import "./headers.js";
import "./analysis_lines.js";
import "./graph.js";
import "./survey.js";
import "./picture.js";
import "./shell.js";
import "./opening.js";
import "./book_moves.js";
import { keptGame } from "./keep.js";
import { followFragment } from "./links.js";
import { resumeMatch } from "./match_keeping.js";
import { followAddress, startGame } from "./steps.js";

const kept = keptGame();
startGame(kept);
if (kept.history) resumeMatch();
followAddress();
followFragment();
