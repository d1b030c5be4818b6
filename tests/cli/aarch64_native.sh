# SPDX-License-Identifier: GPL-2.0-or-later
# stap itself on arm64: in a guest with a compiler it translates for the running kernel, and runs the module.
# skip: is_slow "it makes a tree of packages, and compiles in a machine that is emulated, for minutes"
# skip: no_program aarch64-linux-gnu-gcc || no_program qemu-system-aarch64
. "$TOP/tests/cli/expect.inc"
tree=$WORK/tree bin=$WORK/programs
"$TOP/tools/foreign-tree" --native aarch64 "$tree" > out 2>&1 || say_wrong 'no tree'
MAKEFLAGS='' "$TOP/tools/foreign-build" aarch64 "$tree" \
	make -s -C "$TOP" -j2 B="$bin" "$bin"/bin/stap{,run,io,-merge} > out 2>&1 ||
	say_wrong 'stap does not compile for arm64'
mkdir "$tree/root/stap"
cp -r "$bin/bin" "$TOP/runtime" "$TOP/tapset" "$tree/root/stap"
cat > "$tree/root/inside" << 'END'
export TMPDIR=/tmp HOME=/root PATH=/root/stap/bin:$PATH
export SYSTEMTAP_TAPSET=/root/stap/tapset SYSTEMTAP_RUNTIME=/root/stap/runtime
cat > /root/script.stp << 'SCRIPT'
probe begin { println("begun on ", %( arch == "arm64" %? "arm64" %: "another" %)) }
probe syscall.openat {
	if (execname() == "dd" && filename_unquoted == "/etc/hostname") printf("%s(%s)\n", name, argstr)
}
probe kernel.function("vfs_read").return {
	if (execname() == "dd" && $count == 77) printf("read %d of %d\n", $return, $count)
}
SCRIPT
stap -k -t /root/script.stp -c 'dd if=/etc/hostname bs=77'
echo "status $?"
stap --doctor
END
check 0 '/^begun on arm64$' '/^openat[(]AT_FDCWD, "/etc/hostname", O_RDONLY[)]$' '/^read 6 of 77$' '/^status 0$' \
	'/^ok       compiler ' '!^missing' -- \
	"$(dirname "$STAP")/stap-vm" --arch aarch64 --root "$tree" --memory 3000 --dmesg dmesg --timeout 1200 \
	-- bash /root/inside
! grep -E 'BUG:|WARNING:|Oops|Call trace|Unable to handle' dmesg || say_wrong 'the kernel complains'
finish
