# SPDX-License-Identifier: GPL-2.0-or-later
# Tables in modules for stacks and symbols of programs: the programs and libraries, messages about others, and files
# with damaged unwind tables.
# skip: no_kernel || no_program python3
. "$TOP/tests/cli/expect.inc"
export ASAN_OPTIONS=detect_leaks=0
[ -x "$TOP/build/san/bin/stap" ] && [ ! "$STAP" -nt "$TOP/build/san/bin/stap" ] && STAP=$TOP/build/san/bin/stap
stap="$STAP -p3 -r $KERNEL"
print='probe timer.s(1) { print_ubacktrace() }'

cat > victim.c <<'EOC'
int used;
__attribute__((noinline)) int below(int n) { return n + used; }
int main(int argc, char **argv) { char some[argc * 64]; some[0] = below(argc); return some[0] + used; }
EOC
gcc -O2 -g0 -Wl,--build-id=none -o victim victim.c || exit
gcc -O2 -shared -fpic -Wl,-soname,libown.so -o libown.so -x c - <<< 'int own(void) { return 1; }' &&
	gcc -O2 -o linked -L. -Wl,-rpath,'$ORIGIN' -x c - -lown <<< 'int own(void); int main(void) { return own(); }' ||
	exit
for i in 1 2 3 4 5 6 7; do
	gcc -shared -fpic -Wl,-soname,libn$i.so -o libn$i.so -x c - <<< "int n$i(void) { return $i; }" || exit
done
gcc -Wl,--no-as-needed -o many -L. -Wl,-rpath,"$WORK" -ln1 -ln2 -ln3 -ln4 -ln5 -ln6 -ln7 \
	-x c - <<< 'int main(void) { return 0; }' || exit

# Which.
check 0 '!user_table_' '!warning' -- $stap -e 'probe timer.s(1) { exit() }'
check 0 "/no program's symbols and unwind tables are at hand; -d PATH adds those of a program or library, --ldd those of its libraries" \
	'!victim' \
	-- $stap -e "$print"
check 0 "/no symbols and unwind tables of .*/libown.so, .*/libc.so.6(, .*)?; --ldd adds them, or -d PATH one of them" \
	'/\.path = ".*/linked"' -- $stap -d ./linked -e "$print"
check 0 '/no symbols and unwind tables of .*, .*, .*, .*, .*, .* and [0-9]+ more; --ldd adds them$' \
	-- $stap -d ./many -e "$print"
check 0 '!no symbols' '/\.path = ".*/linked"' '/\.path = ".*/libown.so"' '/\.path = ".*/libc.so.6"' \
	'/\.path = ".*/ld-linux-x86-64.so.2"' -- $stap -d ./linked --ldd -e "$print"
check 0 '/no symbols and unwind tables of .*/libown.so; --ldd' '/\.path = ".*/libc.so.6"' '/\.path = ".*/ld-linux' \
	-- $stap -d ./linked -d libc.so.6 -d ld-linux-x86-64.so.2 -e "$print"
check 0 '/\.path = ".*/linked"' -- $stap -c './linked with arguments' -e "$print"
check 0 '!linked' -- $stap -c '$(./linked)' -e "$print"
check 0 '/\.path = ".*/bash"' '/\.path = ".*/libc.so.6"' -- $stap --ldd -x $$ -e "$print"
check 0 '/\.path = ".*/victim"' \
	-- $stap -e "probe process(\"$WORK/victim\").function(\"below\") { println(usymname(uaddr())) }"
check 0 '/\.path = ".*/libown.so"' '/\.path = ".*/linked"' \
	-- $stap -e "probe process(\"$WORK/linked\").library(\"$WORK/libown.so\").function(\"own\") { println(usymdata(uaddr())) }"
check 0 -- $stap -d kernel -d nfs -d overlay --all-modules -w -e "$print"

# Source lines of the kernel.
line='probe kernel.function("vfs_read") { println(symfileline(addr())) print_backtrace_fileline() }'
SYSTEMTAP_DEBUGINFO_PATH=$PWD DEBUGINFOD_URLS= check 0 \
	'/warning: no source lines of the kernel: no debuginfo of kernel .*; apt-get install linux-image-.*-dbg' \
	'!of module' -- $stap -e "$line"
SYSTEMTAP_DEBUGINFO_PATH=$PWD DEBUGINFOD_URLS= check 0 \
	"/warning: no source lines of module 'overlay': no debuginfo of module 'overlay'" -- $stap -d overlay -e "$line"
SYSTEMTAP_DEBUGINFO_PATH=$PWD DEBUGINFOD_URLS= check 0 '!of module' -- $stap --all-modules -e "$line"

check 1 '/-d nothing_like_it: there is no such program, library or module of the kernel' \
	'/-d ./nothing: there is no such' -- $stap -d nothing_like_it -d ./nothing -e "$print"
check 1 '/-d ./victim.c: .*/victim.c is not an ELF file' -- $stap -d ./victim.c -e "$print"
check 1 '/-DMAXBACKTRACE=0: a number from 1 to 512 is expected' -- $stap -DMAXBACKTRACE=0 -e "$print"


# Where a file is damaged, and that it does no harm.
cat > damage.py <<'EOC'
import random, struct, sys
kind, target, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
r = random.Random(seed)
data = bytearray(open("victim", "rb").read())
shoff, = struct.unpack_from("<Q", data, 40)
shnum, shstrndx = struct.unpack_from("<HH", data, 60)
def section(i): return struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i)
names = section(shstrndx)[4]
at = {}
for i in range(shnum):
    s = section(i)
    start = names + s[0]
    at[bytes(data[start:data.index(b"\0", start)]).decode()] = (s[4], s[5])
offset, size = at[".eh_frame"]
if kind == "long":      # the first record is larger than the section
    struct.pack_into("<I", data, offset, 0x7ffffff0)
elif kind == "nowhere": # the second points to no CIE
    first, = struct.unpack_from("<I", data, offset)
    struct.pack_into("<I", data, offset + 4 + first + 4, 3)
elif kind == "segments":
    phoff, = struct.unpack_from("<Q", data, 32)
    for i in range(struct.unpack_from("<H", data, 56)[0]):
        struct.pack_into("<I", data, phoff + 56 * i, 4)
else:
    for _ in range(r.choice([1, 2, 8, 40])):
        where = r.choice([at[".eh_frame"], at[".eh_frame"], at[".symtab"], at[".dynsym"], at[".dynamic"],
                          (shoff, 64 * shnum)])
        data[where[0] + r.randrange(where[1])] = r.choice([0, 1, 0x7f, 0x80, 0xff, r.randrange(256)])
open(target, "wb").write(data)
EOC
python3 damage.py long damaged 0
check 0 '/warning: .*/damaged: malformed .eh_frame at offset 0x[0-9a-f]+: a record reaches past the end of the section; stacks through this file may end there' \
	-- $stap -d ./damaged -e "$print"
python3 damage.py nowhere damaged 0
check 0 "/malformed .eh_frame at offset 0x[0-9a-f]+: a function's description points to no CIE before it; stacks" \
	-- $stap -d ./damaged -e "$print"
python3 damage.py segments damaged 0
check 0 '/damaged has no segments; it is left out of stacks and symbols' -- $stap -d ./damaged -e "$print"
for ((i = 0; i < ${ROUNDS:-20}; i++)); do
	python3 damage.py random damaged $i
	watched --cpu 20 $stap --ldd -d ./damaged -e "$print" > out 2> err
	status=$?
	if [ $status -gt 3 ] || grep -qE 'Sanitizer|runtime error:' err; then say_wrong "seed $i: status $status"; fi
done
finish
