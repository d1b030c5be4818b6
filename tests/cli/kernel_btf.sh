# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel of which only the headers are here: --btf provides its types, as a table, a kernel or a directory. Types that
# cannot belong to that kernel are refused. The same kernel may be installed: STAP_KERNELS takes precedence.
# guards: translator/kernel translator/formats translator/types translator/build vm
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/lib.sh"
image=$(test_image) modules=$(test_modules)
export SYSTEMTAP_DIR=$PWD/home
unset SYSTEMTAP_DEBUGINFO_PATH

# An installed stap looks for kernels in no build directory. One tree has headers only, the other the image, too.
mkdir -p installed/bin installed/share/stap
cp "$STAP" installed/bin/
ln -s "$TOP"/{tapset,runtime} installed/share/stap/
for tree in bare whole; do headers_alone "$modules" $tree; done
mkdir whole/boot
ln -s "$image" "whole/boot/vmlinuz-$KERNEL"
stap="installed/bin/stap -r $KERNEL"
hello='probe begin { exit() }'
point='kernel.function("vfs_read")'

STAP_KERNELS=whole check 0 -- $stap -L "$point"
cp home/cache/facts/*.btf table && cp out expected || say_wrong "there is no table"
rm -r home
export STAP_KERNELS=$PWD/bare

check 3 "/no BTF of kernel $KERNEL: .*; a machine that runs it has it, if built with CONFIG_DEBUG_INFO_BTF: --btf FILE takes a copy of /sys/kernel/btf/vmlinux from there, --remote HOST fetches it; so has the image: .*, or .*/stap-fetch-kernel linux-image-$KERNEL gets it without installing it" \
	-- $stap -p4 -e "$hello"
gzip -c table > table.gz
mkdir btf
cp table btf/vmlinux
for file in table table.gz "$image" btf; do
	check 0 -- $stap --btf $file -L "$point"
	cmp expected out || say_wrong "--btf $file: other parameters"
done
check 0 -- $stap --btf table -p4 -e "$hello"
cp out before
check 0 -- $stap --btf table.gz -p4 -e "$hello"
cmp before out || say_wrong "the same types in another file, and another module"
check 0 -- $stap --btf table -p4 -g -e "probe $point { println(\$count, \" \", \$file->f_inode->i_ino) }
	probe kernel.trace(\"sched_switch\") { println(\$next->pid) } probe syscall.openat { println(argstr) }"
check 3 '/no BTF of kernel' -- $stap -p4 -e "$hello"
# A copy that somebody has laid beside the headers.
mkdir bare/beside
cp -rs "$(realpath "$modules/build")"/. bare/beside
rm -f bare/beside/vmlinux
cp table bare/beside/vmlinux
check 0 -- installed/bin/stap -r "$PWD/bare/beside" -L "$point"

# Debuginfo: its sections of the kernel's own are headers alone, and the image has the types. Empty headers, a module.
mkdir -p whole/usr/lib/debug/boot
for type in @nobits @progbits; do
	printf '.section .BTF,"a",%s\n' $type > debug.s
	[ $type = @progbits ] || echo '.skip 4096' >> debug.s
	${CC:-gcc} -c debug.s -o whole/usr/lib/debug/boot/vmlinux-"$KERNEL" || say_wrong "no assembler"
	rm -r home
	STAP_KERNELS=whole check 0 -- $stap -L "$point"
	cmp expected out || say_wrong "$type: other parameters"
	rm -r home
	cp -r whole/usr/lib bare/usr/
	check 3 "/no BTF of kernel $KERNEL: .*; a machine that runs it has it" -- $stap -p4 -e "$hello"
	check 3 '/--btf: .*/vmlinux-[^ ]* has no section \.BTF' \
		-- $stap --btf "$(echo bare/usr/lib/debug/boot/vmlinux-*)" -p2 -e "$hello"
	cp whole/usr/lib/debug/boot/vmlinux-"$KERNEL" btf/without
	check 3 "/module 'without' carries no BTF: " -- $stap --btf btf -L 'module("without").function("*")'
	rm -r bare/usr/lib btf/without
done

# Modules: from a directory only.
ko=$(find "$modules/" -name 'nfs.ko*' | head -n 1)
if [ -n "$ko" ] && [ "${ko%.ko}" != "$ko" ]; then
	objcopy -O binary --dump-section .BTF=btf/nfs "$ko" junk && rm junk
	check 0 '/nfs"\)\.function\("nfs_file_read"\) \$iocb:struct kiocb\* \$to:' \
		-- $stap --btf btf -L 'module("nfs").function("nfs_file_read")'
	check 3 "/--btf: btf/nfs: malformed BTF at offset 0x[0-9a-f]*: string section does not begin with NUL, as in a module's" \
		-- $stap --btf btf/nfs -p2 -e "$hello"
fi
check 1 "/no module 'nfs' for kernel .*: its modules are not here; --btf DIR takes a copy of /sys/kernel/btf from a machine that runs it" \
	-- $stap --btf table -L 'module("nfs").function("nfs_file_read")'

# refuses FILE REGEX: also where the script needs no type
refuses() { check 3 "/^stap: --btf: $1$2" -- $stap --btf "$1" -p2 -e "$hello"; }
head -c 20 table > head
head -c 1000000 table > cut
{ head -c 100000 table; head -c 4096 /dev/zero | tr '\0' '\377'; tail -c +104097 table; } > holed
{ printf '\353\237'; tail -c +3 table; } > swapped
: > empty
mkdir nothing
printf 'struct other { int x; } x; int f(struct other *o) { return o->x; }\n' > program.c
${CC:-gcc} -gbtf -c program.c -o program.o || say_wrong "no compiler"
refuses head ': malformed BTF at offset 0x14: shorter than its header'
refuses cut ': malformed BTF at offset 0x8: type section out of range'
refuses holed ': malformed BTF at offset 0x'
refuses swapped ': malformed BTF at offset 0: of a machine that is big endian'
refuses empty ': malformed BTF at offset 0: shorter than its header'
refuses program.c ': malformed BTF at offset 0: wrong magic number'
refuses program.o ': of no kernel: it has no struct module'
refuses none ': No such file'
check 3 '/--btf: nothing/vmlinux: No such file' -- $stap --btf nothing -p2 -e "$hello"
check 3 '/--btf: /bin/sh has no section \.BTF' -- $stap --btf /bin/sh -p2 -e "$hello"
check 2 '/--btf describes a kernel; --runtime=user has none' -- "$STAP" --runtime=user --btf table -e "$hello"

# Kernels of others: a struct module of another size than the headers make; an ELF file that says its release.
python3 - table resized <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
header, types, length, strings = struct.unpack_from("<IIII", data, 4)
name = data.index(b"\0module\0", header + strings) + 1 - header - strings
at = header + types
while struct.unpack_from("<I", data, at)[0] != name or data[at + 7] & 31 != 4:
    at = data.index(struct.pack("<I", name), at + 1)
struct.pack_into("<I", data, at + 8, struct.unpack_from("<I", data, at + 8)[0] + 64)
open(sys.argv[2], "wb").write(data)
END
check 3 '/--btf: resized is not of the kernel whose headers are in .*: struct module has [0-9]+ bytes in it, and [0-9]+ by' \
	-- $stap --btf resized -p4 -e "$hello"
printf '%s\n' 'struct pt_regs { long orig_ax; }; struct module { char name[60]; };' \
	'struct pt_regs *r; struct module *m; int main(void) { return r && m; }' \
	'char banner[] __attribute__((section(".rodata"))) = "Linux version 5.4.3-other (me@box)";' > other.c
${CC:-gcc} -gbtf -c other.c -o other.o 2> err || say_wrong "no compiler"
refuses other.o ": of another kernel: its release at offset 0x[0-9a-f]* is 5.4.3-other, not $KERNEL"
sed -i 's/orig_ax/orig_x0/' other.c
${CC:-gcc} -gbtf -Dbanner=x -c other.c -o other.o 2> err
objcopy -O binary --dump-section .BTF=arm other.o junk && rm junk
refuses arm ": of another machine's kernel: its struct pt_regs has no orig_ax"
printf '\267' | dd of=other.o bs=1 seek=18 conv=notrunc status=none
refuses other.o ': of another machine: the ELF machine at offset 0x12 is 183, not 62'

# The machine of --remote has it: it is fetched once. `ssh` and what runs there are stand-ins.
. "$TOP/tests/cli/machine.inc"
cat > bin/sha256sum <<'END'
#!/bin/sh
[ "$1" = /sys/kernel/btf/vmlinux ] || exec /usr/bin/sha256sum "$@"
case $BOX in
none) echo "sha256sum: $1: No such file" >&2; exit 1 ;;
liar) echo "../../../../etc/passwd  -" ;;
*) /usr/bin/sha256sum < "$HERE/table" ;;
esac
END
cat > bin/gzip <<'END'
#!/bin/sh
[ "$2" = /sys/kernel/btf/vmlinux ] || exec /usr/bin/gzip "$@"
echo "$BOX sends" >> "$HERE/sent"
echo "Warning: a line on the error stream" >&2
case $BOX in
cut) /usr/bin/gzip -c "$HERE/table" | head -c 100000 ;;
other) /usr/bin/gzip -c "$HERE/cut" ;;
endless) exec cat /dev/zero ;;
away) exit 255 ;;
*) exec /usr/bin/gzip -c "$HERE/table" ;;
esac
END
printf '#!/bin/sh\necho "it runs on $BOX"\n' > bin/staprun
chmod +x bin/*
export HERE=$PWD KERNEL PATH=$PWD/bin:$PATH
remote="installed/bin/stap --remote"
script="probe $point { println(\$count) }"
for box in one one two; do check 0 "/^it runs on $box$" -- $remote $box -e "$script"; done
[ "$(cat sent)" = 'one sends' ] || say_wrong "fetched again: $(cat sent)"
check 0 '/^it runs on none$' -- $remote none --btf table -e "$script"
check 0 '/^it runs on two$' -- $remote two --disable-cache -e "$script"
rm -r home
why="the BTF of kernel $KERNEL cannot be fetched from"
check 3 "/no BTF of kernel $KERNEL, neither here nor on none, which has no /sys/kernel/btf/vmlinux" '!runs on' \
	-- $remote none -e "$script"
check 3 '/neither here nor on liar' -- $remote liar -e "$script"
check 3 "/$why cut: " '!runs on' -- $remote cut -e "$script"
check 3 "/$why other: the transfer is incomplete or damaged \(1000000 bytes\)" -- $remote other -e "$script"
check 3 "/$why away: the transfer is incomplete or damaged \(0 bytes\)" -- $remote away -e "$script"
check 3 "/$why endless: the transfer is incomplete or damaged" -- $remote endless -e "$script"
[ -z "$(ls home/cache/facts | grep btf)" ] || say_wrong "kept: $(ls home/cache/facts)"
check 0 '/^it runs on one$' -- $remote one -e "$script"
printf x | dd of="$(ls home/cache/facts/*.btf)" bs=1 seek=5000 conv=notrunc status=none
check 0 '/^it runs on one$' -- $remote one -e "$script"
[ "$(grep -c 'one sends' sent)" = 3 ] || say_wrong "a damaged copy is used: $(cat sent)"
finish
