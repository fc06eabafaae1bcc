"""Texts of faults in rule sets, cases, books, tables, networks and settings, by code.

``|`` separates the fault from the expected input; :mod:`xiangqi.errors.facts` defines placeholders.
"""

from __future__ import annotations

from typing import Final

__all__ = ["PROGRAMS"]

PROGRAMS: Final[dict[str, tuple[str, str]]] = {
    # Whole errors
    "error.rules": (
        "invalid {subject} {value!r}:|{expected}",
        "{subject}{value!r}无效：|{expected}",
    ),
    "error.missing": ("missing {subject}:|{expected}", "缺少{subject}：|{expected}"),
    "error.field": ("{place}: {value}:|{expected}", "{place}：{value}：|{expected}"),
    "error.request": ("{value}:|{expected}", "{value}：|{expected}"),
    "error.call": ("{place}: found {value!r}|{expected}", "{place}：此处为{value!r}|{expected}"),
    "error.json": ("not {expected}", "不是 {expected}"),
    "error.status": ("{status}: {why}", "{status}：{why}"),
    "error.rating": ("cannot rate the players: {why}", "无法评定等级分：{why}"),
    "error.network": (
        "cannot use the network {path!r}: found {found}|{expected}",
        "无法使用网络 {path!r}：此处为{found}|{expected}",
    ),
    "error.book": (
        "cannot use the book {path!r}: found {found}|{expected}",
        "无法使用开局库 {path!r}：此处为{found}|{expected}",
    ),
    "error.workers": ("no workers: {who}: {why}", "没有工作进程：{who}：{why}"),
    # Values
    "one_of": ("one of {choices}", "{choices}之一"),
    "or": ("{one} or {other}", "{one}或{other}"),
    "number": ("a number {least} to {most}", "{least}至{most}之间的数"),
    "value": ("{value}", "{value}"),
    "found": ("found {value!r}|{expected}", "此处为{value!r}|{expected}"),
    "a_text": ("text", "文字"),
    "texts": ("a list of texts", "文字的列表"),
    "a_number": ("a number", "数"),
    "true_or_false": ("true or false", "true 或 false"),
    "none": ("none", "无"),
    "moves": ("a list of moves", "着法的列表"),
    "json": ("JSON", "JSON"),
    "json_object": ("a JSON object", "JSON 对象"),
    "no_file": ("no file", "无此文件"),
    "failure": ("an error ({why})", "错误（{why}）"),
    "beginning": ("the start {found}", "开头{found}"),
    "version": ("version {version}", "版本{version}"),
    "at_most": ("at most {most}", "至多{most}"),
    "bytes": ("{count} bytes", "{count}字节"),
    # Rule sets
    "rule.set": ("rule set", "规则"),
    "rule.field": ("rule {field}", "规则项{field}"),
    "rule.unknown_field": ("rule", "规则项"),
    "rule.option": ("option {option}", "选项{option}"),
    "rule.key": ("key {key}", "键{key}"),
    "rule.unknown_key": ("key", "键"),
    "rule.row_of_texts": ("a list of texts", "文字的列表"),
    "rule.rising": (
        "at most {count} increasing numbers from {least} to {most}",
        "至多{count}个递增的数，{least}至{most}",
    ),
    "rule.plies": ("a number of plies, or None", "半回合数，或 None"),
    "rule.checks": ("a number of checks, or None", "将军次数，或 None"),
    "rule.verdict": ("A>B with two of {levels}", "A>B，其中二者取自{levels}"),
    "rule.one_loses": ("each pair of conducts once", "每对行为只出现一次"),
    "rule.no_kill": ("no kill if a chase is a capture", "捉以吃子为准时不含杀"),
    "rule.search_needed": (
        "the rule set for searches, since a search cannot compute gains",
        "搜索所依的规则，因搜索不能计算得子",
    ),
    "rule.search_not_needed": (
        "nothing, since a search can use the rule set itself",
        "无内容，因搜索可依此规则本身",
    ),
    "rule.one_kind": ("'one_kind' if a check voids all chases", "将军使捉均不算时为 'one_kind'"),
    "rule.no_offences": ("'none' if no position may be repeated", "禁止局面重复时为 'none'"),
    "rule.loss": ("'loss' if no position may be repeated", "禁止局面重复时为 'loss'"),
    "rule.chase_rounds": (
        "numbers if check_rounds has numbers, otherwise none",
        "check_rounds 有数时也有数，否则没有",
    ),
    "rule.mixed_rounds": (
        "numbers if check_rounds has numbers and mixing is 'any', otherwise none",
        "check_rounds 有数且 mixing 为 'any' 时有数，否则没有",
    ),
    "rule.check_rounds": (
        "none, unless penalty is 'barred', offences are 'check_and_chase', chase is 'capture' and "
        "answered is 'any'",
        "没有，除非 penalty 为 'barred'、offences 为 'check_and_chase'、chase 为 'capture'、"
        "answered 为 'any'",
    ),
    "rule.without_rounds": ("{value!r} if no rounds are counted", "不计回合时为{value!r}"),
    "rule.mutual": (
        "None, or more than occurrences if chase is 'capture' and offences is not 'none'",
        "None，或大于 occurrences 的数（chase 为 'capture' 且 offences 不为 'none' 时）",
    ),
    "rule.free_checks": ("None if no_capture_limit is None", "no_capture_limit 为 None 时为 None"),
    "rule.search_as": (
        "a rule set that a search can use instead ({error})",
        "搜索可依的规则（{error}）",
    ),
    "rule.names": ("a RuleSet, or one of {choices}", "RuleSet，或{choices}之一"),
    "rule.answer": (
        "an answer, or the name of a rule set in 'based_on'",
        "一个值，或在 'based_on' 中给出规则名",
    ),
    "rule.toml": ("a TOML file that can be read ({why})", "可读的 TOML 文件（{why}）"),
    "rule.table": ("a table headed [rules]", "以 [rules] 为标题的表"),
    "rule.change": ("QUESTION=VALUE", "项=值"),
    # Cases of a rule book
    "case.key": ("unknown key|one of {keys}", "未知的键|{keys}之一"),
    "case.no_folder": ("not found in {folder} or beside it", "在{folder}及其旁均未找到"),
    "case.twice": ("also in {path}", "{path}中亦有"),
    "case.unknown": (
        "there is no such case; 'xiangqi verify --list' lists them all",
        "没有此棋例；“xiangqi verify --list”列出全部",
    ),
    "case.no_files": ("the folder holds no .toml file", "文件夹里没有 .toml 文件"),
    "case.tables": ("|tables headed [[case]]", "|以 [[case]] 为标题的表"),
    "case.rule_sets": ("a table of rule sets", "规则的表"),
    "case.rule_names": ("names of rule sets", "规则名"),
    "case.marks": ("one for each move of the cycle", "循环中每着一个"),
    # Opening books
    "book.any": ("an OBK or PengFei book, or a BOOK.DAT", "OBK 或鹏飞开局库，或 BOOK.DAT"),
    "book.lines": (
        "move weight FEN, as in 'b2e2 12 rnbakabnr/... w'",
        "着法 权重 FEN，如“b2e2 12 rnbakabnr/... w”",
    ),
    "book.records": ("records of {size} bytes, {most} at most", "每条{size}字节的记录，至多{most}"),
    "book.order": (
        "{following} after {key} in record {number}",
        "第{number}条记录中{key}之后为{following}",
    ),
    "book.sorted": ("a BOOK.DAT, sorted by its keys", "按键排序的 BOOK.DAT"),
    "book.line": ("{line!r} in line {number}", "第{number}行的{line!r}"),
    "book.bad_line": ("{line!r} in line {number} ({error})", "第{number}行的{line!r}（{error}）"),
    "book.most_moves": ("{most} moves at most", "至多{most}着"),
    "book.empty": ("an empty file", "空文件"),
    "book.no_table": ("an SQLite file without this table", "没有此表的 SQLite 文件"),
    "book.columns": ("the columns {names}", "列{names}"),
    "book.wanted_columns": ("a table {table} with vkey and vmove", "含 vkey 与 vmove 的表 {table}"),
    "book.damage": ("damage ({error})", "损坏（{error}）"),
    "book.table": ("an SQLite table {table}", "SQLite 的表 {table}"),
    "book.sqlite": ("an SQLite file", "SQLite 文件"),
    # Endgame tables
    "table.class": ("class {name!r}", "残局{name!r}"),
    "table.kings": ("|two kings and their pieces, as in KRvKN", "|两个将帅及其子力，如 KRvKN"),
    "table.pieces": ("|at most {most} of {letter} on a side", "|一方至多{most}个{letter}"),
    "table.large": ("it has too many positions for a table", "局面太多，无法制成残局库"),
    "table.memory": ("not enough memory: it takes {size} MB", "内存不足：需要{size} MB"),
    "table.missing_capture": (
        "a capture leads to this class, but its table is missing",
        "吃子后进入该残局，而没有该残局库",
    ),
    "table.checksum": ("damaged: wrong checksum", "已损坏：校验和不符"),
    "table.truncated": ("not a table file: truncated header", "不是残局库文件：文件头不完整"),
    "table.magic": ("not a table file:|{magic!r} at the start", "不是残局库文件：开头|{magic!r}"),
    "table.bad_block": ("block {block} is damaged: {error}", "第{block}块已损坏：{error}"),
    "table.block_size": (
        "block {block} is damaged:|{size} bytes",
        "第{block}块已损坏：|{size}字节",
    ),
    "table.header": ("damaged: its header cannot be read", "已损坏：无法读出文件头"),
    "table.length": (
        "damaged: its length differs from that in its header",
        "已损坏：长度与文件头不符",
    ),
    "table.no_folder": ("there is no such folder of tables", "没有这个残局库文件夹"),
    "table.none": ("no such table", "没有此残局库"),
    # Samples
    "sample.begins": ("begins with {found!r}|{magic!r}", "开头为{found!r}|{magic!r}"),
    "sample.version": ("version {found}|{known}", "版本{found}|{known}"),
    "sample.no_json": ("header {header!r}: {error}|JSON", "文件头{header!r}：{error}|JSON"),
    "sample.header": (
        "header {header!r}|an object of {size} bytes",
        "文件头{header!r}|{size}字节的对象",
    ),
    "sample.bad": ("sample at byte {place}: {error}", "第{place}字节处的样本：{error}"),
    "sample.bad_game": ("game at byte {place}: {error}", "第{place}字节处的对局：{error}"),
    "sample.changed": (
        "{name} was {was!r} and is {now!r}|the same",
        "{name}原为{was!r}，现为{now!r}，应相同",
    ),
    # Networks
    "network.file": ("a network file", "网络文件"),
    "network.smaller": ("smaller weights", "较小的权重"),
    "network.weights": ("{count} bytes of weights", "{count}字节的权重"),
    "network.hash": ("weights of the hash {digest}", "散列为{digest}的权重"),
    "network.header_size": ("a header of {count} bytes", "{count}字节的文件头"),
    "network.bad_json": ("a header {header!r} ({error})", "文件头{header!r}（{error}）"),
    "network.header": ("a header {header!r}", "文件头{header!r}"),
    "network.architecture": ("an architecture {found!r}", "架构{found!r}"),
    "network.field": ("{found!r} for {name}", "{name}为{found!r}"),
    "network.digits": ("digits", "数字"),
    "network.part": ("{found!r} for {name} of the architecture", "架构的{name}为{found!r}"),
    # Workers
    "workers.scheduler": ("scheduler {address!r}", "调度器{address!r}"),
    "workers.unreachable": ("cannot be reached: {error}", "无法连接：{error}"),
    "workers.none": ("has no workers", "没有工作进程"),
    "workers.died": ("the workers have died", "工作进程已退出"),
    "workers.each_died": ("each worker that took it has died", "处理它的工作进程都已退出"),
    # Ratings
    "rating.no_result": ("no game has a result", "没有一局有结果"),
    "rating.groups": ("no games connect these groups: {groups}", "以下各组之间没有对局：{groups}"),
    "rating.anchor": (
        "the anchor {anchor!r} played no game:|one of {players}",
        "基准棋手{anchor!r}没有对局：|{players}之一",
    ),
    "rating.no_end": ("the optimiser did not converge: {message}", "优化未收敛：{message}"),
    # Openings of a match, and its journal
    "match.game_keys": ("not a game:|the keys {keys}", "不是对局：|键{keys}"),
    "match.header": (
        'not a header:|[Name "value"], with \\" for a quote in the value',
        '不是标题：|[名称 "内容"]，内容中的引号写作 \\"',
    ),
    "match.no_opening": ("no opening:|{expected}", "没有开局：|{expected}"),
    "match.each_line": ("{what} on each line", "每行{what}"),
    "match.a_position": (
        "a FEN, or moves in coordinates, as in 'h2e2 h9g7'",
        "FEN，或坐标着法，如“h2e2 h9g7”",
    ),
    "match.games": ("games in the format {name}", "{name}格式的对局"),
    "match.many_lines": (
        "more than {most} lines of {plies} moves:|fewer, by plies=N",
        "{plies}着的变化多于{most}条：应以 plies=N 减少",
    ),
    "match.empty_book": ("a book with moves to play", "有着法可走的开局库"),
    "match.over": (
        "the game is already over by {ending!r}:|a position to play on",
        "对局在此已结束（{ending!r}）：|可继续的局面",
    ),
    # Settings of a match
    "match.argument": ("argument", "参数"),
    "match.word": ("option", "选项"),
    "match.file": ("configuration file", "设置文件"),
    "match.a_word": ("an option such as -engine before it", "其前应有选项，如 -engine"),
    "match.toml": ("TOML that can be read ({why})", "可读的 TOML（{why}）"),
    "match.value": ("text, a number, true or false", "文字、数、true 或 false"),
    "match.resume_words": ("only {words} with -config", "与 -config 同用的只有{words}"),
    "match.form": ("{form}", "{form}"),
    "match.keys": ("{keys}", "{keys}"),
    "match.nothing": ("nothing after it", "其后无内容"),
    "match.one_value": ("one value after it", "其后有一个值"),
    "match.tables": ("a folder of endgame tables", "残局库的文件夹"),
    "match.two_engines": ("two engines to compare", "两个引擎相比较"),
    "match.above_elo0": ("more than elo0 ({elo})", "大于 elo0（{elo}）"),
    "match.two_or_more": ("two or more", "两个以上"),
    "match.of_engine": ("{key} (engine {engine})", "{key}（引擎{engine}）"),
    "match.other_name": ("another name for each engine", "各引擎名称不同"),
    "match.limit": ("limit of engine {engine}", "引擎{engine}的用时限制"),
    "match.no_tc": ("no st with tc", "tc 之外不用 st"),
    "match.some_time": ("{form}, with a time above 0", "{form}，且用时大于零"),
    "match.switch": ("'on' or 'off'", "“on”或“off”"),
    "match.some_text": ("some text", "文字"),
    "match.shell": (
        "arguments, quoted as in a shell: {error}",
        "以 shell 方式加引号的参数：{error}",
    ),
    "match.new_file": ("a new file: {error}", "新文件：{error}"),
    "match.existing_file": (
        "a new file (this one exists; -config file={path} resumes its match)",
        "新文件（此文件已存在；-config file={path} 继续其比赛）",
    ),
    "match.journal_file": ("a journal: {error}", "比赛日志：{error}"),
    "match.free_journal": (
        "a journal that no other match is writing",
        "没有其他比赛正在写入的日志",
    ),
    "match.journal": ("the journal of a match", "比赛的日志"),
    "match.file_to_add": ("a file to append to: {error}", "可续写的文件：{error}"),
    "match.readable_file": ("a file that can be read: {error}", "可读的文件：{error}"),
    "match.no_less": ("at least the number already played", "不少于已下的局数"),
    "match.same_games": (
        "the same openings and engines as before; game {number} has others",
        "与先前相同的开局与引擎；第{number}局不同",
    ),
    # Options of the engine
    "engine.options": ("one of the options {names}", "选项{names}之一"),
    "engine.less": ("a smaller value ({error})", "较小的值（{error}）"),
    "engine.one_thread": ("1: this engine has a single thread", "1：此引擎只有一个线程"),
    # External engines, and Meihua in process
    "driver.limit_value": (
        "invalid limit {name} {value}:|0 or more",
        "限制{name} {value}无效：|0或更大",
    ),
    "driver.endless": (
        "{limit} never ends:|a time, {side}'s clock, a depth, nodes or a mate",
        "{limit}没有终点：|时间、{side}的用时、深度、节点数或杀着步数",
    ),
    "driver.does_not_stop": ("the previous search does not stop", "上一次搜索没有停止"),
    "driver.no_option": (
        "no such option: {name!r}; the engine has: {known}",
        "没有选项{name!r}；引擎的选项有：{known}",
    ),
    "driver.managed": (
        "cannot set option {name}: it is set automatically",
        "不能设置选项{name}：它由程序自动设置",
    ),
    "driver.option_value": (
        "invalid option {name} {value!r}:|true or false",
        "选项{name}的值{value!r}无效：|true 或 false",
    ),
    "driver.no_multipv": (
        "{count:line} of play requested, but the engine has no MultiPV",
        "需要{count}条变化，而引擎没有 MultiPV 选项",
    ),
    "driver.variants": (
        "the engine does not play xiangqi: its variants are {known}",
        "引擎不会下象棋：其变体有{known}",
    ),
    "driver.variant_option": (
        "the engine does not play xiangqi: its UCI_Variant is one of {known}",
        "引擎不会下象棋：其 UCI_Variant 为{known}之一",
    ),
    "driver.no_bans": ("{protocol} cannot forbid moves", "{protocol} 协议不能禁止着法"),
    "driver.xboard_limit": (
        "XBoard cannot express {limit}:|a time or a depth",
        "XBoard 协议无法表示{limit}：|时间或深度",
    ),
    "driver.ucci_limit": (
        "UCCI cannot express {limit}:|a time, depth or nodes",
        "UCCI 协议无法表示{limit}：|时间、深度或节点数",
    ),
    "driver.refused": ("the engine refuses a command: {line}", "引擎拒绝命令：{line}"),
    "driver.initialized": ("the engine has been initialized already", "引擎已初始化"),
    "driver.knows_none": ("the engine does not know {names:or}", "引擎不支持{names:or}"),
    "driver.dialect": (
        "unknown dialect {value!r}:|one of {choices}",
        "未知的协议{value!r}：|{choices}之一",
    ),
    "driver.rules": (
        "it cannot be set to the rules {rules}: {why}",
        "无法令其采用规则{rules}：{why}",
    ),
    "driver.lacks_option": ("it has no option {name}", "没有选项{name}"),
    "driver.choices": ("its option {name} is one of {choices}", "其选项{name}只能为{choices}之一"),
    "driver.rounds": (
        "its option {name} counts rounds of two plies",
        "其选项{name}以两着为一回合计数",
    ),
    "driver.command": (
        "cannot read the command {command!r}: {error}",
        "无法读懂命令{command!r}：{error}",
    ),
    "driver.not_started": ("cannot start {command!r}: {why}", "无法启动{command!r}：{why}"),
    "driver.no_program": ("|a program to run", "|要运行的程序"),
    "driver.no_folder": ("no such folder: {folder!r}", "没有此文件夹：{folder!r}"),
    "driver.not_found": ("not found|a program that can be run", "未找到|可运行的程序"),
    "driver.silent": (
        "no answer to {names:or} within {seconds} seconds",
        "{seconds}秒内对 {names:or} 没有回应",
    ),
    "driver.no_score": ("{name} plays {move} without a score", "{name}走{move}而不给出分数"),
    "driver.no_move": ("it plays no move", "没有给出着法"),
    "driver.barred": (
        "it plays {move}, which the rules bar; forbidding moves is not supported",
        "走出规则禁止的{move}，而无法对其禁着",
    ),
    "driver.no_levels": ("it has no levels", "没有强度等级"),
    # Requests to the server of the page
    "request.field": ("{place}: {given!r}:|{expected}", "{place}：{given!r}：|{expected}"),
    "request.part": ("{place} {given!r}:|{expected}", "{place} {given!r}：|{expected}"),
    "request.foreign": (
        "{place} {given!r}: not a page of this server",
        "{place} {given!r}：不是本服务器的网页",
    ),
    "request.token": (
        "|the address with the token, as 'xiangqi serve' printed it",
        "|“xiangqi serve”所显示的带口令的地址",
    ),
    "request.head": (
        "{headers:header} of {size:byte}:|{most_headers} and {most_bytes} at most",
        "{headers}个标题共{size}字节：|至多{most_headers}个、{most_bytes}字节",
    ),
    "request.chunked": ("|a body with a Content-Length", "|带 Content-Length 的正文"),
    "request.no_length": ("|a Content-Length", "|Content-Length"),
    "request.one_number": ("one number", "一个数"),
    "request.large_body": (
        "a body of {given!r} bytes:|{most} at most",
        "正文长{given!r}字节：|至多{most}",
    ),
    "request.large_file": (
        "a file of more than {most} bytes after unpacking",
        "文件解压后超过{most}字节",
    ),
    "request.utf8": ("the body is not UTF-8: {error}", "正文不是 UTF-8：{error}"),
    "request.address": ("address {given!r}: {error}", "地址{given!r}：{error}"),
    "request.path": ("a path", "路径"),
    "request.allowed": ("{methods} for {path!r}", "{path!r}用{methods}"),
    "request.key": ("{place}:|Bearer and the key of the service", "{place}：|Bearer 与服务的密钥"),
    "request.short": ("the request is incomplete", "请求不完整"),
    "request.slow": ("the request takes too long", "请求用时过长"),
    "request.unknown_line": (
        "{place}: {given!r}: this line is not known; send all its moves",
        "{place}：{given!r}：没有此变化，请发送全部着法",
    ),
    "request.characters": ("{most} characters at most", "至多{most}个字符"),
    "request.many_moves": (
        "{place}: {count:move}:|at most {most}",
        "{place}：共{count}着：|至多{most}",
    ),
    "request.headers": ("names with texts", "名称与文字"),
    "request.nodes": ("a list that begins with the root", "以根开头的列表"),
    "request.other_node": ("another node's index", "另一节点的位置"),
    "request.long_line": (
        "{place}:|lines of {most} moves at most",
        "{place}：|每条变化至多{most}着",
    ),
    "request.move": ("a move", "着法"),
    "request.places": ("a list of places", "位置的列表"),
    "serve.fault": ("internal error: {error}", "程序错误：{error}"),
    "serve.no_page": ("{given!r}: there is no such page", "{given!r}：没有此页"),
    "serve.other_method": ("{place} {given!r}:|the other method", "{place} {given!r}：|另一种方法"),
    "serve.no_file": ("file {number}: there is no such file", "文件{number}：没有此文件"),
    "serve.connections": ("{count} connections are open already", "已有{count}个连接"),
    "serve.address_connections": (
        "{count} connections are open from your address already",
        "您的地址已有{count}个连接",
    ),
    "serve.closing": ("The server is closing.", "服务器正在关闭。"),
    "serve.no_engines": ("there is no engine", "没有引擎"),
    "serve.searches": (
        "{place}: {running} are running|fewer",
        "{place}：正在运行{running}个，应少于此数",
    ),
    "serve.nothing_found": ("the engine found nothing", "引擎没有找到着法"),
    "serve.no_answer": ("no answer in {seconds} seconds", "{seconds}秒内没有结果"),
    "serve.no_engine": ("There is no engine {name}.", "没有名为{name}的引擎。"),
    "serve.engine_failed": ("The engine {name} failed: {why}", "引擎{name}出错：{why}"),
    "serve.engine_silent": (
        "The engine {name} does not answer; it will be restarted.",
        "引擎{name}没有回应，将重新启动。",
    ),
    "serve.engines_busy": (
        "Engines already search for {pages} pages; stop one of them first.",
        "已有{pages}个页面在使用引擎，请先停止其中一个。",
    ),
    "serve.no_room": (
        "Too many files: {files} are open. Close one of them first.",
        "已打开{files}个文件，无法再打开；请先关闭其中一个。",
    ),
    "serve.too_slow": (
        "This takes more than {seconds} s and has been stopped; the commands 'xiangqi judge' and "
        "'xiangqi report' have no such limit.",
        "用时超过{seconds}秒，已停止；命令 xiangqi judge 和 xiangqi report 没有此限制。",
    ),
    "serve.worker_ended": ("The process that read this has crashed.", "读取此内容的进程意外终止。"),
    "serve.packed_twice": (
        "The file is compressed twice; unpack it first.",
        "文件被压缩了两次，请先解压一次。",
    ),
    "serve.large_unpacked": (
        "The file has more than {bytes} bytes when unpacked.",
        "文件解压后超过{bytes}字节。",
    ),
    # Requests of the HTTP service, and calls of the npm package
    "api.json": ("JSON: {why}", "JSON：{why}"),
    "api.field": ("the field {name}", "字段{name}"),
    "api.base64": ("base64", "base64"),
    "api.range": ("a number in range", "范围内的数"),
    "api.integer": ("a whole number", "整数"),
    "api.list": ("a list", "列表"),
    "api.null": ("null", "null"),
    "api.least": ("{kind}, {bound} or more", "{kind}，不小于{bound}"),
    "api.most": ("{kind}, {bound} or less", "{kind}，不大于{bound}"),
    "api.longest": ("{kind}, {bound} long at most", "{kind}，长度至多{bound}"),
    "api.origin": (
        "an origin as a browser sends it, as 'https://example.org', or '*' for all",
        "浏览器发送的来源，如 'https://example.org'，或代表全部的 '*'",
    ),
    "api.moves": ("{most} moves at most", "至多{most}着"),
    "api.text_or_data": ("either data or text", "data 或 text 之一"),
    "call.keys": ("one of the keys {keys}", "键{keys}之一"),
    # Values for pyffish
    "pyffish.notation": (
        "NOTATION_DEFAULT, NOTATION_SAN or NOTATION_XIANGQI_WXF",
        "NOTATION_DEFAULT、NOTATION_SAN 或 NOTATION_XIANGQI_WXF",
    ),
    "pyffish.variant": ("the variant {name!r}", "变体{name!r}"),
}
