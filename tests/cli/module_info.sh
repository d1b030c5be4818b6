# SPDX-License-Identifier: GPL-2.0-or-later
# A module records which scripts it was made from, by whom and with which version: modinfo needs only the file.
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/lib.sh"
mkdir scripts
printf 'probe begin { exit() }\n' > scripts/first.stp

check 0 -- $STAP -r $KERNEL -p4 -m t_info --modinfo note=mine scripts/first.stp -E 'probe end { }'
say() { modinfo -F "$1" t_info.ko | sort; }
[ "$(say stap_script)" = "$(printf '%s\n' '<input>' first.stp | sort)" ] ||
	say_wrong "scripts: $(say stap_script)"
want=$({ sha256sum < scripts/first.stp; printf 'probe end { }' | sha256sum; } | cut -d' ' -f1 | sort)
[ "$(say stap_script_sha256)" = "$want" ] || say_wrong "digests: $(say stap_script_sha256), not $want"
[ "$(say author)" = "$(id -un)" ] || say_wrong "author: $(say author)"
[ "$(say stap_version)" = "$($STAP --version | sed -n '1s/^stap \([^ ,]*\).*/\1/p')" ] ||
	say_wrong "version: $(say stap_version)"
[ "$(say note)" = mine ] || say_wrong "--modinfo: $(say note)"

# A name is text: what it holds cannot end the entry and begin another.
cp scripts/first.stp $'scripts/a"\n, "b\\'
check 0 -- $STAP -r $KERNEL -p4 -m t_info $'scripts/a"\n, "b\\'
[ "$(modinfo -F stap_script t_info.ko)" = $'a"\n, "b\\' ] || say_wrong "$(modinfo -F stap_script t_info.ko)"
[ "$(modinfo -F stap_privilege t_info.ko)" = stapdev ] || say_wrong "the rights are another's"
finish
