#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# load.sh ROUNDS: what the examples look at, over and over until it is killed: files, processes, a disk, the network, locks. Each time ROUNDS grows by a byte.
cd "$(dirname "$0")" || exit
dir=$(mktemp -d)
mount -t tmpfs none "$dir"
modprobe loop
truncate -s 64M "$dir/disk"
device=$(losetup -f --show "$dir/disk")
/usr/bin/python3 network.py & network=$!
trap 'kill $network; losetup -d "$device"; umount -l "$dir"; exit' TERM
mkdir -p "$dir/mnt"
while :; do
	cat /etc/passwd > /dev/null
	cat /nonexistent 2> /dev/null
	dd if=/dev/zero of="$device" bs=8k count=8 oflag=direct 2> /dev/null
	dd if=/dev/zero of="$device" bs=64k count=2 conv=fsync 2> /dev/null
	dd if="$device" of=/dev/null bs=4k count=8 iflag=direct 2> /dev/null
	sleep 9 & kill -KILL $!
	sleep 0.01
	: > "$dir/short"; mv "$dir/short" "$dir/shortlived"; rm "$dir/shortlived"
	mount -t tmpfs none "$dir/mnt" && umount "$dir/mnt"
	flock "$dir/lock" sleep 0.05 & sleep 0.01; flock "$dir/lock" true
	echo x > /dev/tty0
	sync -f "$dir"
	printf . >> "$1"
done
