# SPDX-License-Identifier: GPL-2.0-or-later
# Modules for the kernel compiled by clang, by the recorded recipe alone: the first one, which records it, a second one
# with other parts, and one that uses the precompiled header. Their indirect calls are checked, they contain only the
# used parts of the runtime, and no symbol names the bytes before a function.
# skip: is_slow "a build by clang" || (TEST_KERNEL=clang STAP_KERNELS=${CLANG_KERNEL:-build/clang-kernel} no_clang)
. "$TOP/tests/cli/expect.inc"
export STAP_KERNELS=${CLANG_KERNEL:-$TOP/build/clang-kernel} SYSTEMTAP_DIR=$PWD
release=$(basename "$(ls -d "$STAP_KERNELS"/lib/modules/*-clang)")

build() {
	check 0 "/$1[.]ko\$" '!kbuild alone builds' -- $STAP -vv -r "$release" -p4 -m "$1" -e "$2"
	readelf -sW "$1.ko" > names 2>&1
	! grep -E ' __(cfi|pfx)_' names || say_wrong "$1: names that nobody asks for"
	readelf -SW "$1.ko" | grep -qE ' (__|[.])kcfi_traps ' || say_wrong "$1: its calls are not checked"
}
build first 'probe begin { println("hello") exit() }'
build second 'global n probe kernel.trace("sched_switch") { n[kernel_string($next->comm)] <<< 1 } probe end { println(@count(n["x"])) }'
is_precompiled() { compgen -G 'cache/kernels/*/prefix.pch' > /dev/null; }
wait_until is_precompiled
build third 'probe kernel.function("vfs_read").return { printf("%d %d\n", $return, @entry($count)) }'
[ "$(stat -c %s first.ko)" -le 100000 ] || say_wrong "first.ko has $(stat -c %s first.ko) bytes"
finish
