# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel compiled by clang: the chosen programs, the arguments of kbuild, and the messages if programs are missing.
# The kernel is the target with forged options; make and the compilers only print their arguments.
# skip: no_kernel || no_namespace
. "$TOP/tests/cli/expect.inc"
headers=$(ls -d "${STAP_KERNELS%%:*}/lib/modules/$KERNEL/build" "/lib/modules/$KERNEL/build" 2> /dev/null | head -n 1)
kernel=$PWD/trees/lib/modules/$KERNEL
mkdir -p "$kernel/build/include/config"
ln -s "$(dirname "$headers")"/* "$kernel/" 2> /dev/null
ln -sfn "$(realpath "$headers")"/{[!i]*,.[!.]*} "$kernel/build/"
ln -sfn "$(realpath "$headers")"/include/[!c]* "$kernel/build/include/"
ln -s "${headers%/lib/modules/*}/boot" trees/boot
rm -f "$kernel/build/.config"

# forge [OPTION=VALUE]…: the kernel's options, with these
forge() {
	local file option
	for file in .config include/config/auto.conf; do
		sed -E '/^CONFIG_(CC_VERSION_TEXT|CC_IS_GCC|CLANG_VERSION|LLD_VERSION|LD_IS_BFD|AS_IS_GNU)=/d' \
			"$headers/$file" > "$kernel/build/$file"
		for option; do echo "CONFIG_$option" >> "$kernel/build/$file"; done
	done
}
text='CC_VERSION_TEXT="Debian clang version 19.1.7 (3~deb12u1)"'
all=("$text" CC_IS_CLANG=y CLANG_VERSION=190107 LD_IS_LLD=y LLD_VERSION=190107 AS_IS_LLVM=y)

# programs NAME…: these alone are in PATH, beside make
programs() {
	local name
	rm -rf bin
	mkdir bin
	for name in env sh cat rm; do ln -s "$(type -P "$name")" bin/; done
	# shellcheck disable=SC2016 # that program expands
	printf '#!/bin/sh\nprintf "%%s\\n" "$@" > %s/told\necho "kbuild begins"\nexit 2\n' "$PWD" > bin/make
	for name; do
		# shellcheck disable=SC2016
		printf '#!/bin/sh\n[ "$*" != -dumpversion ] || echo %s\n' "${name#*=}.1.7" > "bin/${name%=*}"
	done
	chmod +x bin/*
}
build="env PATH=$PWD/bin STAP_KERNELS=$PWD/trees SYSTEMTAP_DIR=$PWD/cache $STAP -r $KERNEL"
told() {
	local word
	check 3 '/kbuild begins' -- $build -p4 -e 'probe begin { exit() }'
	for word; do grep -qxF -- "$word" told || say_wrong "make is not told $word: $(tr '\n' ' ' < told)"; done
}

forge "${all[@]}"
programs clang-19=19 ld.lld-19=19
told CC=clang-19 LD=ld.lld-19 LLVM=-19 LLVM_IAS=1
check 0 '/^ok +compiler +/.*/bin/clang-19$' -- $build --doctor
# Its own number is taken first, then a clang that is not older, with any lld.
programs clang=20 clang-19=19 ld.lld=20
told CC=clang-19 LD=ld.lld LLVM=1
programs clang=20 ld.lld=20
told CC=clang LD=ld.lld LLVM=1
programs clang=19 ld.lld-19=19
told CC=clang LD=ld.lld-19 LLVM=-19
# Without lld clang is told alone, and its assembler is the kernel's.
forge "$text" CC_IS_CLANG=y CLANG_VERSION=190107 LD_IS_BFD=y AS_IS_GNU=y
programs clang-19=19
told CC=clang-19 LLVM_IAS=0
! grep -E '^(LD|LLVM)=' told || say_wrong 'make is told of a linker'
# A kernel of gcc that lld linked
forge 'CC_VERSION_TEXT="gcc-12 (Debian 12.2.0-14) 12.2.0"' CC_IS_GCC=y LD_IS_LLD=y LLD_VERSION=190107
programs gcc-12=12 ld.lld-19=19
told LD=ld.lld-19
! grep -E '^(CC|LLVM)' told || say_wrong 'make is told of clang'

# ThinLTO inlines entries of system calls, and nothing says which: the calls are found by their numbers. A function that
# the script itself names is probed as such.
calls='probe syscall.close, syscall.pread.return { println(argstr) } probe kernel.function("sys_getpid") { println(pid()) }'
one='probe kernel.function("__x64_sys_close") { println($fd) }'
# by_number N: of the script last built, with -p3
by_number() { [ "$(grep -c 'stp_family_syscall)' out)" = "$1" ] || say_wrong "not $1 points by number"; }
forge "${all[@]}" LTO_CLANG=y
check 0 '!LTO' -- $build -p3 -e "$calls"
by_number 5
grep -q 'symbol = "__x64_sys_getpid", .is_syscall = true, .is_of_all = true' out || say_wrong 'getpid by one ABI alone'
check 0 '/warning: kernel .* is linked with optimisation \(LTO\): the entry of a system call may be inlined, and then this function is never entered; kernel.function\("sys_close"\) sees the calls' \
	-- $build -p3 -e "$one"
by_number 0
forge "${all[@]}"
for script in "$calls" "$one"; do
	check 0 '!LTO' -- $build -p3 -e "$script"
	by_number 0
done

# What is missing is said by name, with the command of the distribution.
forge "${all[@]}"
# missing OS-RELEASE PROGRAM REGEX…
missing() {
	local os=$1 regex=$2
	shift 2
	printf '%b' "$os" > os
	programs "$@"
	check 3 "/$regex" '!Debian clang' -- unshare -m sh -c \
		'mount --bind os "$(readlink -f /etc/os-release)" && exec "$@"' sh \
		$build -p4 -e 'probe begin { exit() }'
}
clang="clang-19, the compiler of kernel $KERNEL, is missing; "
lld="ld.lld-19, the linker of kernel $KERNEL, is missing; "
missing 'ID=debian\n' "${clang}apt-get install clang-19 lld-19 "
missing 'ID=debian\n' "${clang}apt-get install clang-19 lld-19 " clang=14 gcc-12=12
missing 'ID=ubuntu\nID_LIKE=debian\n' "${lld}apt-get install clang-19 lld-19 " clang-19=19
missing 'ID=fedora\n' "${clang}dnf install clang lld "
missing 'ID="sles"\nID_LIKE="suse"\n' "${lld}zypper install clang19 lld19 " clang=19
missing 'ID=cachyos\nID_LIKE=arch\n' "${clang}pacman -S clang lld "
check 3 '/^missing +compiler +clang-19, which made the kernel' '/^ +apt-get install clang-19 lld-19$' -- \
	env PATH=/nonexistent STAP_KERNELS="$PWD/trees" $STAP -r "$KERNEL" --doctor
# A release of Debian has only some versions.
programs
printf '#!/bin/sh\nprintf "clang-%%s\\n" 14 16 tools-19\n' > bin/apt-cache
chmod +x bin/apt-cache
check 3 "/${clang}this system has no package clang-19: " -- $build -p4 -e 'probe begin { exit() }'
finish
