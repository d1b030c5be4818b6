# Rows of @heat_log: in colours on a terminal, as they are in files, for NO_COLOR, and where a terminal is dumb.
set -eu
dir=$(mktemp -d)
cd "$dir"
fail() { echo "$*"; cat -v out 2> /dev/null | head -n 8; exit 1; }
# shown ARG…: what a terminal gets
shown() {
	script -qec "$* staprun ${options-} $MODULES/t_heat.ko" out < /dev/null > /dev/null
	sed -i '/^Script /d; s/\r$//' out
}
e=$(printf '\033')
coloured="|$e[34m...$e[m$e[34;1m:$e[m$e[36;1m=$e[m$e[31m%$e[m$e[31;1m@$e[m|"
(while :; do dd if=/dev/zero of=/dev/null bs=4096 count=100 2> /dev/null; done) & load=$!
trap 'kill $load' EXIT

shown env -u NO_COLOR TERM=xterm
grep -qxF "$coloured" out || fail "no colours"
grep -qxF '|...:=%@  |' out || fail "a row with a width"
grep -qxF "|$e[34m.$e[m $e[31;1m@$e[m|" out || fail "a field of the script's own"
grep -qE "$e\[31;1m@$e\[m.*\|\$" out || fail "the load's row"
options=--top
shown env -u NO_COLOR TERM=xterm
grep -qF "$coloured" out && grep -qF -- "-- keys:" out || fail "--top: no colours"
options=
for how in "env NO_COLOR=1 TERM=xterm" "env -u NO_COLOR TERM=dumb"; do
	shown $how
	grep -qxF '|...:=%@|' out && ! grep -qF "$e" out || fail "$how: colours"
done
staprun "$MODULES/t_heat.ko" > out
grep -qxF '|...:=%@|' out && ! grep -qF "$e" out || fail "in a file: colours"
staprun -C always "$MODULES/t_heat.ko" > out
grep -qxF "$coloured" out || fail "-C always: no colours"
