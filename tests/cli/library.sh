# SPDX-License-Identifier: GPL-2.0-or-later
# The index of the tapset library and its cache: an index that is out of date or damaged is silently replaced.
# guards: translator/sem translator/parse tapset
. "$TOP/tests/cli/expect.inc"
export SYSTEMTAP_DIR=$PWD/home
run="$STAP --runtime=user -I lib"
mkdir -p lib/below

cat > lib/a.stp <<'EOF'
/* function no_one() { } */
global kept = "a, b", many%[10], typed:long = -1, last # global hidden
function first() { /* } */ kept = "}" if (1) { many["{"] = typed } last = many["{"]; return last + 2 }
private function mine() { return "mine" }
function unused() %{ /* } function in_c() { */ %}
probe library.point("x=y") = never { }
probe library.other += never { }
EOF
echo 'function second() { return 2 }' > lib/below/b.stp
echo '@define three %( 3 %)' > lib/c.stpm
index() { ls home/cache/facts/tapset-* 2>&1; }
expect() { check 0 "/^$1\$" -- $run -e 'probe begin { print(first()) println(second()) exit() }'; }

expect 12
first=$(cksum "$(index)")
expect 12
[ "$first" = "$(cksum "$(index)")" ] || say_wrong 'the index was written again'

check 0 '/library.point\("x=y"\)|never' \
	-- $run -p2 -e 'probe library.point("x=y"), library.other { println(first()) } probe begin { exit() }'
check 1 "/there is no function 'no_one'" "/'in_c'" -- $run -p2 -e 'probe begin { no_one() in_c() exit() }'
check 1 "/there is no function 'frist'; did you mean 'first'" -- $run -p2 -e 'probe begin { frist() }'

# Changed, removed, added.
sed -i 's/return 2/return 22/' lib/below/b.stp
expect 122
rm lib/below/b.stp
check 1 "/there is no function 'second'" -- $run -p2 -e 'probe begin { print(second()) exit() }'
echo 'function second() { return 5 }' > lib/d.stp
expect 15
echo 'function second() { return 4 } function third() { return 3 }' > lib/below/b.stp
expect 14 # the first of the two
cp "$(index)" good

# Of two files of one name in two places each has its own index.
mkdir -p elsewhere/lib
echo 'function first() { return 8 } function second() { return 9 }' > elsewhere/lib/a.stp
(cd elsewhere && $STAP --runtime=user -I lib -e 'probe begin { print(first()) println(second()) exit() }') > out 2> err
[ "$(cat out)" = 89 ] || say_wrong "elsewhere: $(cat out err)"
[ "$(index | wc -l)" = 2 ] || say_wrong "two libraries, $(index | wc -l) indexes"

# Damaged: cut off anywhere, or with other bytes anywhere.
for name in $(index); do cmp -s "$name" good && break; done
size=$(stat -c %s good)
for at in 0 1 7 8 40 $((size / 2)) $((size - 1)); do
	head -c "$at" good > "$name"
	expect 14
	cmp -s "$name" good || say_wrong "cut off at $at: not made anew"
	cp good "$name"
	printf '\377' | dd of="$name" bs=1 seek="$at" conv=notrunc status=none
	expect 14
	cmp -s "$name" good || say_wrong "another byte at $at: not made anew"
done
head -c 100000 /dev/urandom > "$name"
expect 14

# Written by others, or not wanted.
printf 'nonsense' > "$name"
chmod 666 "$name"
expect 14
printf 'nonsense' > "$name"
check 0 '/^14$' -- $run --disable-cache -e 'probe begin { print(first()) println(second()) exit() }'
[ "$(cat "$name")" = nonsense ] || say_wrong '--disable-cache wrote the index'

# Probes of a file come along with what is used of it, also where another file's probe uses it; what they assign are the
# file's globals.
mkdir probes
echo 'global begun probe begin { begun = 3 } function of_probes() { return begun }' > probes/a.stp
echo 'global ended = 1 probe end { printf("library %d %d\n", of_probes(), ended++) } function to_end() { return 7 }' \
	> probes/b.stp
check 0 '/^7$' '/^library 3 1$' \
	-- $STAP --runtime=user -I probes -e 'probe begin { println(to_end()) } probe timer.ms(1) { exit() }'
check 0 '/^8$' '!library' -- $STAP --runtime=user -I probes -e 'probe begin { println(8) exit() }'

# A file's own probes run when something of it is used, not when a point begins as an alias of it does; what they write
# is another file's variable.
mkdir both
echo 'global asked = 0, other_asked = 0 function say() { println("asked ", asked, " ", other_asked) exit() }' > both/both.stp
echo 'probe hooks.one = begin { } probe begin(-5) { asked = 1 }' > both/one.stp
echo 'probe hooks.other = begin { } probe begin(-5) { other_asked = 1 }' > both/other.stp
check 0 '/^asked 1 0$' -- $STAP --runtime=user -I both -e 'probe hooks.one { say() }'
check 0 '/^asked 1 1$' -- $STAP --runtime=user -I both -e 'probe hooks.* { } probe begin(1) { say() }'
finish
