# SPDX-License-Identifier: GPL-2.0-or-later
# Modules for arm64, built on this machine: points and their variables. In a guest: entries and returns with their
# values, system calls as text, tracepoints, timers, events, stacks of the kernel and of programs.
# skip: [ ! -d "${STAP_ARM64:-build/arm64}/lib/modules" ] && echo "no kernel of arm64: tools/deps.sh arm64 gets it"
# skip: no_program aarch64-linux-gnu-gcc || no_program qemu-system-aarch64
# guards: runtime translator/arch translator/types translator/unwind cfi translator/probe vm tools/foreign-tree
. "$TOP/tests/cli/expect.inc"
tree=${STAP_ARM64:-$TOP/build/arm64}
release=$(basename "$tree"/lib/modules/*)
export STAP_KERNELS=$tree
stap="$STAP -r $release"

touch other
check 2 '/there is no way to make a tree of sparc' -- "$TOP/tools/foreign-tree" sparc new
check 2 '/is not empty, and nothing that this program made' -- "$TOP/tools/foreign-tree" aarch64 .
before=$(stat -c %Z "$tree")
check 0 '' -- "$TOP/tools/foreign-tree" aarch64 "$tree"
[ "$(stat -c %Z "$tree")" = "$before" ] || say_wrong 'a tree that was there was made anew'

check 2 "/-a: scripts are translated for x86_64, aarch64, riscv64, not 'sparc'" -- \
	$STAP -a sparc -p2 -e 'probe begin { }'
check 0 '/vfs_read.*[$]file:struct file[*] [$]buf:char[*] [$]count:size_t [$]pos:loff_t[*]' -- \
	$stap -L 'kernel.function("vfs_read")'
check 1 "/'start_kernel' runs while the kernel starts or ends" -- \
	$stap -p2 -e 'probe kernel.function("start_kernel") { }'
check 0 '/sched_switch.*[$]prev:struct task_struct[*]' -- $stap -L 'kernel.trace("sched_switch")'
check 0 '/syscall.openat .*filename:string' -- $stap -L syscall.openat
check 1 '/is a program for another processor' -- $stap -p2 -e "probe process(\"$STAP\").begin { }"

# Programs and libraries are those of the tree, by the names that they have there.
seen='[.]path = "/(usr/)?lib/aarch64-linux-gnu/libc[.]so[.]6"'
echo 'int main(void) { return 0; }' > plain.c
aarch64-linux-gnu-gcc -o plain plain.c || say_wrong 'no program'
check 0 '/^process[(]"[^"]*/plain"[)].library[(]"/(usr/)?lib/aarch64-linux-gnu/libc.so.6"[)].function[(]"exit"[)]$' -- \
	$stap -l 'process("./plain").library("libc.so.6").function("exit")'
check 0 "/$seen" -- $stap -p3 -e 'probe process("./plain").library("libc.so.6").function("exit") { }'
check 0 "/$seen" -- $stap -p3 -e 'probe process("/lib/aarch64-linux-gnu/libc.so.6").function("exit") { }'
check 0 '/[.]path = "/(usr/)?bin/bash"' -- $stap -p3 -e 'probe process("bash").begin { }'
check 0 '/[.]path = "/(usr/)?bin/cat"' '/[.]path = "/(usr/)?bin/chmod"' -- \
	$stap -p3 -e 'probe process("/bin/c*").begin { }'
check 0 '/[.]path = "/(usr/)?lib/aarch64-linux-gnu/libc[.]so[.]6"' '!/build/arm64' -- \
	$stap -p3 --ldd -e 'probe process("./plain").function("main") { print_ubacktrace() }'

# The compiler is said by the name of its package, of those that apt knows.
mkdir -p few
for program in make env sh; do ln -sf "$(type -P $program)" few/$program; done
needed=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\([^ ]*\) .*/\1/p' "$tree/boot/config-$release")
number=${needed##*-}
apt_knows() { printf '#!/bin/sh\nprintf "%%s\\n" %s\n' "$*" > few/apt-cache; chmod +x few/apt-cache; }
apt_knows gcc-9 gcc-9-aarch64-linux-gnu "gcc-$number-aarch64-linux-gnu"
check 3 "/aarch64-linux-gnu-gcc-$number, the compiler of .* is missing; apt-get install gcc-$number-aarch64-linux-gnu " -- \
	env PATH="$PWD/few" $stap -p4 -e 'probe begin { }'
apt_knows "gcc-$number" gcc-9-aarch64-linux-gnu
check 3 "/is missing; this system has no package gcc-$number-aarch64-linux-gnu: " -- \
	env PATH="$PWD/few" $stap -p4 -e 'probe begin { }'

# Its modules run there.
for vm in '' --vm; do
	check 2 '/no module for aarch64 runs here; stop at -p4 and use staprun there, or stap-vm --arch aarch64 --root DIR' \
		-- $stap $vm -e 'probe begin { }'
done
# Scripts call it as SystemTap does, and as uname does.
check 0 '/^  println[(]1, 1, 1, 1, 2, 2[)];' -- $stap -p1 -e 'probe begin { println(%( arch == "arm64" %? 1 %: 2 %),
	%( arch == "aarch64" %? 1 %: 2 %), %( arch == "arm*" %? 1 %: 2 %), %( arch == "aarch*" %? 1 %: 2 %),
	%( arch == "x86_64" %? 1 %: 2 %), %( arch != "aarch64" %? 1 %: 2 %)) }'
# A name of any bytes is no C.
check 0 '!/exported_' -- $stap -p3 -e 'probe kernel.data("x\";y").write { }'
cat > big.c << 'END'
struct big { long a[3]; };
struct small { long a[2]; };
__attribute__((noinline)) struct big large(long n) { return (struct big){ { n, n + 1, n + 2 } }; }
__attribute__((noinline)) struct small little(long n) { return (struct small){ { n, n + 1 } }; }
int main(int n, char **v) { return (int)(large(n).a[2] + little(n).a[1]); }
END
aarch64-linux-gnu-gcc -O1 -g -o big big.c || say_wrong 'no program'
check 0 '/stp_register[(]c, 8[)]' '/stp_saved[(]c, 0[)]' -- \
	$stap -p3 -e 'probe process("./big").function("large").return { println($return->a[2]) }'
check 1 "/@entry: '[$]return' is not known at entry" -- \
	$stap -p2 -e 'probe process("./big").function("large").return { println(@entry($return->a[2])) }'
check 0 -- $stap -p2 -e 'probe process("./big").function("little").return { println($return->a[1]) }'
# The program's first code is not called: a return of it has no place.
check 1 "/'_start' is not called as functions are" -- \
	$stap -p2 -e 'probe process("./big").function("_start").return { }'
# Kernels from 6.12 on crash when they load a module with this section.
check 0 -- $stap -g -p4 -m t_patchable -e '%{
	__attribute__((patchable_function_entry(2), __noinline__, __used__)) static int patched(int x) { return x + 1; }
%} function f:long() %{ STAP_RETURN(patched(1)); %} probe begin { println(f()) }'
! aarch64-linux-gnu-objdump -h t_patchable.ko | grep -q __patchable || say_wrong 'a module has a section that is fatal'
# A linker that leaves them in makes no module.
mkdir -p leaves
cat > leaves/aarch64-linux-gnu-ld << END
#!/bin/sh
$(type -P aarch64-linux-gnu-ld) "\$@" || exit
while [ \$# -gt 0 ]; do [ "\$1" != -o ] || out=\$2; shift; done
case \$out in *.ko) aarch64-linux-gnu-objcopy --add-section __patchable_function_entries=$PWD/other2 \$out ;; esac
END
chmod +x leaves/aarch64-linux-gnu-ld
printf 12345678 > other2
check 3 '/the module has a section __patchable_function_entries: on this architecture the kernel would crash as it loads it' \
	-- env PATH="$PWD/leaves:$PATH" $stap -p4 -m t_fatal -e 'probe begin { println(1) }'
[ ! -e t_fatal.ko ] || say_wrong 'there is a module that is fatal'

# Our programs, for there.
bin=$WORK/programs
MAKEFLAGS='' "$TOP/tools/foreign-build" aarch64 "$tree" make -s -C "$TOP" -j2 B="$bin" "$bin"/bin/stap{run,io} \
	> out 2>&1 ||
	say_wrong 'staprun and stapio do not compile for arm64'

cat > all.stp << 'END'
global done, size
probe begin { println("begun") }
probe kernel.function("vfs_read") { if (execname() == "reader" && $count == 77) {
	printf("entry %s count %d x2 %d", ppfunc(), $count, u_register("x2"))
	printf(" at %s\n", kernel_string($file->f_path->dentry->d_name->name))
	if (!done["entry"]++) print_backtrace() } }
probe kernel.function("vfs_read").return { if (execname() == "reader" && @entry($count) == 77 && !done["return"]++) {
	printf("return %d\n", $return) print_backtrace() } }
probe kernel.statement("do_sys_openat2") {
	if (execname() == "reader" && !done["statement"]++) printf("statement %s\n", user_string($filename))
}
probe syscall.openat {
	if (execname() != "reader" || filename_unquoted != "/etc/issue") next
	printf("%s(%s)\n", name, argstr)
	print_ubacktrace()
}
probe syscall.read.return { if (execname() == "reader") printf("read = %s\n", retstr) }
probe kernel.trace("sched_process_exec") { printf("exec %s\n", kernel_string($bprm->filename)) }
probe timer.profile { size <<< 1 }
probe perf.sw.cpu_clock.sample(1000000) { done["perf"]++ }
probe end { printf("profile %d perf %d\n", @count(size) > 0, done["perf"] > 0) }
END
cat > reader.c << 'END'
#include <fcntl.h>
#include <unistd.h>
static __attribute__((noinline)) int inner(const char *name)
{
	char b[77];
	int fd = open(name, O_RDONLY);

	return read(fd, b, sizeof(b)) + 1;
}
static __attribute__((noinline)) int outer(const char *name) { return inner(name) + 1; }
int main(void) { return outer("/etc/issue") == 1; }
END
aarch64-linux-gnu-gcc -O1 -g -static -fno-omit-frame-pointer -o reader reader.c || say_wrong 'no program'
check 0 -- $stap -p4 -m t_arm all.stp

cat > inside << 'END'
cd "$1" || exit
printf Debian. > /etc/issue
bin/staprun -t -c ./reader t_arm.ko
echo "status $?"
END
box=$(mktemp -d "$tree/tmp/test.XXXXXX")
cp -r "$bin/bin" t_arm.ko reader inside "$box"
check 0 '/^begun$' '/^statement ' '/^openat[(]AT_FDCWD, "/etc/issue", O_RDONLY[)]$' \
	'/^entry vfs_read count 77 x2 77 at issue$' '/^ 0x[0-9a-f]* : vfs_read[+]0x0/' '/^ 0x[0-9a-f]* : ksys_read[+]' \
	'/^ 0x[0-9a-f]* : __arm64_sys_read[+]' '/^ 0x[0-9a-f]* : el0_svc[+]' '/^return 7$' '/^read = 7$' \
	'/^exec ./reader$' '/^ 0x[0-9a-f]* .*reader' '/^profile 1 perf 1$' '/^total ' '/^status 0$' -- \
	"$(dirname "$STAP")/stap-vm" --arch aarch64 --root "$tree" --dmesg dmesg -- \
	sh "${box#"$tree"}/inside" "${box#"$tree"}"

# A machine of arm64 is a host like others: ssh is a guest here. Its module is made for its own processor.
mkdir hosts
cat > hosts/ssh << END
#!/bin/sh
for last; do :; done
exec "$(dirname "$STAP")/stap-vm" --arch aarch64 --root "$tree" -- \
	env TMPDIR=/tmp PATH="${box#"$tree"}/bin:/usr/bin:/usr/sbin:/bin:/sbin" sh -c "\$last"
END
chmod +x hosts/ssh
check 0 '/^at vfs_read, x1 is buf: 1$' -- env PATH="$PWD/hosts:$PATH" $STAP --remote there -e \
	'probe kernel.function("vfs_read") { println("at ", ppfunc(), ", x1 is buf: ", register("x1") == $buf) exit() }'
rm -rf "$box"
awk '$1 == "total" && $2 != $3 + $4 + $5 { exit 1 }' out || say_wrong 'the books do not add up'
! grep -E 'BUG:|WARNING:|Oops|Call trace|Unable to handle' dmesg || say_wrong 'the kernel complains'
finish
