# SPDX-License-Identifier: GPL-2.0-or-later
# The beginning of riscv64: scripts are elaborated for its kernels, modules are refused. STAP_RISCV64=DIR is a tree of a
# kernel with its headers: Debian has them from 13 on.
# skip: [ ! -d "${STAP_RISCV64:-/nonexistent}/lib/modules" ] && echo "not here: a tree of riscv64"
. "$TOP/tests/cli/expect.inc"
release=$(basename "$STAP_RISCV64"/lib/modules/*)
export STAP_KERNELS=$STAP_RISCV64
stap="$STAP -w -r $release"
check 0 '/vfs_read.*[$]file:struct file[*] [$]buf:char[*] [$]count:size_t [$]pos:loff_t[*]' -- \
	$stap -L 'kernel.function("vfs_read")'
check 0 '/syscall.openat .*filename:string' -- $stap -L syscall.openat
cat > all.stp << 'END'
global n
probe kernel.function("vfs_read") { n[execname()] += $count; println(d_name($file->f_path->dentry), register("a0")) }
probe kernel.function("vfs_read").return { println($return, " ", @entry($count)) }
probe kernel.trace("sched:sched_switch") { println($next->pid) }
probe syscall.openat { println(argstr) }
probe syscall.read.return { println(retstr) }
probe timer.profile { print_backtrace() }
probe end { foreach (x in n- limit 5) println(x, n[x]) }
END
check 0 -- $stap -p3 all.stp
check 2 '/modules for riscv64 are not made yet: stop at -p3, -L or -l' -- $stap -p4 all.stp
check 1 '/memory cannot be watched on riscv64: its kernels have no watchpoints that handlers could be run at' \
	-- $stap -p2 -e 'probe kernel.data("jiffies").write { }'
check 1 '/is a program for another processor' -- $stap -p2 -e 'probe process("/bin/sh").begin { }'
finish
