# SPDX-License-Identifier: GPL-2.0-or-later
# Split debuginfo (-gsplit-dwarf): that of the .dwo files is read; one that is missing is named.
. "$TOP/tests/cli/expect.inc"
stap="$STAP -r $KERNEL"
compilers=(gcc)
! command -v clang > /dev/null || compilers+=(clang)

cat > two.c <<'END'
struct st { int a; struct st *n; };
static int counter = 4;
__attribute__((noinline)) int step(struct st *p, int k)
{
	int loc = k * 3;

	counter += loc;
	__asm__ volatile("" ::: "memory");
	return p->a + counter;
}
static inline __attribute__((always_inline)) int inl(int q) { return counter + q; }
int other(int z) { struct st s = { z, 0 }; return step(&s, z) + inl(z); }
END
cat > one.c <<'END'
int other(int); int glob = 3;
int main(int c, char **v) { glob++; return other(c) == 99; }
END
# packed PACKER: a package of them is read by a libdw that can (0.191); to another it is named, with what serves.
packages=0
libdw=$(libdw_version)
packed() {
	# That of binutils knows DWARF 4 alone; llvm's of version 14 may not end.
	if ! timeout 3 "$1" -e split -o split.dwp > out 2> err; then
		rm -f split.dwp
		return
	fi
	packages=$((packages + 1))
	mkdir unpacked && mv ./*.dwo unpacked
	if libdw_reads_packages; then
		check 0 '/function\("step@.*two\.c:3"\) \$p:struct st\* \$k:int' \
			-- $stap -L 'process("./split").function("step")'
	else
		check 1 "/'.p': the debuginfo that describes it is in $PWD/split\.dwp, which libdw $libdw cannot read: 0\.191 and newer can" \
			-- $stap -p2 -e 'probe process("./split").function("step") { println($p->a) }'
	fi
	rm split.dwp
	mv unpacked/* . && rmdir unpacked
}

for cc in "${compilers[@]}"; do
	for dwarf in 4 5; do
		rm -f ./*.dwo split
		for file in one two; do
			$cc -g -O1 -gdwarf-$dwarf -gsplit-dwarf -c $file.c || say_wrong "$cc cannot compile $file.c"
		done
		$cc -o split one.o two.o || say_wrong "$cc cannot link split"
		[ -s two.dwo ] || say_wrong "$cc has written no two.dwo"
		check 0 '/function\("step@.*two\.c:3"\) \$p:struct st\* \$k:int' \
			-- $stap -L 'process("./split").function("step")'
		check 0 '/statement\("step@.*two\.c:7"\)' -- $stap -l 'process("./split").statement("step@two.c:7")'
		check 0 '/function\("inl@.*two\.c:11"\)' -- $stap -l 'process("./split").function("inl")'
		check 0 -- $stap -p3 -e 'probe process("./split").function("step") {
			println($p->a, $k, $counter, @var("counter"), @var("glob"), $p$$)
		} probe process("./split").function("main") {
			println(@var("counter@two.c"), @cast(0, "struct st")->a)
		} probe process("./split").function("step").return { println($return, $k) }'
		mv two.dwo kept
		check 1 "/'.p': the debuginfo that describes it is in $PWD/two\.dwo, which is missing" \
			-- $stap -p2 -e 'probe process("./split").function("step") { println($p->a) }'
		check 1 "/(no line there has code; a part of the debuginfo|a part of it) is in $PWD/two\.dwo, which is missing" \
			-- $stap -p2 -e 'probe process("./split").statement("*@two.c:7") { println(1) }'
		check 0 '/function\("main@.*"\) \$c:int' -- $stap -L 'process("./split").function("main")'
		# The file of another build: its number differs.
		sed 's/return p->a/return 7 + p->a/' two.c > other.c
		$cc -g -O1 -gdwarf-$dwarf -gsplit-dwarf -c -o other.o other.c && mv other.dwo two.dwo
		check 1 "/'.p': the debuginfo that describes it is in $PWD/two\.dwo, which belongs to another build" \
			-- $stap -p2 -e 'probe process("./split").function("step") { println($p->a) }'
		mv kept two.dwo
		for packer in dwp llvm-dwp; do
			! command -v $packer > /dev/null || packed $packer
		done
		check 0 -- $stap -p2 -e 'probe process("./split").function("step") { println($p->a) }'
	done
done
! command -v dwp > /dev/null || [ $packages != 0 ] || say_wrong "no packer has made a .dwp"
finish
