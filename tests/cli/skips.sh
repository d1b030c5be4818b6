# SPDX-License-Identifier: GPL-2.0-or-later
# A test is skipped for any of its "skip:" lines, not only for the last one, and output of the other lines is not taken
# for a reason.
. "$TOP/tests/cli/expect.inc"
reason_of() { (cd "$TOP" && bash -c '. tests/lib.sh; skip_reason "$1"' of "$WORK/$1"); }
judge() { # judge STATUS REASON LINE…
	local status=$1 reason=$2 is
	shift 2
	printf '# skip: %s\n' "$@" > one.sh
	is=$(reason_of one.sh)
	[ "$?: $is" = "$status: $reason" ] || say_wrong "$(cat one.sh): $is"
}
judge 0 first 'echo first' '! echo second'
judge 0 second '! echo first' 'echo second'
judge 1 '' '! echo first' '! echo second'
judge 0 '' true
: > one.sh
! reason_of one.sh || say_wrong 'skipped without a line'
finish
