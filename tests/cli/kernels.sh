# SPDX-License-Identifier: GPL-2.0-or-later
# Kernels that are missing or incomplete: the message names what is missing and how to get it; exit status 3.
. "$TOP/tests/cli/expect.inc"
hello='probe begin { exit() }'
point='probe kernel.function("vfs_read") { }'

check 3 '/no headers for kernel 9\.9\.9-none: /lib/modules/9\.9\.9-none/build is missing; apt-get install linux-headers-9\.9\.9-none, or without installing them /.*/bin/stap-fetch-kernel linux-image-9\.9\.9-none, which --fetch-headers does' \
	-- $STAP -r 9.9.9-none -p2 -e "$hello"
# In a container, what belongs to the host's kernel is the host's.
running=$(uname -r)
[ -e "/lib/modules/$running/build" ] ||
	check 3 '/; in a container, mount the host.s: -v /lib/modules:/lib/modules:ro -v /usr/src:/usr/src:ro' \
	-- env -u STAP_KERNELS container=podman $STAP -r "$running" -p4 -e "$point"
# The headers are here, and the programs that Debian keeps apart are not; nor is /sys.
own=own/lib/modules/$running/build
mkdir -p "$own/include/config" && touch "$own/Makefile" "$own/include/config/auto.conf"
ln -s /usr/lib/linux-kbuild-0.0/scripts "$own/scripts"
leads='build/scripts leads to /usr/lib/linux-kbuild-0\.0/scripts, which is not here;'
[ ! -e /sys/kernel/btf ] ||
	check 3 "/$leads in a container, mount the host.s: -v /usr/lib/linux-kbuild-0\.0:/usr/lib/linux-kbuild-0\.0:ro" \
		-- env STAP_KERNELS=own container=podman $STAP -r "$running" -p4 -e "$hello"
if unshare -m true 2> err; then
	check 3 '/no BTF of kernel .*: /sys/kernel/btf is not here, and .*; in a container, mount the host.s: -v /sys:/sys:ro' \
		-- env STAP_KERNELS=own container=podman \
		unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' sh $STAP -r "$running" -p2 -e "$point"
fi
check 3 '/apt-get install linux-headers-9\.9\.9-none' -- env container=podman $STAP -r 9.9.9-none -p2 -e "$point"
check 3 '/^stap: /nothing/there is not a kernel build tree: .*; name the directory of a configured kernel, or a release' \
	-- $STAP -r /nothing/there -p2 -e "$hello"

# A build tree of one's own.
tree=$PWD/tree
mkdir -p tree/include/generated
echo '#define UTS_RELEASE' > tree/include/generated/utsrelease.h
check 3 '/utsrelease.h: holds no release' -- $STAP -r "$tree" -p2 -e "$hello"
echo '#define UTS_RELEASE "9.9.9-mine"' > tree/include/generated/utsrelease.h
check 0 -- $STAP -r "$tree" -p2 -e "$hello"
check 3 '/error: no BTF of kernel 9\.9\.9-mine: .*; a machine that runs it has it, if built with CONFIG_DEBUG_INFO_BTF: .*/stap-fetch-kernel linux-image-9\.9\.9-mine gets it without installing it' \
	-- $STAP -r "$tree" -p2 -e "$point"
mkdir tree/vmlinux
check 3 '/tree/vmlinux: not a regular file' -- $STAP -r "$tree" -p2 -e "$point"
rmdir tree/vmlinux
printf '\177ELF and no more' > tree/vmlinux
check 3 '/tree/vmlinux: malformed ELF file at offset [0-9a-fx]+: ' -- $STAP -r "$tree" -p2 -e "$point"
echo 'int x;' | gcc -c -x c - -o plain.o
objcopy plain.o tree/vmlinux
check 3 '/no BTF of kernel 9\.9\.9-mine' -- $STAP -r "$tree" -p2 -e "$point"
echo 'no BTF at all' > junk
objcopy --add-section .BTF=junk plain.o tree/vmlinux
check 3 '/tree/vmlinux: malformed BTF at offset [0-9a-fx]+: ' -- $STAP -r "$tree" -p2 -e "$point"

# A module for another kernel than this machine's is not loaded here.
if [ -n "$KERNEL" ] && [ "$KERNEL" != "$(uname -r)" ]; then
	check 2 "/this machine does not run kernel $KERNEL; stop at -p4 and use staprun there, or run it in a guest with --vm" \
		-- $STAP -r "$KERNEL" -e "$hello"
fi
finish
