"""Programs and projects that use the npm packages, in Node.js, in browsers and with bundlers."""

from __future__ import annotations

import json

CYCLE = ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split())

BUNDLED = """
const [done] = arguments;
(async () => {
  const { analyse } = await import("/bundled/meihua-engine/index.js");
  for await (const { moves } of analyse({ depth: 1 }, { folder: "/" })) return moves[0];
})().then(done, (error) => done(String(error)));
"""
"""Scripts apart from worker and archives, as esbuild leaves them, name the folder of these."""

NEXT = {
    "package.json": "{}",
    "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;",
    "app/page.js": "export default () => <p>Xiangqi</p>;",
    "app/ruling/route.js": f"""
import {{ load }} from "meihua";
import {{ analyse }} from "meihua-engine";
export const dynamic = "force-static";
export async function GET() {{
  const meihua = await load();
  const {{ verdict }} = await meihua.judge({{ fen: "{CYCLE[0]}", moves: {json.dumps(CYCLE[1])} }});
  meihua.terminate();
  for await (const {{ depth }} of analyse({{ depth: 1 }})) return Response.json([verdict, depth]);
}}
""",
}
"""A project of Next.js whose server rules on a game and analyses while it is built."""

LOAD = f"""
import {{ load }} from "meihua";
const meihua = await load();
const {{ user }} = process.cpuUsage();
const {{ verdict }} = await meihua.judge({{ fen: "{CYCLE[0]}", moves: {json.dumps(CYCLE[1])} }});
console.log(verdict, user / 1e6);
meihua.terminate();
"""
"""Prints a verdict, and the seconds of the processor until the referee was loaded."""

ANALYSE = """
import { analyse } from "meihua-engine";
try {
  for await (const { depth } of analyse({ depth: 1 })) console.log(depth);
} catch ({ code, message }) {
  console.log(`${code}: ${message}`);
}
"""
"""Prints the depth of each line of an analysis, or the error."""

VITE = {
    "package.json": '{"type": "module"}',
    "tsconfig.json": json.dumps(
        {
            "compilerOptions": {
                "strict": True,
                "noEmit": True,
                "target": "es2022",
                "module": "esnext",
                "moduleResolution": "bundler",
                "lib": ["es2023", "dom"],
            },
            "include": ["main.ts"],
        }
    ),
    "index.html": '<body><script type="module" src="/main.ts"></script></body>',
    "main.ts": f"""
import {{ load }} from "meihua";
import {{ analyse }} from "meihua-engine";
const meihua = await load();
const moves: readonly string[] = {json.dumps(CYCLE[1])};
const {{ verdict }} = await meihua.judge({{ fen: "{CYCLE[0]}", moves }});
for await (const {{ depth }} of analyse({{ depth: 1 }})) {{
  document.body.dataset.ruled = `${{verdict}} ${{depth}}`;
}}
""",
}
"""A project of Vite in strict TypeScript."""
