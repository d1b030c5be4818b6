# SPDX-License-Identifier: GPL-2.0-or-later
# The program that shares files with a guest gets only options that it supports: this is tried with both kinds of
# programs, and with the newer one's option not to announce mount points.
# skip: no_kernel || no_namespace || no_program qemu-system-x86_64
# skip: [ "$(id -u)" != 0 ] && echo "needs root"
. "$TOP/tests/cli/expect.inc"
real=/usr/lib/qemu/virtiofsd
[ -x $real ] || real=/usr/libexec/virtiofsd
shared() { # shared HELP: the options that a virtiofsd with this help gets
	cat > virtiofsd <<-END_SH
		#!/bin/sh
		[ "\$1" != --help ] || { echo "$1"; exit 0; }
		echo "\$*" > $PWD/given
		exit 1
	END_SH
	chmod +x virtiofsd
	check 3 '/virtiofsd does not run' -- unshare -m sh -c \
		'mount --bind virtiofsd "$1" && shift && exec "$@"' sh $real "${STAP%/*}/stap-vm" --arch x86_64 -- true
}
shared '-o source=DIR'
grep -q -- '-o source=/ ' given && ! grep -q announce given || say_wrong "the older one: $(cat given)"
shared '--shared-dir DIR'
grep -q -- '--shared-dir / ' given && ! grep -q announce given || say_wrong "the later one: $(cat given)"
shared '--shared-dir DIR --announce-submounts --no-announce-submounts'
grep -q -- ' --no-announce-submounts' given || say_wrong "the latest: $(cat given)"
finish
