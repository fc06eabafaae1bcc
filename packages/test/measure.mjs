/* Times of the installed packages: node measure.mjs; in a page, import it and call measure. */

const MOVES = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 b0c2 c9e7".split(" ");
const CYCLE = "a0a1 a9a8 a1a0 a8a9".split(" ");

/* Milliseconds: the median of what each of so many runs took, and the first. */
async function time(runs, run) {
  const found = [];
  for (let count = 0; count < runs; count += 1) {
    const began = performance.now();
    await run();
    found.push(performance.now() - began);
  }
  const [first] = found;
  const median = found.sort((one, two) => one - two)[runs >> 1];
  return `${median.toFixed(2)} ms (the first time ${first.toFixed(1)} ms)`;
}

export async function measure(load, analyse) {
  const moves = [...MOVES];
  while (moves.length < 100) moves.push(CYCLE[(moves.length - MOVES.length) % 4]);
  const games = Array.from({ length: 1000 }, (_, count) => ({ moves: moves.slice(0, count % 40) }));
  const began = performance.now();
  const meihua = await load();
  const found = { load: `${(performance.now() - began).toFixed(0)} ms` };
  found["a ruling on 100 plies"] = await time(21, () => meihua.judge({ moves }));
  found["the same in words"] = await time(21, () => meihua.explain({ moves }));
  found["the outcome of 100 plies"] = await time(21, () => meihua.outcome({ moves }));
  found["1000 lists of legal moves"] = await time(5, () => meihua.legalMoves(games));
  const engine = performance.now();
  for await (const { nodes, milliseconds } of analyse({ movetime: 3000 })) {
    found["nodes a second"] = Math.round(nodes / milliseconds) * 1000;
    found["the engine's first line"] ??= `${(performance.now() - engine).toFixed(0)} ms`;
  }
  meihua.terminate();
  return found;
}

if (globalThis.process?.versions?.node) {
  const [{ load }, { analyse }] = [await import("meihua"), await import("meihua-engine")];
  console.log(await measure(load, analyse));
}
