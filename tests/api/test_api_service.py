"""``xiangqi api``: its OpenAPI document and page, log, metrics, and the command."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from tests.support.api_server import CHECKS, post, serving_api
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.systems import hear_interrupts, with_signals
from tests.support.web_server import JSON, get, request
from xiangqi.cli.main import main
from xiangqi.web.api.openapi import OPERATIONS, Operation, make_document
from xiangqi.web.api.server import ADDRESS, ApiServer


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with serving_api() as running:
        yield running


# The OpenAPI document


def references(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        if "$ref" in data:
            yield data["$ref"]
        for value in data.values():
            yield from references(value)
    elif isinstance(data, list):
        for value in data:
            yield from references(value)


def test_the_document_describes_every_address(server: ApiServer) -> None:
    document = get(server, "/openapi.json").data
    assert document == json.loads(msgspec.json.encode(make_document()))
    assert document["openapi"] == "3.1.0"
    assert set(document["paths"]) == {
        f"/v1/{name}" for name in "judge moves analyse tables convert health".split()
    }
    schemas = document["components"]["schemas"]
    found = set(references(document))
    assert found == {f"#/components/schemas/{name}" for name in schemas} & found
    assert len(found) > 10
    for name, schema in schemas.items():
        assert set(schema.get("required", ())) <= set(schema.get("properties", ())), name


def test_the_schema_knows_the_limits(server: ApiServer) -> None:
    fields = get(server, "/openapi.json").data["components"]["schemas"]["AnalyseRequest"]
    assert fields["additionalProperties"] is False
    lines = fields["properties"]["lines"]
    assert (lines["minimum"], lines["maximum"]) == (1, 5)
    assert lines["description"] == "Number of best lines. Default: 1."
    assert "wxf" in fields["properties"]["rules"]["enum"]


def test_generators_get_what_they_understand() -> None:
    """By a default some make a field required, and an enumeration without a type is not a text."""
    schemas = make_document()["components"]["schemas"]
    fields = [one for schema in schemas.values() for one in schema.get("properties", {}).values()]
    parts = [*schemas.values(), *fields, *(each for one in fields for each in one.get("anyOf", ()))]
    assert len(parts) > 200
    assert not [one for one in parts if "default" in one or "prefixItems" in one]
    assert not [one for one in parts if "enum" in one and one.get("type") != "string"]


@pytest.mark.parametrize("one", OPERATIONS, ids=lambda one: one.name)
def test_every_example_has_an_answer_of_its_type(server: ApiServer, one: Operation) -> None:
    reply = get(server, one.path) if one.request is None else post(server, one.name, one.example)
    assert reply.status == 200
    assert reply.headers["Content-Type"] == one.kind
    for line in reply.body.splitlines():
        msgspec.json.decode(line, type=one.answer)


def test_the_page_loads_nothing_from_elsewhere(server: ApiServer) -> None:
    reply = get(server, "/")
    assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
    loaded = re.findall(r"(?:src|href)=\"([^\"#]*)", reply.text)
    assert set(filter(None, loaded)) == {"/api.css", "/openapi.json"}
    assert "<script" not in reply.text
    assert get(server, "/api.css").status == 200
    for one in OPERATIONS:
        assert f"{one.method} {one.path}" in reply.text
    anchors = set(re.findall(r"href=\"#([^\"]*)", reply.text))
    assert anchors <= set(re.findall(r"id=\"([^\"]*)", reply.text))


# Log and metrics


def test_the_log_has_no_personal_data(
    server: ApiServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("xiangqi.api"), "propagate", True)
    with caplog.at_level(logging.INFO, "xiangqi.api"):
        post(server, "judge", CHECKS, Authorization="Bearer secret", Cookie="name=Xu")
        get(server, "/people/xu%0aGET?name=xu")
        request(server, "XU", "/")
        wait_until(lambda: any(line.startswith("? / 405 ") for line in caplog.messages))
    log = "\n".join(caplog.messages)  # a request of an earlier test may be logged late
    end = r"\d+\.\d ms \d+ bytes$"
    for line in (rf"^POST /v1/judge 200 {end}", rf"^GET other 404 {end}", rf"^\? / 405 {end}"):
        assert re.search(line, log, re.MULTILINE), line
    assert not re.search("secret|xu", log, re.IGNORECASE)


def test_a_fault_is_logged_without_what_it_quotes(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("Xu")

    monkeypatch.setattr(logging.getLogger("xiangqi.api"), "propagate", True)
    monkeypatch.setattr("xiangqi.referee.judging.Referee.judge", fail)
    with serving_api() as server, caplog.at_level(logging.INFO, "xiangqi.api"):
        error = post(server, "judge", CHECKS).data["error"]
    assert (error["code"], error["place"]) == ("internal_error", "")
    assert error["message"] == "internal error: KeyError"
    assert "fault of the program: KeyError" in caplog.text
    assert "in fail" in caplog.text
    assert "Xu" not in caplog.text.replace('raise KeyError("Xu")', "")


def test_metrics_count_requests() -> None:
    with serving_api() as server:
        for moves in (["h2e2"], ["h2e3"], ["h2e2"]):
            post(server, "judge", {"moves": moves})
        get(server, "/people/xu")
        text = get(server, "/metrics").text
    assert 'meihua_requests_total{path="/v1/judge",status="200"} 2.0' in text
    assert 'meihua_requests_total{path="/v1/judge",status="422"} 1.0' in text
    assert 'meihua_requests_total{path="other",status="404"} 1.0' in text
    assert 'meihua_request_seconds_count{path="/v1/judge"} 3.0' in text
    assert "people" not in text


# The command


@contextmanager
def running_command(*options: str, **variables: str) -> Iterator[tuple[Any, int]]:
    """The command with its port, interrupted at the end."""
    command = [sys.executable, "-u", "-m", "xiangqi", "api", "--port", "0", *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | variables,
        preexec_fn=hear_interrupts,
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())
            assert found is not None
            yield process, int(found[1])
        finally:
            process.send_signal(signal.SIGINT)


def ask(port: int, method: str, path: str, **headers: str) -> tuple[int, str]:
    connection = HTTPConnection(ADDRESS, port, timeout=PATIENCE_S)
    try:
        body = json.dumps(CHECKS) if method == "POST" else None
        connection.request(method, path, body, JSON | headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


@with_signals
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_a_signal(number: signal.Signals) -> None:
    with running_command() as (process, port):
        assert ask(port, "POST", "/v1/judge")[0] == 200
        process.send_signal(number)
        assert process.wait(PATIENCE_S) in (0, -signal.SIGTERM)
        assert re.search(r" POST /v1/judge 200 ", process.stderr.read())


@with_signals
def test_two_workers_share_their_metrics(tmp_path: Path) -> None:
    with running_command("--workers", "2", "--no-log", TMPDIR=str(tmp_path)) as (process, port):
        for _ in range(20):
            assert ask(port, "POST", "/v1/judge")[0] == 200
        files = list(tmp_path.glob("meihua-metrics-*/*"))
        assert files
        _, text = ask(port, "GET", "/metrics")
        assert 'meihua_requests_total{path="/v1/judge",status="200"} 20.0' in text
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr.read() == ""
    assert not list(tmp_path.iterdir())


@with_signals
def test_the_key_comes_from_a_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "key.txt"
    file.write_text("a key in a text file\n")
    for options, variables in (
        (["--key-file", str(file)], {}),
        ([], {"MEIHUA_API_KEY": "a key in a text file"}),
    ):
        with running_command(*options, **variables) as (_, port):
            assert ask(port, "POST", "/v1/judge")[0] == 401
            key = {"Authorization": "Bearer a key in a text file"}
            assert ask(port, "POST", "/v1/judge", **key)[0] == 200


@pytest.mark.parametrize("text", ["", "short", "钥匙" * 10, "line one of it\nline two of it"])
def test_a_bad_key_is_a_usage_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "key.txt"
    file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, ["api", "--key-file", str(file)])
    assert result.exit_code == 2
    assert "expected 16 or more" in result.stderr


def test_a_port_that_is_taken_is_a_usage_error(server: ApiServer) -> None:
    result = CliRunner().invoke(main, ["api", "--port", str(server.server_port)])
    assert result.exit_code == 2
    assert f"port {server.server_port}" in result.stderr


def test_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    result = CliRunner().invoke(main, ["api"])
    assert result.exit_code == 2
    assert "msgspec, prometheus_client: not installed" in result.stderr
    assert "pip install" in result.stderr
