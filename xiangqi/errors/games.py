"""Texts of faults in positions, moves, game records and files, by code.

``|`` separates the fault from the expected input; :mod:`xiangqi.errors.facts` defines placeholders.
"""

from __future__ import annotations

from typing import Final

__all__ = ["GAMES"]

GAMES: Final[dict[str, tuple[str, str]]] = {
    # Untranslated text, and joined facts
    "outside": ("{text}", "{text}"),
    "all": ("{parts:;}", "{parts:;}"),
    "at": ("{place}: {what}", "{place}：{what}"),
    "both": ("{first}, {second}", "{first}，{second}"),
    "expected": ("|{what}", "|{what}"),
    # Whole errors
    "error.fen": ("invalid FEN {text!r}: {field}: {why}", "无法读出 FEN {text!r}：{field}：{why}"),
    "error.position": (
        "impossible position {fen!r}: {problems:;}",
        "不可能的局面 {fen!r}：{problems:;}",
    ),
    "error.text": ("invalid text {text!r}:|{expected}", "文字 {text!r} 无法读懂：|{expected}"),
    "error.square": ("invalid square {text!r}:|{expected}", "坐标 {text!r} 无法读懂：|{expected}"),
    "error.piece": ("invalid piece {text!r}:|{expected}", "棋子 {text!r} 无法读懂：|{expected}"),
    "error.move": ("invalid move {text!r}:|{expected}", "着法 {text!r} 无法读懂：|{expected}"),
    "error.illegal_move": (
        "illegal move {move!r} in {fen!r}: {why}",
        "着法 {move!r} 不合规则：{why}",
    ),
    "error.ambiguous_move": (
        "ambiguous move {text!r} in {fen!r}:|a text for one of {moves}",
        "着法 {text!r} 有歧义，可能是：{moves}",
    ),
    "error.record": ("{text!r}: {why}", "{text!r}：{why}"),
    # Places
    "place.line": ("line {line}", "第{line}行"),
    "place.column": ("line {line}, column {column}", "第{line}行第{column}列"),
    "place.game": ("game {number}", "第{number}局"),
    "place.move": ("move {number}", "第{number}着"),
    "place.case": ("case {case}", "棋例{case}"),
    "place.start": ("starting position", "初始局面"),
    "place.opening_comment": ("comment at ply {ply}", "第{ply}着的注释"),
    "place.named_header": ("header {name}", "标题{name}"),
    "place.header": ("header {name!r}", "标题{name!r}"),
    "place.format": ("format {name!r}", "格式{name!r}"),
    "place.notation": ("notation {name!r}", "记谱{name!r}"),
    "place.encoding": ("encoding {name!r}", "编码{name!r}"),
    # The system
    "system.no_file": ("No such file or directory", "没有这个文件或文件夹"),
    "system.no_permission": ("Permission denied", "没有权限"),
    "system.is_folder": ("Is a directory", "这是文件夹"),
    "system.no_folder": ("Not a directory", "这不是文件夹"),
    "system.no_space": ("No space left on device", "磁盘空间不足"),
    "system.read_only": ("Read-only file system", "文件系统只读"),
    "system.exists": ("File exists", "文件已存在"),
    "system.long_name": ("File name too long", "文件名过长"),
    # Fields of a FEN, and their faults
    "fen.placement": ("piece placement", "棋子摆放"),
    "fen.rank": ("piece placement, rank {rank}", "棋子摆放（第{rank}横线，自下而上从0数起）"),
    "fen.side_to_move": ("side to move", "走棋方"),
    "fen.third_field": ("third field", "第三项"),
    "fen.fourth_field": ("fourth field", "第四项"),
    "fen.halfmove_clock": ("halfmove clock", "未吃子着数"),
    "fen.fullmove_number": ("fullmove number", "回合数"),
    "fen.trailing_text": ("trailing text", "多余文字"),
    "fen.operations": ("operations", "操作"),
    "fen.empty": ("the text is empty|ten ranks", "内容为空，应有十条横线"),
    "fen.ranks": (
        "{found!r} has {count:rank}|{ranks} separated by '/'",
        "{found!r}有{count}条横线|{ranks}条，以“/”分隔",
    ),
    "fen.long_rank": (
        "{row!r} has {count:character}|at most {files}",
        "{row!r}有{count}个字符，至多应有{files}个",
    ),
    "fen.files": ("{row!r} fills {count:file}|{files}", "{row!r}占{count}格|{files}格"),
    "fen.letter": (
        "found {found!r} in {row!r}|a piece or a digit 1 to 9",
        "{row!r}中有{found!r}|棋子或数字1至9",
    ),
    "fen.counter": ("found {found!r}|a number 0 to {most}", "此处为{found!r}|0至{most}之间的数"),
    "fen.side": ("found {found!r}|'w' or 'b'", "此处为{found!r}|“w”或“b”"),
    "fen.unused": ("found {found!r}|'-'", "此处为{found!r}|“-”"),
    "fen.more": ("found {found!r}|nothing", "此处为{found!r}，应无内容"),
    "fen.first_field": ("|the piece placement of a FEN alone", "|仅有 FEN 的棋子摆放"),
    "fen.bad_operations": (
        "found {found!r}|operations that end with ';'",
        "此处为{found!r}|以“;”结尾的操作",
    ),
    # Impossible positions
    "position.no_king": ("{side} has no general", "{side}没有{piece:kind}"),
    "position.kings_facing": (
        "the generals on {red} and {black} face each other on an open file",
        "{red}、{black}的将帅照面",
    ),
    "position.opposite_check": (
        "{side} is to move, but the {piece} on {where} is in check",
        "轮到{side}走棋，而{where}的{piece}正被将军",
    ),
    "position.outside_palace": (
        "{piece} on {where} stands outside the palace",
        "{where}的{piece}在九宫之外",
    ),
    "position.advisor_point": (
        "{piece} on {where} stands outside the palace's five advisor points",
        "{where}的{piece}不在九宫内士可到的五点上",
    ),
    "position.elephant_point": (
        "{piece} on {where} stands outside the seven elephant points of its half",
        "{where}的{piece}不在己方象可到的七点上",
    ),
    "position.behind_start": (
        "{piece} on {where} stands behind its starting rank",
        "{where}的{piece}在其起始横线之后",
    ),
    "position.sideways": (
        "{piece} on {where} has moved sideways before it crossed the river",
        "{where}的{piece}未过河而横行",
    ),
    "position.too_many": (
        "{side} has {count} {piece:kind}s ({where})|at most {most}",
        "{side}有{count}个{piece:kind}（{where}），至多{most}个",
    ),
    # Invalid pieces, squares and moves
    "piece.letters": ("one of {letters}", "{letters}之一"),
    "square.form": ("a file a-i and a rank 0-9", "纵线a至i和横线0至9"),
    "move.any": (
        "coordinates, WXF or Chinese notation, as in 'h2e2', 'C2.5' or '炮二平五'",
        "坐标、WXF 或中文记谱，如“h2e2”、“C2.5”或“炮二平五”",
    ),
    "move.chinese": (
        "piece, file or place, direction, number, as in '炮二平五' or '前马进7'",
        "棋子、路数或位置、方向、数字，如“炮二平五”或“前马进7”",
    ),
    "move.wxf": (
        "piece, file or sign, direction, number, as in 'C2.5', 'H8+7' or 'R+.3'",
        "棋子、路数或记号、方向、数字，如“C2.5”、“H8+7”或“R+.3”",
    ),
    "move.iccs": (
        "two different squares a0 to i9, as in 'h2e2' or 'H2-E2'",
        "a0 至 i9 中两个不同的点，如“h2e2”或“H2-E2”",
    ),
    "move.uci": (
        "two different squares a1 to i10, as in 'h3e3'",
        "a1 至 i10 中两个不同的点，如“h3e3”",
    ),
    "move.san": ("a piece and a square, as in 'Che3'", "棋子与落点，如“Che3”"),
    "move.ambiguous": ("ambiguous|a text for one of {moves}", "有歧义，可能是：{moves}"),
    # Illegal moves
    "illegal.no_piece": ("there is no piece on {square}", "{square}没有棋子"),
    "illegal.not_your_turn": (
        "the {piece} on {square} cannot move, it is {side}'s turn",
        "{square}的{piece}不能走，轮到{side}走棋",
    ),
    "illegal.own_piece": (
        "{square} is occupied by {side}'s own {piece:kind}",
        "{square}已有己方的{piece:kind}",
    ),
    "illegal.unreachable": (
        "the {piece} on {square} cannot reach {target}",
        "{square}的{piece}走不到{target}",
    ),
    "illegal.in_check": ("it leaves the {side} general in check", "走后{side}的将帅仍被将军"),
    "illegal.direction": ("the {piece} cannot move like this", "{piece}不能这样走"),
    "illegal.not_on_file": (
        "there is no {piece} on file {file}, counted from the mover's right",
        "从走棋方右侧数起的第{file}路上没有{piece}",
    ),
    "illegal.not_so_many": (
        "no file has as many {piece}s as the move implies",
        "没有哪一路上有这么多{piece}",
    ),
    "illegal.no_target": ("no {piece} can go to {square}", "没有{piece}能走到{square}"),
    "illegal.barred": ("{rules} bars it: {why}", "依{rules}为禁着：{why}"),
    # A record of moves
    "record.moves": ("|at most {most} moves in a line", "一条变化最多{most}着"),
    "record.nested": ("|variations nested at most {most} deep", "变着最多嵌套{most}层"),
    "record.start": ("the starting position cannot be read", "无法读出初始局面"),
    "record.from_start": (
        "{why}; the game is read from the starting position of Xiangqi, which all its moves fit",
        "{why}；各着均合中国象棋的初始局面，故由此读起",
    ),
    "record.game": ("|a game", "|棋局"),
    "record.pasted": (
        "|a game: moves, a position, or the text of a file",
        "|棋局：着法、局面，或棋谱文件的内容",
    ),
    "record.link": (
        "links are not followed: paste the text of the linked page",
        "不会打开链接：请粘贴链接所指页面的内容",
    ),
    "record.position": (
        "|'position fen F [moves ...]' or 'position startpos [moves ...]'",
        "|“position fen F [moves ...]”或“position startpos [moves ...]”",
    ),
    "record.position_or_fen": (
        "|'position fen F [moves ...]' or 'position startpos [moves ...]', or a FEN",
        "|“position fen F [moves ...]”、“position startpos [moves ...]”或 FEN",
    ),
    "record.epd": (
        "after a FEN:|'moves ...' or operations of EPD, as in 'bm h2e2;'",
        "FEN 之后：|“moves ...”或 EPD 操作，如“bm h2e2;”",
    ),
    "record.utf8": ("not UTF-8: {error}", "不是 UTF-8：{error}"),
    "record.rules": ("rules:|the name of a rule set", "rules：|规则名称"),
    "record.position_alone": (
        "position:|text, without fen and moves",
        "position：|文字，且无 fen 与 moves",
    ),
    "record.json": ("not JSON: {error}", "不是 JSON：{error}"),
    "record.json_depth": ("not JSON: nested too deeply", "不是 JSON：嵌套过深"),
    "record.object": ("|an object with 'fen' and 'moves'", "|含“fen”与“moves”的对象"),
    "record.fen": ("fen:|text", "fen：|文字"),
    "record.move_list": ("moves:|a list of texts", "moves：|文字的列表"),
    "record.move_text": ("|text, as in 'h2e2'", "|文字，如“h2e2”"),
    "record.ended": ("the game goes on|a finished game", "对局尚在继续|已结束的对局"),
    "record.not_xiangqi": (
        "not Xiangqi: the header Variant is {value!r}",
        "不是中国象棋：标题 Variant 为{value!r}",
    ),
    "record.other_board": (
        "not Xiangqi: the position has {count} ranks|{ranks}",
        "不是中国象棋：局面有{count}条横线|{ranks}条",
    ),
    "record.western": (
        "not Xiangqi: {move!r} is a move of western chess",
        "不是中国象棋：{move!r}是国际象棋的着法",
    ),
    # Games in files
    "text.encoding": (
        "line {line}: neither UTF-8, GB18030 nor Big5",
        "第{line}行：既非 UTF-8，也非 GB18030 或 Big5",
    ),
    "text.comment": ("the comment is not closed:|'}'", "注释没有结束：|“}”"),
    "text.variation": ("the variation is not closed:|')'", "变着没有结束：|“)”"),
    "text.block": ("the block is not closed:|'}'", "区段没有结束：|“}”"),
    "text.behind_block": ("|nothing after '{keyword}{ }'", "“{keyword}{ }”之后应无内容"),
    "text.kept": (
        "not understood after ply {ply}; kept as a comment up to the next move",
        "第{ply}着之后未能读懂；至下一着为止记为注释",
    ),
    "text.black_first": (
        "written as a move of Black, who therefore moves first",
        "写法为黑方着法，故由黑方先走",
    ),
    "text.sides": ("the moves are not written as those of {side}", "着法的写法与{side}不符"),
    "text.missing_move": (
        "a move of {side} is missing in round {round}",
        "第{round}回合缺少{side}的着法",
    ),
    "text.missing_rounds": (
        "the rounds {first} to {last} are missing",
        "缺少第{first}至第{last}回合",
    ),
    "text.unknown_result": (
        "not a result:|1-0, 0-1, 1/2-1/2 or *, or words such as 红胜",
        "不是结果：|1-0、0-1、1/2-1/2、*，或“红胜”等词",
    ),
    "text.early_variation": ("no move before the variation", "变着之前没有着法"),
    "text.no_variation": ("no variation is open here", "此处没有未结束的变着"),
    "text.inner_result": ("a result within a variation", "变着之中出现结果"),
    "text.other_result": (
        "the header says that the result is {result!r}",
        "标题中的结果是{result!r}",
    ),
    "text.second_header": ("duplicate header {name!r}", "标题{name!r}重复"),
    "text.second_keyword": ("duplicate {name}", "{name}重复"),
    "text.no_header": ('no header:|[Name "value"]', '不是标题：|[名称 "内容"]'),
    "text.keyword": ("|a keyword and its value", "|关键字及其内容"),
    "text.key": ("{key}:|{what}", "{key}：|{what}"),
    "text.objects": ("a list of objects", "对象的列表"),
    "text.an_object": ("an object", "对象"),
    "text.plies": ("an object whose keys are plies", "以着数为键的对象"),
    "text.ply": ("a ply {first} to {last}", "第{first}至{last}着"),
    "text.numbers": ("a list of numbers", "数字的列表"),
    "text.moves": ("a list of texts, as in ['h2e2']", "文字的列表，如 ['h2e2']"),
    "text.line_left": (
        "an object with the line and the ply that it branches from",
        "含分支所在变化与着数的对象",
    ),
    "text.one_header": ("one header {name} only", "只有一个标题{name}"),
    "text.square_taken": ("the {piece} is already there", "该处已有{piece}"),
    "text.piece_at": ("{piece} on {square}", "{square}的{piece}"),
    "text.behind_end": ("moves after the end of the line", "棋局结束之后还有着法"),
    "text.breaks_off": ("the file ends in the middle of the game", "文件在此局中间中断"),
    "text.between_squares": ("|a move between two squares of the board", "|棋盘上两点之间的着法"),
    "text.bad_count": (
        "result {result}, {unsearched} of {moves} moves not searched",
        "结果{result}，{moves}着中有{unsearched}着未搜索",
    ),
    "text.bad_turn": ("the side to move is {turn}|0 or 1", "走棋方为{turn}|0或1"),
    # Elements of CBF
    "xml.bad": (
        "line {line}, column {column}: not XML: {error}",
        "第{line}行第{column}列：不是 XML：{error}",
    ),
    "xml.document_type": ("document type declarations are not supported", "不支持文档类型声明"),
    "xml.element": ("|the element {name}", "|元素{name}"),
    "xml.nested": ("elements nested more than {most} deep", "元素嵌套超过{most}层"),
    # Records of CCBridge and XQF
    "binary.version": ("|version {known} of CCBridge's records", "|象棋桥记录的第{known}版"),
    "binary.cut_off": (
        "the record is cut off|at least {count} bytes",
        "记录不完整，至少应有{count}字节",
    ),
    "binary.piece": ("not a piece code, at index {place}", "第{place}处不是棋子编号"),
    "binary.mark": ("|a mark from 0 to 7 and two squares", "|0至7的标记与两个点"),
    "binary.encoding": ("not GB18030", "不是 GB18030"),
    "binary.comment": (
        "a comment of {size:byte}, but only {left} are left",
        "注释有{size}字节，而只剩{left}字节",
    ),
    "binary.no_move": ("found {found:byte}|4 for a move", "一着应有4字节，只有{found}字节"),
    "binary.behind_end": ("{count:byte} after the end of the moves", "着法结束之后还有{count}字节"),
    "binary.break_off": ("the moves end too early|another move", "着法中断，还应有一着"),
    "binary.xqf": ("not an XQF file:|'XQ' at the start", "不是 XQF 文件：开头|“XQ”"),
    "binary.xqf_header": (
        "the header is cut off: {count:byte}|{size}",
        "文件头不完整，有{count}字节|{size}字节",
    ),
    "binary.xqf_version": (
        "XQF version {version}|at most {last}",
        "XQF 版本{version}，至多应为{last}",
    ),
    "binary.cbr": (
        "neither a record nor a library of CCBridge:|'CCBridge' at the start",
        "既非象棋桥的记录，也非其棋谱库：开头|“CCBridge”",
    ),
    "binary.empty_library": (
        "a library of CCBridge without any record",
        "象棋桥的棋谱库里没有记录",
    ),
    "binary.long_record": ("a record is longer than {most} bytes", "一条记录超过{most}字节"),
    # Tags of DhtmlXQ
    "tag.none": (
        "no game:|tags such as [DhtmlXQ_movelist]",
        "没有棋局：应有标签，如 [DhtmlXQ_movelist]",
    ),
    "tag.end": ("|[/DhtmlXQ_{name}] after it", "其后应有 [/DhtmlXQ_{name}]"),
    "tag.twice": ("the tag {name} occurs twice", "标签{name}重复"),
    "tag.line_twice": ("line {line} occurs twice", "变化{line}重复"),
    "tag.no_line": ("it branches from a line that does not exist", "分支所在的变化不存在"),
    "tag.no_ply": (
        "line {line} has no ply {ply} to branch from",
        "变化{line}没有第{ply}着可供分支",
    ),
    "tag.no_comment_ply": ("line {line} has no ply {ply}", "变化{line}没有第{ply}着"),
    "tag.point": ("binit:|a point of the board, or 99", "binit：|棋盘上的点，或99"),
    "tag.digits": (
        "binit: found {found:character}|{count} digits",
        "binit：此处有{found}个字符|{count}个数字",
    ),
    # Files
    "file.format": ("not a known game format: {why}", "不是已知的棋谱格式：{why}"),
    "file.no_text": (
        "not text, which {name} requires: {why}",
        "不是文本，而{name}格式应为文本：{why}",
    ),
    "file.begins": ("begins with {found}", "开头为{found}"),
    "file.empty": ("it is empty", "内容为空"),
    "file.no_game": (
        "no game:|moves, as in '炮二平五' or 'h2e2'",
        "没有棋局：应有着法，如“炮二平五”或“h2e2”",
    ),
    "file.no_game_but": ("no game: {found!r}: {why}", "没有棋局：{found!r}：{why}"),
    "file.damaged_gzip": ("the compressed file is damaged: {error}", "压缩文件已损坏：{error}"),
    "file.gzip_twice": ("compressed twice|at most once", "压缩了两次，至多应压缩一次"),
    "file.bytes": ("longer than {most} bytes", "超过{most}字节"),
    "file.characters": ("longer than {most} characters", "超过{most}个字符"),
    "file.none_in_folder": (
        "the folder holds no file that ends with one of {names}",
        "文件夹里没有以下列扩展名结尾的文件：{names}",
    ),
    "file.exists": ("file exists; use --force to replace it", "文件已存在；用 --force 覆盖"),
    "file.exists_resumable": (
        "file exists; use --resume to continue it or --force to replace it",
        "文件已存在；用 --resume 继续，或用 --force 覆盖",
    ),
    "file.one_of": ("|one of {names}", "|{names}之一"),
    "file.suffix": ("|a name that ends with {names}", "|以{names}结尾的文件名"),
    "file.analysis_suffix": (
        "unknown format of the analysis:|a name that ends with one of {names}",
        "分析的格式不明：|以下列之一结尾的文件名：{names}",
    ),
    "file.rulings_suffix": (
        "unknown format of the rulings:|a name that ends with one of {names}",
        "裁决的格式不明：|以下列之一结尾的文件名：{names}",
    ),
    "file.writing": ("another run is writing it", "另一次运行正在写入"),
    "file.resumed_ruling": (
        "the ruling on {found}|that on {wanted}",
        "为{found}的裁决|{wanted}的裁决",
    ),
    "file.no_ruling": ("not a ruling: {line!r}", "不是裁决：{line!r}"),
    "file.no_journal_line": ("not a line of a journal: {error!r}", "不是日志的一行：{error!r}"),
    "file.other_run": (
        "the interrupted run had the settings {found}|{asked}",
        "中断的运行的设定为{found}|{asked}",
    ),
    "file.other_game": (
        "the interrupted run had {found} at place {place}, which is now {now}",
        "中断的运行在第{place}处为{found}，现在该处为{now}",
    ),
    "file.needs": ("needs {library}: {how}", "需要{library}：{how}"),
    "file.openings": (
        "|JSON, a list of objects with 'code' and 'name' ({error})",
        "|JSON：含“code”与“name”的对象列表（{error}）",
    ),
    "file.other_files": (
        "holds other files|a new or empty folder",
        "其中有别的文件|新文件夹或空文件夹",
    ),
    "file.not_folder": ("is a file|a folder", "是文件|文件夹"),
    "file.wheel": ("|a wheel of Meihua for WebAssembly", "|Meihua 的 WebAssembly wheel"),
    "file.pyodide": ("|Pyodide, with {name}", "|Pyodide，含{name}"),
    "file.old_site": ("|an empty folder, or an older site", "|空文件夹，或较早生成的网站"),
    # Writing a game in a format
    "write.read_only": ("this format can be read, but not written", "此格式只能读取，不能写出"),
    "write.one_game": (
        "a file holds one game, but there are several; give a folder for one file per game",
        "一个文件只能有一局，而此处有多局；请给出文件夹，每局一个文件",
    ),
    "write.xqf_one_game": ("an XQF file holds one game", "一个 XQF 文件只能有一局"),
    "write.loses": ("it would lose {losses}", "会丢失{losses}"),
    "write.one_notation": ("|{names}", "|{names}"),
    "write.notations": ("|one of {names}", "|{names}之一"),
    "write.own_form": ("the format has its own notation", "此格式有自己的记谱"),
    "write.encoding": ("{encoding} cannot write {found!r}", "{encoding}无法写出{found!r}"),
    "write.character": ("{found!r} is not a character", "{found!r}不是字符"),
    "write.own_header": ("the header {name} is set by the format", "标题{name}由格式自定"),
    "write.header_name": ("no header can have the name {name!r}", "标题不能名为{name!r}"),
    "write.header_breaks": (
        "the line breaks of the header {name!r} would be lost",
        "标题{name!r}中的换行会丢失",
    ),
    "write.header_value": (
        "the header {name!r} cannot have the value {value!r}",
        "标题{name!r}的内容不能是{value!r}",
    ),
    "write.xqf_header": ("no field of XQF has this name", "XQF 没有此名的项"),
    "write.tag_name": ("no tag can have this name", "标签不能有此名"),
}
