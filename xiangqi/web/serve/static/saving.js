/* The game as it is saved: as PGN, with the evaluations that were seen, if they are wanted. */

import { ask } from "./asking.js";
import { page } from "./page.js";
import { game } from "./state.js";
import { withEvaluation } from "./remarks.js";

/* The game as data, each comment with what the analysis on the page has told of its position. */
function withEvaluations({ nodes, ...data }, tree) {
  const told = (node, id) => {
    const text = tree.nodes[id].evaluation?.written;
    return text ? { ...node, comment: withEvaluation(node.comment, text) } : node;
  };
  return { ...data, nodes: nodes.map(told) };
}

/* The answer of the server with the game as PGN. */
export function askPgn() {
  const { tree } = game.history;
  return ask("pgn", page("save-evaluations").checked ? withEvaluations(tree.data(), tree) : tree.data());
}
