# SPDX-License-Identifier: GPL-2.0-or-later
# Probing functions of all modules takes memory once for each module, not once for each pair of modules, which used to
# take fifteen gigabytes.
. "$TOP/tests/cli/expect.inc"
export SYSTEMTAP_DEBUGINFO_PATH=$WORK/none
(
	ulimit -v 2000000
	"$STAP" -r "$KERNEL" -l 'module("*").function("*").call'
) > list 2> err || say_wrong "$(tail -n 5 err)"
# Every module that has functions is there, in the order of names.
listed=$(cut -d '"' -f 2 list | uniq | wc -l)
[ "$listed" = "$(cut -d '"' -f 2 list | sort -u | wc -l)" ] || say_wrong 'modules are mixed up'
[ "$listed" -gt 20 ] || say_wrong "only $listed modules"
finish
