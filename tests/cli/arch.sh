# SPDX-License-Identifier: GPL-2.0-or-later
# Only an architecture's own folders know it: nothing else contains the name of a machine, of one of its registers, or
# of a member of struct pt_regs. The exceptions are listed below, each with its reason; the list only shrinks.
. "$TOP/tests/cli/expect.inc"
cd "$TOP" || exit

# FILE COUNT: lines that may have such a word.
while read -r file count why; do
	case $file in '' | '#'*) continue ;; esac
	printf '%s %s\n' "$file" "$count"
done > "$WORK/allowed" <<'END'
# Rows about kernels of before, whose names carry a machine: they will say for which one they are.
translator/drift/members.def 24
translator/drift/places.def 2
# Rows that only 32-bit programs reach, by the names of their entry points.
tapset/syscall/calls.def 15
# Names of tracepoints.
translator/kernel/tracesystems.def 5
# A tracepoint's registers, by a script's own words.
tapset/syscall/any.stp 1
# The register of a goroutine.
tapset/macros.stpm 1
# An example in a function's documentation.
tapset/arguments.stp 1
# Names of ioctls, which the kernel's headers have on every machine.
runtime/syscall/ioctl.def 2
# Names of packages.
translator/base/remedy.def 1
tools/deps.sh 1
vm/README.md 1
# Tools that make things out of the kernel's sources, for this machine.
tools/debug-kernel 1
tools/guest-kernel.config 4
tools/clang-kernel.config 1
tools/drift-files.sh 2
# The header's own documentation: operands as a program's author writes them.
include/sys/sdt.h 3
END

machines='[xX]86|i[36]86|ia32|IA32|R_386|EM_386'
registers='\b[re](ax|bx|cx|dx|si|di|bp|sp|ip)\b|\br(8|9|1[0-5])d?\b|orig_ax|user_64bit_mode|asm/unwind|x64_sys'
members='(->|\()(di|si|dx|cx|bx|ax|bp|sp|ip)\b'
# What is generated, or is data from elsewhere, is left out.
out='^(translator|runtime|vm)/arch/|^cfi/(x86_64|aarch64)\.c|^tapset/(BUILDS.md|sourcefiles.txt)|^tapset/.*calls.stp'
rooms='lib cfi trace translator stap runtime stapio staprun merge tools tapset lket container dtrace include vm'
# shellcheck disable=SC2086 # words
git ls-files $rooms Makefile 2> "$WORK/err" |
	grep -vE "$out" > "$WORK/files"
if [ "$(grep -c . "$WORK/files")" -lt 500 ]; then # not in git: a source package
	# shellcheck disable=SC2086
	find $rooms -type f |
		grep -vE "$out" > "$WORK/files"
fi
[ "$(grep -c . "$WORK/files")" -gt 500 ] || say_wrong 'too few files were looked at'

# 0x386 and the like are numbers; `->sp` of our own structures is allowed where it is no pt_regs (regs->…).
xargs -d '\n' grep -nIE "$machines|$registers|(regs|\br)$members" < "$WORK/files" |
	sed -E 's/0x[0-9a-f]+//g' | grep -E "$machines|$registers|(regs|\br)$members" > "$WORK/found"
cut -d: -f1 "$WORK/found" | sort | uniq -c | awk '{ print $2, $1 }' > "$WORK/counts"
while read -r file count; do
	may=$(awk -v file="$file" '$1 == file { print $2 }' "$WORK/allowed")
	[ "$count" = "${may:-0}" ] && continue
	if [ "$count" -gt "${may:-0}" ]; then
		say_wrong "$file knows an architecture: $(grep "^$file:" "$WORK/found" | cut -c1-150 | head -n 5)"
	else
		say_wrong "$file: $count lines know an architecture, $may are allowed: make it $count in this test"
	fi
done < "$WORK/counts"
while read -r file _; do
	grep -q "^$file " "$WORK/counts" || say_wrong "$file knows no architecture any more: take it out of this test"
done < "$WORK/allowed"

# Each row of arch.def has its folder; if modules are made for it, the machine's part of a guest and the headers of
# modules, which are the same ones, but for a table that only one machine's header reads; arch_entries.h where the row
# says that entries of system calls may be inlined; arch_wrapper.h where arch_ops.h says that there are wrappers.
sed -n 's/^ARCH(\(.*\))$/\1/p' translator/arch/arch.def > "$WORK/names"
[ -s "$WORK/names" ] || say_wrong 'arch.def has no row'
first=$(head -n 1 "$WORK/names")
# parts NAME: the headers that the machine has to have
parts() { (cd "runtime/arch/$1" && ls) 2> /dev/null | grep -vxE 'arch_(entries|wrapper).h|arch_instructions.def'; }
parts "$first" > "$WORK/parts"
while read -r name; do
	[ -d "translator/arch/$name" ] || say_wrong "translator/arch/$name is missing"
	grep -q "no_modules = " "translator/arch/$name/machine.c" && continue
	[ -r "vm/arch/$name" ] || say_wrong "vm/arch/$name is missing"
	parts "$name" | cmp -s - "$WORK/parts" ||
		say_wrong "runtime/arch/$name has other headers than runtime/arch/$first"
	wraps=$(grep -c ARCH_HAS_WRAPPERS "runtime/arch/$name/arch_ops.h")
	[ "$wraps" = "$(find "runtime/arch/$name" -name arch_wrapper.h | grep -c .)" ] ||
		say_wrong "runtime/arch/$name/arch_wrapper.h belongs to ARCH_HAS_WRAPPERS in arch_ops.h"
	inlined=$(grep -c '\.inlining_config = ' "translator/arch/$name/syscalls.c")
	[ "$inlined" = "$(find "runtime/arch/$name" -name arch_entries.h | grep -c .)" ] ||
		say_wrong "runtime/arch/$name/arch_entries.h belongs to inlining_config in translator/arch/$name/syscalls.c"
done < "$WORK/names"
finish
