"""Engines as processes, as the benches ask them."""

from __future__ import annotations

from bench.peers import MEIHUA, UciEngine, peer_move
from xiangqi import Board
from xiangqi.games.record import GameRecord


def test_our_engine_counts_ranks_as_its_peers_do() -> None:
    """From 1, where no move has shown it yet as well."""
    with UciEngine(MEIHUA, {"Hash": 1}) as engine:
        search = engine.search(GameRecord(), depth=2)
        assert search.move in {peer_move(move) for move in Board().legal_moves}
        played = Board()
        played.push_iccs("b0c2")
        search = engine.search(GameRecord(moves=("b0c2",)), depth=2)
        assert search.move in {peer_move(move) for move in played.legal_moves}
