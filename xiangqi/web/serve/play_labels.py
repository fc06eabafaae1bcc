"""What the page says where a position is set up by hand, and where a game is played."""

from __future__ import annotations

from typing import Final

__all__ = ["PLAY_LABELS"]

PLAY_LABELS: Final[dict[str, tuple[str, str]]] = {
    "pieces": ("Pieces", "棋子"),
    "pieces_traditional": ("Traditional characters", "繁体字"),
    "pieces_simplified": ("Simplified characters", "简体字"),
    "pieces_letters": ("Letters", "字母"),
    # The board editor
    "edit_position": ("Set up pieces by hand", "手工摆子"),
    "editor": ("Set up a position", "摆局"),
    "editor_board": (
        "The board. Arrow keys move the frame; K A B N R C P put a black piece, capitals a red "
        "one; Delete takes it away.",
        "棋盘。方向键移动方框；K A B N R C P 放黑子，大写放红子；Delete 拿掉。",
    ),
    "editor_remove": ("Take away", "拿掉"),
    "editor_red": ("Red to move", "红方先走"),
    "editor_black": ("Black to move", "黑方先走"),
    "editor_clear": ("Empty board", "清空"),
    "editor_start": ("Starting position", "初始局面"),
    "editor_present": ("Position of the game", "当前局面"),
    "editor_mirror": ("Mirror", "左右翻转"),
    "editor_swap": ("Exchange colours", "红黑互换"),
    "editor_flip": ("Turn the board", "翻转棋盘"),
    "editor_play": ("Play from here", "由此开局"),
    "editor_analyse": ("Analyse", "分析"),
    "editor_close": ("Cancel", "取消"),
    "editor_how": (
        "Drag pieces to the board, from square to square, or off it; or choose a piece and click "
        "squares. The other mouse button takes a piece away.",
        "可把棋子拖到棋盘上、在棋盘上移动或拖出棋盘；也可先选棋子再点落点。右键拿掉棋子。",
    ),
    "editor_playable": ("It can be played all the same.", "仍可由此对局。"),
    # A game between two players
    "match_open": ("Play …", "对弈……"),
    "match_new": ("A new game", "新的对局"),
    "match_kind": ("Who plays", "对局者"),
    "match_engine": ("I against an engine", "人机对弈"),
    "match_people": ("Two people at this board", "两人同盘对弈"),
    "match_engines": ("Engine against engine", "引擎对引擎"),
    "match_side": ("I have", "我执"),
    "match_you": ("You", "你"),
    "random": ("by lot", "随机"),
    "level": ("level", "级别"),
    "full_strength": ("full strength", "全力"),
    "match_turns": ("Turn the board after each move", "每步后翻转棋盘"),
    "match_minutes": ("Minutes a side (0: no clock)", "每方分钟数（0为不计时）"),
    "match_increment": ("Seconds added a move", "每步加秒"),
    "match_handicap": ("Red gives", "红方让"),
    "odds_none": ("nothing", "不让"),
    "odds_move": ("the first move", "让先"),
    "odds_horse": ("a horse (the left one)", "让单马（左马）"),
    "odds_horses": ("both horses", "让双马"),
    "odds_cannon": ("a cannon (the left one)", "让单炮（左炮）"),
    "odds_chariot": ("a chariot (the left one)", "让单车（左车）"),
    "odds_chariot_horse": ("a chariot and a horse", "让车马"),
    "odds_nine": ("nine pieces: advisors, elephants, soldiers", "让九子（双仕双相五兵）"),
    "match_begin": ("Begin", "开始"),
    "take_back": ("Take back", "悔棋"),
    "offer_draw": ("Offer a draw", "提和"),
    "resign": ("Resign", "认输"),
    "hint": ("Hint", "提示"),
    "match_hurry": ("Move now", "立即出着"),
    "match_again": ("Ask the engine again", "重新询问引擎"),
    "match_end": ("End the game", "结束对局"),
    "rematch": ("Rematch, sides changed", "交换先后再来一局"),
    "match_offered": ("A draw is offered.", "对方提和。"),
    "accept": ("Accept", "同意"),
    "decline": ("Decline", "拒绝"),
    "match_declined": ("The offer of a draw is declined.", "提和被拒绝。"),
    "match_red_won": ("Red wins", "红胜"),
    "match_black_won": ("Black wins", "黑胜"),
    "match_drawn": ("Draw", "和棋"),
    "match_ended": ("The game has been ended", "对局已结束"),
    "match_time": ("on time", "超时"),
    "match_resigned": ("by resignation", "认输"),
    "match_agreed": ("agreed", "双方议和"),
}
