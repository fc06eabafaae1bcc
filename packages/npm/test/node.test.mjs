/* The installed package in Node: node --test node.test.mjs */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { load, MeihuaError } from "meihua";
import { analyse } from "meihua/engine";

import { CHECKS } from "./checks.mjs";

const expected = JSON.parse(readFileSync(new URL("expected.json", import.meta.url), "utf8"));
const progress = [];
const meihua = await load({ onProgress: (one) => progress.push(one) });

for (const [name, check] of Object.entries(CHECKS)) {
  test(name, () => check({ meihua, MeihuaError, progress }, expected));
}

test("the engine can be had alone", async () => {
  for await (const info of analyse({ depth: 1 })) assert.equal(info.depth, 1);
});

test("the example tells who must change, and Node ends by itself", () => {
  const example = new URL("node_modules/meihua/examples/node.mjs", import.meta.url).pathname;
  const said = execFileSync(process.execPath, [example], { encoding: "utf8", timeout: 60_000 });
  assert.match(said, /0-1: Black wins: Red checked perpetually[^]*Who must change\? red/);
});
