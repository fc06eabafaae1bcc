// Rule on a game: node node.mjs "1. 炮二平五 马8进7 ..."
import { load, MeihuaError } from "meihua";

const CYCLE = { fen: "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", moves: "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8" };
const [text] = process.argv.slice(2);

const meihua = await load();
try {
  const game = text ? await meihua.parseMoves({ text }) : CYCLE;
  const outcome = await meihua.outcome(game);
  console.log(outcome ? `${outcome.result}: ${outcome.words}` : "The game goes on.");
  const ruling = await meihua.judge(game);
  if (ruling.offender) console.log(`Who must change? ${ruling.offender}`);
  if (ruling.window) console.log(await meihua.explain(game));
} catch (error) {
  if (!(error instanceof MeihuaError)) throw error;
  console.error(`${error.place || error.code}: ${error.quotation}\n${error.message}`);
  process.exitCode = 1;
}
