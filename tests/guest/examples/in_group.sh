# SPDX-License-Identifier: GPL-2.0-or-later
# in_group.sh GROUP COMMAND…: runs it in that control group
echo $$ > "$1/cgroup.procs"
shift
exec "$@"
