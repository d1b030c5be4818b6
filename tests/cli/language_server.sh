# SPDX-License-Identifier: GPL-2.0-or-later
# stap --language-server, with requests of an editor. Answers are printed one per line, and the goldens here are parts
# of them.
. "$TOP/tests/cli/expect.inc"

message() { printf 'Content-Length: %d\r\n\r\n%s' "$(printf %s "$1" | wc -c)" "$1"; }
# notify METHOD PARAMS, ask ID METHOD PARAMS
notify() { message "{\"jsonrpc\":\"2.0\",\"method\":\"$1\",\"params\":$2}"; }
ask() { message "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":$3}"; }
# open URI TEXT, with the text as JSON has it
open() {
	notify textDocument/didOpen \
		"{\"textDocument\":{\"uri\":\"$1\",\"languageId\":\"systemtap\",\"version\":1,\"text\":\"$2\"}}"
}
# published N: so many verdicts have come; what has not been judged when a newer text comes is not
are_published() { [ "$(grep -o publishDiagnostics answers 2> /dev/null | wc -l)" -ge "$1" ]; }
published() { wait_until are_published "$1"; }
# at ID WHAT URI LINE CHARACTER
at() { ask "$1" "textDocument/$2" "{\"textDocument\":{\"uri\":\"$3\"},\"position\":{\"line\":$4,\"character\":$5}}"; }
serve() {
	watched --cpu 600 $STAP -r "$KERNEL" "$@" --language-server > answers 2> err
	echo $? > status
	sed -i 's/\r$//; s/Content-Length: [0-9]*$/\n&/' answers
}
says() {
	grep -qF -- "$1" answers || {
		echo "no answer has: $1"
		sed 's/^/    /' answers err | cut -c 1-300 | head -n 40
		wrong=$((wrong + 1))
	}
}
ended() { [ "$(cat status)" = "$1" ] || { echo "exit status $(cat status), expected $1"; wrong=$((wrong + 1)); }; }

# ---- what is wrong, and what is not any more ----
{
	ask 1 initialize '{"capabilities":{}}'
	notify initialized '{}'
	open file:///a.stp 'global a\nprobe begin { printf(\"%d\\n\", \"ä𝄞\", b) }\n'
	published 1
	notify textDocument/didChange \
		'{"textDocument":{"uri":"file:///a.stp","version":2},"contentChanges":[{"text":"probe begin { print($1) println(@2) }"}]}'
	published 2
	open file:///use.stp 'probe vfs.read { print(strlen(pos)) }\n'
	published 3
	ask 2 shutdown null
	notify exit null
} | serve
ended 0
says '"capabilities":{"textDocumentSync":{"openClose":true,"change":1}'
# A character beyond 16 bits counts twice.
says '{"range":{"start":{"line":1,"character":29},"end":{"line":1,"character":34}},"severity":1,"source":"stap","message":"type mismatch'
says '"severity":2,"source":"stap","message":"global variable'
says '"uri":"file:///a.stp","version":2,"diagnostics":[]'
says '"uri":"file:///use.stp","version":1,"diagnostics":[{"range":{"start":{"line":0,"character":30},"end":{"line":0,"character":33}},"severity":1'
says '"relatedInformation":[{"location":{'
says '"id":2,"result":null'

# ---- a client that sends ranges, and words that begin with $$ ----
{
	ask 1 initialize '{"capabilities":{}}'
	open file:///r.stp 'probe begin { }\nprobe kernel.function(\"vfs_read\") { print($$) }\n'
	published 1
	at 60 completion file:///r.stp 1 44
	notify textDocument/didChange \
		'{"textDocument":{"uri":"file:///r.stp","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":13},"end":{"line":0,"character":13}},"text":" nothing(1)"},{"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},"text":""}]}'
	published 2
	ask 2 shutdown null
	notify exit null
} | serve
ended 0
for word in vars locals parms return; do says "\"label\":\"\$\$$word\""; done
says '"uri":"file:///r.stp","version":2,"diagnostics":[{"range":{"start":{"line":0,"character":14},"end":{"line":0,"character":21}}'

# ---- names ----
{
	ask 1 initialize '{"capabilities":{}}'
	open file:///b.stp \
		'/* vfs.read */ global count\nfunction twice(x) { return 2 * x }\nprobe vfs.read, kernel.function(\"vfs_write\") { count += twice($count); print(strlen(execname())) }\nprobe kernel.function(\"vfs_re\nprobe syscall.op\n'
	at 10 hover file:///b.stp 2 10
	at 11 hover file:///b.stp 2 57
	at 12 hover file:///b.stp 2 64
	at 13 hover file:///b.stp 2 80
	at 14 hover file:///b.stp 0 5
	at 20 definition file:///b.stp 2 57
	at 21 definition file:///b.stp 2 10
	at 22 definition file:///b.stp 2 80
	at 30 completion file:///b.stp 3 29
	at 31 completion file:///b.stp 4 16
	at 32 completion file:///b.stp 2 64
	at 33 completion file:///b.stp 2 58
	at 34 completion file:///b.stp 0 5
	ask 40 textDocument/documentSymbol '{"textDocument":{"uri":"file:///b.stp"}}'
	open file:///c.stp 'probe begin{print(1)}\n'
	ask 41 textDocument/formatting '{"textDocument":{"uri":"file:///c.stp"},"options":{}}'
	ask 50 textDocument/moniker '{}'
	notify '$/cancelRequest' '{"id":1}'
	ask 2 shutdown null
	ask 3 textDocument/hover '{}'
	notify exit null
} | serve
ended 0
says '"id":10,"result":{"contents":{"kind":"plaintext","value":"probe vfs.read  ('
says '"id":11,"result":{"contents":{"kind":"plaintext","value":"function twice:unknown (x:unknown)"}'
says '"id":12,"result":{"contents":{"kind":"plaintext","value":"$count: '
says '"id":13,"result":{"contents":{"kind":"plaintext","value":"function strlen  ('
says '"id":14,"result":null'
says '"id":20,"result":{"uri":"file:///b.stp","range":{"start":{"line":1,"character":9},"end":{"line":1,"character":14}}}'
says '"id":21,"result":{"uri":"file:///'
says '/tapset/vfs.stp","range":{'
says '/tapset/string.stp","range":{'
grep -F '"id":30,' answers > answers.30
grep -qF '"label":"vfs_read"' answers.30 && grep -qF '"label":"vfs_readv"' answers.30 &&
	! grep -qF '"label":"vfs_write"' answers.30 ||
	say_wrong "functions that begin with vfs_re: $(cut -c 1-300 answers.30)"
grep -F '"id":31,' answers | grep -qF '"label":"syscall.openat"' || say_wrong "aliases that begin with syscall.op"
grep -F '"id":32,' answers | grep -qF '"label":"$count"' || say_wrong 'variables that begin with $count'
grep -F '"id":33,' answers | grep -qF '"label":"twice"' || say_wrong "the script's function"
says '"id":34,"result":null'
says '"name":"vfs.read, kernel.function(\"vfs_write\")","kind":24'
says '"name":"twice","kind":12'
says '"id":41,"result":[{"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}},"newText":"probe begin {'
says '"id":50,"error":{"code":-32601'
says '"id":3,"error":{"code":-32600'

# ---- uses of a name, its change, calls, colours, fixes ----
# One line of the document is one of the list.
cat > u.stp <<'END'
global n, other # n
function twice:long(n:long, by) { return n * by }
probe vfs.read, timer.s(9) {
  n += twice(n, "n") + $n
  foreach (k in other) { local = k; println(local, name) }
}
probe mine = begin { local = 1 }
function c(x) %{ STAP_RETVALUE = STAP_ARG_x; %}
probe mine { n = strlen(substr("a", local,
END
fixed='probe kernel.function(\"vfs_raed\") { println(pid()) }\n'
{
	ask 1 initialize '{"capabilities":{}}'
	open file:///u.stp "$(sed 's/"/\\"/g' u.stp | awk '{ printf "%s\\n", $0 }')"
	place() { echo "\"textDocument\":{\"uri\":\"file:///u.stp\"},\"position\":{\"line\":$1,\"character\":$2}"; }
	uses() { ask "$1" textDocument/references "{$(place "$2" "$3"),\"context\":{\"includeDeclaration\":$4}}"; }
	renamed() { ask "$1" textDocument/rename "{$(place "$2" "$3"),\"newName\":\"$4\"}"; }
	uses 10 0 7 true      # the global
	uses 11 3 2 false
	uses 12 1 20 true     # the parameter of the same name
	uses 13 1 11 true     # the function
	uses 14 4 30 true     # a local, not the alias's
	uses 15 0 18 true     # a comment
	renamed 20 3 2 count
	renamed 21 1 41 value
	renamed 22 4 30 here
	renamed 23 6 22 here  # an alias's variables are seen elsewhere
	renamed 24 4 52 here  # only read: it may be the alias's
	renamed 25 7 11 y     # embedded C knows it
	renamed 26 3 2 other  # taken
	renamed 27 3 2 9a
	renamed 28 3 2 while
	renamed 29 8 20 here  # the library's
	open file:///n.stp 'global a$b\nprobe begin { println(a$b) }\n'
	# a name with a $
	ask 32 textDocument/references \
		'{"textDocument":{"uri":"file:///n.stp"},"position":{"line":0,"character":8},"context":{"includeDeclaration":true}}'
	at 30 prepareRename file:///u.stp 3 2
	at 31 prepareRename file:///u.stp 8 20
	at 40 signatureHelp file:///u.stp 3 16
	at 41 signatureHelp file:///u.stp 8 41
	at 42 signatureHelp file:///u.stp 3 2
	ask 50 textDocument/semanticTokens/full '{"textDocument":{"uri":"file:///u.stp"}}'
	open file:///f.stp "$fixed"
	marked() { echo "\"range\":{\"start\":{\"line\":0,\"character\":$1},\"end\":{\"line\":0,\"character\":$2}}"; }
	meant="no function 'vfs_raed' in kernel 6.1; did you mean 'vfs_read' or 'vfs_readv'"
	ask 60 textDocument/codeAction "{\"textDocument\":{\"uri\":\"file:///f.stp\"},$(marked 0 0),\"context\":{
		\"diagnostics\":[{$(marked 22 32),\"message\":\"$meant\"},{$(marked 0 5),\"message\":\"other\"}]}}"
	ask 2 shutdown null
	notify exit null
} | serve
ended 0
cat > judge.py <<'PY'
import json, re
answers = {}
for line in open("answers"):
    line = re.sub(r"^Content-Length.*$", "", line.rstrip("\n"))
    if line.startswith("{"):
        a = json.loads(line)
        answers[a.get("id")] = a.get("result")
def at(r): return "%d:%d-%d" % (r["start"]["line"], r["start"]["character"], r["end"]["character"])
def places(n): return " ".join(at(x["range"]) for x in answers[n])
def edits(n):
    if answers[n] is None: return None
    (uri, list), = answers[n]["changes"].items()
    assert uri == "file:///u.stp", uri
    return list[0]["newText"] + ": " + " ".join(at(x["range"]) for x in list)
def same(got, wanted):
    if got != wanted: print(f"{got!r}, not {wanted!r}")
same(places(10), "0:7-8 3:2-3 3:13-14 8:13-14")
same(places(11), "3:2-3 3:13-14 8:13-14")
same(places(12), "1:20-21 1:41-42")
same(places(13), "1:9-14 3:7-12")
same(places(14), "4:25-30 4:44-49")
same(places(15), "")
same(edits(20), "count: 0:7-8 3:2-3 3:13-14 8:13-14")
same(edits(21), "value: 1:20-21 1:41-42")
same(edits(22), "here: 4:25-30 4:44-49")
for n in range(23, 30): same((n, answers[n]), (n, None))
same(at(answers[30]), "3:2-3")
same(answers[31], None)
same(places(32), "0:7-10 1:22-25")
def signature(n):
    s = answers[n]["signatures"][0]
    shown = [s["label"][slice(*p["label"])] for p in s["parameters"]]
    return s["label"], shown[answers[n]["activeParameter"]]
same(signature(40), ("twice:long (n:long, by:unknown)", "by:unknown"))
same(signature(41)[1], "start:long")
same(answers[42], None)
kinds = answers[1]["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
lines = open("u.stp").read().split("\n")
line = column = 0
words = []
data = answers[50]["data"]
for i in range(0, len(data), 5):
    down, right, length, kind, modifiers = data[i:i + 5]
    line, column = line + down, right if down else column + right
    words.append((kinds[kind], lines[line][column:column + length], modifiers))
for word in [("keyword", "global", 0), ("variable", "n", 3), ("comment", "# n", 0),
        ("function", "twice", 1), ("parameter", "n", 1), ("parameter", "by", 0),
        ("event", "vfs", 0), ("macro", "$n", 0), ("string", '"n"', 0),
        ("variable", "local", 0), ("number", "9", 0), ("variable", "other", 2), ("function", "strlen", 0)]:
    if word not in words: print(word, "is not among", words)
def fix(action):
    change, = action["edit"]["changes"]["file:///f.stp"]
    return action["title"], at(change["range"]), change["newText"]
same([fix(a) for a in answers[60]],
    [("Replace with 'vfs_read'", "0:23-31", "vfs_read"), ("Replace with 'vfs_readv'", "0:23-31", "vfs_readv")])
PY
python3 judge.py > out 2>&1
[ ! -s out ] || say_wrong "uses, changes, calls, colours or fixes"

# ---- what could stand at a place ----
# One line of a document is one of the list.
json_text() { sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g' "$1" | awk '{ printf "%s\\n", $0 }'; }
mkdir -p files/sub files/.hidden
touch files/program files/libx.so.3 files/text
chmod +x files/program
cat > w.stp <<'END'
global n, map # whi
function own(text, by:long) { return text . "b" }
probe timer.s(1) { n++; map[execname(), pid()] = 1; local = own("a", 2); loc
  foreac
  println("whi") }
glo
probe process("@/files/pro
probe process("@/files/"), process("sl
probe process("/x").library("@/files/lib
probe module("nf
probe timer.s(1) { x = n /
probe timer.m
END
sed -i "s,@,$PWD,g" w.stp
column() { awk -v n="$1" 'NR == n { print length($0) }' w.stp; }
{
	ask 1 initialize '{"capabilities":{}}'
	open file:///w.stp "$(json_text w.stp)"
	at 10 completion file:///w.stp 3 8
	at 11 completion file:///w.stp 4 14
	at 12 completion file:///w.stp 0 19
	at 13 completion file:///w.stp 5 3
	at 14 completion file:///w.stp 2 76
	at 20 completion file:///w.stp 6 "$(column 7)"
	at 21 completion file:///w.stp 7 "$((${#PWD} + 22))"
	at 22 completion file:///w.stp 7 "$((${#PWD} + 23))"
	at 23 completion file:///w.stp 7 "$(column 8)"
	at 24 completion file:///w.stp 8 "$(column 9)"
	at 25 completion file:///w.stp 9 16
	ask 26 textDocument/completion '{"textDocument":{"uri":"file:///w.stp"},"position":{"line":10,"character":26},
		"context":{"triggerKind":2,"triggerCharacter":"/"}}'
	at 27 completion file:///w.stp 11 13
	at 28 completion file:///w.stp 2 21
	at 29 completion file:///w.stp 2 27
	at 30 completion file:///w.stp 2 63
	ask 2 shutdown null
	notify exit null
} | serve
ended 0
cat > judge.py <<'PY'
import json, os, sys
answers = {}
for line in open("answers"):
    if line.startswith("{"):
        a = json.loads(line[:line.rindex("}") + 1])
        answers[a.get("id")] = a.get("result")
def same(got, wanted):
    if got != wanted: print(f"{got!r}, not {wanted!r}")
def items(n): return answers[n] and answers[n]["items"]
def named(n, name):
    found = [i for i in items(n) if i["label"] == name]
    if len(found) != 1: print(n, len(found), "items are called", name)
    return found[0] if found else {}
def labels(n): return answers[n] and [i["label"] for i in items(n)]
def meant(n, name): return [named(n, name).get(k) for k in ("kind", "detail", "documentation")]
# Words of the language, at their end, and nowhere in strings and comments.
same(meant(10, "foreach"), [14, None, None])
same(labels(11), [])
same(labels(12), None)
same([(i["label"], i["kind"]) for i in items(13)], [("global", 14)])
# Details: signatures, types, a line about a point.
same(meant(14, "local"), [6, "string", None])
same(meant(30, "own")[:2], [3, "own:string (text:string, by:long)"])
same(meant(30, "strlen") if "strlen" in labels(30) else None, None)
same(meant(28, "n")[:2], [6, "global n:long"])
same(meant(29, "map")[:2], [6, "global map[string, long]:long"])
same(meant(27, "timer.ms(number)"), [23, "regularly, by a timer", None])
same([i["label"] for i in items(27) if not i.get("detail")], [])
# Files: folders, programs, libraries; the last name is replaced.
here = os.getcwd()
program = named(20, "program")
same((labels(20), program["kind"], program["detail"]), (["program"], 17, here + "/files/"))
edit = program["textEdit"]
start = len('probe process("' + here + "/files/")
same((edit["newText"], edit["range"]), ("program",
    {"start": {"line": 6, "character": start}, "end": {"line": 6, "character": start + 3}}))
same([(i["label"], i["kind"]) for i in items(21)], [("libx.so.3", 17), ("program", 17), ("sub/", 19)])
if "process(string)" in (labels(22) or []): print("the quote ends the string:", labels(22))
if "sleep" not in labels(23): print("no program of PATH:", labels(23))
same(labels(24), ["libx.so.3"])
if not labels(25) or any(not x.startswith("nf") for x in labels(25)): print("modules:", labels(25))
same(items(25)[0]["kind"], 9)
same(answers[26], None)
PY
python3 judge.py > out 2>&1
[ ! -s out ] || say_wrong "completion"

# ---- parts that fold, types, names of everything ----
cat > v.stp <<'END'
global n, map, given:long
# one
# two
/* three
   four */
function f(x, y:string) {
  return x . y
}
probe timer.s(1) {
  n++; map[execname(), n] = "x"
  if (n) {
    foreach ([who, what] in map)
      text = f(who, "")
  }
}
%{
#include <linux/slab.h>
%}
// 𝄞 alone
END
{
	ask 1 initialize '{"capabilities":{}}'
	open file:///v.stp "$(json_text v.stp)"
	ask 10 textDocument/foldingRange '{"textDocument":{"uri":"file:///v.stp"}}'
	hints() { ask "$1" textDocument/inlayHint "{\"textDocument\":{\"uri\":\"file:///v.stp\"},
		\"range\":{\"start\":{\"line\":$2,\"character\":0},\"end\":{\"line\":$3,\"character\":99}}}"; }
	hints 11 0 99
	hints 12 5 7
	ask 13 workspace/symbol '{"query":"map"}'
	ask 14 workspace/symbol '{"query":"STRLEN"}'
	ask 15 workspace/symbol '{"query":"vfsrd"}'
	ask 16 workspace/symbol '{"query":"timer.s(1)"}'
	ask 17 workspace/symbol '{"query":"no such name"}'
	ask 2 shutdown null
	notify exit null
} | serve -g
ended 0
for ability in foldingRange inlayHint workspaceSymbol; do says "\"${ability}Provider\":true"; done
cat > judge_parts.py <<'PY'
exec(open("judge.py").read().split("# Words")[0])
same([(f["startLine"], f["endLine"], f.get("kind")) for f in answers[10]],
    [(1, 2, "comment"), (3, 4, "comment"), (5, 6, None), (10, 12, None), (8, 13, None), (15, 16, None)])
def hints(n): return sorted(("%d:%d" % (h["position"]["line"], h["position"]["character"]), h["label"], h["kind"])
    for h in answers[n])
same(hints(11), [("0:13", "[string, long]:string", 1), ("0:8", ":long", 1), ("11:17", ":string", 1),
    ("11:23", ":long", 1), ("12:10", ":string", 1), ("5:10", ":string", 1), ("5:12", ":string", 1)])
same(hints(12), [("5:10", ":string", 1), ("5:12", ":string", 1)])
def symbols(n): return [(s["name"], s["kind"]) for s in answers[n]]
same(symbols(13)[0], ("map", 13))
same(answers[13][0]["location"], {"uri": "file:///v.stp",
    "range": {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 13}}})
strlen = [s for s in answers[14] if s["name"] == "strlen"]
same([(s["kind"], s["location"]["uri"].endswith("/tapset/string.stp")) for s in strlen], [(12, True)])
if ("vfs.read", 24) not in symbols(15): print("no vfs.read:", symbols(15)[:9])
same(symbols(16), [("timer.s(1)", 24)])
same(symbols(17), [])
PY
python3 judge_parts.py > out 2>&1
[ ! -s out ] || say_wrong "folding, types or names"

# ---- beside errors of syntax ----
cat > x.stp <<'END'
function broken(x { return x }
probe timer.s(1){ a = ) }
probe timer.s(2) {
println(broken(1)); nothing(2)
}
probe timer.s(3){ b = "open
}
probe timer.s(4){ println(1)
probe timer.s(5)  { also_nothing()
}
END
{
	ask 1 initialize '{"capabilities":{}}'
	open file:///x.stp "$(json_text x.stp)"
	published 1
	ask 10 textDocument/formatting '{"textDocument":{"uri":"file:///x.stp"},"options":{}}'
	open file:///y.stp 'probe begin {\n\tprintln(1)\n}\n'
	ask 11 textDocument/formatting '{"textDocument":{"uri":"file:///y.stp"},"options":{}}'
	ask 12 textDocument/formatting '{"textDocument":{"uri":"file:///none.stp"},"options":{}}'
	open file:///z.stp 'global n /* \n'
	ask 13 textDocument/formatting '{"textDocument":{"uri":"file:///z.stp"},"options":{}}'
	ask 2 shutdown null
	notify exit null
} | serve
ended 0
cat > judge_broken.py <<'PY'
exec(open("judge.py").read().split("# Words")[0])
found = [a["params"] for a in (json.loads(l[:l.rindex("}") + 1]) for l in open("answers") if l.startswith("{"))
    if a.get("method") == "textDocument/publishDiagnostics" and a["params"]["uri"] == "file:///x.stp"][0]["diagnostics"]
def place(d): return "%d:%d" % (d["range"]["start"]["line"], d["range"]["start"]["character"])
same(sorted((place(d), d["message"][:28]) for d in found),
    [("0:18", "expected ',', ')' or ':', fo"), ("1:22", "expected an expression, foun"),
    ("3:20", "there is no function 'nothin"), ("5:22", "string is never closed; '\"' "),
    ("8:0", "a body cannot contain probes"), ("8:20", "there is no function 'also_n")])
same([(e["range"]["start"]["line"], e["range"]["end"]["line"], e["newText"]) for e in answers[10]],
    [(2, 5, "probe timer.s(2) {\n\tprintln(broken(1)); nothing(2)\n}\n"),
    (8, 10, "probe timer.s(5)  {  also_nothing()\n}\n".replace("  ", " "))])
same([answers[n] for n in (11, 12, 13)], [[], [], []])
PY
python3 judge_broken.py > out 2>&1
[ ! -s out ] || say_wrong "beside errors of syntax"

# ---- a client that is not like others ----
{
	ask 1 textDocument/completion '{"textDocument":{"uri":"file:///a.stp"}}'
	notify textDocument/didOpen '{"textDocument":{"uri":"file:///early.stp","version":1,"text":"x"}}'
	ask 2 initialize '{"capabilities":{}}'
	ask 3 initialize '{"capabilities":{}}'
	message '{"jsonrpc":"2.0","id":4}'
	message '{"jsonrpc":"2.0","id":5,"result":null}'
	message '{"jsonrpc":"2.0","id":6,"method":7}'
	# Halves of surrogate pairs, NUL, bytes that are no UTF-8: each is a character that scripts have not.
	open file:///h.stp 'global n # \ud834 \u0000 \ud834\udd1e \\\\ud834\nprobe begin { n = \"𝄞\" . nothing() }\n'
	published 1
	text='{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///i.stp","version":1,'
	text=$(printf "$text"'"text":"# \xff\xc3\xa4\xe2\x82 \\nprobe begin { nothing() }"}}}')
	export LC_ALL=C
	message "$text"
	unset LC_ALL
	published 2
	# Places outside of the text, in the middle of a character, of other types.
	for place in '{"line":99999999999999,"character":0}' '{"line":1,"character":99999999999999}' \
		'{"line":-1,"character":-5}' '{"line":"x","character":null}' '[]' null '{"line":1,"character":20}'; do
		n=$((${n:-9} + 1))
		ask $n textDocument/hover "{\"textDocument\":{\"uri\":\"file:///h.stp\"},\"position\":$place}"
		ask $((n + 20)) textDocument/completion \
			"{\"textDocument\":{\"uri\":\"file:///h.stp\"},\"position\":$place}"
	done
	at 17 hover file:///h.stp 1 25
	ask 60 textDocument/inlayHint '{"textDocument":{"uri":"file:///h.stp"},
		"range":{"start":{"line":9,"character":9},"end":{"line":0,"character":0}}}'
	ask 61 textDocument/hover '[]'
	message '{"jsonrpc":"2.0","id":62,"method":"textDocument/completion"}'
	message '{"jsonrpc":"2.0","id":"a text","method":"workspace/symbol","params":{"query":7}}'
	ask 63 workspace/executeCommand '{}'
	notify '$/cancelRequest' '{"id":64}'
	ask 64 textDocument/hover '{"textDocument":{"uri":"file:///none.stp"},"position":{"line":0,"character":0}}'
	notify textDocument/didChange '{"textDocument":{"uri":"file:///h.stp","version":2},
		"contentChanges":[{"range":null,"text":"probe begin { }"}]}'
	published 3
	notify textDocument/didClose '{"textDocument":{"uri":"file:///none.stp"}}'
	ask 65 shutdown null
	ask 66 shutdown null
	notify exit null
} | serve
ended 0
says '"id":1,"error":{"code":-32002'
says '"id":2,"result":{"capabilities"'
says '"id":3,"error":{"code":-32600'
says '"id":4,"error":{"code":-32600'
says '"id":6,"error":{"code":-32600'
for id in $(seq 10 16) $(seq 30 36) 17 60 61 62 '"a text"' 64 65; do says "\"id\":$id,\"result\":"; done
for id in 63 66; do says "\"id\":$id,\"error\":"; done
! grep -q '"id":5,' answers || say_wrong 'an answer is answered'
says '"uri":"file:///h.stp","version":1,"diagnostics":[{"range":{"start":{"line":1,"character":25},"end":{"line":1,"character":32}},"severity":1,"source":"stap","message":"there is no function '
says '"uri":"file:///i.stp","version":1,"diagnostics":[{"range":{"start":{"line":1,"character":14},'
says '"uri":"file:///h.stp","version":2,"diagnostics":[]'
{ ask 1 initialize '{"capabilities":{}}'; } | serve
ended 1
{ notify exit null; } | serve
ended 1
# Texts that take long when something is looked for once for each word.
python3 - > large.js <<'PY'
import json
def open_text(uri, text):
    return {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "version": 1, "text": text}}}
def asks(id, method, uri):
    return {"id": id, "method": method, "params": {"textDocument": {"uri": uri},
        "position": {"line": 0, "character": 3}, "options": {},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}}}
texts = ["probe begin { " + "x = x + 1; " * 50000 + "}", "probe begin { x = ) }\n" * 5000, "(" * 100000 + "{" * 100000,
    "".join("function f%d(x) { return x }\n" % i for i in range(10000)), "%( 1 == 1 %? " * 9000,
    "probe begin { x = " + "-" * 50000]
print(json.dumps({"id": 0, "method": "initialize", "params": {}}))
id = 0
for i, text in enumerate(texts):
    print(json.dumps(open_text("file:///%d" % i, text)))
    for method in ["references", "semanticTokens/full", "foldingRange", "formatting", "inlayHint", "signatureHelp"]:
        id += 1
        print(json.dumps(asks(id, "textDocument/" + method, "file:///%d" % i)))
print(json.dumps({"id": 99, "method": "shutdown"}))
print(json.dumps({"method": "exit"}))
PY
while read -r line; do printf 'Content-Length: %d\r\n\r\n%s' ${#line} "$line"; done < large.js > large.in
watched --cpu 120 $STAP --runtime=user --language-server < large.in > answers 2> err ||
	say_wrong "large texts: status $?"
[ "$(grep -o '"error":' answers | wc -l)" = 0 ] || say_wrong 'large texts: an answer fails'
[ "$(grep -oE '"id":[0-9]+,"result"' answers | wc -l)" = 38 ] || say_wrong 'large texts: answers are missing'

# ---- what is no message ----
{ ask 1 textDocument/hover '{}'; message '[1'; printf 'Content-Type: x\r\n\r\n{}'; } | serve
ended 1
says '"id":1,"error":{"code":-32002'
says '"id":null,"error":{"code":-32700'
says '"id":null,"error":{"code":-32600'
# The length stands in its own line: what the message begins with is not taken for it.
for head in 'Content-Length:' 'Content-Length: ' 'Content-Length: 2x' 'Content-Length: -1' \
	'Content-Length: 99999999999999999999'; do
	printf '%s\r\n\r\n  2{}' "$head" | serve
	ended 1
	says '"id":null,"error":{"code":-32600'
done
check 2 '/--language-server gets its scripts from the editor; do not name any' \
	-- $STAP --language-server -e 'probe begin { }'
finish
