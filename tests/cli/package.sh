# SPDX-License-Identifier: GPL-2.0-or-later
# The Debian packages: builds in two places are identical, lintian and hardening-check find nothing, and in a new Debian
# the installed programs translate, and run in a guest as a user of the groups.
# skip: is_slow 'packages' || no_program dh lintian hardening-check debootstrap || no_namespace || no_kernel
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/package.inc"
root=${BARE_DIR:-$WORK/root}

for place in one/stap second/place/stap-again; do copy_sources "$PWD/$place"; done
LC_ALL=C TZ=UTC build_packages "$PWD/one/stap"
LC_ALL=C.UTF-8 TZ=Asia/Tokyo build_packages "$PWD/second/place/stap-again"
[ "$(ls one/*.deb | wc -l)" -ge 4 ] || say_wrong "packages: $(ls one)"
for deb in one/*.deb; do
	cmp "$deb" "second/place/${deb##*/}" > out 2>&1 || say_wrong "${deb##*/} is not the same in two places"
done

# It leaves files behind.
mkdir lint
TMPDIR=$PWD/lint lintian --fail-on error,warning one/*.changes > out 2> err || say_wrong 'lintian'
for deb in one/*_amd64.deb; do
	case $deb in *-dbgsym_*) continue ;; esac
	dpkg-deb -x "$deb" unpacked
done
programs=$(find unpacked -type f -perm /111 -exec sh -c 'file -b "$1" | grep -q "^ELF"' sh {} \; -print)
[ "$(wc -w <<< "$programs")" = 8 ] || say_wrong "programs: $programs"
# The compiler's default on this system has no protection of the control flow.
hardening-check --nocfprotection $programs > out 2> err || say_wrong 'hardening-check'

# ---- in a new Debian ----
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' | sed -n "s/^$suite //p" | head -n 1)
debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror" > out 2> err || {
	say_wrong 'debootstrap failed'
	finish
	exit
}
rm -rf "$root"/etc/apt/sources.list*
cp -r /etc/apt/sources.list* /etc/apt/apt.conf* /etc/apt/trusted.gpg.d "$root/etc/apt"
cp -r /usr/share/keyrings "$root/usr/share"
cp -L /etc/resolv.conf /etc/hosts "$root/etc"
mkdir "$root/packages"
cp one/*.deb "$root/packages" && rm -f "$root"/packages/*-dbgsym_*
cat > "$root/try" <<'END'
set -ex
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q install -y --no-install-recommends /packages/*.deb "$2"
echo "staprun: $(stat -c '%a %U %G' /usr/bin/staprun)"
stap --version
echo "user: $(stap --runtime=user -e 'probe begin { println("hello") exit() }')"
cd /root
stap -r "$1" -p4 -m hello -e 'probe begin { println("hello") exit() }'
stap --doc vm.pagefault | head -n 1
echo 'provider p { probe m(int); };' > p.d && dtrace -h -s p.d
printf '#include "p.h"\nint main(void) { P_M(1); return 0; }\n' > p.c && dtrace -G -s p.d -o p_d.o &&
	gcc -o p p.c p_d.o
stap -L 'process("/root/p").mark("*")'
useradd -m -G stapusr,stapdev member
useradd -m stranger
cp hello.ko /home/member/ && chown member: /home/member/hello.ko
# What the administrator wants stays.
dpkg-statoverride --update --add root root 0755 /usr/bin/staprun
apt-get -q install -y --reinstall /packages/stap-runtime_*.deb
echo "override: $(stat -c '%a %U %G' /usr/bin/staprun)"
dpkg-statoverride --remove /usr/bin/staprun
dpkg-reconfigure stap-runtime
END
compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\([^ "]*\).*/\1/p' "$kernels/boot/config-$KERNEL")
in_tree "$root" "mount --bind '$root' '$root'" bash /try "$KERNEL" "${compiler#x86_64-linux-gnu-}" > log 2>&1 || {
	tail -n 20 log
	say_wrong 'in the new Debian'
}
for line in 'staprun: 4750 root stapusr' 'user: hello' 'override: 755 root root' 'probe vm.pagefault .*' \
	"stap $(sed -n '1s/^stap //p' "$TOP/NEWS").*" '.*mark\("m"\).*'; do
	grep -qE "^$line" log || say_wrong "no line: $line"
done

# ---- in a guest over it, by its own staprun ----
mkdir -p "$root/lib/modules"
cp "$kernels"/boot/*"-$KERNEL" "$root/boot"
cp -R "$kernels/lib/modules/$KERNEL" "$root/lib/modules"
guest=("${STAP%/*}/stap-vm" --root "$root" --release "$KERNEL")
check 0 '/^hello$' -- "${guest[@]}" -- su member -c 'staprun /home/member/hello.ko'
check 1 '/ermission denied' '!^hello$' -- "${guest[@]}" -- \
	su stranger -c 'staprun /home/member/hello.ko || exit 1'
finish
