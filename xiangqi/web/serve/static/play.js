/* The page begins: every part watches the game for itself (state.js), then the game is there. */

import "./referee.js";
import "./table.js";
import "./hand.js";
import "./keyboard.js";
import "./moves.js";
import "./opening.js";
import "./opponent.js";
import "./shell.js";
import "./editor.js";
import "./settings.js";
import "./players.js";
import "./analysis.js";
import "./graph.js";
import "./review.js";
import "./lessons.js";
import { keptGame, resumeMatch } from "./keeping.js";
import { followFragment } from "./share.js";
import { followAddress, startGame } from "./steps.js";

const kept = keptGame();
startGame(kept);
if (kept.history) resumeMatch();
followAddress();
followFragment();
