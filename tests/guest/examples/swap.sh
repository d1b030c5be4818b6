#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process touches twice as much memory as its group may have, then all of it again: what has gone to a disk of its
# own comes back.
group=/sys/fs/cgroup/stap_examples/swap
file=$(mktemp -p /dev/shm)
truncate -s 64M "$file"
disk=$(losetup -f --show "$file")
mkswap "$disk" > /dev/null
swapon "$disk"
mkdir -p "$group"
echo 24M > "$group/memory.max"
sh -c 'echo $$ > '"$group"'/cgroup.procs
	exec /usr/bin/python3 -c "
b = bytearray(32 << 20)
for _ in range(2):
    for i in range(0, len(b), 4096): b[i] += 1"'
swapoff "$disk"
losetup -d "$disk"
rm "$file"
sleep 0.2
rmdir "$group"
