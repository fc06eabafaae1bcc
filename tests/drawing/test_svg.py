"""Drawings are well-formed, say in words what they show, and put things where they belong."""

from __future__ import annotations

import math
import re
from itertools import combinations
from typing import Any, get_args
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from xiangqi.drawing.glyphs import EM, glyph_path
from xiangqi.drawing.svg import (
    FILE_NUMERALS,
    Arrow,
    ArrowKind,
    View,
    board_svg,
    draw_file_numbers,
)
from xiangqi.fen import STARTING_FEN, Setup, format_fen, parse_fen
from xiangqi.pieces import BLACK, RED, SQUARES, Color, Piece, parse_square, square_name

NAMESPACE = "{http://www.w3.org/2000/svg}"
START = parse_fen(STARTING_FEN)
EMPTY = Setup(bytes(90))
KINDS: tuple[ArrowKind, ...] = get_args(ArrowKind)

DISC = 28  # the radius of a piece

Point = tuple[float, float]


def draw(setup: Setup = START, **options: Any) -> ET.Element:
    return ET.fromstring(board_svg(setup, **options))


def elements(root: ET.Element, tag: str) -> list[ET.Element]:
    return root.findall(f".//{NAMESPACE}{tag}")


def titled(root: ET.Element, title: str) -> ET.Element:
    """The group with this title."""
    found = [
        group
        for group in elements(root, "g")
        if group.findtext(f"{NAMESPACE}title", default="") == title
    ]
    assert len(found) == 1, title
    return found[0]


def titles(root: ET.Element) -> list[str]:
    return [element.text or "" for element in elements(root, "title")]


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in elements(root, "text")]


def outlines(root: ET.Element) -> list[ET.Element]:
    """The characters that are drawn, as outlines."""
    return [path for path in elements(root, "path") if "data-character" in path.attrib]


def characters(root: ET.Element) -> str:
    return "".join(outline.attrib["data-character"] for outline in outlines(root))


def place(outline: ET.Element) -> tuple[float, float, float]:
    """Where the middle of a character is, and how many units of the drawing it is high."""
    x, y, scale = map(float, re.findall(r"-?[\d.]+", outline.attrib["transform"]))
    return x, y, scale * EM


def centre(piece: ET.Element) -> Point:
    """Where a drawn piece stands: the middle of its face, not of its shadow."""
    circle = piece.findall(f"{NAMESPACE}circle")[-1]
    return float(circle.attrib["cx"]), float(circle.attrib["cy"])


def rook_at(name: str, **options: Any) -> Point:
    """Where a lonely red rook on a square is drawn."""
    setup = Setup.from_piece_map({parse_square(name): Piece.from_symbol("R")})
    return centre(titled(draw(setup, **options), f"red chariot on {name}"))


def box(rect: ET.Element) -> tuple[float, float, float, float]:
    """The left, upper, right and lower edges of a rectangle."""
    x, y = (float(rect.attrib.get(name, "0")) for name in ("x", "y"))
    return x, y, x + float(rect.attrib["width"]), y + float(rect.attrib["height"])


def points(path: str) -> list[Point]:
    """The points of the path of an arrow."""
    pairs = path.removeprefix("M").removesuffix("Z").split("L")
    return [(float(x), float(y)) for x, y in (pair.split() for pair in pairs)]


# The drawing as a whole


def test_root() -> None:
    root = draw()
    assert root.tag == f"{NAMESPACE}svg"
    assert root.attrib["aria-label"] == "Xiangqi position, red to move"
    assert root.findtext(f"{NAMESPACE}desc") == STARTING_FEN
    black = draw(parse_fen(STARTING_FEN.replace(" w", " b")))
    assert black.attrib["aria-label"] == "Xiangqi position, black to move"


@pytest.mark.parametrize("size", [1, 100, 480, 2000])
def test_size_is_the_width(size: int) -> None:
    root = draw(size=size)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert root.attrib["width"] == str(size)
    assert abs(int(root.attrib["height"]) - size * height / width) <= 0.5
    assert draw().attrib["width"] == "480"


def test_size_can_be_left_to_the_page() -> None:
    root = draw(size=None)
    assert "width" not in root.attrib
    assert "height" not in root.attrib
    assert "viewBox" in root.attrib


@pytest.mark.parametrize("coordinates", [True, False])
def test_the_background_covers_everything(coordinates: bool) -> None:
    root = draw(coordinates=coordinates)
    ground = elements(root, "rect")[0]
    _, _, width, height = root.attrib["viewBox"].split()
    assert (ground.attrib["width"], ground.attrib["height"]) == (width, height)
    assert ground.attrib["fill"].startswith("#")


@pytest.mark.parametrize("coordinates", [True, False])
def test_the_board_lies_in_the_middle(coordinates: bool) -> None:
    root = draw(coordinates=coordinates)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    left, bottom = rook_at("a0", coordinates=coordinates)
    right, top = rook_at("i9", coordinates=coordinates)
    assert (left, top) == (width - right, height - bottom)
    ground, paper, frame = map(box, elements(root, "rect"))
    assert ground == (0, 0, width, height)
    assert paper == (left, top, right, bottom)
    assert [abs(a - b) for a, b in zip(frame, paper, strict=True)] == [frame[2] - paper[2]] * 4
    assert 0 < frame[0] < left
    assert 0 < frame[1] < top


def test_coordinates_take_room() -> None:
    assert rook_at("a9", coordinates=True) > rook_at("a9", coordinates=False)


def test_the_river_runs_between_the_two_sides() -> None:
    words = [place(outline) for outline in outlines(draw(EMPTY, coordinates=False))]
    where = [x for x, _, _ in words]
    bank, other_bank = (rook_at(name, coordinates=False) for name in ("a5", "i4"))
    assert len(words) == 4
    assert all(bank[1] < y - size / 2 < y + size / 2 < other_bank[1] for _, y, size in words)
    assert where == sorted(where)
    middle = (bank[0] + other_bank[0]) / 2
    assert [x - middle for x in where] == pytest.approx([middle - x for x in reversed(where)])


def test_many_drawings_fit_into_one_page() -> None:
    """Ids would clash, and a style sheet would reach the neighbours."""
    arrows = [Arrow(0, 9 + index, kind) for index, kind in enumerate(KINDS)]
    root = draw(arrows=arrows, check=4, lastmove=(0, 9))
    assert not elements(root, "style")
    assert not [element for element in root.iter() if "id" in element.attrib]


def test_nothing_is_drawn_outside() -> None:
    root = draw(check=0, lastmove=(8, 89))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for circle in elements(root, "circle"):
        x, y, radius = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        assert radius < x < width - radius
        assert radius < y < height - radius


# Pieces


def test_every_piece_has_its_title_and_its_character() -> None:
    root = draw()
    expected = [f"{piece.name()} on {square_name(sq)}" for sq, piece in START.piece_map().items()]
    assert titles(root) == expected
    assert len(expected) == 32
    general = titled(root, "black general on e9")
    assert characters(general) == "將"
    assert characters(titled(root, "red chariot on a0")) == "俥"


def test_an_empty_board_has_no_pieces() -> None:
    root = draw(EMPTY)
    assert not titles(root)
    assert not elements(root, "circle")


def test_the_two_sides_differ_in_more_than_color() -> None:
    root = draw()
    pairs = [("red general on e0", "black general on e9"), ("red horse on b0", "black horse on b9")]
    for red, black in pairs:
        assert characters(titled(root, red)) != characters(titled(root, black))


@pytest.mark.parametrize("piece", ["red general on e0", "black general on e9"])
def test_the_ink_of_a_piece_is_red_or_dark(piece: str) -> None:
    (outline,) = outlines(titled(draw(), piece))
    red, green, blue = bytes.fromhex(outline.attrib["fill"].removeprefix("#"))
    assert (red > 2 * max(green, blue)) == piece.startswith("red")
    assert max(green, blue) < 64


def test_the_character_stands_in_the_middle_of_its_piece() -> None:
    group = titled(draw(), "red horse on h0")
    (outline,) = outlines(group)
    x, y, size = place(outline)
    assert (x, y) == centre(group)
    assert size / 2 * math.sqrt(2) < DISC, "its square fits into the piece"


def test_a_letter_stands_in_the_middle_of_its_piece() -> None:
    group = titled(draw(lettering="letters"), "red horse on h0")
    (text,) = elements(group, "text")
    x, y = centre(group)
    size = float(text.attrib["font-size"])
    assert text.attrib["text-anchor"] == "middle"
    assert float(text.attrib["x"]) == x
    assert 0.3 * size < float(text.attrib["y"]) - y < 0.4 * size


def outline_points(data: str) -> list[Point]:
    """The points of an outline in relative commands, control points included."""
    at, start, found = (0.0, 0.0), (0.0, 0.0), []
    for command, text in re.findall(r"([mlhvcz])([^mlhvcz]*)", data):
        values = [float(value) for value in re.findall(r"-?\d+", text)]
        if command == "h":
            values.append(0)
        elif command == "v":
            values.insert(0, 0)
        steps = list(zip(values[::2], values[1::2], strict=True))
        found += [(at[0] + x, at[1] + y) for x, y in steps]
        at = start if command == "z" else found[-1]
        start = at if command == "m" else start
    return found


@pytest.mark.parametrize("character", sorted({*"帥仕相傌俥炮兵將士象馬車砲卒楚河漢界帅马车将汉"}))
def test_an_outline_fills_its_square(character: str) -> None:
    """It reaches from edge to edge, less a margin, and its middle is near the square's."""
    data = glyph_path(character)
    assert re.fullmatch(r"([mlhvc]-?\d+([ -]-?\d+)*|z)+", data)
    assert data.startswith("m")
    assert data.endswith("z")
    for values in zip(*outline_points(data), strict=True):
        low, high = min(values), max(values)
        assert -0.52 * EM < low < high < 0.52 * EM, "control points may lie outside"
        assert high - low > 0.75 * EM
        assert abs(high + low) / 2 < 0.06 * EM


@pytest.mark.parametrize(
    ("lettering", "general", "river"),
    [("traditional", "將", "楚河漢界"), ("simplified", "将", "楚河汉界"), ("letters", "k", "")],
)
def test_lettering(lettering: Any, general: str, river: str) -> None:
    root = draw(lettering=lettering, coordinates=False)
    words = characters(root) or "".join(texts(root))
    piece = titled(root, "black general on e9")
    assert (characters(piece) or "".join(texts(piece))) == general
    assert words.startswith(river)
    assert len(words) == len(river) + 32


@pytest.mark.parametrize("lettering", ["traditional", "simplified"])
def test_characters_need_no_font(lettering: Any) -> None:
    """Only the names of files and ranks are text."""
    assert "".join(texts(draw(lettering=lettering))).isascii()
    assert not texts(draw(lettering=lettering, coordinates=False))


@pytest.mark.parametrize("orientation", [RED, BLACK])
@pytest.mark.parametrize("chinese", [True, False])
def test_files_are_numbered_from_the_right_of_either_side(
    orientation: Color, chinese: bool
) -> None:
    root = ET.Element("svg")
    draw_file_numbers(root, View.with_labels(orientation), chinese=chinese)
    rows: dict[float, list[tuple[float, str]]] = {}
    for label in root[0]:
        if label.tag == "path":
            x, y = map(float, re.findall(r"[\d.]+", label.get("transform", ""))[:2])
            y += 0.36 * 15  # where the base line of a figure would be
        else:
            x, y = float(label.get("x", "")), float(label.get("y", ""))
        name = label.get("data-character") or label.text or ""
        rows.setdefault(round(y / 20), []).append((x, name))
    above, below = ("".join(name for _, name in sorted(rows[y])) for y in sorted(rows))
    red = FILE_NUMERALS if chinese else "123456789"
    own, other = (red, "123456789") if orientation == RED else ("123456789", red)
    assert (above, below) == (other, own[::-1])


def test_letters_are_no_characters() -> None:
    assert board_svg(START, lettering="letters").isascii()


# Where things are


def test_red_sits_below() -> None:
    (left, bottom), (right, top) = rook_at("a0"), rook_at("i9")
    assert left < right
    assert top < bottom


def test_black_sits_below() -> None:
    (right, top), (left, bottom) = (
        rook_at("a0", orientation=BLACK),
        rook_at("i9", orientation=BLACK),
    )
    assert left < right
    assert top < bottom


def test_the_other_side_sees_the_board_turned() -> None:
    for name, opposite in (("a0", "i9"), ("b2", "h7"), ("e4", "e5")):
        assert rook_at(name, orientation=BLACK) == rook_at(opposite, orientation=RED)


def test_all_squares_are_apart() -> None:
    places = {rook_at(square_name(square)) for square in SQUARES}
    assert len(places) == 90
    nearest = min(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in combinations(places, 2))
    assert nearest == 64


@pytest.mark.parametrize("orientation", [RED, BLACK])
def test_coordinates_stand_beside_their_files_and_ranks(orientation: bool) -> None:
    root = draw(EMPTY, orientation=orientation, lettering="letters")
    places: dict[str, list[Point]] = {}
    for text in elements(root, "text"):
        at = float(text.attrib["x"]), float(text.attrib["y"])
        places.setdefault(text.text or "", []).append(at)
    assert sorted(places) == sorted("abcdefghi0123456789")
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    (left, bottom), (right, top) = rook_at("a0"), rook_at("i9")
    for name in "abcdefghi":
        x, _ = rook_at(f"{name}0", orientation=orientation)
        (above_x, above_y), (below_x, below_y) = places[name]
        assert above_x == below_x == x
        assert 0 < above_y < top - DISC
        assert bottom + DISC < below_y < height
    for name in "0123456789":
        _, y = rook_at(f"a{name}", orientation=orientation)
        (left_x, left_y), (right_x, right_y) = places[name]
        assert left_y == right_y
        assert 0 < left_y - y < 8  # the base line is below the middle
        assert 0 < left_x < left - DISC
        assert right + DISC < right_x < width


def test_coordinates_can_be_left_out() -> None:
    assert not texts(draw(EMPTY, coordinates=False))
    assert len(texts(draw(EMPTY))) == 2 * (9 + 10)


def lines_of(root: ET.Element) -> list[list[Point]]:
    path = elements(root, "path")[0].attrib["d"]
    return [points(line) for line in path.split("M") if line]


def is_drawn(root: ET.Element, *names: str) -> bool:
    """Is there a line of the board from the first to the last of these squares?"""
    ends = {rook_at(name) for name in names}
    return any({line[0], line[-1]} == ends for line in lines_of(root))


def test_lines_of_the_board() -> None:
    root = draw(EMPTY)
    for rank in "0123456789":
        assert is_drawn(root, f"a{rank}", f"i{rank}")
    for file in "bcdefgh":
        assert is_drawn(root, f"{file}0", f"{file}4")
        assert is_drawn(root, f"{file}5", f"{file}9")
        assert not is_drawn(root, f"{file}0", f"{file}9")
    for file in "ai":
        assert is_drawn(root, f"{file}0", f"{file}9")
    assert len([line for line in lines_of(root) if len(line) == 2]) == 10 + 2 * 7 + 2 + 4
    for diagonal in (("d0", "f2"), ("f0", "d2"), ("d9", "f7"), ("f9", "d7")):
        assert is_drawn(root, *diagonal)


def test_marks_of_cannons_and_pawns() -> None:
    """Four angles around each starting point, two at the edge of the board."""
    angles = [line for line in lines_of(draw(EMPTY)) if len(line) == 3]
    assert len(angles) == 4 * 4 + 6 * 4 + 4 * 2
    left, right = rook_at("a0")[0], rook_at("i0")[0]
    expected = {"b2": 4, "h7": 4, "e3": 4, "c6": 4, "a3": 2, "i6": 2, "e4": 0, "b3": 0}
    for name, count in expected.items():
        x, y = rook_at(name)
        near = [line for line in angles if math.dist(line[1], (x, y)) < 10]
        assert len(near) == count
        quarters = [{(at_x > x, at_y > y) for at_x, at_y in angle} for angle in near]
        assert all(len(quarter) == 1 for quarter in quarters), "no leg leaves its quarter"
        assert len({corner for quarter in quarters for corner in quarter}) == count
        for first, vertex, last in near:
            assert math.dist(first, (x, y)) > math.dist(vertex, (x, y)), "open to the outside"
            assert math.dist(last, (x, y)) > math.dist(vertex, (x, y))
            assert left <= last[0] <= right


# Marks


def test_last_move() -> None:
    lastmove = parse_square("b2"), parse_square("e2")
    marks = elements(draw(EMPTY, lastmove=lastmove, lettering="letters"), "path")[1:]
    assert len(marks) == 2
    for name, mark in zip(("b2", "e2"), marks, strict=True):
        corners = [at for line in mark.attrib["d"].split("M") if line for at in points(line)]
        middle = [sum(values) / len(corners) for values in zip(*corners, strict=True)]
        assert middle == pytest.approx(rook_at(name))
        reach = {max(abs(x - middle[0]), abs(y - middle[1])) for x, y in corners}
        assert min(reach) > DISC, "beside the piece, not on it"
    assert len(elements(draw(EMPTY, lettering="letters"), "path")) == 1


def test_check_gives_a_halo_to_the_king() -> None:
    square = parse_square("e9")
    halo = elements(draw(EMPTY, check=square), "circle")
    assert len(halo) == 2
    assert all((float(c.attrib["cx"]), float(c.attrib["cy"])) == rook_at("e9") for c in halo)
    king = titled(draw(START, check=square), "black general on e9")
    assert max(float(c.attrib["r"]) for c in elements(king, "circle")) == DISC
    assert all(float(c.attrib["r"]) > DISC for c in halo)
    assert all(0 < float(c.attrib["fill-opacity"]) < 1 for c in halo)


def test_a_check_of_square_zero_is_drawn() -> None:
    assert elements(draw(EMPTY, check=0), "circle")


# Arrows


def stroke_of(root: ET.Element, title: str) -> tuple[str, str]:
    """Colour and dashes of an arrow."""
    shaft = titled(root, title).findall(f"{NAMESPACE}path")[1]
    return shaft.attrib["stroke"], shaft.attrib["stroke-dasharray"]


def test_kinds_of_arrows_differ_by_color_and_by_dash() -> None:
    root = draw(EMPTY, arrows=[Arrow(0, 45, kind) for kind in KINDS])
    strokes = [stroke_of(root, f"{kind.replace('_', ' ')}: a0 to a5") for kind in KINDS]
    assert len({color for color, _ in strokes}) == len(KINDS) == 6
    assert len({dashes for _, dashes in strokes}) == 6
    assert stroke_of(root, "move: a0 to a5")[1] == "none"


def head_of(root: ET.Element, title: str) -> list[tuple[str, str, bool]]:
    """The form of an arrow's head without its colour: elements, outlines, filled or not."""
    light = {"none", "#fffaf0"}
    return [
        (element.tag, element.attrib.get("d", ""), element.attrib.get("fill", "none") in light)
        for element in list(titled(root, title))[3:]
    ]


def test_kinds_of_evidence_differ_by_the_form_of_their_heads() -> None:
    root = draw(EMPTY, arrows=[Arrow(0, 45, kind) for kind in KINDS])
    titles = [f"{kind.replace('_', ' ')}: a0 to a5" for kind in KINDS]
    heads = dict(zip(KINDS, (head_of(root, title) for title in titles), strict=True))
    assert heads.pop("move") == heads["chase"]
    assert all(heads.values())
    assert all(one != other for one, other in combinations(heads.values(), 2))


def test_a_false_protection_is_hollow_and_barred() -> None:
    root = draw(EMPTY, arrows=[Arrow(0, 45, "protection"), Arrow(1, 46, "false_protection")])
    real = titled(root, "protection: a0 to a5").findall(f"{NAMESPACE}circle")[-1]
    false = titled(root, "false protection: b0 to b5").findall(f"{NAMESPACE}circle")[-1]
    assert real.attrib["fill"] == real.attrib["stroke"]
    assert false.attrib["fill"] != false.attrib["stroke"]
    assert len(titled(root, "false protection: b0 to b5").findall(f"{NAMESPACE}path")) == 3
    assert len(titled(root, "protection: a0 to a5").findall(f"{NAMESPACE}path")) == 2


@pytest.mark.parametrize("orientation", [RED, BLACK])
@pytest.mark.parametrize(("tail", "head"), [("a0", "a1"), ("a0", "i9"), ("h2", "e2"), ("e9", "c5")])
def test_an_arrow_points_from_tail_to_head(tail: str, head: str, orientation: bool) -> None:
    arrow = Arrow(parse_square(tail), parse_square(head), "chase")
    group = titled(draw(EMPTY, arrows=[arrow], orientation=orientation), f"chase: {tail} to {head}")
    casing, shaft, tip = (points(path.attrib["d"]) for path in elements(group, "path"))
    assert casing == shaft
    start, goal = rook_at(tail, orientation=orientation), rook_at(head, orientation=orientation)
    left, end, right = tip

    def along(at: Point) -> float:
        """How far along the way from tail to head, in parts of it."""
        way = goal[0] - start[0], goal[1] - start[1]
        product = (at[0] - start[0]) * way[0] + (at[1] - start[1]) * way[1]
        return product / (way[0] ** 2 + way[1] ** 2)

    assert 0 < along(shaft[0]) < along(shaft[1]) < along(end) < 1
    assert along(left) == pytest.approx(along(right), abs=0.01)
    assert along(left) == pytest.approx(along(shaft[1]), abs=0.01)


def test_an_arrow_to_its_own_square_is_a_ring() -> None:
    group = titled(draw(EMPTY, arrows=[Arrow(4, 4, "protection")]), "protection: e0 to e0")
    rings = elements(group, "circle")
    assert [(float(r.attrib["cx"]), float(r.attrib["cy"])) for r in rings] == [rook_at("e0")] * 2
    assert not elements(group, "path")


def test_arrows_are_drawn_last_and_in_their_order() -> None:
    arrows = [Arrow(0, 9, "move"), Arrow(9, 0, "chase")]
    assert titles(draw(arrows=arrows))[-2:] == ["move: a0 to a1", "chase: a1 to a0"]
    assert board_svg(START, arrows=iter(arrows)) == board_svg(START, arrows=arrows)


# Wrong arguments


def test_a_kind_of_arrow_that_is_not_known() -> None:
    with pytest.raises(ValueError, match="invalid kind of arrow 'threat': expected one of move"):
        Arrow(0, 9, "threat")  # type: ignore[arg-type]


@pytest.mark.parametrize("square", [-1, 90])
def test_squares_off_the_board(square: int) -> None:
    wrong: list[dict[str, Any]] = [
        {"check": square},
        {"lastmove": (0, square)},
        {"arrows": [Arrow(square, 0)]},
        {"arrows": [Arrow(0, square)]},
    ]
    for options in wrong:
        with pytest.raises(ValueError, match=f"invalid square {square}: expected 0 to 89"):
            board_svg(START, **options)


# Any drawing

squares = st.integers(0, 89)
codes = st.sampled_from([0, *(Piece.from_symbol(symbol).code for symbol in "KABNRCPkabnrcp")])


@settings(max_examples=25)
@given(
    setup=st.builds(Setup, st.lists(codes, min_size=90, max_size=90).map(bytes), st.booleans()),
    options=st.fixed_dictionaries(
        {},
        optional={
            "size": st.none() | st.integers(1, 3000),
            "orientation": st.booleans(),
            "lastmove": st.none() | st.tuples(squares, squares),
            "arrows": st.lists(st.builds(Arrow, squares, squares, st.sampled_from(KINDS))),
            "check": st.none() | squares,
            "coordinates": st.booleans(),
            "lettering": st.sampled_from(["traditional", "simplified", "letters"]),
        },
    ),
)
def test_any_drawing_is_well_formed_and_always_the_same(
    setup: Setup, options: dict[str, Any]
) -> None:
    text = board_svg(setup, **options)
    assert board_svg(setup, **options) == text
    root = ET.fromstring(text)
    assert root.findtext(f"{NAMESPACE}desc") == format_fen(setup)
    assert len(titles(root)) == len(setup.piece_map()) + len(options.get("arrows", ()))
    assert "nan" not in text
    assert "inf" not in text
