# SPDX-License-Identifier: GPL-2.0-or-later
# stap --doctor: what is there, what is missing, and the command that supplies it, in the words of the distribution.
# skip: no_kernel || no_namespace
. "$TOP/tests/cli/expect.inc"
gcc=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\([^ "]*\).*/\1/p' "$(ls -d /lib/modules/"$KERNEL"/build/.config \
	"${STAP_KERNELS%%:*}/lib/modules/$KERNEL/build/.config" 2> /dev/null | head -n 1)")
export SYSTEMTAP_DEBUGINFO_PATH=/nonexistent

check 0 "/^ok +headers +of kernel $KERNEL: /" "/^ok +compiler +/.*$gcc\$" '/^ok +make +/' '/^ok +types +BTF' \
	'/^ok +options +' '/^ok +signatures +' '/^ok +lockdown +' '/^ok +user +root$' '/^ok +room +[0-9]+ MB in ' \
	"/^ +apt-get install linux-image-$KERNEL-dbg$" -- $STAP --doctor -r "$KERNEL"
check 3 '/^missing +compiler +' "/^ +apt-get install ${gcc#x86_64-linux-gnu-}\$" '/^missing +make +make$' \
	'/^ +apt-get install make$' '/^without +guest +' '/^ +apt-get install qemu-system-x86$' \
	-- env PATH=/nonexistent $STAP --doctor -r "$KERNEL"
check 3 '/^missing +headers +no headers for kernel 9.9.9-nothing' '/apt-get install linux-headers-9.9.9-nothing' \
	'/^missing +types ' '/^ok +make' -- $STAP --doctor -r 9.9.9-nothing
# The same elsewhere.
on() {
	local os=$1
	shift
	printf '%b' "$os" > os
	check 3 "$@" -- unshare -m sh -c \
		'mount --bind os "$(readlink -f /etc/os-release)" && PATH=/nonexistent exec "$@"' sh \
		$STAP --doctor -r "$KERNEL"
}
on 'ID=fedora\n' '/^ +dnf install gcc$' '/^ +dnf install make$' "/^ +dnf install kernel-debuginfo-$KERNEL\$"
on 'ID="sles"\nID_LIKE="suse"\n' "/^ +zypper install gcc" '/^ +zypper install make$'
on 'ID=arch\n' '/^ +pacman -S gcc$' '/^ +pacman -S qemu-system-x86$'
# The same words stand in the errors.
printf 'ID=fedora\n' > os
check 3 '/no headers for kernel 9.9.9-nothing: .*; dnf install kernel-devel-9.9.9-nothing' \
	-- unshare -m sh -c 'mount --bind os "$(readlink -f /etc/os-release)" && exec "$@"' sh \
	$STAP -p4 -r 9.9.9-nothing -e 'probe begin { }'
# Who is not root, without and with a staprun that may load modules.
check 3 '/^missing +user +.*staprun is not set-uid' -- env TMPDIR=/tmp SYSTEMTAP_DIR=/nonexistent \
	setpriv --reuid 12345 --regid 12345 --clear-groups $STAP --doctor -r "$KERNEL"
# A container's root, where the module would be loaded here.
check 3 '/^missing +user +root without CAP_SYS_MODULE$' '/^ +in a container: --privileged' \
	-- env STAP_KERNELS=/nonexistent setpriv --bounding-set=-sys_module $STAP --doctor -r 9.9.9-nothing
check 0 '/^ok +user +root$' -- setpriv --bounding-set=-sys_module $STAP --doctor -r "$KERNEL"
if unshare --user --map-root-user true 2> err; then
	check 3 '/^missing +user +root of a user namespace' '/^ +the container.s engine has to run as root' \
		-- env STAP_KERNELS=/nonexistent unshare --user --map-root-user $STAP --doctor -r 9.9.9-nothing
fi
mkdir small
check 3 '/^missing +room +[34] MB in .*/small$' '/^ +--tmpdir=DIR' -- unshare -m sh -c \
	'mount -t tmpfs -o size=4m none small && TMPDIR=$PWD/small exec "$@"' sh $STAP --doctor -r "$KERNEL"
check 0 '/.\[32mok' -- $STAP --doctor --color=always -r "$KERNEL"
finish
