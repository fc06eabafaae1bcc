"""Labels of the lessons on the page, in English and Chinese."""

from __future__ import annotations

from typing import Final

from xiangqi.words import Language

__all__ = ["LEARN_LABELS", "script_texts"]

LEARN_LABELS: Final[dict[str, tuple[str, str]]] = {
    "learn_title": ("Learn", "学棋"),
    "learn_puzzles": ("Solve puzzles", "解题"),
    "learn_cycles": ("Repetitions: who must change?", "循环：谁应变着？"),
    "learn_data": ("What is kept in this browser", "本浏览器所存"),
    "learn_export": ("Save as a file", "导出"),
    "learn_import": ("Read from a file", "导入"),
    "learn_answer_red": ("Red must change", "红方应变"),
    "learn_answer_black": ("Black must change", "黑方应变"),
    "learn_answer_nobody": ("Nobody: a draw", "双方不变作和"),
    "learn_next": ("Next", "下一题"),
    "learn_hint": ("Hint", "提示"),
    "learn_solution": ("Solution", "答案"),
    "learn_why": ("The ruling", "裁决"),
    "learn_end": ("End", "结束"),
    # Texts that the script fills
    "learn_state": (
        "Your rating: {rating}. Due: {due}. New: {fresh}.",
        "你的等级分：{rating}。待复习：{due}。新题：{fresh}。",
    ),
    "learn_task_mate": ("{side} to move: mate in {mate}.", "{side}先行，{mate}步杀。"),
    "learn_task_win": ("{side} to move and win.", "{side}先行取胜。"),
    "learn_task_save": (
        "{side} to move: only one move saves the game.",
        "{side}先行，唯一一着可守。",
    ),
    "learn_task_own": (
        "Your game: {side} played {move} here. Find a better move.",
        "你的对局：{side}此处走了{move}，请找更好的着法。",
    ),
    "learn_task_who": (
        "These moves repeat for ever. Step through them: who must change?",
        "以下着法循环不已。请逐步观看：谁应变着？",
    ),
    "learn_task_find": (
        "{side} to move: to repeat once more loses by the rules. Find a move that holds.",
        "{side}先行：再重复一次即依规则判负。请找可守之着。",
    ),
    "learn_rated": ("rated {rating}", "难度{rating}"),
    "learn_case": ("case {id} of the rule book", "规则书图例{id}"),
    "learn_right": ("Right.", "正确。"),
    "learn_wrong": ("{move} does not do it. Try again.", "{move}不行，请再试。"),
    "learn_solved": ("Solved.", "解出。"),
    "learn_also": ("{move} is good, too.", "{move}也好。"),
    "learn_holds": ("{move} holds.", "{move}可守。"),
    "learn_was": ("The solution: {line}", "答案：{line}"),
    "learn_answer_right": ("Right.", "正确。"),
    "learn_answer_wrong": ("No.", "不对。"),
    "learn_none": ("Nothing is due.", "暂无待复习之题。"),
    "learn_hinted": ("The marked piece moves.", "动所标棋子。"),
    "learn_bad_file": (
        "not a file of learning data: expected one that was saved here",
        "不是学习记录文件：应为在此导出的文件",
    ),
    # The analysis of a game
    "review_game": ("Analyse my game", "分析本局"),
    "review_effort": ("Depth", "深度"),
    "review_quick": ("quick", "快"),
    "review_usual": ("usual", "中"),
    "review_deep": ("deep", "深"),
    "review_accuracy": ("Accuracy", "准确率"),
    "review_average_loss": ("Loss a move", "每着损失"),
    "review_marks": ("?! / ? / ??", "?! / ? / ??"),
    "review_mates_missed": ("Mates missed", "错过杀棋"),
    "review_rule_faults": ("Against the rules", "违反循环规则"),
    "review_better": ("Better:", "更好："),
    "review_no_notes": ("Nothing to remark on this move.", "此着无可议。"),
    "review_train": ("Try {count} again", "重试{count}处"),
    "review_empty": ("There is no move yet to analyse.", "尚无着法可分析。"),
    "review_stop": ("Stop", "停止"),
}

_LEARN_WORDS: Final = (
    "state",
    "task_mate",
    "task_win",
    "task_save",
    "task_own",
    "task_who",
    "task_find",
    "rated",
    "case",
    "right",
    "wrong",
    "solved",
    "also",
    "holds",
    "was",
    "answer_right",
    "answer_wrong",
    "none",
    "hinted",
    "bad_file",
)
"""Labels that the scripts use, without their prefix; some have gaps that the scripts fill."""
_REVIEW_WORDS: Final = ("game", "stop", "better", "no_notes", "train", "empty")


def script_texts(language: Language) -> dict[str, dict[str, str]]:
    """Labels of the lessons' scripts in a language, with their gaps, by template variable."""
    place = 0 if language == "en" else 1
    return {
        "learn_words": {key: LEARN_LABELS[f"learn_{key}"][place] for key in _LEARN_WORDS},
        "review_words": {key: LEARN_LABELS[f"review_{key}"][place] for key in _REVIEW_WORDS},
    }
