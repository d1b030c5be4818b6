# SPDX-License-Identifier: GPL-2.0-or-later
# stap --remote up to staprun: the questions to the machines, and the data sent to them. `ssh`, `uname` and `staprun`
# are stand-ins here; tests/guest/run/remote.sh has the real staprun.
# guards: stap/remote stap/run
. "$TOP/tests/cli/expect.inc"
mkdir bin
cat > bin/ssh <<'END'
#!/bin/sh
[ "$1" = -T ] && shift
while [ "$1" = -o ]; do shift 2; done
[ "$1" = -p ] && { echo "port $2" >> "$HERE/ports"; shift 2; }
[ "$1" != away ] || { echo "ssh: connect to host away port 22: No route to host" >&2; exit 255; }
export BOX=$1
shift
# It greets with 60 MB of lines, and goes.
[ "$BOX" != endless ] || {
	head -c 60000000 /dev/zero | tr '\0' g | fold -w 300
	printf '\nthe last\033line'
	exit 1
}
[ "$BOX" != greets ] || printf 'Welcome to %s x86_64!\n' "$KERNEL"
# As ssh does with ControlPersist: a process stays behind, and has its errors.
[ "$BOX" != lingers ] || { sleep 1000 < /dev/null > /dev/null & echo $! > "$HERE/lingering"; }
[ "$BOX" != leaves ] || {
	for i in 1 2 3; do read -r line; echo "$line"; done | sh -c "$*"
	echo 'Connection reset' >&2
	exit 255
}
[ "${BOX%bare*}" = "$BOX" ] || export PATH=$HERE/bare:/usr/bin:/bin
exec sh -c "$*"
END
cat > bin/uname <<'END'
#!/bin/sh
case ${BOX-} in
*old) echo "2.6.18-1 x86_64" ;;
arm*) echo "$KERNEL aarch64" ;;
sparc) echo "$KERNEL sparc64" ;;
up) echo ".. x86_64" ;;
paints) printf '\033[31m%s x86_64\033[0m\n' "$KERNEL" ;;
away-too) printf '\033]0;title\007no\n'; exit 1 ;;
*) echo "$KERNEL x86_64" ;;
esac
END
cat > bin/staprun <<'END'
#!/bin/sh
[ "$1" != -h ] || { [ "${BOX-}" = dated ] || echo ' --records=text|data'; exit; }
[ -z "${STREAM-}" ] || exec bash "$HERE/stream"
for last; do :; done
args=$*
echo "run on ${BOX-here}: ${args%"$last"}${last##*/}"
modinfo -F name "$last"
printf 'half'; sleep 0.2; echo ' a line'
[ "${BOX-}" != bad ] || exit 5
[ -z "${WIDE-}" ] || { printf '%3000s\n' 1 2 3; exit; }
[ -z "${GRUMBLES-}" ] || {
	{ head -c 60000000 /dev/zero | tr '\0' e | fold -w 300; printf '\nthe last\n'; } >&2
	exit 1
}
[ -z "${PAINTS-}" ] || { printf 'caf\303'; sleep 0.2; printf '\251\033[31m \302\233\233\n'; exit 0; }
[ -z "${SPEAKS-}" ] || {
	echo '{"type":"output","time":5,"cpu":0,"text":"its own"}'
	echo '{"from":"two","type":"output","time":5,"cpu":0,"text":"another one"}'
	exit 0
}
[ -z "${ENDLESS-}" ] || { head -c 17000000 /dev/zero | tr '\0' x; exit 0; }
[ -z "${LONG-}" ] || { trap 'echo ended in order; exit 0' TERM; while :; do sleep 0.1; done; }
END
# What stap sends to a machine without staprun.
mkdir -p bare prefix/{bin,share,libexec/stap/static}
cp bin/uname bare/
cp "$STAP" prefix/bin/
ln -s "$TOP" prefix/share/stap
static=prefix/libexec/stap/static
gzip > $static/staprun.gz <<'END'
#!/bin/sh
[ "$1" != -V ] || exit "${REFUSED-0}"
for last; do :; done
"${0%/*}/stapio" "static staprun in ${0%/*} on $BOX" "$(modinfo -F name "$last")"
END
printf '#!/bin/sh\nprintf "stapio: %%s\\n" "$@"\n' | gzip > $static/stapio.gz
# Only signed modules: by the kernel's option, or because it is locked down.
cat > bin/cat <<'END'
#!/bin/sh
case ${BOX-here}\ $1 in
signs\ */sig_enforce) echo Y ;;
sealed\ */lockdown) echo 'none [integrity] confidentiality' ;;
*\ /sys/*/sig_enforce) echo N ;;
rocky*\ /etc/os-release) printf 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\n' ;;
arch*\ /etc/os-release) echo ID=arch ;;
nothing*\ /etc/os-release) exit 1 ;;
*\ /sys/*/lockdown) echo '[none] integrity confidentiality' ;;
*) exec /bin/cat "$@" ;;
esac
END
# A machine with staprun takes the module as it comes; only the others divide what is sent.
printf '#!/bin/sh\n[ -z "${BOX-}" ] && exec /usr/bin/tail "$@"\n' > bin/tail
cp bin/cat bare/
chmod +x bin/* bare/*
export PATH=$PWD/bin:$PATH HERE=$PWD KERNEL
script='probe begin { println("hi") }'

check 0 '/^run on me@one: -r 0:me@one -t --strict m_remote.ko$' '/^m_remote$' '/^half a line$' \
	-- $STAP -m m_remote -t --strict --remote me@one -e "$script"
check 0 "/^0: run on one: -r 0:one -c echo 'it''s' --records=text m_remote.ko$" \
	'/^1: run on two: -r 1:ssh://two:2222 ' '/^2: run on here: ' '/^2: half a line$' '/^3: run on greets' -- \
	$STAP -m m_remote --remote one --remote ssh://two:2222 --remote direct: --remote greets --remote-prefix \
	-c "echo 'it''s'" -e "$script"
[ "$(sort -u ports)" = 'port 2222' ] || say_wrong "ssh's port"
[ "$(grep -c '^[0-3]: half a line$' out)" = 4 ] || say_wrong "lines of several machines"
check 5 '/stap: the run on bad ended with status 5' '/^run on good' \
	-- $STAP -m m_remote --remote good --remote bad -e "$script"
check 0 -- $STAP -m m_remote --remote one -o file -e "$script"
grep -q '^half a line$' file || say_wrong "-o: $(cat file)"
check 0 '/^half a line$' -- $STAP -m m_remote --remote lingers -e "$script"
kill "$(cat lingering)" || say_wrong "it was waited for"
# A machine without staprun gets one for the run, and keeps nothing of it.
sent="$PWD/prefix/bin/stap -m m_remote"
check 0 "/^stapio: static staprun in $TMPDIR/[^ /]* on bare$" '/^stapio: m_remote$' -- \
	$sent --remote bare -e "$script"
is_empty "$TMPDIR" || say_wrong "a machine without staprun keeps $(ls "$TMPDIR")"
check 0 '/^0: stapio: static .* on bare$' '/^1: half a line$' '/^2: stapio: .* on bare2$' -- \
	$sent --remote bare --remote one --remote bare2 --remote-prefix -e "$script"
check 4 "/^stap: what is sent cannot be run in $TMPDIR/" '!stapio' -- env REFUSED=126 $sent --remote bare -e "$script"
check 0 '/m_remote.ko$' -- $STAP -m m_remote --remote bare -p4 -e "$script"
rm $static/stapio.gz
# The remedy is the command of that machine's distribution.
none='no static stapio is here to be sent; '
here="or stap-static here \('make static' builds it\)"
for box in 'bare there: apt-get install stap-runtime' 'rocky-bare there: dnf install stap-runtime' \
	'arch-bare install staprun there' 'nothing-bare install staprun there'; do
	check 3 "/${box%% *} has no staprun, and $none${box#* }, $here" '!run on' -- \
		$sent --remote "${box%% *}" -e "$script"
done
check 6 '/^stap: bare has no staprun, and no static .*; it is left out$' '/^half a line$' \
	-- $sent --remote bare --remote one -e "$script"
check 0 '/m_remote.ko$' '!half' -- $STAP -m m_remote --remote one --remote two -p4 -e "$script"
check 1 '/there is no function .printn.' '!run on' -- $STAP --remote one -e 'probe begin { printn("hi") }'
check 0 '/^begin ' '!run on' -- $STAP --remote one -p2 -e "$script"

# Where a machine takes only signed modules: by a key of this one.
if [ ! -e /etc/stap/signing/key.pem ] && [ ! -e /var/lib/dkms/mok.key ] &&
	[ ! -e /var/lib/shim-signed/mok/MOK.priv ] && [ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null; then
	# with COMMAND: one has the machine's other keys, which serve where they have to
	with() { unshare -m sh -c 'mount -t tmpfs t /var/lib && mkdir /var/lib/dkms &&
		cp mok.key mok.pub /var/lib/dkms && exec "$@"' sh "$@"; }
	export -f with
	"$STAP" --make-key=keys > out
	cp keys/key.pem mok.key
	cp keys/cert.der mok.pub
	is_signed() { tail -c 28 "$1" | grep -q '^~Module signature appended~'; }
	modules() { grep '\.ko$' out; }
	for box in signs sealed; do
		check 3 '/a machine of --remote loads only signed modules, and there is no key here .*stap --make-key .*mokutil' \
			'!run on' -- $STAP --remote $box -e "$script"
		check 0 '/\.ko$' -- bash -c 'with "$@"' - "$STAP" -p4 --remote $box -e "$script"
		is_signed "$(modules)" || say_wrong "$box takes only signed modules"
		check 0 "/^run on $box" -- bash -c 'with "$@"' - "$STAP" --remote $box -e "$script"
	done
	check 0 '/\.ko$' -- bash -c 'with "$@"' - "$STAP" -p4 --remote one -e "$script"
	! is_signed "$(modules)" || say_wrong "signed by another's key, though nobody asked"
	check 0 '/\.ko$' -- bash -c 'with "$@"' - "$STAP" -p4 --remote one --remote sealed -e "$script"
	[ "$(modules | wc -l)" = 1 ] && is_signed "$(modules)" || say_wrong "one module for both: $(cat out)"
	check 0 '/\.ko$' '!signed' -- $STAP -p4 --remote sealed -e "$script"
fi

# The end by a signal, and by our own.
both_run() { [ "$(grep -c 'half a line' out)" = 2 ]; }
for how in TERM KILL; do
	LONG=1 $STAP -m m_remote --remote one --remote direct: -e "$script" > out 2> err & pid=$!
	wait_until both_run
	kill -$how $pid
	wait $pid 2> /dev/null
	wait_until is_empty "$TMPDIR"
	[ $how = KILL ] || [ "$(grep -c 'ended in order' out)" = 2 ] || say_wrong "the end by SIG$how"
done

# Whoever reads our output goes, or the disk is full: the runs end, whether they print more or not.
gone() {
	LONG=1 watched $STAP -m m_remote "$@" -e "$script" 2> err | head -n 1 > out
	echo "${PIPESTATUS[0]}"
}
[ "$(gone --remote one)" = 141 ] && ! grep ^stap: err || say_wrong "a reader that goes: $(cat err)"
[ "$(gone --remote one --remote direct: --remote-prefix)" = 141 ] || say_wrong "a reader of two that goes: $(cat err)"
check 1 '/stap: writing to standard output: No space left' \
	-- sh -c "LONG=1 $STAP -m m_remote --remote one -e '$script' > /dev/full"
check 1 '/stap: writing to standard output: Bad file descriptor' \
	-- sh -c "$STAP -m m_remote --remote one -e '$script' >&-"
check 1 '/stap: writing /dev/full: No space left' -- env LONG=1 $STAP -m m_remote --remote one -o /dev/full -e "$script"

check 3 '/away cannot be asked for its kernel: ssh: connect to host away port 22: No route to host' '!run on' \
	-- $STAP --remote-strict --remote one --remote away -e "$script"
check 6 '/^stap: leaves lost its connection before its run: Connection reset; it is left out$' '/^1 of 2 machines ran$' \
	-- $STAP --disable-cache --remote one --remote leaves -e "$script"
check 3 '/sparc is a machine of the kind sparc64; scripts are translated for x86_64, aarch64' -- \
	$STAP --remote sparc -e "$script"
check 3 '/arm is a machine of the kind aarch64; scripts are translated for x86_64$' -- \
	$STAP -a x86_64 --remote arm -e "$script"
check 3 "/the headers of kernel $KERNEL are for x86_64, not for aarch64; -r names another kernel" -- \
	$STAP --remote arm -e "$script"
check 3 "/the headers of kernel $KERNEL are for x86_64, not for aarch64; -r names another kernel" -- \
	$STAP -a aarch64 -r "$KERNEL" -p2 -e "$script"
check 3 '/arm-bare has no staprun, and those that are sent are this machine.s, not of aarch64; there: apt-get install stap-runtime' -- \
	$STAP --remote arm-bare -e "$script"
check 3 '/no headers for kernel 2.6.18-1: .* is missing; apt-get install linux-headers-2.6.18-1, or without' -- \
	$STAP --remote old -e "$script"
check 3 '/no headers for kernel 2.6.18-1: .* is missing; on a machine of its distribution, stap-fetch-kernel --into DIR kernel-devel-2.6.18-1 gets them \(dnf\);' \
	'/; STAP_KERNELS names a copy of DIR here' '!apt|, which --fetch' -- $STAP --remote rocky-old -e "$script"
check 3 '/is missing; its distribution has a different command: pacman -S linux-headers' '!apt' -- \
	$STAP --remote arch-old -e "$script"
check 3 '/is missing; apt-get install linux-headers-2.6.18-1' -- $STAP --remote nothing-old -e "$script"
# --fetch-headers asks the package manager that would have them.
printf '#!/bin/sh\necho "asked: $*"\n' > prefix/bin/stap-fetch-kernel
chmod +x prefix/bin/stap-fetch-kernel
check 3 '/^asked: --manager dnf kernel-devel-2.6.18-1$' -- $sent --fetch-headers --remote rocky-old -e "$script"
check 3 '/^asked: linux-headers-2.6.18-1$' -- $sent --fetch-headers --remote old -e "$script"
# What a machine answers becomes a part of paths and messages here.
check 3 "/up has a shell that answers 'uname -mr' by '\.\. x86_64'" '!no headers' -- $STAP --remote up -e "$script"
check 3 "/paints has a shell that answers 'uname -mr' by '\?\[31m" -- $STAP --remote paints -e "$script"
check 3 '/away-too cannot be asked for its kernel: \?\]0;title\?no' -- $STAP --remote away-too -e "$script"
# A line that never ends does not take all memory: it is cut.
ENDLESS=1 $STAP -m m_remote --remote one --remote two -e "$script" > out || say_wrong 'a line without end'
[ "$(wc -c < out)" -gt 34000000 ] && [ "$(wc -L < out)" -lt 17000000 ] ||
	say_wrong "a line of $(wc -L < out) bytes, of $(wc -c < out)"
# Nor do lines without end: of what a machine says only the last is kept. `most` prints what stap took at most, in MB.
cat > most.py <<'END'
import os, sys
pid = os.fork()
if not pid:
	os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
	os.execvp(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_maxrss // 1024)
END
most() {
	read -r status mb <<< "$(python3 most.py $STAP -m m_remote "$@" -e "$script" | tail -n 1)"
	echo "$*: status $status, $mb MB at most"
}
most --remote one
[ "$status" = 0 ] || say_wrong "it does not run: $(cat said)"
plain=$mb
most --remote endless
[ "$status" = 3 ] && [ "$mb" -lt $((plain + 20)) ] &&
	has said 'endless cannot be asked for its kernel: the last\?line$' ||
	say_wrong "a greeting without end: status $status, $mb MB, of $plain: $(head -c 300 said)"
GRUMBLES=1 most --remote one
[ "$status" = 1 ] && has said '^the last$' && [ "$mb" -lt $((plain + 20)) ] ||
	say_wrong "errors without end: status $status, $mb MB, of $plain: $(tail -n 2 said)"
# It cannot speak for another one.
check 0 '/^\{"from":"one","type":"log","text":"\{.*its own' \
	'/^\{"from": ?"one","type": ?"log","text": ?"\{.*another one' \
	'!"from":"two"' -- env SPEAKS=1 $STAP -m m_remote --json --remote one --remote three -e "$script"
# Two machines of one name are told apart by their URIs.
check 0 '/^\{"from": ?"me@one","type": ?"log",' '/^\{"from": ?"ssh://one:2222","type": ?"log",' '/^\{"from": ?"two",' \
	'!"from": ?"one"' -- \
	env SPEAKS=1 $STAP -m m_remote --json --remote me@one --remote ssh://one:2222 --remote two -e "$script"
# Streams of records: lines and data of them; one that ends in the middle, or in a record; one that is damaged.
cat > stream <<'END'
. "$TOP/tests/cli/hoststream.inc"
begin=1000000000000000000 second=3000
[ "$STREAM" != late ] || { begin=$(date +%s%N) second=500000000; sleep 0.6; [ "$BOX" = one ] || sleep 0.6; }
stream_begin 1000 $begin
stream_say 2000 "first of ${BOX-here}"
case $STREAM in
cut) exit 0 ;;
torn) stream_record 3000 0 0 40; exit 0 ;;
killed) kill -KILL $$ ;;
damaged) trap '' TERM; stream_record 3000 0 99 0; sleep 0.5 ;;
esac
[ "$STREAM" != wide ] || stream_say 2500 "$(printf %4090s wide)"
stream_say $second second
stream_end 2
END
export STREAM=whole
told() { python3 -c '
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(",".join(t.strip() for (t,) in db.execute("SELECT text FROM stap_messages ORDER BY hit")))
print(*db.execute("SELECT sum(hits), sum(stored) FROM stap_books").fetchone())' "$1" 2>&1; }
check 0 '/^0: first of one$' '/^1: second$' '/^2 of 2 machines ran$' '/^one +ran +2 +2 +0 +0 ' -- \
	$STAP -m m_remote --remote one --remote two --remote-prefix -e "$script"
check 0 '!first|second' -- $STAP -m m_remote --remote one --to "sqlite:$PWD/one.db" -e "$script"
[ "$(told one.db | head -n 1)" = 'first of one,second' ] || say_wrong "--to: $(told one.db)"
check 0 '/^\{"type":"output","time":2000,.*first of one' '!"from"' -- \
	$STAP -m m_remote --remote one --to "sqlite:$PWD/beside.db" --json -e "$script"
[ "$(told beside.db | head -n 1)" = 'first of one,second' ] || say_wrong "--to and --json: $(told beside.db)"
check 0 '!first' -- $STAP -m m_remote --remote one --remote two --to "sqlite:$PWD/%h.sql" -o text -e "$script"
[ "$(told two.sql | head -n 1)" = 'first of two,second' ] &&
	[ "$(sort text | tr '\n' ,)" = 'first of one,first of two,second,second,' ] ||
	say_wrong "--to and -o: $(told two.sql) $(cat text)"
check 2 '/--to sqlite:x would be the file of 2 machines; put %h, the name of the machine, into its name' '!first' -- \
	$STAP -m m_remote --remote one --remote two --to sqlite:x -e "$script"
check 2 '/--to sqlite:%h: one and me@one would have one file' '!first' -- \
	$STAP -m m_remote --remote one --remote me@one --to sqlite:%h -e "$script"
check 1 '/one.db: it exists already' -- $STAP -m m_remote --remote one --to "sqlite:$PWD/one.db" -e "$script"
check 1 '/--to takes KIND:WHERE' -- $STAP -m m_remote --remote one --to tar:x -e "$script"
for how in cut torn; do
	STREAM=$how check 1 '/^first of one$' \
		'/^stap: one: its output ends before the end of its run, after 1 records?$' -- \
		$STAP -m m_remote --remote one --remote two -e "$script"
	STREAM=$how check 1 '/^stap: one: its output ends before' -- \
		$STAP -m m_remote --remote one --to "sqlite:$PWD/$how.db" -e "$script"
	[ "$(told $how.db | head -n 1)" = 'first of one' ] || say_wrong "$how --to: $(told $how.db)"
done
STREAM=killed check 137 '/^first of one$' '/^stap: one: its output ends before' \
	'/^stap: the run on one ended with status 137' -- $STAP -m m_remote --remote one --remote two -e "$script"
STREAM=damaged check 1 '/^first of one$' '!second' \
	'/^stap: two: its output is damaged: record of unknown kind; the rest of it is lost$' -- \
	$STAP -m m_remote --remote one --remote two -e "$script"
# With -b the records come when the runs end, whenever that is: all wait for the last. -M leaves them there.
merged() { grep -o 'first\|second' out | tr '\n' ,; }
STREAM=late check 0 -- $STAP -m m_remote --remote one --remote two -b -e "$script"
[ "$(merged)" = 'first,first,second,second,' ] || say_wrong "the order of -b: $(merged)"
STREAM=late check 0 '!first' -- $STAP -m m_remote --remote one --remote two -b --to "sqlite:$PWD/bulk.%h" -e "$script"
[ "$(told bulk.two | head -n 1)" = 'first of two,second' ] || say_wrong "-b --to: $(told bulk.two)"
# Files of -o rotate here, between lines; -S is not the machines'.
together() { cat "$@" | tr -d ' ' | sort | tr '\n' ,; }
STREAM=wide check 0 -- \
	$STAP -m m_remote --remote one --remote two -o rotated -S 4K --to "sqlite:$PWD/kept.%h" -e "$script"
[ "$(together rotated.[1-9] rotated)" = 'firstofone,firstoftwo,second,second,wide,wide,' ] &&
	[ "$(told kept.two | head -n 1 | tr -d ' ')" = 'firstoftwo,wide,second' ] ||
	say_wrong "-S: $(together rotated*) $(told kept.two)"
STREAM=wide check 0 -- $STAP -m m_remote --remote one --remote two -o %h.log -S 4K,2 -e "$script"
[ "$(together one.log)" = second, ] && [ "$(together two.log.2)" = wide, ] && [ ! -e two.log.1 ] ||
	say_wrong "-S and %h: $(together *.log*)"
check 2 '/-S takes SIZE' -- $STAP -m m_remote --remote one -o x -S many -e "$script"
# A machine whose staprun sends no streams gets ours for the run; without one here it is left out. One machine's text
# needs no stream.
check 3 '/^stap: dated has the staprun of an older stap, which sends no records, and no static stapio is here' -- \
	$sent --remote dated --to sqlite:x -e "$script"
unset STREAM
check 6 '/^stap: dated has the staprun of an older stap, .*; it is left out$' '/^half a line$' -- \
	$sent --remote dated --remote one -e "$script"
check 0 '/^[01]: run on [a-z]*: -r [01]:[a-z]* -b -M m_remote.ko$' '!records' -- \
	$STAP -m m_remote --remote-prefix --remote one --remote two -b -M -e "$script"
WIDE=1 check 0 -- $STAP -m m_remote --remote one -o lines -S 4K,2 -e "$script"
[ "$(tr -d ' ' < lines.2)" = 2 ] && [ "$(tr -d ' ' < lines)" = 3 ] && [ ! -e lines.1 ] ||
	say_wrong "-S of one: $(ls lines*)"
check 1 '/writing /dev/full: No space left' '!later output' -- \
	env LONG=1 $STAP -m m_remote --remote one -S 5 -o /dev/full -e "$script"
check 0 '/^run on dated' -- $sent --remote dated -e "$script"
# On a terminal the output of one machine is shown as that of several is; elsewhere it is what it is.
export PAINTS=1
check 0 "/^$(printf 'caf\303\251\033')\[31m $(printf '\302\233\233')$" -- $STAP -m m_remote --remote one -e "$script"
on_terminal $STAP -m m_remote --remote one -e "$script" > out || say_wrong 'on a terminal: it fails'
grep -q "$(printf 'caf\303\251?')\[31m ???" out && ! grep -q "$(printf '[\033\233]')" out ||
	say_wrong "on a terminal: $(od -c out)"
unset PAINTS
for uri in box:1 ssh://box: ssh://box:x ssh:// -oProxyCommand=x me@-x libvirt://box ''; do
	check 2 "/--remote takes \[USER@\]HOST, ssh://\[USER@\]HOST\[:PORT\], or direct: for this machine, not '$uri'" \
		-- $STAP --remote "$uri" -e "$script"
done
check 2 '/--remote finds the kernel by itself and cannot be combined with --runtime=user, --vm or -r' \
	-- $STAP --remote one -r "$KERNEL" -e "$script"
PATH=${PATH#*:}
printf '#!/bin/sh\nexit 1\n' > bin/nothing
mkdir none &&
	check 3 '/cannot run ssh: .*; apt-get install openssh-client' \
	-- env PATH="$PWD/none" "$STAP" --remote one -e "$script"
finish
