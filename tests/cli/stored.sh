# SPDX-License-Identifier: GPL-2.0-or-later
# Records that a sink has reported as stored are in its file, however it ends: killed, with a full disk, by a truncated
# stream. The death of the sink is reported, and each failure is reported once.
# skip: no_program sqlite3 babeltrace2
# guards: lib trace/sink lket runtime/user merge trace
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/sinks.inc"
merge=$(dirname "$STAP")/stap-merge
ulimit -c 0
kinds='perfetto pcap ctf lket json'
"$merge" -V | grep -q SQLite && kinds="sqlite $kinds"

# A record each millisecond, which all kinds have a place for.
program=$("$STAP" --runtime=user -p4 -DMAXSTRINGLEN=600 -e 'global n, text probe begin { text = sprintf("%500d", 7) }
	probe timer.ms(1) { printf("\001lket 9.5 %d%(packet)s%(n)d", 1, text, n++) }') || say_wrong 'the program'

# start KIND FILE [OPTION...]: runs it in the background; leaves its messages in err
start() {
	local kind=$1 file=$2
	shift 2
	case $kind in
	json) set -- -j -o "$file" "$@" ;;
	*) set -- -k "$kind:$file" "$@" ;;
	esac
	exec "$program" -t -m "$merge" "$@" > out 2> err
}

# in_file KIND FILE: how many records it has
in_file() {
	case $1 in
	sqlite) sqlite3 "$2" 'SELECT count(*) FROM timer_ms_1' ;;
	ctf) babeltrace2 "$2" 2> warnings | grep -c timer_ms_1 ;;
	json) grep -c '"type":"output".*}$' "$2" ;;
	*) python3 - "$1" "$2" << 'END' ;;
import glob, struct, sys
kind, name = sys.argv[1:]
n = 0
if kind == "lket":
    for file in glob.glob(name + "/stpd_cpu*"):
        data, at = open(file, "rb").read(), 4 + 4 + 2 + 5 if file.endswith("cpu0") else 0
        while at < len(data):
            size, own = struct.unpack_from("<HH", data, at + 4)
            at += 4 + 4 + size + 1
            n += 1
        assert at == len(data), (at, len(data))
elif kind == "pcap":
    data, at = open(name, "rb").read(), 0
    while at < len(data):
        block, size = struct.unpack_from("<II", data, at)
        assert struct.unpack_from("<I", data, at + size - 4)[0] == size
        n += block == 6
        at += size
else:
    def number(data, at):
        ret = shift = 0
        while True:
            ret |= (data[at] & 127) << shift
            shift += 7
            at += 1
            if data[at - 1] < 128: return ret, at
    def fields(data):
        at = 0
        while at < len(data):
            tag, at = number(data, at)
            if tag & 7 == 2:
                size, at = number(data, at)
                assert at + size <= len(data)
                yield tag >> 3, data[at:at + size]
                at += size
            elif tag & 7 == 0:
                value, at = number(data, at)
                yield tag >> 3, value
            else: raise SystemExit(f"field {tag}")
    n = sum(any(f == 11 for f, _ in fields(packet)) for _, packet in fields(open(name, "rb").read()))
print(n)
END
	esac
}

# is_true KIND FILE: the last line of the books, the message and the file say the same
is_true() {
	local given stored missing
	read -r given stored < <(sed -n 's/^records: .* \([0-9]*\) given, \([0-9]*\) stored$/\1 \2/p' err)
	read -r missing < <(sed -n 's/^ERROR: .*[:;] \([0-9]*\) records were not stored, [0-9]* were$/\1/p' err)
	[ "${given:-0}" -gt 0 ] || say_wrong "$1: no records: $(cat err)"
	[ "$((${stored:-0} + ${missing:-0}))" = "${given:-0}" ] ||
		say_wrong "$1: $stored stored, $missing missing, $given given: $(cat err)"
	[ "$(in_file "$1" "$2")" = "$stored" ] || say_wrong "$1: $(in_file "$1" "$2") records in the file, $stored said"
	[ "${least:-0}" -le "${stored:-0}" ] || say_wrong "$1: only $stored records"
}
large() { [ "$(cat "$1" "$1"-wal "$1"/* 2> /dev/null | wc -c)" -gt "$2" ]; }

# ---- all is well ----

for kind in $kinds; do
	(start $kind "well.$kind" -T 2)
	[ $? = 0 ] && ! grep -q ERROR err || say_wrong "$kind"
	least=1 is_true $kind "well.$kind"
done

# ---- the sink is killed ----

for kind in $kinds; do
	start $kind "killed.$kind" & run=$!
	case $kind in
	ctf) wait_until large killed.$kind 262144 ;; # packets are that large
	*) wait_until large killed.$kind 8192 ;;
	esac
	kill -SEGV "$(pgrep -P $run -x stap-merge)"
	wait $run && say_wrong "$kind: status 0, killed"
	[ "$(grep -c '^ERROR: .*: stap-merge was killed by signal 11; [0-9]* records were not stored, [0-9]* were$' err)" = 1 ] &&
		[ "$(grep -c ERROR err)" = 1 ] || say_wrong "$kind, killed: $(cat err)"
	least=1 is_true $kind "killed.$kind"
done
# A picture is stored at the end, and not before.
start flame killed.flame & run=$!
wait_until [ -e killed.flame ]
kill -KILL "$(pgrep -P $run -x stap-merge)"
wait $run && say_wrong 'flame: status 0, killed'
grep -q '^ERROR: .* was killed by signal 9; [0-9]* records were not stored, 0 were$' err ||
	say_wrong "flame: killed: $(cat err)"

# ---- the disk is full ----

if unshare -m true 2> /dev/null; then
	for kind in $kinds; do
		mkdir -p small "full.$kind"
		# What a database needs for being read is not there: it is read elsewhere.
		unshare -m bash -c "mount -t tmpfs -o size=600k none small || exit
			$(declare -f start)
			program=$program merge=$merge
			(start $kind small/f)
			status=\$?
			cp -r small/. full.$kind
			exit \$status"
		[ $? = 1 ] || say_wrong "$kind: status $?, full disk"
		[ "$(grep -c ERROR err)" = 2 ] &&
			grep -qE '^ERROR: .*(small/f|stdout).*: .*(No space left on device|disk is full)' \
			err &&
			grep -q '^ERROR: .* [0-9]* records were not stored, [0-9]* were$' err ||
			say_wrong "$kind, full disk: $(cat err)"
		least=1 is_true $kind "full.$kind/f"
	done
fi

# ---- the stream ends early ----

if "$merge" -V | grep -q SQLite; then
	record 'probe timer.ms(1) { printf("n=%d\n", 7) if (n++ == 999) exit() } global n'
	head -c -20000 stream > cut
	INPUT=cut check 1 '/^ERROR: standard input: offset [0-9]*: it ends before its end' \
		'/^ERROR: standard input: [0-9]* records are stored' -- "$merge" -w --to sqlite:cut.db -
	[ "$(sed -n 's/.* \([0-9]*\) records are stored/\1/p' err)" = \
		"$(sqlite3 cut.db 'SELECT count(*) FROM timer_ms_1')" ] ||
		say_wrong "a stream that is cut: $(cat err)"
fi

# A sink that is reaped with commands of the script is not taken for one that has ended well.
start_commands() {
	exec "$STAP" --runtime=user --to ctf:commands \
		-e 'probe timer.ms(1) { printf("n=%d\n", 7) system("true") }' > out 2> err
}
start_commands & run=$!
wait_until [ -e commands ]
sink=$(pgrep -f "^stap-merge .*ctf:commands")
kill -KILL "${sink:-0}"
wait $run && say_wrong 'status 0, killed beside commands'
grep -q 'was killed by signal 9' err || say_wrong "killed beside commands: $(cat err)"
finish
