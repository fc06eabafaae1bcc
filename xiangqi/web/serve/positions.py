"""Descriptions of positions and rulings for the page: legal moves, the state of the game, the
ruling in words and as arrows on each move of the cycle, and the rulings of all rule books."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from xiangqi.board import Board
from xiangqi.contract.answers import name_line
from xiangqi.contract.errors import error_to_dict
from xiangqi.contract.explanations import explanation_to_dict
from xiangqi.contract.rulings import count_to_dict
from xiangqi.games.arbiter import format_verdict, rule_game
from xiangqi.games.requests import play_request
from xiangqi.games.tree import Game
from xiangqi.ground.errors import BookError, Fact, FenError, IllegalMoveError, PositionError
from xiangqi.pieces import COLOR_NAMES, Square, parse_square, square_name
from xiangqi.pieces.arrows import ArrowKind
from xiangqi.pieces.fen import Status, describe_status, format_fen, parse_fen, setup_status
from xiangqi.referee.comparison import cells_of_ruling, compare, format_differences, table_header
from xiangqi.referee.endings import explain_bars, explain_outcome
from xiangqi.referee.evidence import ply_arrows
from xiangqi.referee.explanation import explain
from xiangqi.referee.judging import Referee
from xiangqi.referee.rule_names import title_rules
from xiangqi.referee.rules import RULE_SETS, RuleSet
from xiangqi.referee.ruling import Reason
from xiangqi.tables.probing import describe_default_tables
from xiangqi.web.pages.plies import arrows_as_data
from xiangqi.web.serve.messages import Refusal, number_of, one_of, text_of, wrong_field
from xiangqi.words import name_piece
from xiangqi.words.voice import Voice

if TYPE_CHECKING:
    from xiangqi.books import Book

__all__ = [
    "MAX_PLIES",
    "choose_rule_set",
    "describe_books",
    "describe_position",
    "describe_problems",
    "describe_ruling",
    "explain_illegal",
    "play_game",
]

MAX_PLIES: Final = 5000
"""Maximum length of a game."""


def play_game(data: Mapping[str, Any]) -> Board:
    """Play the game of a request.

    Raises Refusal for a list of more than ``MAX_PLIES`` moves, and as
    :func:`~xiangqi.games.requests.play_request` does.
    """
    moves = data.get("moves")
    if isinstance(moves, list) and len(moves) > MAX_PLIES:
        raise Refusal(
            400, Fact("request.many_moves", place="moves", count=len(moves), most=MAX_PLIES)
        )
    return play_request(data)


def choose_rule_set(data: Mapping[str, Any], default: RuleSet) -> RuleSet:
    """Read ``rules``; the default's own name means the default, whose options may be changed."""
    name = text_of(data, "rules", default.name)
    if name == default.name:
        return default
    if name not in RULE_SETS:
        raise wrong_field("rules", name, one_of(RULE_SETS))
    return RULE_SETS[name]


def describe_position(
    data: Mapping[str, Any], rules: RuleSet, voice: Voice, book: Book | None = None
) -> dict[str, Any]:
    """Describe the position after a game's moves, and its book moves.

    ``moves`` and their names begin at ply ``named``; the page has the names of the earlier ones.
    Raises FenError or PositionError for the starting position, RecordError (with its ply) for a
    move.
    """
    board = play_game(data)
    named = int(number_of(data, "named", 0, 0, board.ply()))
    last = None
    if board.ply():
        move = board.peek()
        last = [square_name(move.from_square), square_name(move.to_square)]
    moves, earlier = board.move_stack[named:], board.copy()
    for _ in moves:
        earlier.pop()
    names = name_line(earlier, moves)
    return {
        "fen": board.root_fen(),
        "moves": names["iccs"],
        "chinese": names["chinese"],
        "wxf": names["wxf"],
        "vietnamese": names["vietnamese"],
        "ply": board.ply(),
        "position": board.fen(),
        "pieces": {
            square_name(square): name_piece(voice.language, piece, square)
            for square, piece in board.piece_map().items()
        },
        "turn": COLOR_NAMES[board.turn],
        "legal": [move.iccs() for move in board.allowed_moves(rules)],
        "barred": {
            move.iccs(): voice.say("page.barred", move=voice.move(board, move), why=why)
            for move, why in explain_bars(board, rules).items()
        },
        "last": last,
        "check": square_name(board.king(board.turn)) if board.is_check() else None,
        "occurrences": board.repetitions(),
        "arrows": list(_arrows_of_last_move(board, rules)),
        "book": None if book is None else describe_book(board, book, rules, voice),
        **_state(board, rules, voice),
    }


def _state(board: Board, rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Describe the state of the game: outcome, status, warning and counters."""
    outcome = board.outcome(rules)
    counters: list[dict[str, Any]] = []  # of both sides' offences
    if rules.rounds is not None:
        ruling = board.judge(rules)
        counters = [
            {**count_to_dict(one), "text": text.say(voice)}
            for one, text in zip(ruling.counts, explain(ruling).counts, strict=True)
        ]
    if outcome is None:
        key = "in_check" if board.is_check() else "to_move"
        status = voice.say(f"page.{key}", side=voice.side(board.turn))
        counts = "; ".join(counter["text"] for counter in counters)
        warning = counts or _warning(board, rules, voice)
        return {"outcome": None, "status": status, "warning": warning, "counters": counters}
    return {
        "outcome": {"result": outcome.result(), "termination": outcome.termination.name.lower()},
        "status": explain_outcome(board, outcome, rules).say(voice),
        "warning": None,
        "counters": counters,
    }


def _warning(board: Board, rules: RuleSet, voice: Voice) -> str | None:
    """Warn of the ruling that further repetition would lead to; None for a new position."""
    found = board.repetitions()
    if found < 2:
        return None
    early = rules.replace({"occurrences": min(found, rules.occurrences)})
    ending = explain(Referee(early).judge(board)).sentence
    return voice.say("page.recurred", found=found, required=rules.occurrences, ending=ending)


def _arrows_of_last_move(board: Board, rules: RuleSet) -> Iterator[dict[str, str]]:
    """Yield arrows of the last move's checks; if there are none, of its profitable attacks.

    Whether such an attack is a chase depends on the cycle.
    """
    if not board.ply():
        return
    king = board.king(board.turn)
    yield from (_arrow(square, king, "check") for square in sorted(board.checkers()))
    if board.is_check():
        return
    for threat in Referee(rules).find_threats(board, not board.turn):
        if threat.reason is Reason.PROFIT:
            yield _arrow(threat.attacker, threat.victim, "chase")


def _arrow(tail: Square, head: Square, kind: ArrowKind) -> dict[str, str]:
    return {"from": square_name(tail), "to": square_name(head), "kind": kind}


# Book moves


def describe_book(board: Board, book: Book, rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Describe the book moves, the heaviest first, or the error of the book's file.

    ``playable``: see :func:`~xiangqi.books.base.is_playable`.
    """
    from xiangqi.books.base import is_playable  # not needed in a browser, which has no book

    try:
        found = book.find(board)
    except BookError as error:
        return {"moves": [], "error": error_to_dict(error, voice.language)}
    moves = [
        {
            "move": one.move.iccs(),
            "name": voice.move(board, one.move),
            "weight": one.weight,
            "counts": [one.wins, one.draws, one.losses],
            "note": one.note,
            "playable": is_playable(board, one, rules),
        }
        for one in found
    ]
    return {"moves": moves, "error": None}


# A position set up by hand


def describe_problems(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Describe the problems of the position ``fen`` in words.

    ``fen`` is the normalised FEN, None if the text is not a FEN; ``playable`` is true if a game can
    start there (a soldier on an unreachable square does not prevent it), ``status`` is the outcome
    if the game is over already.
    """
    text = text_of(data, "fen")
    try:
        setup = parse_fen(text)
    except FenError as error:
        problem = Fact("at", place=error.field, what=error.why).say(voice.language)
        return {"fen": None, "problems": [problem], "playable": False, "status": ""}
    status, ending, is_playable = setup_status(setup), "", True
    try:
        board = Board(setup)
    except PositionError as error:
        status, is_playable = Status(error.status), False
    else:
        outcome = board.outcome(rules)
        ending = "" if outcome is None else explain_outcome(board, outcome, rules).say(voice)
    return {
        "fen": format_fen(setup),
        "problems": [one.say(voice.language) for one in describe_status(setup, status)],
        "playable": is_playable,
        "status": ending,
    }


def explain_illegal(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, str]:
    """Explain why ``move``, by its squares, is illegal, or that a piece (one square) cannot move.

    ``reason`` is empty if it can. Raises InvalidMoveError, and as :func:`play_game` does.
    """
    board = play_game(data)
    text = text_of(data, "move")
    if len(text) == 2 and (piece := board.piece_at(square := parse_square(text))):
        if any(move.from_square == square for move in board.legal_moves):
            return {"reason": ""}
        name = voice.piece(piece, square, board.cells())
        return {"reason": voice.say("page.cannot_move", piece=name)}
    try:
        board.parse_iccs(text)
    except IllegalMoveError as error:
        return {"reason": _say_illegal(board, error.why, voice)}
    return {"reason": ""}


def _say_illegal(board: Board, why: Fact, voice: Voice) -> str:
    """Say why a move is illegal; only in coordinates are squares named."""
    if why.code != "illegal.unreachable" or voice.notation == "iccs":
        return why.say(voice.language)
    square = parse_square(why.values["square"])
    piece = voice.piece(why.values["piece"], square, board.cells())
    return voice.say("page.out_of_reach", piece=piece)


def describe_ruling(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Describe the first outcome in a game, as ``xiangqi judge FILE --json`` does, and in words.

    ``verdict`` is one sentence; for an undecided game it includes the value in the default endgame
    tables. ``explanation`` is that of the ruling on a repetition, ``arrows`` are the attacks of
    each move of the cycle by the number of moves played; without such a ruling they are empty.
    Raises FenError, PositionError or RecordError.
    """
    board = play_game(data)
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    ruled = rule_game(game, rules)
    found = None if ruled.ruling is None else explain(ruled.ruling)
    is_undecided = board.outcome(rules) is None
    table_value = describe_default_tables(board, voice) if is_undecided else ""
    return {
        **ruled.to_dict(),
        "verdict": "; ".join(filter(None, (format_verdict(ruled, voice), table_value))),
        "explanation": None if found is None else explanation_to_dict(found, voice),
        "arrows": {
            move.report.ply + 1: arrows_as_data(ply_arrows(move.report), voice)
            for move in (() if found is None else found.moves)
        },
    }


def describe_books(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Compare the rulings of all rule sets on a game, the page's own rule set first.

    ``head`` and ``rows`` are a table, ``names`` the names of its rule sets (see
    :func:`title_rules`), ``differences`` lines about the rule sets that rule differently from the
    first, and why. Raises FenError, PositionError or RecordError.
    """
    board = play_game(data)
    others = (other for name, other in RULE_SETS.items() if name != rules.name)
    comparison = compare(board, (rules, *others))
    titles = [title_rules(ruling.rules, voice) for ruling in comparison.rulings]
    return {
        "head": table_header(voice),
        "rows": [
            (title, *cells_of_ruling(ruling, voice))
            for (title, _), ruling in zip(titles, comparison.rulings, strict=True)
        ],
        "names": [name for _, name in titles],
        "differences": [line.strip() for line in format_differences(comparison, voice)],
    }
