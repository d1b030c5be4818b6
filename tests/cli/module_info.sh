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

# The object that describes a module is a copy of the kernel's first one, with another name and table of symbols. The
# module is the same, byte for byte, as if the compiler had made it, which it does when the kept object is damaged.
# build WAY: modules with a short name and a long one, of other symbols than the first script's, to NAME.WAY
build() {
	local name
	rm -rf "$SYSTEMTAP_DIR/cache/modules"
	for name in t_i info_about_a_module_with_a_name_of_49_characters; do
		check 0 "/$name.ko" -- $STAP -r $KERNEL -p4 -m "$name" \
			-e 'global n probe kernel.function("vfs_read") { n[execname()]++ }'
		mv "$name.ko" "${name:0:3}.$1.ko"
	done
}
export SYSTEMTAP_DIR=$PWD/kept
check 0 -- $STAP -r $KERNEL -p4 scripts/first.stp
kept=$(echo kept/cache/kernels/*/module_info)
[ -s "$kept" ] || say_wrong "no object was kept"
build copied
sed 's/depends=/marked_=/' "$kept" > changed
mv changed "$kept"
build marked
grep -q marked_= t_i.marked.ko || say_wrong "the object is not a copy of the kept one"
truncate -s 100 "$kept"
build compiled
for name in t_i inf; do
	cmp -s $name.copied.ko $name.compiled.ko || say_wrong "$name: copied and compiled modules differ"
done
finish
