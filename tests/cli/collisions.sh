# SPDX-License-Identifier: GPL-2.0-or-later
# A probed program tries to choose the keys of an array so that they are all in one chain, but it cannot know which are.
# foreach iterates in order of insertion, whatever the hash is.
# guards: runtime/core
. "$TOP/tests/cli/expect.inc"
${CC:-cc} -O2 -o collisions "$TOP/tests/cli/collisions.c" || say_wrong 'it does not compile'
./collisions 3000 12 > chain.stp
for _ in 1 2 3; do
	check 0 '/^501$' '!MAXACTION' -- "$STAP" --runtime=user chain.stp
done
order='global a, b, c probe begin {
	for (i = 0; i < 400; i++) {
		k = (i * 7919) % 1000; a[k] = i; b[sprintf("k%d", k)] = i; c[k, sprintf("%d", i)] = i
	}
	for (i = 0; i < 400; i += 3) { k = (i * 7919) % 1000; delete a[k]; delete b[sprintf("k%d", k)] }
	foreach (k in a) println(k) foreach (s in b) println(s) foreach ([k, s] in c) println(k, s)
	foreach (k in a limit 9) println(a[k]) exit() }'
"$STAP" --runtime=user -DMAXACTION=100000 -e "$order" > first 2> err || say_wrong 'the order of foreach'
for ((i = 0; i < 400; i++)); do [ $((i % 3)) = 0 ] || echo $((i * 7919 % 1000)); done > keys
{
	cat keys
	sed 's/^/k/' keys
	for ((i = 0; i < 400; i++)); do echo $((i * 7919 % 1000))$i; done
	for ((i = 0, n = 0; n < 9; i++)); do [ $((i % 3)) = 0 ] || { echo $i; n=$((n + 1)); }; done
} | diff - first > out || say_wrong 'foreach is not in order of insertion'
for _ in 1 2 3; do
	"$STAP" --runtime=user -DMAXACTION=100000 -e "$order" 2> err | cmp -s - first ||
		say_wrong 'foreach depends on the run'
done
finish
