"""Games to read and write: real ones, and trees with everything in them made from seeds."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from random import Random

from tests.support.helpers import data_file
from xiangqi import Move
from xiangqi.games.tree import Game, GameNode, start_board
from xiangqi.pieces.fen import STARTING_FEN

_WORDS = (
    "当头炮", "红方稍优。", "a fine move", "!?", "[Red]", '"quoted"', "back\\slash", "\\u4e00",
    "$5", "$", "{braces}", "(brackets)", "||", "|", "\n", "\n\n", "[/DhtmlXQ]", "[DhtmlXQ_red]",
    "𠀀", "é", "；", "1. 炮二平五", "%", "tab\tstop", " ", "\u3000",
)  # fmt: skip
_HEADERS = (
    "Event", "Site", "Date", "Round", "Red", "RedTeam", "Black", "BlackTeam", "ECCO", "Opening",
    "Variation", "Title", "TimeRule", "RedElo", "Annotator", "Author", "Type", "owner", "length",
    "event", "comment1", "Ruling",
)  # fmt: skip
_STARTS = (
    STARTING_FEN,
    STARTING_FEN.replace(" w ", " b "),
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/9/1C5C1/9/RN2K2NR w - - 0 1",
    "3k5/9/9/9/9/9/9/4P4/9/4K4 b - - 17 40",
    "2b1ka3/4a4/4b4/9/9/9/9/4R4/3p5/4K4 w - - 0 1",
)


def real_games(count: int, step: int = 1) -> Iterator[Game]:
    """Real games with the headers that their collection gives; every step-th one."""
    names = {"event": "Event", "date": "Date", "red": "Red", "black": "Black", "ecco": "ECCO"}
    with gzip.open(data_file("games.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for text in islice(lines, 0, count * step, step):
            data = json.loads(text)
            game = Game(data["start_fen"])
            for key, value in data.items():
                if key in names and value:
                    game.headers[names[key]] = value
            game.headers["Result"] = data["result"]
            game.add_line(map(Move.from_iccs, data["moves"]))
            yield game


def random_text(rng: Random, most: int) -> str:
    """Words that formats stumble over."""
    return "".join(rng.choices(_WORDS, k=rng.randint(0, most)))


def random_game(seed: int, most: int = 60, *, tame: bool = False) -> Game:
    """A game with headers, comments, marks and variations, from one of several beginnings.

    Headers and comments of a tame one have no line breaks, and no spaces at their ends.
    """
    rng = Random(seed)
    game = Game(rng.choice(_STARTS))
    for name in rng.sample(_HEADERS, rng.randint(0, len(_HEADERS))):
        game.headers[name] = random_text(rng, 6) or "?"
    game.headers["Result"] = rng.choice(("1-0", "0-1", "1/2-1/2", "*"))
    game.root.comment = random_text(rng, 3)
    nodes = [game.root]
    for _ in range(rng.randint(0, most)):
        # Mostly at the end of the youngest line, else anywhere.
        node = nodes[-1] if rng.random() < 0.8 else rng.choice(nodes)
        played = {other.move for other in node.variations}
        moves = [move for move in legal_moves_at(game, node) if move not in played]
        if moves:
            new = node.add(rng.choice(moves))
            if rng.random() < 0.4:
                new.comment = random_text(rng, 5)
            if rng.random() < 0.1:
                new.nags.extend(rng.sample((1, 2, 5, 14, 139), rng.randint(1, 2)))
            nodes.append(new)
    if tame:
        game.headers = {name: _tamed(value) or "?" for name, value in game.headers.items()}
        for node in nodes:
            node.comment = _tamed(node.comment)
    return game


def _tamed(text: str) -> str:
    return " ".join(text.split())


def legal_moves_at(game: Game, node: GameNode) -> list[Move]:
    """The legal moves at a node."""
    path = []
    while node.move is not None and node.parent is not None:
        path.append(node.move)
        node = node.parent
    board = start_board(game.fen)
    for move in reversed(path):
        board.push(move)
    return board.list_moves()


def shape(game: Game) -> list[tuple[int, str, str, list[int]]]:
    """The tree in a form that can be compared and printed: ply, move, comment, marks."""
    return [(node.ply, str(node.move), node.comment, node.nags) for node in game.nodes()]
