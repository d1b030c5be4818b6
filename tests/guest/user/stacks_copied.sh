# A program is also recognised by its build-id: as a copy, as in a container, and after its file was removed. A rebuilt
# one is not recognised.
set -eu
cd build/guest
copied() { grep -qE "^ 0x[0-9a-f]+ : clocks\+0x[0-9a-f]+/0x[0-9a-f]+ \[.*/stacks_moved\]" /tmp/out; }
cp stacks_moved /tmp/copy
staprun -c /tmp/copy t_stacks_copied.ko > /tmp/out
copied || { cat /tmp/out; exit 1; }
mv stacks_moved stacks_moved.away
staprun -c /tmp/copy t_stacks_copied.ko > /tmp/out
copied || { cat /tmp/out; exit 1; }
cp ./stacks_lines stacks_moved
staprun -c ./stacks_moved t_stacks_copied.ko > /tmp/out
! copied || { echo 'another program is taken for it'; cat /tmp/out; exit 1; }
grep -qE '^ 0x[0-9a-f]+ \[.*/stacks_moved\+0x[0-9a-f]+/0x[0-9a-f]+\]' /tmp/out || { cat /tmp/out; exit 1; }
