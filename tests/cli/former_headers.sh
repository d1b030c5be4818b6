# SPDX-License-Identifier: GPL-2.0-or-later
# Embedded C includes headers that kernels used to have, and globals have names that the kernel's headers use for other
# things.
. "$TOP/tests/cli/expect.inc"

{
	echo '%{'
	(cd "$TOP/runtime/former" &&
		find . -name '*.h' | grep -v 'sl[au]b_def' | sort | sed 's|^\./\(.*\)|#include <\1>|')
	cat << 'END'
%}
global empty, irq, irq_t, jiffies, current_task = "none"
function disk:string(bio:long) %{ /* pure */
	snprintf(STAP_RETVALUE, MAXSTRINGLEN, "%s",
		 ((struct bio *)(uintptr_t)STAP_ARG_bio)->bi_bdev->bd_disk->disk_name);
%}
probe begin { empty[1] <<< 2; irq[1] = 2; irq_t[1] = 3; jiffies <<< 3; current_task .= "x" }
probe kernel.function("submit_bio") { println(disk($bio)) }
probe end { println(@count(empty[1]), irq[1], irq_t[1], @count(jiffies), current_task) }
END
} > script.stp
check 0 -- $STAP -g -p4 -r "$KERNEL" script.stp
finish
