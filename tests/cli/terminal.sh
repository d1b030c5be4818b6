# SPDX-License-Identifier: GPL-2.0-or-later
# Colours on a terminal, unless NO_COLOR says no.
# skip: no_terminal
. "$TOP/tests/cli/expect.inc"
unset NO_COLOR
escape=$(printf '\033')
check 1 "/$escape" -- script -qec "$STAP --runtime=user -p1 -e probe" /dev/null
NO_COLOR=1 check 1 "!$escape" -- script -qec "$STAP --runtime=user -p1 -e probe" /dev/null
finish
