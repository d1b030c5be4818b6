# SPDX-License-Identifier: GPL-2.0-or-later
# The recipe that a kernel's first build records is the same, byte for byte, whether kbuild asked the compiler itself
# about every option or got the answers at once.
# guards: translator/build runtime
. "$TOP/tests/cli/expect.inc"

is_alone() { ! pgrep -f "^$STAP .*-r $KERNEL -p4" > /dev/null; }
# recipe DIR: builds with a cache of its own; its recipe without the names of directories that differ: the key of what
# is kept of a kernel has the compiler's path
recipe() {
	SYSTEMTAP_DIR=$PWD/$1 watched --cpu 600 $STAP -r "$KERNEL" -p4 -e 'probe begin { println("x") exit() }' > out \
		2> err || say_wrong "$1: does not build"
	! pgrep -f "^$STAP .*-r $KERNEL -p4" > /dev/null || wait_until is_alone
	sed "s|$PWD/$1/cache/kernels/[0-9a-f]*|KEPT|g; s|$PWD/$1|CACHE|g" "$1"/cache/kernels/*/recipe > "$1.recipe" ||
		say_wrong "$1: no recipe"
}

# Compilers that count how often they are run with nothing to compile; a make that takes the first directory from PATH
# again.
mkdir count plain
for program in $(compgen -c | grep -E '^([a-z0-9_]+-linux-gnu-)?gcc(-[0-9]+)?$' | sort -u); do
	printf '#!/bin/sh\ncase "$*" in *" -c -x c /dev/null -o "*) echo >> %s/questions ;; esac\nexec %s "$@"\n' \
		"$PWD" "$(command -v "$program")" > "count/$program"
done
printf '#!/bin/sh\nPATH=${PATH#*:}\nexec %s "$@"\n' "$(command -v make)" > plain/make
chmod +x count/* plain/make

before=$PATH
: > questions
PATH=$PWD/count:$before recipe answered
few=$(wc -l < questions)
: > questions
PATH=$PWD/plain:$PWD/count:$before recipe asked
many=$(wc -l < questions)
cmp -s answered.recipe asked.recipe || say_wrong "other recipes: $(diff answered.recipe asked.recipe | head -n 4)"
[ "$many" -gt $((few * 2)) ] || say_wrong "kbuild asks $few times, $many without answers"

# Nor does it depend on variables that makefiles and compilers read.
mkdir theirs
echo '#error is read' > theirs/theirs.h
mkdir -p theirs/linux && cp theirs/theirs.h theirs/linux/module.h
(
	export KCFLAGS="-include $PWD/theirs/theirs.h" KCPPFLAGS=-DTHEIRS KAFLAGS=-DTHEIRS
	export CPATH=$PWD/theirs CC=false LD=false ARCH=none
	export C_INCLUDE_PATH=$PWD/theirs MAKEFLAGS='CC=false W=1' GNUMAKEFLAGS=-k
	export MAKEFILES=$PWD/theirs/theirs.h
	export CROSS_COMPILE=none- KBUILD_MODPOST_WARN=1 KBUILD_EXTRA_SYMBOLS=/nonexistent
	export W=1 C=1 COMPILER_PATH=$PWD/theirs
	PATH=$before recipe told
	exit $wrong
) || wrong=1
cmp -s answered.recipe told.recipe || say_wrong "other recipes: $(diff answered.recipe told.recipe | head -n 4)"

# A module may have the name of any part of the runtime.
for name in points runtime values; do
	check 0 "/$name.ko" \
		-- $STAP -r "$KERNEL" -p4 -m $name -e 'global n probe kernel.function("vfs_read") { n[execname()]++ }'
done
# A module is as small as doc/figures.md says of 6.1 (later kernels have landing pads, their compilers more
# relocations), and code that no hit runs shares its returns: far fewer of them than functions.
small=71200 large=128900
[[ $KERNEL == 6.1.* ]] || { small=83100 large=135700; }
[[ $KERNEL != 7.* ]] || large=146700
# size NAME LIMIT SCRIPT
size() {
	watched --cpu 600 $STAP -r "$KERNEL" -p4 -m "$1" -e "$3" > out 2> err || say_wrong "$1: does not build"
	[ "$(stat -c %s "$1.ko")" -le "$2" ] || say_wrong "$1.ko: $(stat -c %s "$1.ko") bytes, expected at most $2"
	returns=$(readelf -rW "$1.ko" | grep -c ' R_X86_64_PLT32 .* __x86_return_thunk ')
	functions=$(readelf -sW "$1.ko" | grep -c ' FUNC ')
	[ $((returns * 3)) -lt $((functions * 2)) ] || say_wrong "$1.ko: $returns returns in $functions functions"
}
size hello $small 'probe begin { println("hello") exit() }'
size histogram $large 'global h probe kernel.function("vfs_read") { h <<< $count } probe end { print(@hist_log(h)) }'
# Embedded C that does not link: what it lacks, and not what is missed of the runtime as nothing asks for it.
check 3 '/modpost: "not_there" .* undefined!' '!stp_' '!MODPOST' \
	-- $STAP -r "$KERNEL" -g -p4 -e '%{ extern int not_there(long *); %}
	function f:long(t:long) %{
		THIS->__retvalue = kread((long *)(long)THIS->t) + not_there(0);
		CATCH_DEREF_FAULT();
	%}
	probe begin { println(f(0)) }'
check 2 "/-m script: this is the name of the module's part for the script; choose another" \
	-- $STAP -r "$KERNEL" -p4 -m script -e 'probe begin { }'
# Kernels whose shifts and indexes are checked (UBSAN_SHIFT and UBSAN_BOUNDS, as in Debian sid) have no such checks in
# the code of modules: they would be more than the budget of a handler charges. The tables of a module, which have no
# code, show the flags.
(cd "$TOP" && . tests/lib.sh && image_alone "$OLDPWD/checked")
tree=$(echo checked/lib/modules/*/build/)include
cp -rL "$tree" include && rm "$tree" && mv include "$tree"
sed -i '/CONFIG_UBSAN/d' "$tree/config/auto.conf"
printf 'CONFIG_UBSAN%s=y\n' '' _SHIFT _ONLY_BOUNDS _SANITIZE_ALL >> "$tree/config/auto.conf"
check 0 '/kept.ko' -- env SYSTEMTAP_DIR="$PWD/shifts" STAP_KERNELS="$PWD/checked" $STAP -r "$KERNEL" -p4 -m kept \
	-e 'global n probe timer.s(1) { foreach (a in n- limit 3) println(a) } probe begin { n[1 << $1]++ }' 3
for check in shift bounds; do
	steps=$(grep -w -e -fsanitize=$check shifts/cache/kernels/*/recipe | cut -f 1 | xargs)
	[ "$steps" = module ] || say_wrong "steps with checks of $check: '$steps', expected 'module'"
done
finish
