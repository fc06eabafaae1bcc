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
}
