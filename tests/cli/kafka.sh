# SPDX-License-Identifier: GPL-2.0-or-later
# --to kafka: a message of JSON or CBOR for each hit, whose key is the host; none missing and none twice when brokers
# and connections go away; what does not arrive is left in a file. The brokers are librdkafka's own mock cluster.
# guards: lib trace/sink runtime/user trace
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge
if ! "$merge" -V | grep -q 'with librdkafka'; then
	check 1 '/kafka: this stap was built without librdkafka; with its headers .* make builds it in' \
		-- "$STAP" --runtime=user --to kafka://localhost/traces -e 'probe begin { printf("%d", 1) exit() }'
	finish
	exit
fi
${CC:-cc} -o brokers "$TOP/tests/cli/kafkamock.c" -lrdkafka || say_wrong 'the mock cluster is not built'
mkfifo orders
./brokers < orders > arrived 2> brokers.err & mock=$!
exec 5> orders
trap 'kill $mock; [ -n "$finished" ] || { echo "it ends without finish"; exit 1; }' EXIT
wait_until [ -s arrived ]
brokers=$(head -n 1 arrived)
url="kafka://$brokers/traces"

# has_come RUN N: so many messages of the run are there
come() { grep -c "\"run\":$1," arrived; }
has_come() { [ "$(come "$1")" -ge "$2" ]; }
run_of() { python3 -c 'import struct; print(struct.unpack_from("<Q", open("'"$1"'", "rb").read(72), 56)[0])'; }

# ---- what a message has ----

record 'global n probe timer.ms(1) { printf("n=%d big=%u name=%s\n", n, -1 - n, sprintf("\"%d\xff", n))
		if (n++ == 99) exit() }
	probe end { warn("careful") for (i = 0; i < 9; i++) a <<< i print(@hist_log(a))
		printf("n=%d", 1) printf("m=%d", 2) }
	global a'
run=$(run_of stream)
INPUT=stream check 0 -- "$merge" -w --to "$url" -
wait_until eval "grep -q '\"run\":$run,.*\"total\"' arrived"
python3 - "$run" arrived "$(uname -n)" > checked <<'END' || say_wrong "messages: $(cat checked)"
import json, sys, time
run, host = int(sys.argv[1]), sys.argv[3]
seen, partitions = [], set()
for line in list(open(sys.argv[2], errors="strict"))[1:]:
	partition, key, value = line.split(" ", 2)
	m = json.loads(value)
	if m["run"] != run:
		continue
	assert key == host == m["host"], line
	partitions.add(partition)
	seen.append(m)
assert len(partitions) == 1
hits = [m for m in seen if m["type"] == "output" and m["probe"].startswith("timer")]
assert [m["items"][0]["fields"]["n"] for m in hits] == list(range(100))
assert [m["hit"] for m in hits] == list(range(1, 101))
assert hits[1]["items"][0]["fields"]["big"] == 2**64 - 2
assert hits[0]["items"][0]["fields"]["name"] == {"base64": "IjD/"}, hits[0]
assert all(abs(m["at"] / 1e9 - time.time()) < 1000 for m in hits)
end = [m for m in seen if m.get("probe") == "end"]
assert [m["type"] for m in end] == ["warning", "output"], end
assert end[0]["text"] == "careful"
assert [i["site"] for i in end[1]["items"]][0] == "a" and len(end[1]["items"]) == 3, end[1]
assert seen[-1]["type"] == "total" and seen[-1]["hits"] == seen[-1]["delivered"], seen[-1]
END

# ---- the same in CBOR ----

record 'probe begin { printf("small=%d edge=%d long=%d whole=%u least=%d name=%s bytes=%s", 23, 256, -65537, -1,
			-9223372036854775807 - 1, "a\"\\\t\001\xc3\xa9", "\xff\xfe") }
	probe timer.ms(1) { exit() }
	probe end { warn("\xfd") warn("careful") for (i = 0; i < 260; i++) { a <<< i text = text . "x" }
		printf("base64=%s text=%s", "\xffabc", text) print(@hist_log(a)) }
	global a, text'
run=$(run_of stream)
INPUT=stream check 0 -- "$merge" --to "$url?form=json" -
wait_until eval "grep -q '\"run\":$run,.*\"total\"' arrived"
from=$(wc -l < arrived)
most=$((from + $(come "$run")))
INPUT=stream check 0 -- "$merge" --to "$url?form=cbor" -
wait_until eval '[ "$(wc -l < arrived)" -ge $most ]'
python3 - "$run" "$from" arrived > checked 2>&1 <<'END' || say_wrong "CBOR: $(cat checked)"
import base64, json, sys

def decode(b, at=0):
	"""Returns a value, and where the next one begins: RFC 8949, as far as the manual page says it is used."""
	kind, small = b[at] >> 5, b[at] & 31
	at += 1
	if kind in (4, 5) and small == 31:
		parts = []
		while b[at] != 0xff:
			part, at = decode(b, at)
			parts.append(part)
		return parts if kind == 4 else dict(zip(parts[::2], parts[1::2], strict=True)), at + 1
	if kind == 7:
		assert small == 22
		return None, at
	assert small <= 27
	size = 1 << small - 24 if small > 23 else 0
	number = int.from_bytes(b[at:at + size], "big") if size else small
	at += size
	assert not size or number >= (24 if size == 1 else 1 << 4 * size), "not the shortest"
	if kind < 2:
		return (-1 - number if kind else number), at
	assert kind < 4 and at + number <= len(b)
	return (b[at:at + number].decode() if kind == 3 else b[at:at + number]), at + number

def typed(m):
	"""JSON's message with bytes for base64"""
	if "base64" in m:
		m["text"] = base64.b64decode(m.pop("base64"))
	for item in m.get("items", []):
		fields = item.get("fields", {})
		for name, value in fields.items():
			if isinstance(value, dict):
				fields[name] = base64.b64decode(value["base64"])
	return m

run, at, lines = int(sys.argv[1]), int(sys.argv[2]), list(open(sys.argv[3]))
sent = [line.split(" ", 2)[2].strip() for line in lines[1:at]]
want = [typed(m) for m in map(json.loads, sent) if m["run"] == run]
values = [bytes.fromhex(line.split(" ", 2)[2]) for line in lines[at:]]
got = []
for value in values:
	m, end = decode(value)
	assert end == len(value) and value[0] == 0xbf
	got.append(m)
assert got == want, (got, want)
first = got[0]["items"][0]["fields"]
assert first == {"small": 23, "edge": 256, "long": -65537, "whole": 2**64 - 1, "least": -2**63,
	"name": "a\"\\\t\x01\u00e9", "bytes": b"\xff\xfe"}, first
assert [m["text"] for m in got if m["type"] == "warning"] == [b"\xfd", "careful"], got
end = [m for m in got if m.get("probe") == "end" and m["type"] == "output"][0]["items"]
assert end[0]["fields"] == {"base64": b"\xffabc", "text": "x" * 260}, end
assert end[1]["histogram"]["count"] == 260
sizes = sum(map(len, values)), sum(len(s) for s in sent if '"run":%d,' % run in s)
assert sizes[0] < sizes[1], sizes
END

# ---- prints without values ----

record 'probe begin { print("a constant") } probe timer.ms(1) { printf("100%% of %d\n", 7) println("it") exit() }
	probe end { println("all\xff") }'
run=$(run_of stream)
INPUT=stream check 0 -- "$merge" --to "$url" -
wait_until eval "grep -q '\"run\":$run,.*\"total\"' arrived"
grep "\"run\":$run," arrived | sed 's/.*"probe"/"probe"/; s/"pid":[0-9]*,"tid":[0-9]*,//' > out
cat > expected <<'END'
"probe":"begin","text":"a constant","items":[]}
"probe":"timer.ms(1)","text":"it\n","items":[{"site":"timer_ms_1","fields":{"arg1":7}}]}
"probe":"end","base64":"YWxs/wo=","items":[]}
END
head -n 3 out | diff expected - > differs || say_wrong "prints without values: $(cat differs)"
from=$(wc -l < arrived)
INPUT=stream check 0 -- "$merge" --to "$url?form=cbor" -
wait_until eval '[ "$(wc -l < arrived)" -ge $((from + 4)) ]'
tail -n +$((from + 1)) arrived | python3 -c '
import sys
texts = [bytes.fromhex(line.split(" ", 2)[2]) for line in sys.stdin]
assert b"dtext\x6aa constant" in texts[0] and b"dtext\x63it\n" in texts[1] and b"dtext\x45all\xff\n" in texts[2], texts
' > out 2>&1 || say_wrong 'prints without values, in CBOR'

# ---- a running script ----

check 0 '!ERROR' -- "$STAP" --runtime=user --to "$url" -e 'probe begin { printf("live=%d", 77) exit() }'
wait_until grep -q '"live":77' arrived

# ---- brokers and connections go away ----

record 'global n probe timer.ms(2) { for (i = 0; i < 100; i++) printf("k=%d", n++) if (n >= 50000) exit() }'
cp stream large
whole() { # RUN: all values once
	grep "\"run\":$1," arrived | grep -o '"k":[0-9]*' | sort | uniq -c |
		awk '{ n++; if ($1 != 1) bad++ } END { print n + 0, bad + 0 }'
}
slowly() {
	python3 -c '
import os, sys, time
data = open(sys.argv[1], "rb").read()
for i in range(0, len(data), 20000):
	os.write(1, data[i:i + 20000])
	time.sleep(float(sys.argv[2]) * 20000 / len(data))' "$@"
}
run=$(run_of large)
slowly large 6 | "$merge" --to "$url" - > out 2> err & job=$!
wait_until has_come "$run" 1
for order in reset down up reset reset down up reset; do
	echo $order >&5
	sleep 0.6
done
wait $job || say_wrong 'brokers went away'
wait_until eval "grep -q '\"run\":$run,.*\"total\"' arrived"
[ "$(whole "$run")" = '50000 0' ] || say_wrong "brokers went away: $(whole "$run")"

# They do not come back: the rest is left in a file, and is sent later.
record 'global n probe timer.ms(2) { for (i = 0; i < 100; i++) printf("k=%d", n++) if (n >= 30000) exit() }'
cp stream large
run=$(run_of large)
slowly large 3 | "$merge" --to "$url?wait=1" - > out 2> err & job=$!
wait_until has_come "$run" 20
echo down >&5
! wait $job || say_wrong 'the brokers are away, and the exit status is 0'
has err 'the brokers are away \(.*\); records wait in the spool' || say_wrong 'nothing said of it'
rest=$(sed -n 's/.*the rest is in \(.*\): stap-merge --to '\''.*'\'' - < '\''.*'\'' sends it$/\1/p' err)
[ -s "$rest" ] && [ "$(stat -c %s "$rest")" -lt "$(stat -c %s large)" ] || say_wrong "no rest, or all of it: $rest"
echo up >&5
INPUT=$rest check 0 -- "$merge" --to "$url" -
wait_until eval "grep -q '\"run\":$run,.*\"total\"' arrived"
[ "$(whole "$run")" = '30000 0' ] || say_wrong "the rest: $(whole "$run")"
rm -f "$rest"

# Brokers that go on are not given up, however long it takes: wait= is that without an answer.
record 'global n probe timer.ms(1) { printf("s=%d", n++) if (n == 10) exit() }'
cp stream slowly
run=$(run_of slowly)
echo slow >&5
INPUT=slowly check 0 -- "$merge" --to "$url?wait=3&max.in.flight=1&batch.num.messages=1" -
echo fast >&5
wait_until eval "grep -q '\"run\":$run,.*\"total\"' arrived"
[ "$(come "$run")" = 11 ] || say_wrong "slow brokers: $(come "$run")"

# ---- what is wrong ----

wrong_url() { INPUT=large check 1 "/$2" -- "$merge" --to "kafka:$1" -; }
wrong_url traces 'not a URL; a topic is named as in kafka://BROKER:9092/TOPIC'
wrong_url "//$brokers/" 'not a URL'
wrong_url "//$brokers/traces?wait=x" 'wait is a number of seconds'
wrong_url "//$brokers/traces?spool=4K" 'spool is a size of at least 1M'
wrong_url "//$brokers/traces?form=xml" 'form is json or cbor'
wrong_url "//$brokers/traces?wait" "'.' is followed by NAME=VALUE&NAME=VALUE"
wrong_url "//$brokers/traces?no.such=1" 'No such configuration property: "no.such"'
wrong_url "//$brokers/traces?sasl.password=x" 'passwords belong into the file that config=FILE names'
wrong_url "//$brokers/traces?config=nowhere" 'config=nowhere: No such file'
echo 'no value' > config
wrong_url "//$brokers/traces?config=$PWD/config" 'the file of config= has lines NAME=VALUE'
wrong_url '//127.0.0.1:1/traces' 'do the brokers run there'
printf '# what a cluster asks for\ncompression.codec=gzip\n' > config
record 'probe begin { printf("packed=%d", 5) exit() }'
INPUT=stream check 0 -- "$merge" --to "$url?config=$PWD/config" -
wait_until grep -q '"packed":5' arrived
exec 5>&-
finish
