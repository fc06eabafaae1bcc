"""Comments on the moves of an analysed game, in English and Chinese."""

from __future__ import annotations

from typing import Final

__all__ = ["ANALYSIS"]

ANALYSIS: Final[dict[str, tuple[str, str]]] = {
    "analysis_head": (
        "Analysis: {analyst}, {effort} a move; rules: {rules}; scores from Red's side.",
        "分析：{analyst}，每着{effort}；规则：{rules}；分数以红方为准。",
    ),
    "analysis_side": (
        "{side}: average loss {loss}, accuracy {accuracy}; {marks}.",
        "{side}：平均损失{loss}，准确率{accuracy}；{marks}。",
    ),
    "page_graph": ("Evaluation over the game, Red below", "全局形势，红方在下"),
    "header_RedLoss": ("Red's average loss", "红方平均损失"),
    "header_RedAccuracy": ("Red's accuracy, %", "红方准确率（%）"),
    "header_BlackLoss": ("Black's average loss", "黑方平均损失"),
    "header_BlackAccuracy": ("Black's accuracy, %", "黑方准确率（%）"),
    "effort_nodes": ("{nodes:node}", "{nodes}节点"),
    "effort_seconds": ("{seconds} s", "{seconds}秒"),
    "effort_depth": ("depth {depth}", "深度{depth}"),
    "analysis_mates": ("{count:mate} missed", "错过杀棋{count}次"),
    "analysis_thrown": ("{count:value} of the tables given away", "残局库价值丢失{count}次"),
    "analysis_rule_faults": ("{count:fault} by the rules of repetition", "循环规则失误{count}次"),
    "analysis_opening": ("Opening: {name}.", "开局：{name}。"),
    "analysis_better": ("Better: {move} ({score}).", "更好：{move}（{score}）。"),
    "analysis_only": ("The only move: others lose.", "唯一着：他着皆失。"),
    "analysis_mate_missed": (
        "A mate in {moves} was there: {move}.",
        "此处有{moves}步杀：{move}。",
    ),
    "analysis_threw": (
        "The tables: {before} before this move, {after} now; {move} kept it.",
        "残局库：此着前{before}，此着后{after}；{move}可保持。",
    ),
    "analysis_book": ("Book: {found}.", "开局库：{found}。"),
    "analysis_left_book": ("Leaves the book, which has {found}.", "脱离开局库（库中：{found}）。"),
    "analysis_book_move": ("{move} {games:game}", "{move} {games}局"),
    "analysis_book_weight": ("{move} weight {weight}", "{move} 权重{weight}"),
    "analysis_counted": (
        "{games:game}, {plies:ply}, {problems:problem}",
        "{games}局，{plies}着，{problems}处问题",
    ),
    "analysis_puzzles": ("{count:puzzle}", "{count}道题"),
    "analysis_interrupted": (
        "the games in work are finished first; Ctrl-C once more leaves them",
        "正在完成手头的对局；再按一次Ctrl-C即放弃",
    ),
    "demand_lost": (
        "Lost by the rules of repetition here: {reason}.",
        "依循环规则于此判负：{reason}。",
    ),
    "demand_decided": ("The game ends here by rule: {ending}.", "对局依规则于此结束：{ending}。"),
    "demand_must_change": (
        "{side} repeats, though only {side} has to change{better}: {reason}.",
        "{side}重复局面，而应变着的只有{side}{better}：{reason}。",
    ),
    "demand_better": (" ({move} {score})", "（{move} {score}）"),
    "demand_let_stand": (
        "{side} stood better ({score}) and lets a draw by repetition stand.",
        "{side}占优（{score}），却听任循环成和。",
    ),
    "demand_gave_way": (
        "{side} need not change: only {other} has to. {move} went on.",
        "{side}不必变着，应变的只有{other}。可走{move}继续。",
    ),
    "demand_draw_missed": (
        "A draw by rule was there: {move}.",
        "此处有依规则作和的着法：{move}。",
    ),
    "demand_win_missed": (
        "A win by rule was there: {move}.",
        "此处有依规则取胜的着法：{move}。",
    ),
}
