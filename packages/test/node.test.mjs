/* The installed package in Node: node --test node.test.mjs */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { load, MeihuaError } from "meihua";
import { analyse, engine } from "meihua-engine";

import { CHECKS } from "./checks.mjs";

const expected = JSON.parse(readFileSync(new URL("expected.json", import.meta.url), "utf8"));
const progress = [];
const meihua = await load({ onProgress: (one) => progress.push(one) });

for (const [name, check] of Object.entries(CHECKS)) {
  test(name, () => check({ load, meihua, engine, MeihuaError, progress }, expected));
}

test("a program of CommonJS imports the package, or is told to", () => {
  const program = "require('meihua')";
  const plain = spawnSync(process.execPath, ["--no-warnings", "-e", program], { encoding: "utf8" });
  assert.ok(plain.status === 0 || /ERR_REQUIRE_ESM[^]*import\(\)|import\(\)[^]*ERR_REQUIRE_ESM/.test(plain.stderr), plain.stderr);
  const dynamic = "import('meihua').then(({ load }) => console.log(typeof load))";
  assert.equal(spawnSync(process.execPath, ["-e", dynamic], { encoding: "utf8" }).stdout, "function\n");
});

test("an analysis without an engine starts one, and terminates it", async () => {
  for await (const info of analyse({ depth: 1 })) assert.equal(info.depth, 1);
});

test("the example tells who must change, and Node ends by itself", () => {
  const example = new URL("node_modules/meihua/examples/node.mjs", import.meta.url).pathname;
  const said = execFileSync(process.execPath, [example], { encoding: "utf8", timeout: 60_000 });
  assert.match(said, /0-1: Black wins: Red checked perpetually[^]*Who must change\? red/);
});
