# SPDX-License-Identifier: GPL-2.0-or-later
# stap --remote to machines of several kernels: a translation for each distinct kernel, side by side, and each machine
# gets that of its own. The machines are instances of sshd that claim a kernel; staprun is a stand-in that prints its
# input. Two fake releases are copies of this machine's kernel.
# skip: no_program sshd ssh ip modinfo || no_namespace || no_kernel
# guards: stap/remote translator/kernel translator/build tests/cli/sshd.inc
. "$TOP/tests/cli/sshd.inc"
. "$TOP/tests/cli/expect.inc"
. "$TOP/vm/kernels.inc"
export FAR=$far
script='probe begin { println("hi") }'

cat > "$far/bin/staprun" <<'END'
#!/bin/bash
[ "$1" != -h ] || { echo ' --records=text|data'; exit; }
. "${0%/bin/*}/node"
. "$TOP/tests/cli/hoststream.inc"
for last; do :; done
stream_begin 1000000000 1
stream_say 1000000001 \
	"node$NODE: $(modinfo -F vermagic "$last" | cut -d' ' -f1) $(sha256sum < "$last" | cut -c-16)"
stream_end 1
END
# Line N of the file `releases` is the kernel of node N; behind it, what its notes are.
cat > "$far/bin/uname" <<'END'
#!/bin/bash
. "${0%/bin/*}/node"
echo "$(sed -n "${NODE}s/ .*//p" "$far/releases") x86_64"
END
cat > "$far/bin/cat" <<'END'
#!/bin/bash
case $* in
*/sys/kernel/notes*) . "${0%/bin/*}/node"; sed -n "${NODE}s/.* //p" "$far/releases" ;;
*) exec /bin/cat "$@" ;;
esac
END
sed -i '2i far=${0%/bin/*}' "$far"/bin/{uname,cat}
chmod +x "$far"/bin/*

build=$(realpath "$(ls -d "${STAP_KERNELS%%:*}/lib/modules/$KERNEL/build" /lib/modules/"$KERNEL"/build 2> /dev/null |
	head -n 1)")
for release in 9.9.1-one 9.9.2-two; do
	mkdir -p made/boot "made/lib/modules/$release" made/usr/src
	cp -rs "$build" "made/usr/src/linux-headers-$release"
	headers=made/usr/src/linux-headers-$release
	rm -f "$headers"/include/generated/utsrelease.h "$headers"/include/config/kernel.release
	echo "#define UTS_RELEASE \"$release\"" > "$headers/include/generated/utsrelease.h"
	echo "$release" > "$headers/include/config/kernel.release"
	ln -s "../../../usr/src/linux-headers-$release" "made/lib/modules/$release/build"
	ln -s "$(kernel_image "${STAP_KERNELS%%:*}" "$KERNEL" || kernel_image '' "$KERNEL")" \
		"made/boot/vmlinuz-$release"
	: > "made/lib/modules/$release/modules.dep"
done
for dir in "${build%/*}"/* "${build%/src/*}"/lib/linux-kbuild-*; do
	to=made/usr/$(basename "$(dirname "$dir")")
	mkdir -p "$to"
	[ "$dir" = "$build" ] || ln -s "$dir" "$to/"
done
export STAP_KERNELS=$PWD/made:$STAP_KERNELS

# A compiler of the first waits for one of the second, and the other way round.
mkdir -p near/bin
compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\([^ "]*\).*/\1/p' "$build/.config")
cat > "near/bin/$compiler" <<END
#!/bin/bash
meets() {
	echo > "$PWD/compiles-\$1"
	until [ -e "$PWD/compiles-\$2" ]; do sleep 0.05; done
}
[ "\$(nproc)" = 1 ] || case "\$PWD \$*" in
*headers-9.9.1-one*\ -c\ *script*) meets one two ;;
*headers-9.9.2-two*\ -c\ *script*) meets two one ;;
esac
exec $(command -v "$compiler") "\$@"
END
chmod +x near/bin/*
PATH=$PWD/near/bin:$PATH

# gets NODE: release and digest of its module
gets() { sed -n "s/^node$1: //p" out; }
printf '%s\n' '9.9.1-one a' '9.9.2-two a' '9.9.1-one a' '9.9.1-one b' > "$far/releases"
# Two kernels only: with a third, both processors may be taken by the wrong two, which wait for the other one's turn.
check 0 '/^3 of 3 machines ran$' '/^stap: -m leaves no module here: the machines have several kernels$' -- \
	$STAP -m m_kernels --disable-cache --remote node1 --remote node2 --remote node3 -e "$script"
[ ! -e m_kernels.ko ] || say_wrong 'one of several modules is left'
[[ $(gets 1) == 9.9.1-one\ * && $(gets 2) == 9.9.2-two\ * ]] || say_wrong "two releases: $(cat out)"
[ "$(nproc)" = 1 ] || [ -e compiles-one ] && [ -e compiles-two ] || say_wrong 'they are not made side by side'
[ "$(gets 1)" = "$(gets 3)" ] || say_wrong "the same release: $(cat out)"
check 0 '/^4 of 4 machines ran$' -- $STAP -m m_kernels --disable-cache --remote node1 --remote node2 --remote node3 \
	--remote node4 -e "$script"
[ "$(gets 1)" = "$(gets 3)" ] && [[ $(gets 4) == 9.9.1-one\ * ]] || say_wrong "another build: $(cat out)"
# That of another build of the same release is another one.
$STAP -p4 --disable-cache --remote node1 --remote node2 --remote node3 --remote node4 -e "$script" \
	> modules 2> err || say_wrong "-p4: $(cat err)"
[ "$(wc -l < modules)" = 3 ] || say_wrong "a module for each kernel: $(cat modules)"

# With one kernel -m leaves its module, as without --remote.
check 0 '/^2 of 2 machines ran$' '!leaves no module' -- \
	$STAP -m m_kernels --remote node1 --remote node3 -e "$script"
[ "$(modinfo -F vermagic m_kernels.ko | cut -d' ' -f1)" = 9.9.1-one ] || say_wrong '-m leaves no module'
rm -f m_kernels.ko

# A kernel for which nothing can be made leaves the others alone, and its machines are named with the reason.
echo 9.9.3-none c >> "$far/releases"
check 6 '/^stap: no headers for kernel 9\.9\.3-none' \
	'/^node5 +left out +no module could be made for kernel 9\.9\.3-none$' '/^2 of 3 machines ran$' -- \
	$STAP -m m_kernels --remote node1 --remote node5 --remote node2 -e "$script"
[[ $(gets 1) == 9.9.1-one\ * && $(gets 2) == 9.9.2-two\ * ]] || say_wrong "one kernel fails: $(cat out)"

# With --fetch-headers stap-fetch-kernel is asked for what is missing, once in each translation, and what it says is
# seen at once. It unpacks into the user's directory.
mkdir -p prefix/{bin,share}
cp "$STAP" prefix/bin/
ln -s "$TOP" prefix/share/stap
cat > prefix/bin/stap-fetch-kernel <<END
#!/bin/sh
echo "\$*" >> "$PWD/asked"
case \$1 in
linux-*-9.9.4-new)
	echo "stap-fetch-kernel: \$1 1 (2 MB)" >&2
	mkdir -p "\$SYSTEMTAP_DIR/kernels"
	cp -a "$PWD/later/." "\$SYSTEMTAP_DIR/kernels"
	;;
*) echo "stap-fetch-kernel: cannot get \$1: apt does not reach its server; is there a network?" >&2; exit 3 ;;
esac
END
chmod +x prefix/bin/stap-fetch-kernel
cp -a made later
rm -rf later/lib/modules/9.9.1-one
for path in later/boot later/lib/modules later/usr/src; do
	(cd $path && for f in *9.9.2-two; do mv "$f" "${f/9.9.2-two/9.9.4-new}"; done)
done
ln -sfn ../../../usr/src/linux-headers-9.9.4-new later/lib/modules/9.9.4-new/build
sed -i 's/9.9.2-two/9.9.4-new/' \
	later/usr/src/linux-headers-9.9.4-new/include/{generated/utsrelease.h,config/kernel.release}
mkdir own
echo 9.9.4-new c >> "$far/releases"
own=(env SYSTEMTAP_DIR="$PWD/own" "$PWD/prefix/bin/stap")
check 6 "/^stap: no headers for kernel 9\.9\.4-new: .*; apt-get install linux-headers-9\.9\.4-new, or without installing them $PWD/prefix/bin/stap-fetch-kernel linux-headers-9\.9\.4-new, which --fetch-headers does;" \
	-- "${own[@]}" -m m_kernels --disable-cache --remote node6 --remote node1 -e "$script"
[ ! -e asked ] || say_wrong 'it fetches unasked'
check 6 '/^stap-fetch-kernel: linux-headers-9\.9\.4-new 1 \(2 MB\)$' \
	'/^stap-fetch-kernel: cannot get linux-headers-9\.9\.3-none: apt does not reach its server' \
	'/^stap: no headers for kernel 9\.9\.3-none: .*stap-fetch-kernel linux-headers-9\.9\.3-none;' \
	'/^node5 +left out +no module could be made' '/^2 of 3 machines ran$' -- \
	"${own[@]}" -m m_kernels --disable-cache --fetch-headers --remote node6 --remote node5 --remote node1 \
	-e "$script"
[[ $(gets 6) == 9.9.4-new\ * && $(gets 1) == 9.9.1-one\ * ]] || say_wrong "what was fetched: $(cat out)"
printf 'linux-headers-%s\n' 9.9.3-none 9.9.4-new > expected
sort asked | diff expected - > differs || say_wrong "what it is asked for: $(cat differs)"
# The next time they are there; -r finds them, too.
check 0 '/^2 of 2 machines ran$' '!fetch' -- \
	"${own[@]}" -m m_kernels --disable-cache --fetch-headers --remote node6 --remote node1 -e "$script"
check 0 '!fetch' -- "${own[@]}" -m m_new -r 9.9.4-new -p4 --disable-cache -e "$script"
[ "$(modinfo -F vermagic m_new.ko | cut -d' ' -f1)" = 9.9.4-new ] || say_wrong '-r of what was fetched'
rm -rf own/kernels
check 0 '/^stap-fetch-kernel: linux-image-9\.9\.4-new 1 ' -- \
	"${own[@]}" -r 9.9.4-new -p2 --fetch-headers -e "$script"

finish
