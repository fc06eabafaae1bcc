/* The page begins: every part watches the game for itself (present.js), then the game is there. */

import "./referee.js";
import "./table.js";
import "./pointer.js";
import "./keyboard.js";
import "./move_list.js";
import "./files.js";
import "./opponent.js";
import "./controls.js";
import "./entering.js";
import "./book_moves.js";
import { keptGame } from "./keep.js";
import { followAddress, startGame } from "./steps.js";

startGame(keptGame());
followAddress();
