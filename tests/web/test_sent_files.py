"""Files of games in the browser: sent to the server, or named when it was started."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from tests.support.web_server import ask, get, is_alive, main_line, send_file, serving, upload
from xiangqi.web.serve.application import MAX_UPLOAD, Application
from xiangqi.web.serve.library import MAX_SENT_BYTES
from xiangqi.web.serve.server import WebServer

CYCLE = ["f0e0", "e8f8", "e0f0", "f8e8"]
HOSTILE = """[Event "<script>alert(1)</script>"]
[Red "</script><img src=x onerror=alert(2)>"]
[FEN "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"]
[Result "1-0"]

1. f0e0 {</script><script>alert(3)</script>} e8f8 2. e0f0 f8e8 3. f0e0 e8f8 4. e0f0 f8e8 1-0
"""


def test_a_file_that_is_sent_gets_an_index_and_a_page_for_each_game(server: WebServer) -> None:
    location = upload(server, HOSTILE.encode())
    index = get(server, location).text
    assert "a.pgn:1" in index
    assert "Red checked perpetually" in index
    page = get(server, location.replace("index", "000001")).text
    assert "Red checked perpetually" in page
    assert get(server, location.replace("index", "000002")).status == 404
    assert get(server, location.replace("index.html", "meihua.css")).status == 200
    zh = get(server, location.replace("/en/", "/zh/")).text
    assert "红方长将" in zh


def test_a_game_of_a_file_can_be_played_on(server: WebServer) -> None:
    location = upload(server, HOSTILE.encode())
    place = location.removeprefix("/games/").replace("index.html", "000001")
    page = get(server, f"/games/{place}.html").text
    assert f'href="/?lang=en&amp;game={place}"' in page
    assert 'href="../zh/000001.html"' in page
    data = get(server, f"/games/{place}.json").data
    assert main_line(data) == CYCLE * 2
    assert get(server, location.replace("index.html", "000002.json")).status == 404


def test_tags_and_comments_of_a_file_are_escaped(server: WebServer) -> None:
    location = upload(server, HOSTILE.encode(), name="%3Cb%3E.pgn")
    for name in ("index", "000001"):
        page = get(server, location.replace("index", name)).text
        assert "<img src=x" not in page
        assert "<script>alert" not in page
        assert "<b>.pgn" not in page
        assert "&lt;img src=x" in page


def test_a_file_that_cannot_be_read_has_an_index_that_says_so(server: WebServer) -> None:
    index = get(server, upload(server, b"\x7fELF rubbish", name="../../etc/a.bin")).text
    assert "a.bin: not a known game format" in index
    assert "etc/" not in index


def test_a_compressed_file_is_unpacked_as_far_as_that_is_sensible(server: WebServer) -> None:
    assert "a.pgn:1" in get(server, upload(server, gzip.compress(HOSTILE.encode()))).text
    bomb = gzip.compress(b" " * (40 << 20), 9)
    assert send_file(server, bomb).status == 413
    broken = gzip.compress(HOSTILE.encode())[:30]
    assert send_file(server, broken[:10] + b"\xff" * 50).status == 400
    assert is_alive(server)


def test_a_file_that_is_too_large_is_refused(server: WebServer) -> None:
    assert send_file(server, b" " * (MAX_UPLOAD + 1)).status == 413


def test_only_so_many_games_of_a_file_are_shown(
    server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 300
    monkeypatch.setattr("xiangqi.web.serve.library.MAX_GAMES", most)
    many = b"position startpos moves h2e2\n" * (most + 1)
    index = get(server, upload(server, many)).text
    assert f"a.pgn:{most}<" in index
    assert f"a.pgn:{most + 1}<" not in index
    assert f"Only the first {most} games" in index


def test_every_file_stays_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    most = 4
    monkeypatch.setattr("xiangqi.web.serve.library.MAX_SENT", most)
    with serving() as server:
        places = [upload(server, b"position startpos\n", f"{n}.txt") for n in range(most)]
        assert [get(server, place).status for place in places] == [200] * most
        refused = send_file(server, b"position startpos\n", lang="zh")
        assert refused.status == 507
        assert f"已打开{most}个文件" in refused.data["error"]["message"]
        listed = re.findall(r'data-file="\d+"><a href="(.*?)"', get(server, "/").text)
        assert [f"/{place}" for place in listed] == places
        assert ask(server, "/api/close", file=1).status == 200
        assert ask(server, "/api/close", file=1).status == 404
        upload(server, b"position startpos\n")
        assert [get(server, place).status for place in places] == [404] + [200] * (most - 1)


def test_large_files_fill_the_room_sooner() -> None:
    with serving() as server:
        half = gzip.compress(b" " * (MAX_SENT_BYTES // 2))
        statuses = [send_file(server, half).status for _ in range(3)]
        assert statuses == [200, 200, 507]
        ask(server, "/api/close", file=2)
        assert send_file(server, half).status == 200


def test_the_files_of_the_command_line_are_not_closed(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("position startpos\n")
    with serving(Application(files=[str(file)])) as server:
        assert ask(server, "/api/close", file=0).status == 404
        assert get(server, "/games/0/en/index.html").status == 200


def test_the_files_of_the_command_line_have_pages(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.pgn", tmp_path / "bad.pgn"
    good.write_text(HOSTILE)
    bad.write_bytes(b"rubbish")
    with serving(Application(files=[str(good), str(bad), str(tmp_path / "none")])) as server:
        assert "games/0/en/index.html" in get(server, "/").text
        index = get(server, "/games/0/en/index.html").text
        assert "good.pgn:1" in index
        assert "bad.pgn" in index
        assert "none" in index
        assert "Red checked perpetually" in get(server, "/games/0/en/000001.html").text
