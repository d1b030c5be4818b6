# Calls whose returns will not be reported, because the program has switched to another stack, are missed, and the books
# show it. The kernel kills such a program.
set -eu
cd "$MODULES"
staprun -t -c ./stacks_switched t_stacks_switched.ko > out.switched 2>&1 || :
grep -q 'killed by signal 4' out.switched || { cat out.switched; exit 1; }
awk '/function\("work@.*\.return/ { ok = $2 == 3 && $3 + $5 == 3 && $5 > 0 } END { exit !ok }' out.switched || {
	cat out.switched
	exit 1
}
