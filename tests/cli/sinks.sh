# SPDX-License-Identifier: GPL-2.0-or-later
# Records as data: names of fields, --json by its schema, --to sqlite and ctf, read by these formats' own programs, and
# damaged streams.
# skip: no_program sqlite3 babeltrace2
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge
# fields: SITE NAME=VALUE..., a line for each item
fields() {
	"$merge" -w --json - < stream | python3 -c '
import json, sys
for line in map(json.loads, sys.stdin):
	for i in line.get("items", []): print(i["site"], *(f"{k}={v}" for k, v in i["fields"].items()))'
}
# same TEXT: what fields prints
same() { [ "$(fields)" = "$1" ] || { fields > out; say_wrong "fields, not: $1"; }; }

# ---- names: of labels, of arguments, given, made unique ----

record 'global reads, n = 3 function f() { printf("of=%d\n", 1) return 0 }
	probe begin { reads <<< 7; f(); k = 5
		printf("pid=%d comm: %s \"size\": \"%d\" [%x]\n", 1, "c", 2, n)
		printf("%d %s %d %d %d\n", k, substr("qq", 0, 1), @count(reads), @sum(reads), k)
		printf("%(left)5d%(right)-3s|%*d %c\n", 1, "r", 4, n, 65)
		printf("PID=%d pid=%d\n", 1, 2)
		print("x=", k, " ", n, "\n") println("only text")
		exit() }'
same 'f of=1
begin pid=1 comm=c size=2 n=3
begin_2 k=5 substr=q reads_count=1 reads_sum=7 k_2=5
begin_3 left=1 right=r n=3 arg5=65
begin_4 PID=1 pid_2=2
begin_5 x=5 n=3'
check 1 "/expected a name for the value: '%\(name\)d'" -- "$STAP" -p1 -e 'probe begin { printf("%(5)d", 1) }'
check 1 "/'%%' takes neither flag nor width nor name" -- "$STAP" -p1 -e 'probe begin { printf("%(a)%") }'
check 0 '/^<    5>$' -- "$STAP" --runtime=user \
	-e 'probe begin { printf("<%(a)5d>\n", 5) println(sprintf("%(b)s", "")) exit() }'

# ---- histograms: the text is the same, the data are numbers ----

script='global a, b probe begin { for (i = -3; i < 200; i++) { a <<< i * i - 4; b <<< i }
	print(@hist_log(a)) println(@hist_linear(b, 0, 100, 20))
	printf("sum=%d min=%d max=%d\n", @sum(a), @min(a), @max(a))
	exit() }'
record "$script"
"$STAP" --runtime=user -e "$script" > wanted
"$merge" - < stream > out 2> err
cmp -s wanted out || say_wrong "the text of histograms is not the same"
"$merge" --json - < stream > lines.json
python3 - > out 2>&1 << 'EOF' || say_wrong "--json of histograms"
import collections, json
items = [json.loads(line) for line in open('lines.json')][1]['items']
def log(v):
	if not v: return 0, 0
	power = 1 << (abs(v).bit_length() - 1)
	return (power, 2 * power - 1) if v > 0 else (1 - 2 * power, -power)
def linear(v): return (None, -1) if v < 0 else (120, None) if v >= 120 else (v // 20 * 20, v // 20 * 20 + 19)
def buckets(values, of):
	ordered = sorted(collections.Counter(map(of, values)).items(), key=lambda b: (b[0][0] is not None, b[0][0]))
	return [[low, high, n] for (low, high), n in ordered]
a, b = [i * i - 4 for i in range(-3, 200)], list(range(-3, 200))
kept = {'sum': sum(a), 'min': min(a), 'max': max(a)}
wanted = [{'site': 'a', 'histogram': {'count': len(a), **kept, 'buckets': buckets(a, log)}},
	{'site': 'b', 'histogram': {'count': len(b), 'buckets': buckets(b, linear)}},
	{'site': items[2]['site'], 'fields': kept}]
if items != wanted: raise SystemExit(f'{items}\nnot\n{wanted}')
EOF
if "$merge" -V | grep -q 'SQLite'; then
	INPUT=stream check 0 '!.' -- "$merge" --to sqlite:hist.db -
	[ "$(sqlite3 hist.db 'SELECT site, count, sum, min, max, sum(n) FROM stap_histograms GROUP BY site')" = \
		"a|203|$(sed -n 's/^sum=\([0-9]*\).*/\1/p' wanted)|-4|39597|203
b|203||||203" ] || say_wrong "histograms in SQLite"
fi
INPUT=stream check 0 '!.' -- "$merge" --to ctf:hist -
babeltrace2 hist > out 2>&1
grep -q 'stap_histogram: .*site = "b", count = 203, .*\[1\] = { low = 0, high = 19, n = 20 }' out ||
	say_wrong "histograms in CTF"

# ---- of a script that is a program: live, and nothing but data on standard output; each message is said once ----

said='probe begin { printf("n=%d\n", 7) warn("careful") system("echo of system") } probe end { error("wrong") }'
"$STAP" --runtime=user --json -c 'echo of the command' -e "$said" > live.json 2> err
[ $? = 1 ] && [ "$(grep -c '^ERROR: wrong' err)" = 1 ] && [ "$(grep -c '^WARNING: careful' err)" = 1 ] &&
	grep -qx 'of system' err && grep -qx 'of the command' err || say_wrong "--json, live: $(cat err)"
python3 -c '
import json
lines = [json.loads(line) for line in open("live.json")]
kinds = [line["type"] for line in lines]
if kinds[:4] != ["start", "output", "warning", "command"] or "error" not in kinds or kinds[-1] != "total":
	raise SystemExit(kinds)
if lines[1]["items"][0]["fields"] != {"n": 7} or lines[2]["text"] != "careful": raise SystemExit(lines)' ||
	say_wrong "--json, live"
"$STAP" --runtime=user --json -o live_file.json -e "$said" > out 2> err -c 'echo of the command'
grep -q '"n":7' live_file.json && grep -qx 'of the command' out || say_wrong "--json -o: $(cat out err)"
for i in 1 2; do
	"$STAP" --runtime=user --json -e 'probe timer.ms(1) { for (i = 0; i < 500; i++) println(i) }' 2> err |
		head -n $i > out
	[ "${PIPESTATUS[*]}" = '141 0' ] && [ ! -s err ] || say_wrong "--json | head: $(cat err)"
done

# ---- the same trace in all forms ----

record 'global n probe timer.ms(1) {
		printf("n=%d big=%p pid=%d name=%s\n", n, -1 - n, n * 2, sprintf("a\"%d\xff", n))
		if (n++ == 99) exit() }
	probe end { log("bye") warn("careful") printf("total=%d\n", n) println(n / (n - 100)) }'
"$merge" -w - < stream > text 2> err
[ "$(grep -c '^n=' text)" = 100 ] || say_wrong "text"

if python3 -c 'import jsonschema' 2> /dev/null; then
	"$merge" -w --json - < stream > all.json 2> err
	python3 -c '
import json, jsonschema, sys
check = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
lines = [json.loads(line) for name in ("lines.json", "all.json") for line in open(name)]
for line in lines: check.validate(line)
kinds = {line["type"] for line in lines}
if not {"start", "output", "warning", "error", "log", "books", "skipped", "total"} <= kinds:
	raise SystemExit(str(kinds))
for wrong in ({"type": "output", "time": 1, "cpu": 0, "text": ""}, {"type": "nothing"}, {"type": "start", "version": 2},
	{**lines[1], "items": [{"site": "a b", "fields": {"x": 1}}]},
	{**lines[1], "items": [{"site": "a", "fields": {"x": 1.5}}]}):
	if check.is_valid(wrong): raise SystemExit(f"valid: {wrong}")
items = [line["items"][0]["fields"] for line in map(json.loads, open("all.json")) if line["type"] == "output"]
if items[0]["big"] != 2**64 - 1 or list(items[0]["name"]) != ["base64"]: raise SystemExit(str(items[0]))' \
		"$TOP/trace/trace-1.schema.json" > out 2>&1 || say_wrong "--json is not as its schema says"
fi

query() { sqlite3 db "$1"; }
# holds QUERY RESULT
holds() { [ "$(query "$1")" = "$2" ] || { query "$1" > out; say_wrong "$1: not $2"; }; }
if "$merge" -V | grep -q 'SQLite'; then
	INPUT=stream check 0 '!ERROR: [^d]' -- "$merge" --to sqlite:db -
	holds "SELECT count(*), count(DISTINCT hit), sum(n), sum(pid), min(big), typeof(name) FROM timer_ms_1" \
		"100|100|4950|9900|-100|text"
	holds "SELECT total FROM \"end\"" 100
	holds "SELECT group_concat(kind) FROM stap_messages" log,warning,error
	holds "SELECT point FROM timer_ms_1 JOIN stap_probes USING (probe) LIMIT 1" 'timer.ms(1)'
	holds "SELECT sum(hits), sum(delivered) FROM stap_books WHERE probe = 0" "100|100"
	holds "SELECT reason, hits FROM stap_skipped" 'error|1'
	holds "PRAGMA integrity_check" ok
	INPUT=stream check 1 '/db: it exists already' -- "$merge" --to sqlite:db -
	INPUT=stream check 1 '/No such file or directory' -- "$merge" --to sqlite:nowhere/db -
	ln -s elsewhere link
	INPUT=stream check 1 '/link: it exists already' -- "$merge" --to sqlite:link -
fi

# ---- SQLite: rows wait for others of their table, but come in their order, with texts of all lengths ----

if "$merge" -V | grep -q 'SQLite'; then
	mv stream stream.hold
	OPTIONS=-DMAXSTRINGLEN=6000 record 'probe begin {
		for (n = 0; n < 1003; n++) {
			width = n * 37 % 700 + (n % 100 == 1 ? 5000 : 0)
			printf("n=%d text=%s\n", n, n % 5 ? sprintf("%*d", width, n) : "")
			if (n % 3 == 0) printf("third=%d name=%s\n", n, sprintf("%d", n)) }
		exit() }'
	"$merge" -w - < stream > wanted 2> err
	INPUT=stream check 0 '!.' -- "$merge" --to sqlite:waited -
	sqlite3 -separator '' waited "SELECT 'n=', n, ' text=', text FROM begin ORDER BY rowid" > got
	diff <(grep '^n=' wanted) got > out || say_wrong "rows of SQLite"
	sqlite3 -separator '' waited "SELECT 'third=', third, ' name=', name FROM begin_2 ORDER BY rowid" > got
	diff <(grep '^third=' wanted) got > out || say_wrong "rows of SQLite's second table"
	[ "$(grep -c . wanted)" = 1338 ] && [ "$(sqlite3 waited 'SELECT max(length(text)) FROM begin')" -gt 4096 ] ||
		say_wrong "rows of SQLite are not those that wait"
	mv stream.hold stream
fi

# ---- texts of any bytes: others than UTF-8, and NULs, are mended as for the servers, and read by everybody ----

if "$merge" -V | grep -q 'SQLite'; then
	mv stream stream.hold
	OPTIONS=-DMAXSTRINGLEN=6000 record 'probe begin {
		printf("comm=%s path=%s n=%d\n", "\033]0;pwn\x9b31m", "/tmp/\xff\xfe\x80\"\\", -1)
		printf("comm=%s path=%s n=%d\n", sprintf("a%cb", 0), "\xc3\xa4\xe2\x82\xac\xed\xa0\x80", 2)
		printf("comm=%s path=%s n=%d\n", "", sprintf("%2000s\xc3", "x"), 3)
		warn("odd \xf5\n") exit() }'
	INPUT=stream check 0 -- "$merge" -w --to sqlite:texts -
	python3 - > out 2>&1 << 'END' || say_wrong "texts of SQLite"
import sqlite3
db = sqlite3.connect("texts")
rows = list(db.execute("SELECT comm, path, n FROM begin"))
wanted = [("\x1b]0;pwn\\x9b31m", '/tmp/\\xff\\xfe\\x80"\\', -1),
	("a\\x00b", "äE\\xed\\xa0\\x80".replace("E", "\u20ac"), 2),
	("", " " * 1999 + "x\\xc3", 3)]
assert rows == wanted, rows
texts = [t for t, in db.execute("SELECT text FROM stap_messages WHERE kind = 'warning'")]
assert texts == ["odd \\xf5\n"] or texts == ["odd \\xf5"], texts
END
	INPUT=stream check 0 -- "$merge" -w --to ctf:texts.ctf -
	babeltrace2 texts.ctf > events 2> err && iconv -f UTF-8 -t UTF-8 events > out 2>&1 ||
		say_wrong "texts of CTF: $(cat err)"
	mv stream.hold stream
fi

INPUT=stream check 0 '!ERROR: [^d]' -- "$merge" --to ctf:trace -
INPUT=stream check 1 '/trace: it exists already' -- "$merge" --to ctf:trace -
babeltrace2 --no-delta --clock-seconds trace > events 2> err
[ "$(grep -o ' n = [0-9]*, big = 0x[0-9A-F]*, pid = [0-9]*, name = ' events)" = \
	"$(for ((i = 0; i < 100; i++)); do printf ' n = %d, big = 0x%X, pid = %d, name = \n' $i $((-1 - i)) $((2 * i)); done)" ] ||
	{ cp events out; say_wrong "ctf: not the same fields in the same order"; }
[ "$(grep -c 'timer_ms_1: .*probe = ( "timer.ms(1)"' events)" = 100 ] || say_wrong "ctf: not 100 events"
grep -q 'end: .* { total = 100 }$' events || say_wrong "ctf: no event of end"
grep -q 'stap_message: .* { kind = "log", text = "bye" }$' events || say_wrong "ctf: no message"
# The hit that ended by an error is discarded, and babeltrace2 says so.
grep -q 'discarded 1 event' err || { cp err out; say_wrong "ctf: no discarded event"; }

# ---- hits that found no room ----

# Each fourth hit prints more than a ring holds. Nobody knows when others of it were dropped: it was while the run went.
ACTIONS=10000000 record 'global n, text probe begin { text = "x" for (i = 0; i < 8; i++) text = text . text }
	probe timer.ms(1) {
		if (++n % 4 == 2) for (i = 0; i < 60000; i++) printf("%s\n", text)
		else printf("n=%d name=%s\n", n, sprintf("-%d", n))
		if (n == 20) exit() }'
"$merge" -t - < stream > text 2> books
read -r lost < <(awk '$1 == "total" { print $4 + $5 }' books)
[ "$lost" = 5 ] || { cp books out; say_wrong "full ring: not 5 hits are dropped"; }
INPUT=stream check 0 '/5 dropped' -- "$merge" --to ctf:full -
babeltrace2 full > events 2> err
sed -n 's/.* n = \([0-9]*\), name = "\(.*\)" }$/n=\1 name=\2/p' events | cmp -s - text ||
	{ cp events out; say_wrong "full ring: ctf and text are not the same"; }
sed -n 's/.* discarded \([0-9]*\) events between \[\([0-9:.]*\)\] and \[\([0-9:.]*\)\].*/\1 \2 \3/p' err > discarded
read -r first < <(sed -n '1s/^\[\([^]]*\)\].*/\1/p' events)
read -r last < <(sed -n '$s/^\[\([^]]*\)\].*/\1/p' events)
awk -v lost="$lost" -v first="$first" -v last="$last" '
	{ n += $1; if ($2 > first || $3 < last) print "not the whole run: " $0 }
	END { if (n != lost) print n + 0 " events are discarded, " lost " hits were lost" }' discarded > out
[ ! -s out ] || say_wrong "full ring: discarded events"

# ---- what is damaged, and what is no sink ----

head -c -100 stream > cut
INPUT=cut check 1 '/standard input: offset [0-9]*: it ends before its end' -- "$merge" -
head -c 40 stream > cut
INPUT=cut check 1 '/not a stream of stap --to' -- "$merge" -
check 1 '/it is a stream: read it from standard input' -- "$merge" stream
damage ctf
damage sqlite
check 2 '/--to takes KIND:WHERE, which is one of ctf:DIR, flame:FILE[[],before=OLD][[],title=TEXT], kafka://HOST/TOPIC, lket:DIR, mysql://HOST/DB, pcap:FILE, perfetto:FILE, postgresql://HOST/DB, sqlite:FILE' -- "$merge" --to tar:x -
check 2 '/--to cannot be combined' -- "$merge" --to ctf:x --json -
check 2 '/--to takes KIND:WHERE, as in --to sqlite:FILE; stap-merge -h lists the kinds' \
	-- "$STAP" --to sqlite -e 'probe begin { exit() }'
check 2 '/--to cannot be combined with -o, -S, -b, -F or --json; stap-merge --to converts raw files of -b -M' \
	-- "$STAP" --to ctf:x -o y -e 'probe begin { exit() }'
check 0 -- "$STAP" --runtime=user --to ctf:live -e 'probe begin { printf("a=%d\n", 5) exit() }'
[ "$(babeltrace2 live 2> err | grep -c 'a = 5')" = 1 ] || say_wrong "--to: live"
check 1 '/live: it exists already' -- "$STAP" --runtime=user --to ctf:live \
	-e 'probe begin { printf("%d", 5) exit() }'
# Quantiles and rows of heat maps, as their schema says, and in a table.
record 'global x probe begin { for (i = 1; i <= 100; i++) x <<< i print(@quantile(x, 50, 99.9)) exit() }
	probe end { println(@quantile(x, 50), " ", @heat_log(x, 1, 64)) print(@hist_log(x)) }'
"$merge" -w --json - < stream > quantiles.json 2> err
python3 - "$TOP/trace/trace-1.schema.json" > out 2> err <<'END' || say_wrong "quantiles in --json"
import json, sys
lines = [json.loads(line) for line in open("quantiles.json")]
items = [i for line in lines for i in line.get("items", [])]
assert items[0] == {"site": "begin", "fields": {"p50": 50, "p99_9": 100}}, items
assert items[1]["fields"]["x_p50"] == 50 and items[1]["fields"]["x_heat"] == "...:=%@", items
assert items[2]["site"] == "x" and items[2]["histogram"]["count"] == 100, items
try:
    import jsonschema
    check = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
    for line in lines: check.validate(line)
    assert not check.is_valid({**lines[1], "items": [{"site": "a", "fields": {"p99.9": 1}}]})
except ImportError:
    pass
END
rm -rf quantiles.db
if "$merge" -V | grep -q 'SQLite'; then
	INPUT=stream check 0 -- "$merge" --to sqlite:quantiles.db -
	[ "$(sqlite3 quantiles.db 'SELECT p50, p99_9 FROM begin')" = '50|100' ] || say_wrong "quantiles in a table"
fi

finish
