# SPDX-License-Identifier: GPL-2.0-or-later
# Users' own modules, by path: no BTF, no place below /lib/modules. Their debuginfo, compressed or in separate files,
# and errors in it.
. "$TOP/tests/cli/expect.inc"
stap="$STAP -r $KERNEL"
gcc=${CC:-gcc}

cp "$TOP/tests/cli/walk.c" probed.c
cat > other.c <<'EOF'
int sum_of_others = 5;
EOF
$gcc -DMODULE -g -O2 -fno-pic -mcmodel=kernel -c probed.c && $gcc -g -O2 -fno-pic -mcmodel=kernel -c other.c &&
	ld -r --build-id=sha1 -o my-probed.ko probed.o other.o || say_wrong "cannot build the module"

check 0 '/^module\("my_probed"\).function\("hidden@/.*/probed.c:32"\) \$a:int$' \
	'/function\("twice@.*\.inline \$n:int$' \
	'/"walk@.*:20"\) \$p:struct point\* \$c:enum colour \$name:const char\* \$n:int$' -- \
	$stap -L 'module("./my-probed.ko").function("*")'
check 0 '/walk@.*/probed.c:18"\)$' '/walk@.*/probed.c:30"\)$' \
	-- $stap -l 'module("./my-probed.ko").statement("walk@probed.c:*")'
[ "$(grep -o ':[0-9]*"' out | tr -d ':"' | paste -sd' ')" = \
	"$(grep -o ':[0-9]*"' out | tr -d ':"' | sort -n | paste -sd' ')" ] ||
	say_wrong "not in the order of the source"
check 0 '/\.return .*\$return:int$' -- $stap -L 'module("./my-probed.ko").function("walk").return'

# Variables of the module, in its own probes; its types, anywhere.
point='module("./my-probed.ko").function("walk")'
check 0 \
	-- $stap -p3 \
	-e "probe $point { println(@var(\"origin@probed.c\", \"my_probed\")->x, @var(\"sum\", \"./my-probed.ko\"), @var(\"sum_of_others\"), @var(\"origin\")->z) }"
check 0 \
	-- $stap -p3 \
	-e "probe $point { println(@cast(\$p, \"point\", \"my_probed\")->next->l) } probe end { println(@cast(0, \"point\", \"./my-probed.ko\")->y) }"
check 1 "/no variable 'summ' in .*my-probed.ko; did you mean 'sum'" \
	-- $stap -p3 -e "probe $point { println(@var(\"summ\", \"my_probed\")) }"
check 1 "/there is no module './none.ko'" -- $stap -p2 -e 'probe module("./none.ko").function("walk") { }'
check 0 \
	-- $stap -p3 \
	-e 'probe begin { println(@var("sum", "./my-probed.ko"), @var("origin@probed.c", "my_probed")->x) }'

# Packed; stripped, with debuginfo below a directory by build-id.
xz -k my-probed.ko && check 0 '/walk@' -- $stap -l 'module("./my-probed.ko.xz").function("walk")'
id=$(readelf -n my-probed.ko | sed -n 's/.*Build ID: //p')
mkdir -p "debug/.build-id/${id:0:2}" bare &&
	objcopy --only-keep-debug my-probed.ko "debug/.build-id/${id:0:2}/${id:2}.debug" &&
	objcopy -g my-probed.ko bare/my-probed.ko || say_wrong "cannot part the module from its debuginfo"
check 3 '/carries no BTF: .*, and no debuginfo of it is found; SYSTEMTAP_DEBUGINFO_PATH names directories to look in' \
	-- $stap -l 'module("bare/my-probed.ko").function("walk")'
SYSTEMTAP_DEBUGINFO_PATH=$PWD/debug check 0 '/walk@' -- $stap -l 'module("bare/my-probed.ko").function("walk")'
xz -k bare/my-probed.ko
SYSTEMTAP_DEBUGINFO_PATH=$PWD/debug check 0 '/walk@' -- $stap -l 'module("bare/my-probed.ko.xz").function("walk")'

finish
