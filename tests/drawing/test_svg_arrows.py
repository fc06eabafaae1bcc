"""Marks in drawings: the last move, checks, and arrows with their kinds."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree as ET

import pytest

from tests.support.svg import (
    DISC,
    EMPTY,
    KINDS,
    NAMESPACE,
    START,
    Point,
    draw,
    elements,
    points,
    rook_at,
    titled,
    titles,
)
from xiangqi.drawing.svg import Arrow, board_svg
from xiangqi.pieces import BLACK, RED, parse_square

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
        """Place along the way from tail to head, from 0 to 1."""
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
