# SPDX-License-Identifier: GPL-2.0-or-later
# The values that a run with --globals leaves in its globals, as the language server shows them. Of modules:
# tests/guest/run/readable.sh.
# guards: lib stap/lsp translator/base runtime/user
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"
export SYSTEMTAP_DIR=$WORK/home
script="$WORK/the script.stp"
uri="file://$(echo "$script" | sed 's/ /%20/g')"

message() { printf 'Content-Length: %d\r\n\r\n%s' "$(printf %s "$1" | wc -c)" "$1"; }
# hover LINE CHARACTER [URI]: what the server says to the script's text
hover() {
	local text where="\"textDocument\":{\"uri\":\"${3-$uri}\"}"
	text=$(sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g' "$script" | awk '{ printf "%s\\n", $0 }')
	{
		message '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
		message "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{
			\"uri\":\"${3-$uri}\",\"languageId\":\"stap\",\"version\":1,\"text\":\"$text\"}}}"
		message "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"textDocument/hover\",\"params\":{$where,
			\"position\":{\"line\":$1,\"character\":$2}}}"
		message '{"jsonrpc":"2.0","id":3,"method":"shutdown"}'
		message '{"jsonrpc":"2.0","method":"exit"}'
	} | $STAP -r "$KERNEL" --language-server 2> err | tr '\r' '\n' |
		sed -n 's/Content-Length: [0-9]*$//; /"id":2/p' |
		python3 -c 'import json, sys; print(json.load(sys.stdin)["result"]["contents"]["value"])' |
		sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}/TIME/'
}
# shows WANTED LINE CHARACTER [URI]
shows() {
	local want=$1 got
	shift
	got=$(hover "$@")
	[ "$got" = "$want" ] || say_wrong "at $*: $got"
}

cat > "$script" <<'END'
global n, who, pairs, took, many, none
global longer = 1 // its name begins as another's
probe begin { none[1] = 1 n = 5 who = "a\tb" pairs["cat", 7] = 12 pairs["x\"y", 1]++ took <<< 3 took <<< 5
	for (i = 0; i < 15; i++) many[i] = i
	exit() }
probe end { n++ println(longer, @avg(took), n, many[1], pairs["cat", 7], none[1], who) delete none }
END
shows 'global n' 0 7
# Without --globals a run leaves nothing, nor does a script that is in no file.
check 0 '/^146112' -- $user "$script"
check 0 '/^1' -- $user --globals -e 'global n = 1 probe begin { println(n) exit() }'
INPUT=$script check 0 '/^146112' -- $user --globals -
[ ! -e "$SYSTEMTAP_DIR/values" ] || say_wrong 'values of runs that leave none'
check 0 '/^146112' -- $user --globals "$script"
shows 'global n
last run, ended TIME: 6' 0 7
shows 'global who
last run, ended TIME: "a\x09b"' 0 10
shows 'global pairs
last run, ended TIME:
pairs["cat",7] 12
pairs["x"y",1] 1' 0 16
shows 'global took
last run, ended TIME: count 2 sum 8 min 3 max 5 avg 4' 0 22
shows "global many
last run, ended TIME:
$(for i in 0 1 2 3 4 5 6 7 8 9 10 11; do echo "many[$i] $i"; done)
…" 0 28
shows 'global none
last run, ended TIME:
none: no elements' 0 34
shows 'global longer
last run, ended TIME: 1' 1 9
shows 'global n' 0 7 file:///elsewhere.stp
shows 'global n' 0 7 untitled:one
[ "$(stat -c %a "$SYSTEMTAP_DIR/values")" = 700 ] && [ "$(stat -c %a "$SYSTEMTAP_DIR"/values/*)" = 600 ] ||
	say_wrong "rights: $(ls -la "$SYSTEMTAP_DIR/values")"

# It is the same script by another name; a file in its place is not.
ln -s "$script" link.stp
shows 'global n
last run, ended TIME: 6' 0 7 "file://$WORK/link.stp"
echo '# more' >> "$script"
shows 'global n
last run, ended TIME (the script has changed since): 6' 0 7
# The last run counts, also when it has failed or was interrupted.
sed -i '5s/exit()/error("over")/' "$script"
check 1 '/ERROR: over' -- $user --globals "$script"
shows 'global n
last run, ended TIME: 5' 0 7

# A kept file that is damaged or of another script is none.
kept=$(echo "$SYSTEMTAP_DIR"/values/*)
for change in 's/^script.*/script\t\/x/' 's/^text/next/' 's/^ended/ending/' '1d' '$!d' 'd'; do
	cp "$kept" whole
	sed -i "$change" "$kept"
	shows 'global n' 0 7
	cp whole "$kept"
done

# As many scripts as have a place: the one that ran first makes room.
rm "$kept"
for i in $(seq 70); do
	touch -d "@$i" "$SYSTEMTAP_DIR/values/$i"
done
check 1 '/ERROR: over' -- $user --globals "$script"
[ "$(ls "$SYSTEMTAP_DIR/values" | wc -l)" = 64 ] && [ ! -e "$SYSTEMTAP_DIR/values/7" ] &&
	[ -e "$SYSTEMTAP_DIR/values/8" ] ||
	say_wrong "places: $(ls "$SYSTEMTAP_DIR/values" | wc -l)"

# A directory that cannot be made is no matter of the run.
echo 'global n probe begin { n = 1 println("ok") exit() } probe end { n++ }' > quiet.stp
SYSTEMTAP_DIR=/proc/none check 0 '/^ok' '/the last values are not kept: /proc/none' -- $user -v --globals quiet.stp
SYSTEMTAP_DIR=/proc/none check 0 '/^ok' '!values' -- $user --globals quiet.stp

# Under sudo they are the caller's, by the caller's rights.
if [ "$(id -u)" = 0 ]; then
	mkdir -p open/home && chmod 711 . .. && chown nobody open/home
	cp quiet.stp open/ && chmod 644 open/quiet.stp
	SUDO_UID=65534 SYSTEMTAP_DIR=$WORK/open/home check 0 '/^ok' -- $user --disable-cache --globals open/quiet.stp
	[ "$(stat -c '%U %a' open/home/values/*)" = 'nobody 600' ] || say_wrong "sudo: $(ls -laR open/home)"
fi
finish
