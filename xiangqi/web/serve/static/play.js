/* Entry point: makes the state, mounts all parts on it, and starts with the stored game. */

import * as keys from "./keys.js";
import * as requests from "./requests.js";
import * as shell from "./shell.js";
import * as buttons from "./buttons.js";
import * as referee from "./referee.js";
import * as table from "./table.js";
import * as match from "./match.js";
import * as hand from "./hand.js";
import * as drawing from "./drawing.js";
import * as chapters from "./chapters.js";
import * as files from "./files.js";
import * as moves from "./moves.js";
import * as comments from "./comments.js";
import * as headers from "./headers.js";
import * as matchDialog from "./match_dialog.js";
import * as opening from "./opening.js";
import * as editor from "./editor.js";
import * as settings from "./settings.js";
import * as sounds from "./sounds.js";
import * as status from "./status.js";
import * as players from "./players.js";
import * as myGames from "./my_games.js";
import * as results from "./results.js";
import * as pictures from "./pictures.js";
import * as preview from "./preview.js";
import * as taken from "./taken.js";
import * as assistant from "./assistant.js";
import * as analysis from "./analysis.js";
import * as survey from "./survey.js";
import * as book from "./book.js";
import * as graph from "./graph.js";
import * as lessons from "./lessons.js";
import * as review from "./review.js";
import * as sheet from "./sheet.js";
import * as openings from "./openings.js";
import * as keeping from "./keeping.js";
import * as share from "./share.js";
import { page } from "./page.js";
import { State } from "./state.js";
import { followAddress } from "./steps.js";

/* In the order in which they hear of a change. */
const PARTS = [
  keys, requests, shell, buttons, referee, table, match, hand, drawing, chapters, files, moves, comments,
  headers, matchDialog, opening, editor, settings, sounds, status, players, myGames, results, pictures,
  preview, taken, assistant, analysis, survey, book, graph, lessons, review, sheet, openings, share, keeping,
];

const state = new State(page("game").dataset.start);
for (const part of PARTS) part.mount(state);
keeping.restore(state);
followAddress(state);
share.followFragment(state);
