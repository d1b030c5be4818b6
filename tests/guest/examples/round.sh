#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# round.sh DIR DEVICE: a bit of everything that the examples observe: files, processes, a disk, locks. DIR is for files,
# DEVICE a disk that may be written to.
cd "$1" || exit
cat /etc/passwd > /dev/null
head -c 2M /dev/zero > big; cat big > /dev/null # more than anybody else reads
cat $(yes /nonexistent | head -n 24) 2> /dev/null # more than the tests themselves miss
dd if=/dev/zero of="$2" bs=8k count=8 oflag=direct 2> /dev/null
dd if=/dev/zero of="$2" bs=64k count=2 conv=fsync 2> /dev/null
dd if="$2" of=/dev/null bs=4k count=8 iflag=direct 2> /dev/null
# It has its name when it is killed, however late it comes to run.
sleep 99 & until read -r name < /proc/$!/comm; [ "$name" = sleep ]; do sleep 0.01; done
sleep 0.01
kill -KILL $!
: > short; mv short shortlived; rm shortlived
: > rights; chmod 640 rights; chown 1 rights
mkdir -p mnt; mount -t tmpfs none mnt && umount mnt
# The lock is held until somebody waits for it.
held=held.$$
flock lock sh -c "touch $held; until grep -q -- '-> FLOCK' /proc/locks; do sleep 0.01; done; sleep 0.01" &
until [ -e $held ]; do sleep 0.01; done
flock lock true; rm $held
echo x > /dev/tty0
# Dirty until the kernel writes it: closed, it would be written at once.
{ dd if=/dev/zero bs=64k count=2 2> /dev/null; sleep 0.5; sync; } > "$2"
/usr/bin/python3 "$OLDPWD/tests/guest/examples/network.py" 3
