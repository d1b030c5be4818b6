# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel without headers: -l, -L, -p2 and -p3 need only its image, or the data that the running kernel provides. The
# facts are the same as with headers; a module needs headers, and so do facts that only headers have.
# skip: [ -z "$(target TREE)" ] && echo "not here: the kernel is installed"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/lib.sh"
tree=$(target TREE) image=$(test_image) modules=$(test_modules)
export SYSTEMTAP_DIR=$PWD/home SYSTEMTAP_DEBUGINFO_PATH=/nonexistent

# An installed stap looks for kernels in no build directory.
mkdir -p installed/bin installed/share/stap
cp "$STAP" installed/bin/
ln -s "$TOP"/{tapset,runtime} installed/share/stap/

# bare TREE IMAGE CONFIG: makes a tree of the kernel without headers, whose image and options lie there
bare() {
	local file
	mkdir -p "$1/lib/modules/$KERNEL" "$1/boot"
	for file in "$modules"/*; do
		case $file in
		*/build | */source | */vmlinuz | */config) ;;
		*) ln -s "$file" "$1/lib/modules/$KERNEL/" ;;
		esac
	done
	ln -s "$image" "$1/$2"
	[ -z "$3" ] || cp "$(ls "$tree/boot/config-$KERNEL" "$modules/config" 2> /dev/null | head -n 1)" "$1/$3"
}
bare one "boot/vmlinuz-$KERNEL" "boot/config-$KERNEL"
bare two "lib/modules/$KERNEL/vmlinuz" "lib/modules/$KERNEL/config"
bare none "boot/vmlinuz-$KERNEL" ''
# The machine may have this kernel installed, headers and all: then they are hidden.
mkdir empty
if [ -e "/lib/modules/$KERNEL" ]; then
	unshare -m true 2> /dev/null || { echo 'no namespace of mounts is allowed here'; finished=1; exit 77; }
	hide="unshare -m sh -c 'mount --bind $PWD/empty /lib/modules && exec \"\$@\"' sh"
fi
printf '#!/bin/sh\nexec %s %s -w -r %s "$@"\n' "${hide-}" "$PWD/installed/bin/stap" "$KERNEL" > run
cat > alone <<'END'
#!/bin/sh
for dir in /boot /usr/lib/modules /lib/modules; do mount --bind empty $dir 2> /dev/null; done
exec installed/bin/stap "$@"
END
chmod +x run alone

# The same points with the same variables. Calls that the library does not know are in the headers' tables alone, and
# types of parameters may be spelled as a newer kernel does.
for point in 'kernel.function("vfs_*")' 'kernel.function("sys_*")' 'module("nfs").function("nfs_file_*")' \
	'kernel.trace("*")' 'kernel.trace("sched:*")' 'kernel.trace("timer:*")' 'kernel.trace("irq:*")' \
	'syscall.*' 'vm.*' 'socket.*' 'scheduler.*' 'signal.*'; do
	for files in "$tree" one two; do
		STAP_KERNELS=$files ./run -L "$point" 2>&1 |
			sed -E 's/:(unsigned|const|struct|[_a-z0-9]+)[^$]*( |$)/ /g' > "said-$(basename "$files")"
	done
	kept=$(basename "$tree")
	[ "$(wc -l < "said-$kept")" -ge 3 ] || say_wrong "$point: $(head -n 3 "said-$kept")"
	if [ "$point" = 'syscall.*' ]; then
		comm -13 "said-$kept" said-one > more
		[ ! -s more ] || say_wrong "$point without headers: $(head -n 5 more)"
		[ "$(comm -23 "said-$kept" said-one | wc -l)" -le 10 ] || say_wrong "$point: many are missing"
	else
		diff "said-$kept" said-one > differs || say_wrong "$point without headers: $(head -n 5 differs)"
	fi
	cmp said-one said-two || say_wrong "$point: the image in lib/modules says other things"
done

export STAP_KERNELS=one
check 1 "/tracepoint 'sched_switch' belongs to system 'sched', not 'foo'" -- ./run -l 'kernel.trace("foo:sched_switch")'
cat > all.stp << 'END'
global n
probe kernel.function("vfs_read") { n[execname()] += $count; println(d_name($file->f_path->dentry)) }
probe kernel.function("vfs_read").return { println($return, " ", @entry($count)) }
probe kernel.trace("sched:sched_switch") { println($next->pid) }
probe syscall.openat { println(argstr) }
probe syscall.read.return { println(retstr) }
probe timer.profile.tick { print_backtrace() }
probe netfilter.ipv4.pre_routing { println(length) }
probe end { foreach (x in n- limit 5) println(x, n[x]) }
END
for pass in 2 3; do
	check 0 -- ./run -p$pass all.stp
	mv out without
	STAP_KERNELS=$tree check 0 -- ./run -p$pass all.stp
	[ $pass = 3 ] || cmp without out || say_wrong "-p$pass says other things without headers"
	[ -s without ] || say_wrong "-p$pass says nothing"
done
check 0 '/is known' -- ./run -p1 -e 'probe begin {
	%( CONFIG_HZ >= 1 && CONFIG_MODULES == "y" %? println("is known") %: println("no") %) }'

# What takes headers asks for them; a mistake in the script is told first.
supply="no headers for kernel $KERNEL: /lib/modules/$KERNEL/build is missing; "
check 3 "/$supply" -- ./run -p4 -e 'probe begin { exit() }'
check 1 "!no headers" -- ./run -p4 -e 'probe kernel.function("vfs_raed") { }'
check 3 "/$supply" -- ./run -p4 -e 'probe kernel.function("kernel_read").exported { exit() }'
check 0 -- ./run -p2 -e 'probe kernel.function("kernel_read").exported { }'
check 1 "/$supply" -- ./run -p2 -e 'probe begin { println(@cast(0, "struct w1_slave", "kernel<linux/w1.h>")->ttl) }'
check 3 "/^missing +headers +$supply" '/^ok +types ' '/^ok +options ' -- ./run --doctor
# Seen without headers before, it has them now.
mkdir -p "one/lib/modules/$KERNEL"
for link in build source; do ln -s "$(realpath "$modules/$link")" "one/lib/modules/$KERNEL/$link"; done
check 0 '/\.ko$' -- ./run -p4 -e 'probe kernel.function("kernel_read").exported { exit() }'

# Options that nothing here has are no guess.
export STAP_KERNELS=none
if ! grep -qs 'CONFIG_IKCONFIG=[y]' "$tree/boot/config-$KERNEL" "$modules/config"; then
	unknown="CONFIG_HZ of kernel $KERNEL is not known: neither its headers are here nor /boot/config-$KERNEL"
	check 1 "/$unknown" -- \
		./run -p2 -e 'probe begin { %( CONFIG_HZ == "250" %? println(1) %: println(2) %) }'
	check 3 "/$unknown" -- ./run -p2 -e 'probe timer.profile.tick { println(pid()) }'
	check 3 '/^missing +options ' -- ./run --doctor
fi
check 0 -- ./run -L syscall.openat
# Options inside the image, as kernels with CONFIG_IKCONFIG have them: here one of our own, with this kernel's types.
mkdir -p made/boot
printf 'CONFIG_HZ=321\nCONFIG_NETFILTER=y\n' | gzip -n > options.gz
cp home/cache/facts/*.btf types
printf '.section .BTF,"a"\n.incbin "types"\n.section .rodata\n.ascii "IKCFG_ST"\n.incbin "options.gz"\n.ascii "IKCFG_ED"\n' > made.s
${CC:-gcc} -c made.s -o made.o || say_wrong "no assembler"
python3 - made.o "made/boot/vmlinuz-$KERNEL" << 'END'
import gzip, sys
packed = gzip.compress(open(sys.argv[1], 'rb').read())
head = bytearray(5 * 512)
head[0x1f1] = 4
head[0x202:0x208] = b'HdrS\x0f\x02'
head[0x24c:0x250] = len(packed).to_bytes(4, 'little')
open(sys.argv[2], 'wb').write(head + packed)
END
STAP_KERNELS=made check 0 '/hit_0' '/3115264' -- ./run -p3 -e 'probe timer.profile.tick { println(pid()) }'
STAP_KERNELS=made check 0 '/it is 321' -- \
	./run -p1 -e 'probe begin { %( CONFIG_HZ == 321 %? println("it is 321") %: println("no") %) }'

# Another machine's kernel is told by its image.
mkdir -p other/boot
python3 -c 'import sys; sys.stdout.buffer.write(b"MZ" + bytes(54) + b"ARMd" + bytes(4096))' \
	> other/boot/vmlinuz-9.9.9-arm
STAP_KERNELS=other check 3 '/the image of kernel 9\.9\.9-arm is for aarch64, not for x86_64; -r names another kernel' -- \
	installed/bin/stap -a x86_64 -r 9.9.9-arm -p2 -e 'probe kernel.function("vfs_read") { }'

# The running kernel, where neither headers nor image are here.
running=$(uname -r)
if [ -e /sys/kernel/btf/vmlinux ] && [ "$(id -u)" = 0 ] && unshare -m true 2> /dev/null; then
	alone='unshare -m ./alone'
	export STAP_KERNELS=/nonexistent
	check 0 "/^stap: kernel $running: /, without headers$" '/^kernel.function\("vfs_read"\)$' '!note' -- \
		$alone -v -l 'kernel.function("vfs_read")'
	check 0 '/^kernel.trace\("sched_switch"\) .*\$prev:struct task_struct\* \$next:struct task_struct\*' -- \
		$alone -L 'kernel.trace("sched_switch")'
	check 0 '/^syscall.openat .*filename:string' -- $alone -L syscall.openat
	check 0 '/^kernel.trace\("sched_switch"\) ' -- \
		$alone -p2 -e 'probe kernel.trace("sched_switch") { println($next->pid) }'
	check 0 '/hit_0' -- $alone -p3 -e 'probe kernel.trace("sched_switch") { println($next->pid) }'
	# A function that is gone after boot, by what the kernel says of its symbols.
	check 1 '/start_kernel' -- $alone -l 'kernel.function("start_kernel")'
	# Other kernels with headers here do not change what is asked of the running one.
	STAP_KERNELS=$tree check 0 "/^stap: kernel $running: " '!note' -- $alone -v -l 'kernel.function("vfs_read")'
	[ "$running" = "$KERNEL" ] ||
		STAP_KERNELS=$tree check 0 "/note: this is about kernel $KERNEL; the running one" -- \
			$alone -p4 -e 'probe begin { exit() }'
fi
finish
