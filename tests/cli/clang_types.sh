# SPDX-License-Identifier: GPL-2.0-or-later
# If the kernel checks the types of functions that it calls (kCFI), handlers of tracepoints have exactly the types in
# the kernel's headers: clang computes the same number for both. And nothing in the runtime makes a pointer to a
# function of another type, neither by a cast nor through void *, except where SOURCE() compares the types or no call is
# intended.
# skip: no_kernel || is_slow "the runtime compiled by clang" || no_kcfi
. "$TOP/tests/cli/expect.inc"
clang=$(compgen -c clang- | grep -xE 'clang-[0-9]+' | sort -Vu | tail -n 1)
headers=$(ls -d "${STAP_KERNELS%%:*}/lib/modules/$KERNEL/build" "/lib/modules/$KERNEL/build" 2> /dev/null | head -n 1)
common=$(realpath "$(dirname "$headers")/source")
kernel=$PWD/trees/lib/modules/$KERNEL

# The kernel with an option more.
mkdir -p "$kernel/build/include/config"
ln -sfn "$(realpath "$headers")"/{[!i]*,.[!.]*} "$kernel/build/"
ln -sfn "$(realpath "$headers")"/include/[!c]* "$kernel/build/include/"
ln -s "$(dirname "$headers")"/[!b]* "$kernel/"
ln -s "${headers%/lib/modules/*}/boot" trees/boot
{ cat "$headers/include/config/auto.conf"; echo CONFIG_CFI_CLANG=y; } > "$kernel/build/include/config/auto.conf"

# compile SOURCE [OPTION]…: to assembly, with the kernel's headers
compile() {
	local dir includes=()
	for dir in arch/x86/include{,/generated} include arch/x86/include/{,generated/}uapi \
		include/{,generated/}uapi; do
		includes+=(-isystem "$headers/$dir" -isystem "$common/$dir")
	done
	$clang -nostdinc "${includes[@]}" -D__KERNEL__ -DMODULE -DCC_USING_FENTRY \
		'-DKBUILD_MODNAME="x"' '-DKBUILD_BASENAME="x"' \
		-D__KBUILD_MODNAME=kmod_x -DKBUILD_MODFILE='"x"' -include linux/compiler-version.h \
		-include linux/kconfig.h -include linux/compiler_types.h -std=gnu11 -O2 \
		-fshort-wchar -fno-strict-aliasing \
		-fno-pie -fno-common -mcmodel=kernel -mno-sse -mno-red-zone -mskip-rax-setup -fsanitize=kcfi \
		-funsigned-char "${@:2}" -S -o "$(basename "$1" .c).s" "$1"
}
# numbers PREFIX FILE: the number of the type of each function PREFIX…
numbers() {
	awk -v prefix="__cfi_$1" 'BEGIN { n = length(prefix) }
		index($1, prefix) == 1 { name = substr($1, n + 1, length($1) - n - 1) }
		name != "" && /movl/ { print name, $2; name = "" }' "$2" | tr -d '$,' | sort -u
}

# ---- tracepoints ----

# A function of each tracepoint's type, by the macros that its header uses.
{
	printf '#include <linux/%s.h>\n' module tracepoint
	printf 'struct %s;\n' kmem_cache compact_control tasklet_struct
	for macro in DECLARE_EVENT_CLASS DECLARE_TRACE DEFINE_EVENT{,_FN,_PRINT,_CONDITION} \
		TRACE_EVENT{,_FN,_FN_COND,_CONDITION}; do
		echo "#undef $macro"
		case $macro in
		*CLASS) echo "#define $macro(...)" ;;
		DEFINE*) echo "#define $macro(template, name, proto, ...) void header_##name(void *data, proto) { }" ;;
		*) echo "#define $macro(name, proto, ...) void header_##name(void *data, proto) { }" ;;
		esac
	done
	for name in alarmtimer block cgroup compaction cpuhp dma_fence fib filemap huge_memory io_uring iocost \
		iommu irq \
		jbd2 kmem migrate mmap module napi neigh net oom page_pool percpu power printk qdisc rcu rtc \
		sched signal \
		skb sock swiotlb syscalls task tcp thermal timer tlb udp vmscan workqueue writeback xdp; do
		echo "#if __has_include(<trace/events/$name.h>)"
		echo "#include <trace/events/$name.h>"
		echo '#endif'
	done
} > header.c
compile header.c -w > out 2>&1 || say_wrong 'the headers do not compile'
numbers header_ header.s > header.numbers

# Ours, out of the C of a script: without headers.
env STAP_KERNELS="$PWD/trees" $STAP -r "$KERNEL" -p3 -e 'probe kernel.trace("*") { }' > all.c 2> err ||
	say_wrong 'there is no C'
awk '/^#ifndef STP_ENUM_/ { inside = 1 }
	inside || /^(struct|union) [a-zA-Z_0-9]+;$/
	/^#endif/ { inside = 0 }
	/^static void tracepoint_[0-9]+\(/ { sub(/^static /, ""); sub(/ *\{$/, " { }"); print }' all.c > own.c
sed -nE 's/.*stp_point_tracepoint point_([0-9]+) = [{] [.]name = "([^"]*)".*/\1 \2/p' all.c | sort > names
$clang -w -O1 -fsanitize=kcfi -fno-pie -S -o own.s own.c > out 2>&1 || say_wrong 'our handlers do not compile'
numbers tracepoint_ own.s | sort | join names - | cut -d ' ' -f 2- | sort -u > own.numbers

join own.numbers header.numbers | awk '$2 != $3 { print $1 }' > out
[ ! -s out ] || say_wrong 'other types than in the headers'
[ "$(join own.numbers header.numbers | wc -l)" -ge 300 ] ||
	say_wrong "few are compared: $(wc -l ./*.numbers | tr '\n' ' ')"

# ---- the runtime ----

# The facts of the target are written before anything is compiled.
check 3 '/make is missing' -- env PATH=/nonexistent "SYSTEMTAP_DIR=$PWD" \
	$STAP -r "$KERNEL" -p4 -e 'probe begin { exit() }'
facts=$(dirname "$PWD"/cache/kernels/*/stp_facts.h)
for file in "$TOP"/runtime/objects/*.c "$TOP"/runtime/probe/*.c; do
	compile "$file" "-I$TOP/runtime" "-I$TOP/runtime/arch/x86_64" "-I$facts" "-idirafter$TOP/runtime/former" \
		-include api.h -fsyntax-only -Wpedantic -Wcast-function-type-strict \
		-Wincompatible-function-pointer-types-strict \
		> "messages.$(basename "$file")" 2>&1 ||
		{ grep "error: " "messages.$(basename "$file")" > out; say_wrong "$file does not compile"; }
done
grep -hE '/runtime/[^ ]*: (warning|error): .*(cast from |incompatible function pointer|between void pointer and function)' \
	messages.* | sed -nE 's|^[^ ]*/runtime/([^:]*):([0-9]+):.*|\1 \2|p' | sort -u |
	while read -r file line; do
		echo "$file: $(sed -n "${line}s/^[[:space:]]*//p" "$TOP/runtime/$file")"
	done | grep -vE '^probe/[a-z]+[.]c: .*SOURCE[(]' > found
# One of the first two takes what the other gives; the third is an address; the last are of the kernel, and called
# unchecked.
diff - <(sort found) > out <<'END' || say_wrong 'pointers to functions pass by way of void *'
kernel/control.c: if (!proc_create_data(texts[i].name, 0400, c->dir, &text_ops, texts[i].show))
kernel/control.c: ret = single_open_size(file, compat_pde_data(inode), NULL, room);
kernel/packed.c: [STP_ANCHOR_CODE] = stp_packed_apply,
kernel/symbol.c: compat_kallsyms_on_each_symbol *on_each = (void *)lookup_name("kallsyms_on_each_symbol");
probe/function/function.c: function_symbols.within_kprobe_blacklist = (void *)symbols[1].address;
END
finish
