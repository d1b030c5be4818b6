# SPDX-License-Identifier: GPL-2.0-or-later
# Forces each way of building a module: the recorded recipe, kbuild after a command of the recipe fails, kbuild if its
# commands cannot be recorded, headers with vmlinux and no pahole, each newer gcc up to 16 that is installed, and
# headers without objtool, where the message tells what to install.
# guards: runtime translator/build translator/module
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/lib.sh"
modules=$(target TREE)/lib/modules/$KERNEL
build=$(realpath "$modules/build")
before=$PATH
export SYSTEMTAP_DIR=$PWD/state

# A script that stores nothing, one that stores, one with registers and the arguments of a function.
scripts=('probe begin { println("x") exit() }' 'global n probe begin { n[1]++ set_kernel_int(4, n[1]) exit() }'
	'probe kernel.function("vfs_read") { println(register("rsp"), $count) }')
number=0
# builds [/REGEX]… -- STAP-ARGUMENT…: each of the scripts, as a module that was not built before
builds() {
	local has=() script
	while [ "$1" != -- ]; do has+=("$1"); shift; done
	shift
	for script in "${scripts[@]}"; do
		number=$((number + 1))
		check 0 '/\.ko$' "${has[@]}" '!undefined' -- "$STAP" -w -g -m "way_$number" -p4 "$@" -e "$script"
		[ -s "way_$number.ko" ] || say_wrong "no way_$number.ko"
	done
}
# Succeeds when the last modules were linked by kbuild, which leaves out nothing.
are_whole() { readelf -sW "way_$number.ko" | grep -q ' stp_str_compare$'; }
recipe() { cat state/cache/kernels/*/recipe; }

# ---- the recipe ----
builds -- -r "$KERNEL"
recipe | grep -q '^link' || say_wrong 'no recipe'
! are_whole || say_wrong 'the recipe was not used'

# ---- kbuild, as a command of the recipe fails ----
sed -i 's/^link\t.*/link\tfalse/' state/cache/kernels/*/recipe
builds -- -r "$KERNEL"
are_whole || say_wrong 'kbuild was not used'
rm state/cache/kernels/*/recipe

# ---- kbuild, as its commands cannot be recorded ----
mkdir piped
cat > piped/make <<'END_OF_MAKE'
#!/bin/sh
PATH=${PATH#*:}
make "$@" || exit
for word; do case $word in M=*) sed -i '1s/$/ | cat/' "${word#M=}"/.*.ko.cmd ;; esac; done
END_OF_MAKE
sed -i "s|^PATH=.*|PATH=$before|" piped/make
chmod +x piped/make
all=("${scripts[@]}") scripts=("${scripts[0]}")
PATH=$PWD/piped:$before builds -- -r "$KERNEL"
! recipe > /dev/null 2>&1 || say_wrong 'there is a recipe'
rm -r state

# ---- no pahole, and headers with vmlinux, of which kbuild would make the module's BTF ----
# stap makes a table of the image's BTF, which stands for vmlinux.
image_alone image
STAP_KERNELS=$PWD/image check 0 -- "$STAP" -r "$KERNEL" -L 'kernel.function("vfs_read")'
cp -rs "$build" headers
rm -f headers/vmlinux headers/Makefile
sed "s|^include \.\./|include $(dirname "$build")/|; s|^\(KBUILD_OUTPUT=\)\.\./.*|\1$PWD/headers|" \
	"$build/Makefile" > headers/Makefile
cp state/cache/facts/*.btf headers/vmlinux || say_wrong 'no table of the BTF'
rm -r state
mkdir less
for file in /usr/local/bin/* /usr/bin/* /bin/*; do ln -sf "$file" less/; done
rm -f less/pahole
PATH=$PWD/less builds -- -r "$PWD/headers"
recipe | grep -q '^link' || say_wrong 'no recipe without pahole'
sed -i 's/^link\t.*/link\tfalse/' state/cache/kernels/*/recipe
PATH=$PWD/less builds -- -r "$PWD/headers"
rm -r state

# ---- each newer gcc, under the name of the kernel's own ----
scripts=("${all[@]}")
compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\([^ ]*\) .*/\1/p' "$build/.config")
for n in 12 13 14 15 16; do
	# An older one lacks options that the kernel was configured for.
	[[ $compiler = *gcc-* ]] && [ "$n" -gt "${compiler##*-}" ] && type -P "gcc-$n" > /dev/null || continue
	mkdir "other-$n"
	ln -s "$(type -P "gcc-$n")" "other-$n/$compiler"
	PATH=$PWD/other-$n:$before builds -- -r "$KERNEL"
	recipe | grep -q '^link' || say_wrong "gcc-$n: no recipe"
	sed -i 's/^link\t.*/link\tfalse/' state/cache/kernels/*/recipe
	PATH=$PWD/other-$n:$before builds -- -r "$KERNEL"
	are_whole || say_wrong "gcc-$n: kbuild was not used"
	rm -r state
	echo "built by gcc-$n"
done

# ---- no objtool: what it does to a module cannot be left out ----
if grep -qE '^CONFIG_(OBJTOOL|STACK_VALIDATION)=y' "$build/.config"; then
	rm -r headers/tools
	cp -rs "$(realpath "$build/tools")" headers/tools
	rm headers/tools/objtool/objtool
	check 3 "/the headers of kernel $KERNEL lack $PWD/headers/tools/objtool/objtool; .*$KERNEL" '!not found' \
		-- "$STAP" -r "$PWD/headers" -p4 -e "${all[0]}"
fi
finish
