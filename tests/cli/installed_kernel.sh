# SPDX-License-Identifier: GPL-2.0-or-later
# On a machine that has the tests' kernel installed, with its headers and debuginfo: a directory of STAP_KERNELS takes
# precedence over the machine's own files, and tests use the kernel that they name. tests/installed makes such a
# machine.
# skip: no_kernel || no_namespace
# skip: [ "$(id -u)" != 0 ] && echo "only root may mount"
# skip: [ -z "$(target TREE)" ] && echo "not here: the kernel is installed"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/lib.sh"
export INSTALLED
INSTALLED=$(target TREE) modules=$(test_modules)
installed=$TOP/tests/installed
unset STAP_KERNELS SYSTEMTAP_DEBUGINFO_PATH
export SYSTEMTAP_DIR=$PWD/home
mkdir -p own/bin own/share/stap
cp "$STAP" own/bin/
ln -s "$TOP"/{tapset,runtime} own/share/stap/
stap="own/bin/stap -v -r $KERNEL"
point='kernel.function("vfs_read")'

has_own=
[ ! -e "/lib/modules/$KERNEL/build" ] || has_own=yes
# The machine has it, and only there, unless it has had it before.
check 0 "/^stap: kernel $KERNEL: /lib/modules/$KERNEL/build\$" '/^kernel.function\("vfs_read"\) .*\$file:' \
	-- $installed $stap -L "$point"
check 0 "/^/usr/src/linux-headers-|^/usr/lib/modules/" -- $installed realpath "/lib/modules/$KERNEL/build"
if [ -z "$has_own" ]; then
	[ ! -e "/lib/modules/$KERNEL/build" ] || say_wrong "the machine itself has $KERNEL installed now"
	check 3 "/no headers for kernel $KERNEL" -- $stap -L "$point"
fi

# A directory with the headers alone: what it lacks does not come from elsewhere.
headers_alone "$modules" bare
STAP_KERNELS=$PWD/bare check 3 "/no BTF of kernel $KERNEL: $PWD/bare/boot/vmlinuz-" \
	"/^stap: kernel $KERNEL: $PWD/bare/lib/modules/$KERNEL/build\$" -- $installed $stap -L "$point"
STAP_KERNELS=$PWD/bare check 3 "/no BTF of kernel $KERNEL" -- $installed $stap -p4 -e 'probe begin { exit() }'
# A directory with other kernels, or none.
STAP_KERNELS=$PWD/home check 0 "/^stap: kernel $KERNEL: /lib/modules/$KERNEL/build\$" -- $installed $stap -l "$point"

# Tests that name a directory, or skip for want of one.
for test in kernel_btf riscv64; do
	reason=$(cd "$TOP" && STAP_RISCV64='' STAP_KERNELS=$INSTALLED $installed \
		env NAMED=1 bash -c '. tests/lib.sh; skip_reason "$1"' sh "tests/cli/$test.sh")
	case $test-$reason in
	kernel_btf- | 'riscv64-not here: a tree of riscv64') ;;
	*) say_wrong "$test.sh: skipped where the kernel is installed: '$reason'" ;;
	esac
done
if [ -n "${SLOW-}" ]; then
	mkdir whole
	STAP_KERNELS=$INSTALLED WORK=$PWD/whole check 0 -- $installed bash "$TOP/tests/cli/kernel_btf.sh"
fi
finish
