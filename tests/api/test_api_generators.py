"""Clients that generators make from the OpenAPI document get rulings and analyses.

The generators are fetched from their registries into a folder below ``build/``.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.api_server import serving_api
from tests.support.soak import SOAK
from tests.support.web_server import get
from xiangqi.web.api.server import ApiServer

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not SOAK, reason="fetches 60 MB and takes a minute: in `make soak` only"),
]

CACHE = Path(__file__).parents[2] / "build/generators"
PYTHON = "openapi-python-client==0.29.1 datamodel-code-generator==0.89.0".split()
NODE = (
    "openapi-typescript@7.13.0 openapi-fetch@0.17.0 @hey-api/openapi-ts@0.95.0 typescript@5.9.3"
).split()
GAME = (
    '"fen": "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "moves": "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8"'
)
EXPECTED = ["black_wins", "perpetual_check", "True 3"]
"""Verdict, termination, and whether the analysis is final and its depth."""

FROM_OPENAPI_PYTHON_CLIENT = f"""
import sys
from meihua_client import Client
from meihua_client.api.default import analyse, judge
from meihua_client.models import AnalyseRequest, Found, Judged, JudgeRequest

with Client(base_url=sys.argv[1]) as client:
    ruling = judge.sync(client=client, body=JudgeRequest.from_dict({{{GAME}}}))
    assert isinstance(ruling, Judged)
    print(ruling.verdict)
    print(ruling.outcome.termination)
    found = analyse.sync(client=client, body=AnalyseRequest(depth=3, stream=False))
    assert isinstance(found, Found)
    print(found.final, found.depth)
"""
FROM_DATAMODEL_CODEGEN = f"""
import sys
from urllib.request import Request, urlopen
from models import AnalyseRequest, Found, Judged, JudgeRequest

def post(name, request):
    body = request.model_dump_json(exclude_unset=True).encode()
    kind = {{"Content-Type": "application/json"}}
    with urlopen(Request(f"{{sys.argv[1]}}/v1/{{name}}", body, kind)) as reply:
        return reply.read()

ruling = Judged.model_validate_json(post("judge", JudgeRequest(**{{{GAME}}})))
print(ruling.verdict.value)
print(ruling.outcome.termination.value)
found = Found.model_validate_json(post("analyse", AnalyseRequest(depth=3, stream=False)))
print(found.final, found.depth)
"""
FROM_OPENAPI_TYPESCRIPT = f"""
import createClient from "openapi-fetch";
import type {{ paths }} from "./schema.js";

declare const process: {{ argv: string[] }};
const client = createClient<paths>({{ baseUrl: process.argv[2]! }});
const judged = await client.POST("/v1/judge", {{ body: {{ {GAME} }} }});
if (judged.error) throw new Error(judged.error.error.message);
console.log(judged.data.verdict);
console.log(judged.data.outcome?.termination);
const found = await client.POST("/v1/analyse", {{ body: {{ depth: 3, stream: false }} }});
if (found.error) throw new Error(found.error.error.message);
console.log(found.data.final ? "True" : "False", found.data.depth);
"""
FROM_HEY_API = f"""
import {{ analyse, judge }} from "./client/index.js";
import {{ client }} from "./client/client.gen.js";

declare const process: {{ argv: string[] }};
client.setConfig({{ baseUrl: process.argv[2]! }});
const judged = await judge({{ body: {{ {GAME} }} }});
if (judged.error) throw new Error(judged.error.error.message);
console.log(judged.data?.verdict);
console.log(judged.data?.outcome?.termination);
const found = await analyse({{ body: {{ depth: 3, stream: false }} }});
if (found.error) throw new Error(found.error.error.message);
console.log(found.data?.final ? "True" : "False", found.data?.depth);
"""


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with serving_api() as running:
        yield running


@pytest.fixture
def work(server: ApiServer, tmp_path: Path) -> Path:
    """A folder with the document."""
    (tmp_path / "openapi.json").write_bytes(get(server, "/openapi.json").body)
    return tmp_path


def fetch(stamp: str, wanted: list[str], *command: object) -> Path:
    """Folder into which generators are fetched; skips the test if they cannot be."""
    folder = CACHE / stamp
    done = folder / "fetched"
    if not done.exists() or done.read_text(encoding="utf-8") != " ".join(wanted):
        folder.mkdir(parents=True, exist_ok=True)
        words = [*map(str, command), *wanted]
        fetched = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        if fetched.returncode:
            pytest.skip(f"could not fetch {' '.join(wanted)}: {fetched.stderr[-200:]}")
        done.write_text(" ".join(wanted), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def python() -> Path:
    """Python of a virtual environment with the generators in Python."""
    folder = CACHE / "python"
    program = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    options = "-m pip install --quiet --disable-pip-version-check".split()
    fetch("python", PYTHON, program, *options)
    return program


@pytest.fixture(scope="module")
def modules() -> Path:
    """Folder ``node_modules`` with the generators in JavaScript."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    options = "install --silent --no-audit --no-fund --no-save --prefix .".split()
    return fetch("node", NODE, npm, *options) / "node_modules"


def run(work: Path, *command: object) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        cwd=work,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + ("" if done.stderr.isspace() else done.stderr)


def address(server: ApiServer) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def test_openapi_python_client(work: Path, server: ApiServer, python: Path) -> None:
    options = "generate --meta none --path openapi.json --output-path meihua_client".split()
    said = run(work, python.with_name("openapi-python-client"), *options)
    assert "WARNING parsing" not in said
    (work / "main.py").write_text(FROM_OPENAPI_PYTHON_CLIENT, encoding="utf-8")
    assert run(work, python, "main.py", address(server)).splitlines() == EXPECTED


def test_datamodel_code_generator(work: Path, server: ApiServer, python: Path) -> None:
    options = "--input openapi.json --input-file-type openapi --output models.py".split()
    options += "--output-model-type pydantic_v2.BaseModel --formatters black isort".split()
    run(work, python.with_name("datamodel-codegen"), *options)
    (work / "main.py").write_text(FROM_DATAMODEL_CODEGEN, encoding="utf-8")
    assert run(work, python, "main.py", address(server)).splitlines() == EXPECTED


STRICT = {
    "compilerOptions": {
        "strict": True,
        "noUncheckedIndexedAccess": True,
        "module": "nodenext",
        "target": "es2022",
        "lib": ["es2022", "dom", "dom.iterable"],
        "types": [],
        "skipLibCheck": True,
    },
    "files": ["main.ts"],
}


def prepare(work: Path, modules: Path) -> None:
    """Make the folder a project in TypeScript, whose settings generators read."""
    (work / "node_modules").symlink_to(modules)
    (work / "package.json").write_text('{"type": "module"}')
    (work / "tsconfig.json").write_text(json.dumps(STRICT))


def compile_and_run(work: Path, server: ApiServer, modules: Path, program: str) -> list[str]:
    """Output of a TypeScript program, compiled with strict checks."""
    (work / "main.ts").write_text(program, encoding="utf-8")
    run(work, "node", modules / "typescript/bin/tsc")
    return run(work, "node", "main.js", address(server)).splitlines()


def test_openapi_typescript_and_fetch(work: Path, server: ApiServer, modules: Path) -> None:
    prepare(work, modules)
    run(work, "node", modules / "openapi-typescript/bin/cli.js", "openapi.json", "-o", "schema.ts")
    assert compile_and_run(work, server, modules, FROM_OPENAPI_TYPESCRIPT) == EXPECTED


HEY_API = """
export default { input: "openapi.json", output: { path: "client", module: { extension: ".js" } } };
"""
"""Configuration for a project of ECMAScript modules."""


def test_hey_api(work: Path, server: ApiServer, modules: Path) -> None:
    prepare(work, modules)
    (work / "openapi-ts.config.mjs").write_text(HEY_API)
    run(work, "node", modules / "@hey-api/openapi-ts/bin/run.js")
    assert compile_and_run(work, server, modules, FROM_HEY_API) == EXPECTED
