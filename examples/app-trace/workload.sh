#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# workload.sh PROGRAM [ARGS]: puts PROGRAM's name on the list of traced programs, runs it, takes the name off.
set -eu
list=/proc/sys/debug/traced-apps
basename "$1" > $list
status=0
"$@" || status=$?
echo > $list
exit $status
