# SPDX-License-Identifier: GPL-2.0-or-later
# The reader's time zone.
. "$TOP/tests/cli/expect.inc"

zone='probe begin { println(tz_ctime(86400), "|", tz_name(), "|", tz_gmtoff()) exit() }'
TZ=XYZ5 check 0 '/^Thu Jan  1 19:00:00 1970 XYZ|XYZ|18000$' -- $STAP --runtime=user -e "$zone"
TZ=ABC-1:30 check 0 '/^Fri Jan  2 01:30:00 1970 ABC|ABC|-5400$' -- $STAP --runtime=user -e "$zone"
TZ=UTC0 check 0 '/^Fri Jan  2 00:00:00 1970 UTC|UTC|0$' -- $STAP --runtime=user -e "$zone"
finish
