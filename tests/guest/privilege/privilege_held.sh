# A staprun that is stopped between its checks (SIGSTOP cannot be blocked): ann's staprun has checked her own run when
# that ends, and bob's run of the same module begins. Nothing that it does then affects bob's run.
# skip: no_program strace
# guards: staprun stapio runtime tests/guest/privilege.inc lib trace
. "$TOP/tests/guest/privilege.inc"
mkdir -p "$place"
install -m 644 "$MODULES/t_for_everybody.ko" "$place"
install -d -o 6001 -g 6001 ann
m=t_for_everybody
# traced INJECT ARG…: ann's staprun, in place of this process
traced() {
	local inject=$1
	shift
	exec strace -f -q -o trace -e trace=openat,close $inject setpriv --reuid 6001 --regid 6001 --groups 5001 \
		--inh-caps=-all staprun "$@"
}
# How often staprun has closed a file when it opens the module's directory first.
first_open() {
	usr staprun -L $m > /dev/null 2>&1
	(traced '' "$@" $m) > /dev/null 2>&1 || :
	usr staprun -d $m > /dev/null 2>&1 || :
	awk 'NR == 1 { first = $1 } $1 == first && /close\(/ { n++ } /stap-t_for/ { print n; exit }' trace
}
is_over() { [ ! -e /proc/$1 ] || grep -q '^State:.Z' /proc/$1/status; }
# strace stops it at each call for a moment: only where it stays is it held.
stays() {
	local look
	for look in 1 2 3; do
		grep -qs '^State:.[tT]' /proc/$1/status || return
		[ $look = 3 ] || sleep 0.2
	done
}
find_held() {
	for pid in $(pgrep -x staprun); do
		! stays $pid || { held=$pid; return; }
	done
	is_over $tracer
}
for what in '-A --timeout=2' -d; do
	n=$(first_open $what)
	# Owner and state have been read, and their files are closed; later ctl is open.
	for behind in 2 4; do
		held=
		usr staprun -L $m > /dev/null 2>&1
		(traced "-e inject=close:signal=SIGSTOP:when=$((n + behind))" $what $m) > ann/held \
			2> held.err & tracer=$!
		until find_held; do sleep 0.1; done
		[ -n "$held" ] || { wait $tracer || :; continue; }
		usr staprun -d $m > out 2> err || :
		# With ctl open it holds the module: then there is no way to another's.
		if ! other staprun -L $m > out 2> err; then
			grep -q 'loaded already' err || fail "$what, held at $behind: bob cannot start"
			kill -CONT $held
			wait $tracer || :
			usr staprun -d $m > /dev/null 2>&1 || :
			continue
		fi
		kill -CONT $held
		wait $tracer || :
		loaded $m && [ "$(cut -d" " -f1 /proc/stap-$m/owner)" = 6002 ] ||
			fail "$what, held at $behind: bob's run is gone"
		[ ! -s ann/held ] || fail "$what, held at $behind: bob's run was read"
		other staprun -A --timeout=1 $m > out 2> err || fail "$what, held at $behind: bob cannot attach"
		grep -q tick out || fail "$what, held at $behind: bob's run had ended"
		echo "$what, held at $behind: $(head -n 1 held.err)"
	done
done
