"""One game of a match, with clocks, adjudication and the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from chess.engine import Limit, PovScore

from xiangqi.board import Board
from xiangqi.client import PlayResult
from xiangqi.match.adjudication import (
    MATE,
    Adjudicator,
    GameDecision,
    TableRule,
    find_banned_moves,
    rule,
    rule_without_move,
)
from xiangqi.match.config import GameClock, MatchConfig
from xiangqi.match.openings import Opening
from xiangqi.match.pgn import Ended, PlayedGame, PlayedMove
from xiangqi.match.player import Fault, FaultError, Player
from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.endings import explain_bar
from xiangqi.referee.outcome import win_for
from xiangqi.words import name_side

__all__ = ["play_game"]

_TERMINATION: Final[Mapping[Fault, Ended]] = {
    Fault.LATE: "time forfeit",
    Fault.ILLEGAL_MOVE: "illegal move",
}


async def play_game(
    config: MatchConfig, players: Mapping[Color, Player], opening: Opening, *, name: str
) -> PlayedGame:
    """Play one game between prepared players; a player at fault loses it.

    ``name`` identifies the game in the match: ``12.2`` is the second game of round 12.
    """
    started = datetime.now().astimezone()
    game = _Game(config, players, opening.board())
    decision = await game.play()
    red, black = players[RED].config, players[BLACK].config
    return PlayedGame(
        red=red.name,
        black=black.name,
        result=decision.result,
        termination=decision.termination,
        reason=decision.reason,
        moves=tuple(game.moves),
        fen=opening.fen,
        rules=config.rules.describe(),
        ruling=decision.ruling,
        event=config.event,
        site=config.site,
        round=name,
        started=started,
        ended=datetime.now().astimezone(),
        red_time_control=red.time_control(),
        black_time_control=black.time_control(),
        fault=game.fault,
        warnings=tuple(game.warnings),
    )


@dataclass(eq=False)
class _Game:
    config: MatchConfig
    players: Mapping[Color, Player]
    board: Board
    moves: list[PlayedMove] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    fault: Fault | None = None
    draw_offered: bool = False
    """Did the last move come with a draw offer?"""

    def __post_init__(self) -> None:
        self.adjudicator = Adjudicator(
            self.config.draw,
            self.config.resign,
            self.config.maxmoves,
            None if self.config.tb is None else TableRule(self.config.tb, self.config.rules),
        )
        self.clocks = {
            color: GameClock(player.config.tc, player.config.timemargin / 1000)
            for color, player in self.players.items()
            if player.config.tc is not None
        }
        self.moves += [PlayedMove(move, is_book=True) for move in self.board.move_stack]

    async def play(self) -> GameDecision:
        decision = rule(self.board, self.config.rules)
        while decision is None:
            try:
                decision = await self._play_move()
            except FaultError as error:
                loser = self.board.turn
                self.fault = error.fault
                side, name = name_side("en", loser), self.players[loser].config.name
                decision = GameDecision(
                    win_for(not loser),
                    _TERMINATION.get(error.fault, "abandoned"),
                    f"{side} ({name}) {error.words}",
                )
        return decision

    async def _play_move(self) -> GameDecision | None:
        """Play one move; return the decision if it ends the game."""
        mover = self.board.turn
        player, rules = self.players[mover], self.config.rules
        bans = self.config.ban or rules.bars_moves
        config, clock = player.config, self.clocks.get(mover)
        if clock is not None:
            allowed_s = clock.remaining + clock.margin
        else:
            allowed_s = config.st + config.timemargin / 1000 if config.st else config.timeout
        result = await player.play(
            self.board,
            self._limit(mover),
            game=self,
            allowed_s=allowed_s,
            banned=find_banned_moves(self.board, rules) if bans else (),
            draw_offered=self.draw_offered,
        )
        seconds = result.seconds
        has_time = seconds <= allowed_s if clock is None else clock.spend(seconds)
        if not has_time:
            words = f"is late: {seconds:.3f} s, allowed were {allowed_s:.3f} s"
            raise FaultError(Fault.LATE, words)
        if result.resigned:
            return GameDecision(win_for(not mover), "normal", f"{name_side('en', mover)} resigns")
        move = result.move
        if move is None:
            return self._rule_without_move(mover)
        if not self.board.is_legal(move):
            raise FaultError(Fault.ILLEGAL_MOVE, f"plays the illegal {move.iccs()}")
        why = explain_bar(self.board, move, rules)
        if why is not None:
            words = f"plays {move.iccs()}, which {rules.name} bars: {why}"
            raise FaultError(Fault.ILLEGAL_MOVE, words)
        left = None if clock is None else clock.remaining
        self.moves.append(PlayedMove(move, result.info, seconds, seconds_left=left))
        self.board.push_unchecked(move)
        return self._decide(mover, result)

    def _decide(self, mover: Color, result: PlayResult) -> GameDecision | None:
        """Apply the rules, then agreed draws, then adjudication."""
        decision = rule(self.board, self.config.rules)
        if decision is not None:
            return decision
        if result.draw_offered and self.draw_offered:
            return GameDecision("1/2-1/2", "normal", "Draw by agreement")
        self.draw_offered = result.draw_offered
        score, own = result.info.get("score"), None
        if isinstance(score, PovScore):
            relative = score.pov(mover)
            scale = 1 if relative.is_mate() else self.players[mover].config.scale
            own = round(relative.score(mate_score=MATE) * scale)
        return self.adjudicator.add_move(self.board, own)

    # Time

    def _limit(self, mover: Color) -> Limit:
        config = self.players[mover].config
        limit = Limit(
            time=config.st or None, depth=config.depth or None, nodes=config.nodes or None
        )
        if mover not in self.clocks:
            return limit
        limit.remaining_moves = self.clocks[mover].moves_to_go or None
        if RED in self.clocks:
            limit.white_clock = self.clocks[RED].remaining
            limit.white_inc = self.clocks[RED].control.increment
        if BLACK in self.clocks:
            limit.black_clock = self.clocks[BLACK].remaining
            limit.black_inc = self.clocks[BLACK].control.increment
        return limit

    # Faults

    def _rule_without_move(self, mover: Color) -> GameDecision:
        decision = rule_without_move(self.board, self.config.rules)
        name = self.players[mover].config.name
        legal = self.board.legal_moves.count()
        if decision is None:
            raise FaultError(Fault.NO_MOVE, f"gives no move though it has {legal}")
        self.warnings.append(
            f"{name} gave no move in a repetition though it had {legal}; the game was ruled"
        )
        return decision
