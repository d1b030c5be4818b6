#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# load.sh [ROUNDS]: a disk, files and a few programs at work, for the pictures. Without ROUNDS for ever.
cd /mnt/disk || exit
dd if=/dev/zero of=direct bs=1M count=8 2> /dev/null
while sleep 0.3; do dd if=direct of=/dev/null iflag=direct bs=8k count=400 2> /dev/null; done &
trap 'kill $!' EXIT
n=0
while [ $n != "${1:-for ever}" ]; do
	dd if=/dev/zero of=a bs=64k count=100 conv=fsync 2> /dev/null
	cp a b
	cat a b > /dev/null
	echo 3 > /proc/sys/vm/drop_caches
	dd if=a of=/dev/null bs=4k count=300 2> /dev/null
	find /usr/share/doc/lib* -name copyright -exec head -qc 2000 {} + | gzip > c
	sync
	rm b
	n=$((n + 1))
done
