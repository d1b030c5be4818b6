# Limits (ulimit) that are too low: either the script runs as usual, or a message names the limit; nothing is left
# loaded. Where a limit kills every program before its first instruction, the module is not even read.
# guards: runtime stapio staprun translator/module lib trace
set -eu
cd "$(mktemp -d)"
m=t_params
fail() { head -n 20 err; echo "$1"; exit 1; }
# limited -LETTER N [OPTION…]
limited() {
	local letter=$1 n=$2 status=0
	shift 2
	(ulimit "$letter" "$n"; exec staprun "$@" "$MODULES/$m.ko") > out 2> err || status=$?
	! grep -q "^$m " /proc/modules || fail "ulimit $letter $n: left loaded"
	! pgrep '^stap' > /dev/null || fail "ulimit $letter $n: $(pgrep -l '^stap') is left"
	! grep -qE 'damaged|was killed' err || fail "ulimit $letter $n: message"
	case $status in
	0) [ "$(cat out)" = '1 <none> 1' ] || fail "ulimit $letter $n: output: $(cat out)" ;;
	1) grep -qE "ERROR: .*($what)" err || fail "ulimit $letter $n: message" ;;
	127 | 139) ;; # the program could not be started
	*) fail "ulimit $letter $n: status $status" ;;
	esac
	echo "ulimit $letter $n: $status"
}
what='[Mm]emory'
for kb in 0 700 1000 1500 3000 10000 100000; do limited -d $kb; done
for kb in 1000 20000 40000 60000 200000; do limited -v $kb; done
limited -d 1500 -b -o raw
limited -d 1500 --json
limited -v 40000 -c true
for kb in 16 64 200; do limited -s $kb; done
limited -l 0
what='temporarily|too low'
for n in 0 3 4 10; do limited -n $n; done
# Processes of root are not counted.
for n in 0 1; do limited -u $n; done
