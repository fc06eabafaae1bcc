"""Texts of the board page in English and Chinese."""

from __future__ import annotations

from typing import Final

from xiangqi.web.serve.play_labels import LEARN_LABELS, PLAY_LABELS
from xiangqi.words import LANGUAGES, Language, fill

__all__ = ["LABELS", "label"]

LABELS: Final[dict[str, tuple[str, str]]] = {
    **PLAY_LABELS,
    **LEARN_LABELS,
    "title": ("Meihua: a game of Xiangqi, ruled as it is played", "梅花谱：象棋对局，随走随判"),
    "heading": ("Meihua", "梅花谱"),
    "other_language": ("中文", "English"),
    "games": ("Games of the files", "棋谱文件"),
    "play_on": ("Play on from this game", "由此局续弈"),
    "to_board": ("Enter a game", "自己摆棋"),
    "board": (
        "The board. Click a piece, then its target; or move the frame with the arrow keys and "
        "choose with Enter.",
        "棋盘。先点棋子，再点落点；也可用方向键移动方框，用回车键选定。",
    ),
    # The frame
    "modes": ("Mode", "功能"),
    "mode_play": ("Play", "对弈"),
    "mode_analyse": ("Analyse", "分析"),
    "mode_referee": ("Referee", "裁判"),
    "menus": ("Menus", "菜单"),
    "open_game": ("Open", "打开"),
    "menu_game": ("Game", "棋局"),
    "menu_look": ("Settings", "设置"),
    "panel": ("Panel", "面板"),
    "drawer": ("More room for the panel", "展开或收起面板"),
    "done": ("Done", "完成"),
    # Stepping
    "first": ("First position", "开局"),
    "previous": ("One move back", "后退一步"),
    "next": ("One move on", "前进一步"),
    "last": ("Last position", "终局"),
    "undo": ("Undo", "撤销"),
    "redo": ("Redo", "重做"),
    "flip": ("Flip the board", "翻转棋盘"),
    "new_game": ("Empty game, starting position", "初始局面"),
    "arrows": ("Arrows for checks and attacks", "用箭头标出将军与捉"),
    "arrow_check": ("check", "将军"),
    "arrow_chase": ("attack at a profit; in a cycle, a chase", "可得子的攻击；在循环中即为捉"),
    "arrow_attack": ("attack that is no chase", "攻击，不算捉"),
    "arrow_protection": ("protection", "保护"),
    "arrow_false_protection": ("false protection", "假根"),
    "help_open": ("Keys", "快捷键"),
    "keys": ("Keys", "快捷键"),
    "key_step": ("one move back, one move on", "后退、前进一步"),
    "key_ends": ("first, last position", "开局、终局"),
    "key_variation": ("another move instead", "换一变着"),
    "key_modes": ("play, analyse, referee", "对弈、分析、裁判"),
    "key_flip": ("flip the board", "翻转棋盘"),
    "key_best": ("play the engine's best move", "走引擎的最佳着法"),
    "key_undo": ("undo, redo", "撤销、重做"),
    "key_analyse": ("analysis on and off", "开关分析"),
    "key_threats": ("show the opponent's threats", "显示对方威胁"),
    "key_draw": ("draw on the board", "在棋盘上画图"),
    "key_comment": ("write a comment", "写注释"),
    "key_board": (
        "on the board, which Tab reaches: move the frame, choose; d begins and ends an arrow",
        "在棋盘上（按 Tab 到达）：移动方框、选定；d 为箭头的起止",
    ),
    "key_help": ("this list", "本表"),
    # Drawing
    "draw": ("Draw", "画图"),
    "draw_color": ("Colour", "颜色"),
    "draw_clear": ("Clear", "清除"),
    "draw_how": (
        "Arrows and circles: drag with the right button (with Shift red, with Alt blue), or switch "
        "drawing on. They are kept with the move.",
        "箭头与圆圈：用右键拖动（按 Shift 为红，按 Alt 为蓝），或打开画图。它们随着法保存。",
    ),
    "draw_from": ("From", "起点"),
    "color_G": ("green", "绿"),
    "color_R": ("red", "红"),
    "color_B": ("blue", "蓝"),
    "color_Y": ("yellow", "黄"),
    # The analysis
    "analysis": ("Analysis", "分析"),
    "analyse": ("Analyse", "分析"),
    "threats": ("Threats", "威胁"),
    "survey": ("Graph", "形势图"),
    "survey_what": ("Only the graph: a short search of each position", "只画形势图：各局面略算"),
    "lines_empty": (
        "Analyse shows the engine's best lines here.",
        "按“分析”，此处显示引擎的最佳变着。",
    ),
    "graph_empty": (
        "Graph, or Analyse my game, shows the evaluation over the game here.",
        "按“形势图”或“分析本局”，此处显示全局评分曲线。",
    ),
    "threat": ("Threat", "威胁"),
    "best": ("Best move", "最佳着法"),
    "lines_wanted": ("Lines", "变着数"),
    "depth": ("depth", "深度"),
    "graph": ("The evaluation over the game", "全局评分曲线"),
    # The ruling
    "ruling": ("Ruling", "裁决"),
    "rules": ("Rules", "规则"),
    "all_rules": ("This position by all rules", "此局面依各规则"),
    "no_ruling": (
        "No repetition decides this game. A repetition is explained here, move by move.",
        "此局无须按循环裁决。局面重复时，此处逐着说明。",
    ),
    "red_changes": ("Red must change", "红方必须变着"),
    "black_changes": ("Black must change", "黑方必须变着"),
    "nobody_changes": ("Nobody must change", "双方均不必变着"),
    "other_attacks": ("No offence: ", "不算犯规："),
    "differences": ("Where the rules differ", "规则的差别"),
    "cycle": ("Show the cycle", "演示循环"),
    "case": ("The whole case, move by move", "逐着说明"),
    "copy": ("Copy the case", "复制裁决书"),
    "to_move": ("{side} to move", "轮到{side}走棋"),
    "in_check": ("{side} to move, in check", "轮到{side}走棋，被将军"),
    "recurred": (
        "This position has occurred {found:times}; the game is ruled on when it has occurred "
        "{required:times}. Ruled on now: {ending}",
        "此局面已出现{found}次，满{required}次即裁决。如现在裁决：{ending}",
    ),
    "barred": ("{move} is barred: {why}.", "{move}为禁着：{why}。"),
    # Moves
    "moves": ("Moves", "着法"),
    "no_moves": ("None yet: move a piece.", "尚无着法，请走棋。"),
    "notation": ("Notation", "记谱"),
    "chinese": ("Chinese", "中文"),
    "wxf": ("WXF", "WXF"),
    "iccs": ("Coordinates", "坐标"),
    "enter_move": ("Type a move: C2.5, h2e2, 炮二平五", "输入一着：炮二平五、C2.5、h2e2"),
    "cannot_move": ("no legal move", "无合法着法"),
    "enter": ("Enter", "走棋"),
    "download": ("Save as PGN", "保存为 PGN"),
    "mark": ("Mark", "评注符号"),
    "comment": ("Comment", "注释"),
    "promote": ("Promote this variation", "将此变着提前"),
    "demote": ("Demote this variation", "将此变着推后"),
    "delete": ("Delete this move and all that follow", "删除此着及其后着法"),
    # Keeping and sharing
    "copy_pgn": ("Copy PGN", "复制 PGN"),
    "copy_fen": ("Copy FEN", "复制 FEN"),
    "link_game": ("Link to the game", "棋局链接"),
    "link_position": ("Link to the position", "局面链接"),
    "save_png": ("Picture (PNG)", "图片（PNG）"),
    "save_svg": ("Picture (SVG)", "图片（SVG）"),
    "copied": ("Copied.", "已复制。"),
    "save_evaluations": ("PGN with the evaluations seen here", "PGN 中写入所见评分"),
    "bad_link": ("The link cannot be read.", "无法读取此链接。"),
    "long_link": (
        "The game is too long for a link; save it as PGN.",
        "棋局过长，无法放入链接，请保存为 PGN。",
    ),
    "headers": ("Names, event, result", "棋手、赛事、结果"),
    "header_Red": ("Red", "红方"),
    "header_Black": ("Black", "黑方"),
    "header_Event": ("Event", "赛事"),
    "header_Site": ("Place", "地点"),
    "header_Round": ("Round", "轮次"),
    "header_Date": ("Date", "日期"),
    "header_Result": ("Result", "结果"),
    "by_the_rules": ("by the rules", "依规则"),
    "result_1-0": ("Red wins", "红胜"),
    "result_0-1": ("Black wins", "黑胜"),
    "result_1/2-1/2": ("draw", "和棋"),
    "result_*": ("not finished", "未完"),
    # The book
    "book": ("Opening book", "开局库"),
    "no_book_moves": ("No book move for this position.", "库中没有此局面。"),
    "book_move": ("Move", "着法"),
    "weight": ("Weight", "权重"),
    "won": ("Won", "胜"),
    "drawn": ("Drawn", "和"),
    "lost": ("Lost", "负"),
    "opening": ("Opening", "开局"),
    "unplayable": (
        "This move repeats a position of the game, or may be ruled an offence.",
        "此着使本局局面重现，或可能被判负。",
    ),
    # The engine
    "engine": ("Engine", "引擎"),
    "engine_helps": ("The engine moves at this board", "引擎在此棋盘走子"),
    "engine_plays": ("Engine plays", "引擎执"),
    "nobody": ("neither side", "不参与"),
    "red": ("Red", "红方"),
    "black": ("Black", "黑方"),
    "seconds": ("Seconds for a move", "每步秒数"),
    "engine_move": ("Move for me", "代走一步"),
    "score_even": ("even", "均势"),
    "score_better": ("{side} is better by {pawns} soldiers", "{side}优{pawns}兵"),
    "score_mate": ("{side} mates in {moves}", "{side}{moves}步内杀"),
    "score_over": ("{side} has won", "{side}已胜"),
    "score_rule": ("{side} wins by the repetition rules", "{side}依循环规则取胜"),
    "thinking": ("thinking …", "思考中……"),
    "stop": ("Play now", "立即出着"),
    "seconds_range": (
        "Expected a number from {least} to {most}; it has been corrected.",
        "应为{least}至{most}之间的数，已更正。",
    ),
    # Setting up
    "fen": ("Position (FEN)", "局面（FEN）"),
    "fen_go": ("Set up", "摆局"),
    "paste": (
        "Paste a game: moves in any notation, a position line, or the text of a file",
        "粘贴棋谱：任意记谱的着法、position 行，或棋谱文件的内容",
    ),
    "open_title": ("Open a game", "打开棋局"),
    "open_paste": ("Paste or open a game", "粘贴或打开棋谱"),
    "paste_go": ("Read the game", "读入棋谱"),
    "not_understood": (
        "Not understood from line {line}, column {column} on: “{text}” ({reason}). Everything "
        "before it has been read.",
        "自第{line}行第{column}字起未能读懂：“{text}”（{reason}）。其前的内容已读入。",
    ),
    "rank_bases": (
        "The ranks were read as counted from 0; counted from 1 these moves are legal, too.",
        "横线按从0数起读入；若从1数起，这些着法同样合法。",
    ),
    "more_games": (
        "The text holds several games; this is the first. Open them as a file to see all.",
        "文中有多局棋，此为第一局；以文件打开可看全部。",
    ),
    "open_file": (
        "Open a file of games: every one with its board, its moves and its ruling",
        "打开棋谱文件：逐局显示棋盘、着法与裁决",
    ),
    "choose_file": ("Choose a file …", "选择文件……"),
    "open_files": ("Open files", "已打开的文件"),
    "no_files": ("None yet.", "尚无文件。"),
    "close": ("Close", "关闭"),
    "read_so_far": (
        "{games} games have been read so far; reload the page to see more.",
        "目前已读出{games}局；重新载入本页可看到更多。",
    ),
    "not_made": ("This page could not be made", "无法生成此页"),
    "no_page": ("There is no such page", "没有此页"),
    "gone": (
        "There is no game here: its file has been closed, or the program was restarted.",
        "此处没有棋局：文件已关闭，或程序已重新启动。",
    ),
    "cut": (
        "Only the first {most} games are shown; 'xiangqi report' shows any number.",
        "仅显示前{most}局；xiangqi report 不限局数。",
    ),
    "changed": ("{rules}, changed", "{rules}（有改动）"),
    "too_large": ("The file is larger than 16 MB.", "文件超过 16 MB。"),
    "not_kept": (
        "The game is too large to be kept after leaving the page; save it as PGN.",
        "棋局过大，离开此页后无法保留，请保存为 PGN。",
    ),
    "offline": ("The server does not answer.", "服务器没有回应。"),
    # The static site
    "loading": ("Loading the referee and the engine …", "正在载入裁判与引擎……"),
    "not_loaded": (
        "The referee could not be loaded: the folder of this page must come from a web server, "
        "and the browser must know WebAssembly.",
        "无法载入裁判：本页所在的文件夹须由网络服务器提供，浏览器须支持 WebAssembly。",
    ),
    "check": ("Does everything work in this browser?", "本浏览器能否正常运行？"),
    "check_what": (
        "The rule book's cases are ruled on and the engine's bench is run, here. It takes half a "
        "minute.",
        "在此浏览器中裁决规则书的全部局例，并运行引擎基准测试，约需半分钟。",
    ),
    "check_found": (
        "{passed} of {cases} cases as expected, {rulings} rulings in {ruling:.1f} s. Bench: "
        "{nodes} nodes in {searching:.1f} s.",
        "{cases}个局例中{passed}个与预期一致，共{rulings}次裁决，用时{ruling:.1f}秒。基准测试："
        "{nodes}节点，用时{searching:.1f}秒。",
    ),
}


def label(language: Language, key: str, **values: object) -> str:
    """Look up a text and fill in its values.

    >>> label("en", "undo"), label("zh", "to_move", side="红方")
    ('Undo', '轮到红方走棋')
    """
    return fill(LABELS[key][LANGUAGES.index(language)], values)
