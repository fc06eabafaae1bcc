/* What the package must do in Node and in browsers alike. `expected` comes from Python. */

const CYCLE = { fen: "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", moves: "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split(" ") };
const MATE_IN_ONE = "3k5/9/9/8p/9/9/9/9/9/R3K4 w";

function equal(found, wanted) {
  const [one, two] = [found, wanted].map((value) => JSON.stringify(value));
  if (one !== two) throw new Error(`found ${one}, expected ${two}`);
}

async function rejected(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("expected an error");
}

/* The lines of an engine up to one that begins so. */
async function linesUntil(engine, beginning) {
  const lines = [];
  await new Promise((resolve, reject) => {
    engine.onerror = ({ message }) => reject(new Error(message));
    engine.onmessage = ({ data }) => {
      lines.push(data);
      if (data.startsWith(beginning)) resolve();
    };
  });
  engine.onmessage = null;
  return lines;
}

/* End an engine that analyses: `rest` is the rest of the analysis, `waiting` the error of the next one. */
async function analysesEndedBy(engine, end) {
  const [first, second] = [engine.analyse(), engine.analyse({ depth: 1 })];
  await first.next();
  const refused = rejected(second.next());
  end();
  const rest = (async () => { for await (const _ of first); })();
  rest.catch(() => {}); // the caller looks at it later
  return { rest, waiting: await refused };
}

export const CHECKS = {
  async "every case is ruled as the rule book does"({ meihua }, { cases }) {
    const rulings = await meihua.judge(cases.map(({ fen, moves }) => ({ fen, moves })));
    equal(rulings.length, 192);
    rulings.forEach((ruling, place) => {
      const { id, verdict, red, black } = cases[place];
      equal([id, ruling.verdict], [id, verdict]);
      if (red) equal([id, ruling.red], [id, red]);
      if (black) equal([id, ruling.black], [id, black]);
    });
  },

  async "a ruling is the data and the words of Python"({ meihua }, { ruling, explanation }) {
    equal(await meihua.judge(CYCLE), ruling);
    equal(await meihua.explain({ ...CYCLE, language: "zh" }), explanation);
  },

  async "a pasted game is read, written, drawn and ruled"({ meihua }) {
    const game = await meihua.parseMoves({ text: "1. 炮二平五 马8进7 2. H2+3" });
    equal(game.moves, ["h2e2", "h9g7", "h0g2"]);
    equal(await meihua.formatMoves({ ...game, notation: "chinese" }), ["炮二平五", "马８进７", "马二进三"]);
    equal(await meihua.outcome(game), null);
    equal((await meihua.fenAfter(game)).split(" ")[1], "b");
    equal((await meihua.legalMoves()).length, 44);
    equal((await meihua.outcome(CYCLE)).termination, "perpetual_check");
    equal((await meihua.draw(CYCLE)).startsWith("<svg"), true);
    const barred = await meihua.barredMoves({
      fen: "3k5/9/9/9/9/9/9/9/R8/5K3 w", moves: "a1a2 d9d8 a2a1", rules: "superko-situational",
    });
    equal(barred.map(({ move }) => move), ["d8d9"]);
  },

  async "an error has its code, place and quotation"({ meihua, MeihuaError }) {
    const error = await rejected(meihua.judge({ moves: ["h2e2", "h9h1"] }));
    equal(error instanceof MeihuaError, true);
    equal([error.name, error.code, error.place, error.ply, error.quotation], ["MeihuaError", "illegal_move", "moves[1]", 1, "h9h1"]);
    equal(error.message, "move 2: 'h9h1': the black horse on h9 cannot reach h1");
    equal((await rejected(meihua.judge({ fen: "9/9 w" }))).code, "bad_fen");
    equal((await rejected(meihua.judge({ rules: "wfx" }))).code, "bad_rules");
    const [good, bad] = await meihua.fenAfter([{}, { fen: "9" }]);
    equal([typeof good, bad instanceof MeihuaError, bad.quotation], ["string", true, "9"]);
  },

  async "the engine speaks UCI, has its signature, and quits"({ engine: start }, { signature }) {
    const engine = start();
    engine.postMessage("uci");
    equal((await linesUntil(engine, "uciok"))[0].startsWith("id name Meihua"), true);
    engine.postMessage("bench 5");
    engine.postMessage("isready");
    equal((await linesUntil(engine, "readyok")).includes(`Nodes searched: ${signature}`), true);
    engine.postMessage(`position fen ${MATE_IN_ONE}`);
    engine.postMessage("go depth 3");
    equal((await linesUntil(engine, "bestmove")).at(-1), "bestmove a0d0");
    engine.postMessage("position startpos");
    engine.postMessage("go infinite");
    await linesUntil(engine, "info depth 3");
    engine.postMessage("stop");
    await linesUntil(engine, "bestmove");
    engine.onerror = ({ message }) => { throw new Error(message); };
    const { rest, waiting } = await analysesEndedBy(engine, () => engine.postMessage("quit"));
    await rest; // with the move that the engine has found
    equal([waiting.code, (await rejected(engine.analyse().next())).code], ["closed", "closed"]);
  },

  async "an analysis is iterated over, left, aborted and refused"({ engine: start, MeihuaError }, { analysis }) {
    const engine = start();
    const found = [];
    for await (const info of engine.analyse({ depth: 5 })) found.push(info);
    equal(found.map(({ depth, score, moves }) => [depth, score.cp, moves]), analysis);
    for await (const info of engine.analyse({ lines: 2 })) if (info.depth === 6) break;
    const abort = new AbortController();
    let last;
    for await (last of engine.analyse({ fen: MATE_IN_ONE, signal: abort.signal })) if (last.depth === 4) abort.abort();
    equal([last.score, last.moves[0]], [{ mate: 1 }, "a0d0"]);
    const error = await rejected(engine.analyse({ fen: "9/9 w" }).next());
    equal([error instanceof MeihuaError, error.message.includes("9/9 w")], [true, true]);
    for (const [bad, place, quotation] of [
      [{ depth: "x" }, "depth", "x"], [{ nodes: NaN }, "nodes", "NaN"], [{ lines: 0 }, "lines", "0"],
      [{ fen: "9/9 w\nquit" }, "fen", "9/9 w\nquit"], [{ moves: 7 }, "moves", "7"], [{ dept: 3 }, "analyse", "dept"],
    ]) {
      const { code, ...found } = await rejected(engine.analyse(bad).next());
      equal([code, found.place, found.quotation], ["bad_field", place, quotation]);
    }
    for (const [bad, code] of [[{ rules: "wfx" }, "bad_rules"], [{ moves: ["h9h1"] }, "bad_input"], [{ lines: 1000 }, "bad_field"]]) {
      equal((await rejected(engine.analyse(bad).next())).code, code);
    }
    for await (const { depth } of engine.analyse({ depth: 1 })) equal(depth, 1);
    engine.terminate();
  },

  async "a referee and an engine load side by side, and end apart"({ load, meihua, engine: start, MeihuaError }) {
    const engine = start();
    const [other] = await Promise.all([load(), engine.ready]);
    const { rest, waiting } = await analysesEndedBy(engine, () => engine.terminate());
    equal((await rejected(rest)) instanceof MeihuaError, true);
    equal([waiting.code, (await rejected(engine.analyse().next())).code], ["closed", "closed"]);
    const circle = {};
    circle.fen = circle;
    equal((await rejected(other.fenAfter(circle))).code, "bad_json");
    other.terminate();
    equal((await rejected(other.legalMoves())).code, "closed");
    equal(await meihua.legalMoves().then((moves) => moves.length), 44);
    const early = start();
    early.terminate();
    equal((await rejected(early.ready)).code, "closed");
  },

  async "a wrong option of load is refused"({ load, meihua, engine, MeihuaError }) {
    for (const [options, place, quotation] of [
      [{ fodler: "/vendor/" }, "options", "fodler"], [{ folder: 7 }, "folder", "7"],
      [{ onProgress: null }, "onProgress", "null"], [null, "options", "null"],
    ]) {
      const error = await rejected(load(options));
      equal([error instanceof MeihuaError, error.code, error.place, error.quotation], [true, "bad_field", place, quotation]);
    }
    equal((await rejected((async () => engine({ hash: 16 }))())).quotation, "hash");
    equal((await rejected(meihua.judge({ rules: null }))).message, "rules: null: expected text");
  },

  async "progress ends with all bytes"({ progress }) {
    const { loaded, total } = progress.at(-1);
    equal([loaded, total > 5_000_000], [total, true]);
    progress.reduce((before, { loaded }) => { equal(loaded >= before, true); return loaded; }, 0);
  },

  async "a referee that has been terminated answers no more"({ meihua }) {
    const waiting = rejected(meihua.judge(CYCLE));
    meihua.terminate();
    equal([(await waiting).code, (await rejected(meihua.outcome())).code], ["closed", "closed"]);
  },
};
