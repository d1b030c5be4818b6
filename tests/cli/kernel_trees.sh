# SPDX-License-Identifier: GPL-2.0-or-later
# The places that are searched for kernels: the directories of STAP_KERNELS, the machine's own root directory,
# build/kernels of a source tree or /var/lib/stap/kernels. The kernels here are fake: the error about the image shows
# which one was chosen.
. "$TOP/tests/cli/expect.inc"
point='probe kernel.function("vfs_read") { }'
unset STAP_KERNELS
export SYSTEMTAP_DIR=$PWD/stap

# kernel TREE RELEASE [WITHOUT-HEADERS|WITHOUT-IMAGE]
kernel() {
	mkdir -p "$1/boot" "$1/lib/modules/$2" "$1/usr/src/linux-headers-$2/include/config"
	[ "${3-}" = WITHOUT-IMAGE ] || echo "no image" > "$1/boot/vmlinuz-$2"
	[ "${3-}" = WITHOUT-HEADERS ] || touch "$1/usr/src/linux-headers-$2/include/config/auto.conf"
	ln -s "../../../usr/src/linux-headers-$2" "$1/lib/modules/$2/build"
	: > "$1/lib/modules/$2/modules.dep"
}
# takes PATH ARG…: the image that stap reads
takes() {
	local path=$1
	shift
	check 3 "/error: no BTF of kernel .*: $path: not an x86 kernel image|error: $path: not an x86 kernel image" \
		-- "$@" -p2 -e "$point"
}
kernel one 9.9.9-a
kernel one 9.9.10-a
kernel one 9.9.11-a WITHOUT-HEADERS
kernel one 9.9.12-a WITHOUT-IMAGE
kernel two 9.9.10-a
kernel two 9.9.20-b

# The newest that is whole, of two the first; by release the tree that has it.
STAP_KERNELS=$PWD/one takes "$PWD/one/boot/vmlinuz-9.9.10-a" $STAP --vm
STAP_KERNELS=/nothing:$PWD/one:$PWD/two/ takes "$PWD/two/boot/vmlinuz-9.9.20-b" $STAP --vm
STAP_KERNELS=one:two takes "$PWD/one/boot/vmlinuz-9.9.10-a" $STAP -r 9.9.10-a
STAP_KERNELS=two:one takes "$PWD/two/boot/vmlinuz-9.9.10-a" $STAP -r 9.9.10-a
STAP_KERNELS=two:one takes "$PWD/one/boot/vmlinuz-9.9.9-a" $STAP --vm=9.9.9-a
# Headers alone are enough for a name, and of two trees the one with the image as well is taken.
STAP_KERNELS=one check 3 \
	"/no BTF of kernel 9\.9\.12-a: $PWD/one/boot/vmlinuz-9\.9\.12-a: .*CONFIG_DEBUG_INFO_BTF: --btf FILE .*/stap-fetch-kernel linux-image-9\.9\.12-a gets it without installing it" \
	-- $STAP -r 9.9.12-a -p2 -e "$point"
kernel two 9.9.12-a
STAP_KERNELS=one:two takes "$PWD/two/boot/vmlinuz-9.9.12-a" $STAP -r 9.9.12-a
# An image without headers says the facts; a module asks for headers.
STAP_KERNELS=one:two takes "$PWD/one/boot/vmlinuz-9.9.11-a" $STAP -r 9.9.11-a
STAP_KERNELS=one:two check 3 '/no headers for kernel 9\.9\.11-a: .*; there are headers for (.*, )?9\.9\.(10|9|12|20)-' \
	-- $STAP -r 9.9.11-a -p4 -e 'probe begin { }'
STAP_KERNELS=one:two check 3 '/no headers for kernel 9\.9\.13-a: .*; there are headers for ' \
	-- $STAP -r 9.9.13-a -p2 -e "$point"
# A kernel in two trees is named once.
STAP_KERNELS=one:two check 3 '/no headers for kernel 9\.9\.13-a: ' '!9\.9\.10-a.*9\.9\.10-a' \
	-- $STAP -r 9.9.13-a -p2 -e "$point"
# SYSTEMTAP_RELEASE is -r, where no option names the kernel.
export SYSTEMTAP_RELEASE=9.9.10-a
STAP_KERNELS=two:one takes "$PWD/two/boot/vmlinuz-9.9.10-a" $STAP
STAP_KERNELS=two:one takes "$PWD/one/boot/vmlinuz-9.9.9-a" $STAP -r 9.9.9-a
STAP_KERNELS=two:one takes "$PWD/two/boot/vmlinuz-9.9.20-b" $STAP --vm=9.9.20-b
SYSTEMTAP_RELEASE=1.2.3 check 3 '/no headers for kernel 1\.2\.3: ' -- $STAP -p2 -e 'probe begin { println(1) }'
SYSTEMTAP_RELEASE=1.2.3 check 0 '/^1$' -- $STAP --runtime=user -e 'probe begin { println(1) exit() }'
SYSTEMTAP_RELEASE= check 0 -- $STAP --runtime=user -p2 -e 'probe begin { println(1) exit() }'
unset SYSTEMTAP_RELEASE
# A directory of STAP_KERNELS goes before others even if they have more of the kernel; -v says which one was taken.
mkdir bare
kernel bare 99.9.9-d WITHOUT-IMAGE
kernel other/kernels 99.9.9-d
export SYSTEMTAP_DIR=$PWD/other
STAP_KERNELS=bare check 3 "/no BTF of kernel 99\.9\.9-d: $PWD/bare/boot/vmlinuz-99.9.9-d: " \
	"/^stap: kernel 99\.9\.9-d: $PWD/bare/lib/modules/99.9.9-d/build\$" \
	-- $STAP -v -r 99.9.9-d -p2 -e "$point"
takes "$PWD/other/kernels/boot/vmlinuz-99.9.9-d" $STAP -r 99.9.9-d
STAP_KERNELS=bare takes "$PWD/other/kernels/boot/vmlinuz-99.9.9-d" $STAP --vm=99.9.9-d
STAP_KERNELS=one check 3 "/^stap: kernel 9\.9\.11-a: $PWD/one, without headers\$" \
	-- $STAP -v -r 9.9.11-a -p2 -e "$point"
export SYSTEMTAP_DIR=$PWD/stap
# Each place of an image, in the order of the table.
rows=$(grep -c '^IMAGE(' "$TOP/vm/images.def")
[ "$rows" -ge 2 ] || say_wrong "vm/images.def has $rows rows"
sed -n 's/^IMAGE("\(.*\)", "\(.*\)").*/\1 \2/p' "$TOP/vm/images.def" > rows
kernel places 99.9.10-e WITHOUT-IMAGE
while read -r before after; do
	echo "no image" > "places${before}99.9.10-e$after"
done < rows
while read -r before after; do
	image=${before}99.9.10-e$after
	STAP_KERNELS=places takes "$PWD/places$image" $STAP -r 99.9.10-e
	[ "$(. "$TOP/vm/kernels.inc" && kernel_image places 99.9.10-e && kernel_images places)" = \
		"places$image"$'\n'99.9.10-e ] || say_wrong "stap-vm and tests do not look at $image"
	rm "places$image"
done < rows
# Modules and configuration come from the same tree.
echo 'kernel/x/made-up.ko:' > one/lib/modules/9.9.9-a/modules.dep
echo 'CONFIG_MADE_UP=y' > one/usr/src/linux-headers-9.9.9-a/include/config/auto.conf
STAP_KERNELS=$PWD/one check 3 "/$PWD/one/boot/vmlinuz-9.9.9-a" \
	-- $STAP -r 9.9.9-a -p2 -e 'probe module("made_up").function("f") { }'
STAP_KERNELS=$PWD/one check 0 '/is made up' \
	-- $STAP -r 9.9.9-a -p1 -e 'probe begin { println(%( CONFIG_MADE_UP == "y" %? "is made up" %: "is not" %)) }'
# A build tree of one's own finds its image there.
mkdir -p mine/include/generated
echo '#define UTS_RELEASE "9.9.20-b"' > mine/include/generated/utsrelease.h
STAP_KERNELS=$PWD/two takes "$PWD/two/boot/vmlinuz-9.9.20-b" $STAP -r "$PWD/mine"

# In a source tree: build/kernels.
mkdir -p source/build/bin source/tools
ln -s "$TOP"/{runtime,tapset} source/
cp "$STAP" source/build/bin/stap
touch source/tools/fetch-kernel
kernel source/build/kernels 99.9.9-c
takes "$PWD/source/build/kernels/boot/vmlinuz-99.9.9-c" source/build/bin/stap --vm
STAP_KERNELS=$PWD/one takes "$PWD/one/boot/vmlinuz-9.9.10-a" source/build/bin/stap --vm
STAP_KERNELS=$PWD/one takes "$PWD/source/build/kernels/boot/vmlinuz-99.9.9-c" source/build/bin/stap -r 99.9.9-c

# stap-vm goes the same way; QEMU is not reached: the made-up kernel has none of the modules that a guest wants, and the
# stand-in says which image it got.
if [ "$(id -u)" = 0 ] && type -P busybox cpio > /dev/null; then
	mkdir bin
	cat > bin/qemu-system-x86_64 <<'END'
#!/bin/sh
# What the guest would print ends at once.
for a; do
	case $a in
	pipe,id=out,path=* | pipe,id=err,path=*) : > "${a##*path=}.out" ;;
	file,id=console,path=*) : > "${a##*path=}" ;;
	*vmlinuz*) echo "boots $a" >&2 ;;
	esac
done
case "${HANGS-} $*" in yes*fs-pci*) exec sleep 60 ;; esac
END
	cat > bin/virtiofsd <<'END'
#!/usr/bin/python3
import socket, sys, time
path = [a.split("=", 1)[1] for a in sys.argv if a.startswith("--socket-path=")]
s = socket.socket(socket.AF_UNIX)
s.bind(path[0]) if path else sys.exit(0)
s.listen()
time.sleep(60)
END
	chmod +x bin/*
	sed "s|/usr/[a-z/]*/virtiofsd|$PWD/bin/virtiofsd|g" "$TOP/vm/stap-vm" > source/build/bin/stap-vm
	chmod +x source/build/bin/stap-vm
	cp -r "$TOP/vm" source/vm
	cp "$TOP/tools/fetch-kernel" source/tools
	boots() { local image=$1; shift; check 4 "/boots $image\$" -- env "PATH=$PWD/bin:$PATH" "$@"; }
	vm=source/build/bin/stap-vm
	STAP_KERNELS=one:two boots "$PWD/two/boot/vmlinuz-9.9.20-b" $vm -- true
	STAP_KERNELS=two:one boots "$PWD/one/boot/vmlinuz-9.9.9-a" $vm --release 9.9.9-a -- true
	STAP_KERNELS=two boots "$PWD/one/boot/vmlinuz-9.9.10-a" $vm --kernels one --release 9.9.10-a -- true
	boots "$PWD/source/build/kernels/boot/vmlinuz-99.9.9-c" $vm --release 99.9.9-c -- true
	mv one/boot/vmlinuz-9.9.9-a one/lib/modules/9.9.9-a/vmlinuz
	STAP_KERNELS=one boots "$PWD/one/lib/modules/9.9.9-a/vmlinuz" $vm --release 9.9.9-a -- true
	mv one/lib/modules/9.9.9-a/vmlinuz one/boot/vmlinuz-9.9.9-a
	STAP_KERNELS=one check 4 "/^stap-vm: kernel 9\.9\.11-a: $PWD/one/boot/vmlinuz-9\.9\.11-a\$" \
		-- env "PATH=$PWD/bin:$PATH" $vm -v -- true
	# An image without its modules, or without their list.
	kernel half 9.9.40-e
	rm half/lib/modules/9.9.40-e/modules.dep
	for release in '' '--release 9.9.40-e'; do
		check 3 "/the image of kernel 9\.9\.40-e is here, $PWD/half/boot/vmlinuz-9\.9\.40-e, but no list of its modules, $PWD/half/lib/modules/9\.9\.40-e/modules.dep; depmod -b $PWD/half 9\.9\.40-e makes it\$" \
			-- env "PATH=$PWD/bin:$PATH" $vm --root half $release -- true
	done
	rm -r half/lib
	STAP_KERNELS=half check 3 '/the image of kernel 9\.9\.40-e is here, .*, but not its modules, .*/lib/modules/9\.9\.40-e; .*fetch-kernel 9\.9\.40-e gets them$' \
		-- env "PATH=$PWD/bin:$PATH" $vm --release 9.9.40-e -- true
	# The limit ends a guest that hangs; one that ends before leaves no limit behind.
	check 124 '/the guest did not end within 1 seconds' -- env HANGS=yes STAP_KERNELS=one "PATH=$PWD/bin:$PATH" \
		$vm --timeout 1 -- true
	STAP_KERNELS=one boots "$PWD/one/boot/vmlinuz-9.9.9-a" $vm --release 9.9.9-a --timeout 54321 -- true
	no_sleep() { ! pgrep -fx 'sleep 54321' > left; }
	wait_until no_sleep || say_wrong "its limit goes on: $(cat left)"
	kernel root 9.9.30-d
	STAP_KERNELS=one boots "$PWD/root/boot/vmlinuz-9.9.30-d" $vm --root root -- true
	STAP_KERNELS=one check 3 \
		"/no kernel 9\.9\.9 in /, $PWD/one, $PWD/source/build/kernels; .*fetch-kernel 9\.9\.9 gets one" \
		-- env "PATH=$PWD/bin:$PATH" $vm --release 9.9.9 -- true
	check 3 "/no kernel 9\.9\.9-a in $PWD/root$" \
		-- env "PATH=$PWD/bin:$PATH" $vm --root root --release 9.9.9-a -- true
fi

# No kernel anywhere: what gets one is said, and nobody is told to install one.
mkdir empty
if unshare -m true 2> /dev/null && [ "$(id -u)" = 0 ]; then
	hidden() {
		unshare -m sh \
			-c 'for d in /boot /usr/lib/modules /lib/modules; do mount --bind empty $d 2> /dev/null; done; exec "$@"' \
			sh "$@"
	}
	export -f hidden
	rm -r source/build/kernels
	check 3 "/no kernel for a guest: none in / or $PWD/source/build/kernels has headers and boot/vmlinuz-RELEASE; $PWD/source/build/bin/stap-fetch-kernel gets one" \
		'!install' -- bash -c 'hidden "$@"' - source/build/bin/stap --vm -e "$point"
	# As the machine's own: the usual places.
	[ -e /proc/modules ] ||
		check 3 "/this machine's kernel, .*, cannot load modules; run the script in a guest with --vm \(first get a kernel for it: $PWD/source/build/bin/stap-fetch-kernel\)" \
		-- bash -c 'hidden "$@"' - source/build/bin/stap -e "$point"
	mkdir -p installed/bin installed/share/stap
	cp "$STAP" installed/bin/
	ln -s "$TOP"/{tapset,runtime} installed/share/stap/
	[ -e /var/lib/stap/kernels ] ||
		check 3 '/none in / or /var/lib/stap/kernels has' \
		-- bash -c 'hidden "$@"' - installed/bin/stap --vm -e "$point"
fi
[ -e /proc/modules ] ||
	STAP_KERNELS=$PWD/one check 3 '/cannot load modules; run the script in a guest with --vm( |$)' '!first get' \
	-- source/build/bin/stap -e "$point"

# The tests' own choice.
tested() {
	local found
	found=$(TEST_KERNEL=$1 TEST_ROOT='' STAP_KERNELS=$PWD/two:$PWD/one B=build top=$TOP \
		bash -c 'cd "$top" && . tests/lib.sh && test_kernel')
	[ "$found" = "$2" ] || say_wrong "TEST_KERNEL=$1 takes $found, not $2"
}
tested '' 9.9.20-b
tested 12 9.9.12-a
tested 9.9.9 9.9.9-a
finish
