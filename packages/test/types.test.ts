// Checked by tsc: these calls have types, and the wrong ones are errors.
import { load, MeihuaError, type Ruling } from "meihua";
import { analyse, engine, type Info } from "meihua-engine";

const meihua = await load({ onProgress: ({ loaded, total }) => console.log(loaded / total) });
const ruling: Ruling = await meihua.judge({ moves: ["h2e2"], rules: "cxa2020", language: "zh" });
const mark: "check" | "chase" | undefined = ruling.plies.map(({ mark }) => mark).find(
  (one): one is "check" | "chase" => one === "check" || one === "chase",
);
const several: (string[] | MeihuaError)[] = await meihua.legalMoves([{}, { fen: "9/9 w" }]);
const played = ["h2e2", "h9g7"] as const;
const outcome = await meihua.outcome({ moves: played });
const result: "1-0" | "0-1" | "1/2-1/2" | undefined = outcome?.result;
for await (const info of engine().analyse({ depth: 3 })) {
  const known: Info = info;
  if ("mate" in known.score) console.log(known.score.mate);
}
for await (const { moves } of analyse({ movetime: 50, lines: 2 }, { folder: "/vendor/" })) console.log(moves[0]);
const uci = engine();
uci.onmessage = ({ data }) => console.log(data.toUpperCase());
uci.postMessage("go depth 1");
try {
  await meihua.draw();
} catch (error) {
  if (error instanceof MeihuaError && error.code === "illegal_move") console.log(error.ply, error.place, error.quotation);
}

// @ts-expect-error: no such rule set
await meihua.judge({ rules: "wfx" });
// @ts-expect-error: a position cannot be judged without a request
await meihua.judge();
// @ts-expect-error: no such option
await load({ fodler: "/vendor/" });
// @ts-expect-error: moves are texts
await meihua.fenAfter({ moves: [1] });
console.log(mark, several, result);

export function isBadFen(error: MeihuaError): boolean {
  // @ts-expect-error: no such code
  return error.code === "fenn";
}
