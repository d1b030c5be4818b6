#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that needs more memory than its control group may have: the kernel reclaims memory, then kills it.
group=/sys/fs/cgroup/stap_examples/pressure
mkdir -p "$group"
echo 16M > "$group/memory.max"
sh -c 'echo $$ > '"$group"'/cgroup.procs
	dd if=/dev/zero of=/var/tmp/pressure bs=1M count=32 2> /dev/null
	exec /usr/bin/python3 -c "b = bytearray(100 << 20)"'
sleep 0.2
rmdir "$group"
