# SPDX-License-Identifier: GPL-2.0-or-later
# skip: no_translator
# A guest's kernel that was unpacked but not installed is found as if it were installed: its files, its modules, its
# headers. Files written there stay in the guest.
release=$(uname -r)
modules=/lib/modules/$release
wrong() { echo "$*"; exit 1; }

for file in "$modules/modules.dep" "$modules/build/Makefile" "$modules/build/include/config/auto.conf"; do
	[ -s "$file" ] || wrong "no $file"
done
[ -s "/boot/vmlinuz-$release" ] || [ -s "$modules/vmlinuz" ] || wrong "no image"
[ -s "/boot/config-$release" ] || [ -s "$modules/config" ] || wrong "no configuration"
version=$(make -s -C "$modules/build" kernelversion 2>&1)
[ "${version%%.*}" = "${release%%.*}" ] || wrong "the build directory does not work: $version"
modprobe --show-depends loop > /dev/null || wrong "modprobe finds no module"
mkdir "$modules/of-the-guest" && [ -d "$modules/of-the-guest" ] && rmdir "$modules/of-the-guest" ||
	wrong "cannot write below $modules"
# Whoever builds here finds what was built on the host.
stap -p4 -e 'probe kernel.function("vfs_read") { exit() }' > /dev/null || wrong "stap"
