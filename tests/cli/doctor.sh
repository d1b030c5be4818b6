# SPDX-License-Identifier: GPL-2.0-or-later
# stap --doctor: reports what is there and what is missing, with the distribution's command that supplies it.
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
# A release of the distribution has only some compilers; without lists nobody knows which.
number=${gcc##*-}
apt_knows() {
	mkdir -p apt && ln -sf "$(type -P make)" apt/make
	printf '#!/bin/sh\nprintf "gcc-%%s\\n" %s\n' "$*" > apt/apt-cache
	chmod +x apt/apt-cache
}
apt_knows 9 multilib
check 3 "/^ +this system has no package gcc-$number: translate \\(-p4\\) on a system of the kernel's own release, or " \
	'!apt-get install gcc-' -- env PATH="$PWD/apt" $STAP --doctor -r "$KERNEL"
check 3 "/the compiler of kernel $KERNEL, is missing; this system has no package gcc-$number: " \
	-- env PATH="$PWD/apt" $STAP -r "$KERNEL" -p4 -e 'probe begin { exit() }'
for known in "9 $number" multilib; do
	apt_knows $known
	check 3 "/^ +apt-get install gcc-$number\$" -- env PATH="$PWD/apt" $STAP --doctor -r "$KERNEL"
done
# The same elsewhere.
on() {
	local os=$1
	shift
	printf '%b' "$os" > os
	check 3 "$@" -- unshare -m sh -c \
		'mount --bind os "$(readlink -f /etc/os-release)" && PATH=/nonexistent exec "$@"' sh \
		$STAP --doctor -r "$KERNEL"
}
# What stands behind a + is the kind of a Fedora kernel.
debuginfo=kernel-debuginfo-$KERNEL
[ "${KERNEL#*+}" = "$KERNEL" ] || debuginfo=kernel-${KERNEL#*+}-debuginfo-${KERNEL%%+*}
on 'ID=fedora\n' '/^ +dnf install gcc$' '/^ +dnf install make$' "/^ +dnf install $debuginfo\$"
on 'ID="sles"\nID_LIKE="suse"\n' "/^ +zypper install gcc" '/^ +zypper install make$'
on 'ID=ubuntu\nID_LIKE=debian\n' "/^ +apt-get install linux-image-$KERNEL-dbgsym \\(of ddebs.ubuntu.com\\)\$" \
	'/^ +apt-get install make$'
on 'ID=arch\n' '/^ +pacman -S gcc$' '/^ +pacman -S qemu-system-x86$'
# The same words stand in the errors.
printf 'ID=fedora\n' > os
check 3 '/no headers for kernel 9.9.9-nothing: .*; dnf install kernel-devel-9.9.9-nothing, or without installing them /.*/stap-fetch-kernel kernel-core-9.9.9-nothing, which --fetch-headers does' '!Debian' \
	-- unshare -m sh -c 'mount --bind os "$(readlink -f /etc/os-release)" && exec "$@"' sh \
	$STAP -p4 -r 9.9.9-nothing -e 'probe begin { }'
printf 'ID="sles"\nID_LIKE="suse"\n' > os
check 3 '/zypper install kernel-default-devel, or .* /.*/stap-fetch-kernel kernel-default-9.9.9-nothing-default, which' \
	-- unshare -m sh -c 'mount --bind os "$(readlink -f /etc/os-release)" && exec "$@"' sh \
	$STAP -p4 -r 9.9.9-nothing-default -e 'probe begin { }'
# A guest's parts, by the same table.
mkdir only
for program in bash basename cat cut dirname id realpath sed stat tr uname; do ln -s "$(type -P $program)" only/; done
parts() {
	local os=$1 file
	shift
	printf '%b' "$os" > os
	check 3 "$@" -- unshare -m sh -c 'mount --bind os "$(readlink -f /etc/os-release)" || exit
		for file in /usr/libexec/virtiofsd /usr/lib/qemu/virtiofsd /usr/lib/virtiofsd; do
			[ ! -e $file ] || mount --bind os $file || exit
		done
		PATH=$PWD/only exec "$@"' sh "${STAP%/*}/stap-vm" -- true
}
parts 'ID=debian\n' '/^stap-vm: virtiofsd is missing; apt-get install qemu-system-common'
parts 'ID=fedora\n' '/^stap-vm: virtiofsd is missing; dnf install virtiofsd$'
printf '#!/bin/sh\n' > only/virtiofsd && chmod +x only/virtiofsd
parts 'ID="sles"\nID_LIKE="suse"\n' '/^stap-vm: busybox is missing; zypper install busybox-static$'
ln -s "$(type -P busybox || echo /bin/true)" only/busybox
parts 'ID=arch\n' '/^stap-vm: cpio is missing; pacman -S cpio$'
ln -s /bin/true only/cpio
parts 'ID=fedora\n' '/^stap-vm: QEMU is missing; dnf install qemu-system-[a-z0-9_]+-core$'
check 0 '/^[a-z-]+ install cpio$' -- $STAP --doctor=cpio
check 2 "/--doctor knows compiler, .*make, .*, cpio, .*, not 'headers'" -- $STAP --doctor=headers
# A kernel without its types.
modules=$(ls -d {,"${STAP_KERNELS%%:*}"}"/lib/modules/$KERNEL/build" 2> /dev/null | head -n 1)
(cd "$TOP" && . tests/lib.sh && headers_alone "${modules%/build}" "$OLDPWD/bare")
bare() { STAP_KERNELS=$PWD/bare SYSTEMTAP_DIR=$PWD/home check "$@"; }
mkdir -p installed/bin installed/share/stap
cp "$STAP" installed/bin/ && ln -s "$TOP"/{tapset,runtime} installed/share/stap/
bare 3 "/^missing +types +no BTF of kernel $KERNEL" "/^ +[a-z-]+ install [a-z-]+-$KERNEL\$" \
	-- installed/bin/stap --doctor -r "$KERNEL"
mkdir bare/boot && echo none > bare/boot/"vmlinuz-$KERNEL"
bare 3 '/^missing +types ' '/^ +a kernel that is built with CONFIG_DEBUG_INFO_BTF$' \
	-- installed/bin/stap --doctor -r "$KERNEL"
# Whose programs are found, and Yama's restriction, which is none for probes.
check 0 '/^ok +processes +-x finds programs of all users$' -- unshare -m sh -c \
	'mount -t tmpfs none /proc/sys/kernel && exec "$@"' sh $STAP --doctor -r "$KERNEL"
check 0 '/^without +processes +-x finds programs of processes with no more .*; ptrace_scope, 2, restricts debuggers' \
	'/^ +in a container: --cap-add=SYS_PTRACE$' -- unshare -m setpriv --bounding-set=-sys_ptrace sh -c \
	'mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama &&
		echo 2 > /proc/sys/kernel/yama/ptrace_scope && exec "$@"' sh $STAP --doctor -r "$KERNEL"
check 3 "/^without +processes +-x finds programs of this user's processes only" -- env TMPDIR=/tmp \
	SYSTEMTAP_DIR=/nonexistent setpriv --reuid 12345 --regid 12345 --clear-groups $STAP --doctor -r "$KERNEL"
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
# Where the kernel takes no modules: scripts run in a guest, and the lines are about its kernel.
mkdir guest
for program in gcc "$gcc" make stap-merge; do [ -z "$(type -P $program)" ] || ln -sf "$(type -P $program)" guest/; done
for program in qemu-system-"$(uname -m)" virtiofsd busybox cpio; do ln -s /bin/true guest/$program; done
without_modules() {
	check "$@" -- unshare -m sh -c 'mount -t proc -o subset=pid none /proc && PATH=$PWD/guest exec "$@"' sh \
		$STAP --doctor
}
kernel=$(unshare -m sh -c 'mount -t proc -o subset=pid none /proc && exec "$@"' sh $STAP --doctor |
	sed -n 's/^ok  *headers  *of kernel \([^ ]*\): .*/\1/p')
if [ -n "$kernel" ]; then
	without_modules 0 "/^without +kernel +$(uname -r) runs here, and cannot load modules\$" \
		"/^ +stap --vm runs scripts in a guest with kernel $kernel; the other lines are about that one\$" \
		'/^ok +types +BTF' '/^ok +options ' '/^ok +user +root$' '/^ok +guest ' '!^missing'
	rm guest/cpio
	without_modules 3 '/^missing +guest +stap --vm needs cpio$' '/^ +[a-z-]+ (-S|install) cpio$'
	rm guest/qemu-system-*
	without_modules 3 '/^missing +guest +stap --vm needs QEMU$'
fi
# A kernel that takes no more of them, by files that look like its own; no guest for others than root.
modules_disabled() {
	echo "$1" > disabled
	unshare -m sh -c 'mount -t tmpfs none /proc && mkdir -p /proc/sys/kernel /proc/self &&
		cp disabled /proc/sys/kernel/modules_disabled && : > /proc/modules && ln -s "$1" /proc/self/exe &&
		PATH=$PWD/guest exec "$@" --doctor' sh $STAP > out 2> err
	grep -E ' kernel ' out | grep -qE "$2" || say_wrong "modules_disabled $1: another line about the kernel"
}
modules_disabled 1 "^(without|missing) .* runs here, and cannot load modules until it starts again\$"
modules_disabled 0 '^(ok|missing) .* runs here, and can load modules$|modules are for other machines'
[ -z "$kernel" ] || check 3 '/^missing +user +only root can share this machine.s files with a guest$' \
	'/^ +sudo stap --vm' -- unshare -m sh -c 'mount -t proc -o subset=pid none /proc &&
		TMPDIR=/tmp SYSTEMTAP_DIR=/nonexistent exec setpriv --reuid 12345 --regid 12345 --clear-groups "$@"' \
	sh $STAP --doctor
# Not even a kernel for a guest.
mkdir -p alone/bin alone/share/stap
cp "$STAP" alone/bin/ && ln -s "$TOP"/{tapset,runtime} alone/share/stap/
check 3 "/^missing +kernel +$(uname -r) runs here, and cannot load modules\$" '/^ +stap --vm runs scripts in a guest$' \
	'/^missing +headers +no kernel for a guest: .*/stap-fetch-kernel gets one$' \
	-- unshare -m sh -c 'for dir in /boot /lib/modules /var/lib/stap; do
		[ ! -d $dir ] || mount -t tmpfs none $dir || exit
	done
	mount -t proc -o subset=pid none /proc && STAP_KERNELS= SYSTEMTAP_DIR=$PWD/home exec alone/bin/stap --doctor'
mkdir small
check 3 '/^missing +room +[34] MB in .*/small$' '/^ +--tmpdir=DIR' -- unshare -m sh -c \
	'mount -t tmpfs -o size=4m none small && TMPDIR=$PWD/small exec "$@"' sh $STAP --doctor -r "$KERNEL"
check 0 '/.\[32mok' -- $STAP --doctor --color=always -r "$KERNEL"
# The two programs with which SystemTap's tutorials begin and its reports end.
bin=$(dirname "$STAP")
"$bin/stap-prep" > out 2> err
status=$?
"$STAP" --doctor > doctor
[ "$status" = $? ] || say_wrong "stap-prep: exit status $status"
diff <(grep -v '^ok *room' doctor) <(grep -v '^stap-prep: \|^ok *room' out) > differs ||
	say_wrong "stap-prep differs from stap --doctor: $(cat differs)"
check 3 '/no headers for kernel 1\.2\.3|^missing +headers' '/^stap-prep: run the commands above' \
	-- "$bin/stap-prep" 1.2.3
check 2 '/^Usage: stap-prep' -- "$bin/stap-prep" --nothing
check 2 '/^Usage: stap-prep' -- "$bin/stap-prep" a b
check 0 '/^== version$' '/^stap [0-9.]+' '/^== kernel$' '/^(ok|missing) +compiler' "/^== kernel's messages\$" \
	-- "$bin/stap-report"
check 2 '/^Usage: stap-report' -- "$bin/stap-report" x
finish
