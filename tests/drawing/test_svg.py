"""Drawings are well-formed, say in words what they show, and put things where they belong."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.svg import (
    DISC,
    EMPTY,
    KINDS,
    NAMESPACE,
    START,
    Point,
    box,
    draw,
    elements,
    outlines,
    place,
    points,
    rook_at,
    texts,
    titles,
)
from xiangqi.drawing.svg import Arrow, board_svg
from xiangqi.pieces import BLACK, RED, SQUARES, Piece, square_name
from xiangqi.pieces.fen import STARTING_FEN, Setup, format_fen, parse_fen

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


def test_all_elements_are_inside_the_view_box() -> None:
    root = draw(check=0, lastmove=(8, 89))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for circle in elements(root, "circle"):
        x, y, radius = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        assert radius < x < width - radius
        assert radius < y < height - radius


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
