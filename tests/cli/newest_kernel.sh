# SPDX-License-Identifier: GPL-2.0-or-later
# The newest kernel that Debian offers builds nine kinds of scripts and runs them: its packages come from NEWEST_SUITE
# (default: trixie-backports), its compiler from NEWEST_ROOT, a root tree of a release that has it, with make, pahole,
# kmod and the libraries of stap.
# skip: is_slow "the newest kernel is fetched and tried: ten minutes"
# skip: no_program apt-get dpkg-deb depmod qemu-system-x86_64 || no_namespace
# skip: [ ! -x "${NEWEST_ROOT:-/none}/usr/bin/make" ] && echo "not here: a root tree with the newest kernel's compiler"
. "$TOP/tests/cli/expect.inc"
suite=${NEWEST_SUITE:-trixie-backports}

# apt with that suite alone, as for a machine of its release: nothing is installed here.
mkdir -p apt/{lists/partial,cache/archives/partial,etc/apt.conf.d,etc/preferences.d}
: > apt/status
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${NEWEST_MIRROR:-http://deb.debian.org/debian} $suite main" \
	> apt/etc/sources.list
cat > apt/conf << END
Dir::State "$PWD/apt";
Dir::State::status "$PWD/apt/status";
Dir::State::lists "$PWD/apt/lists";
Dir::Cache "$PWD/apt/cache";
Dir::Etc "$PWD/apt/etc";
Dir::Etc::sourcelist "$PWD/apt/etc/sources.list";
Dir::Etc::sourceparts "-";
Dir::Bin::dpkg "/bin/false";
Acquire::Check-Valid-Until "false";
APT::Sandbox::User "root";
END
export APT_CONFIG=$PWD/apt/conf
apt-get -q update > log 2>&1 || { tail -n 3 log; finished=1; echo "not here: $suite cannot be reached"; exit 77; }

# Its compiler is not installed, for which fetch-kernel ends with status 3; the kernel is there all the same.
"$TOP/tools/fetch-kernel" --manager apt --into "$PWD/newest" linux-image-cloud-amd64 > log 2>&1
. "$TOP/vm/kernels.inc"
release=$(kernel_images newest)
[ -n "$release" ] && [ -e "newest/lib/modules/$release/build/include/config/auto.conf" ] ||
	{ tail -n 5 log; say_wrong "no kernel of $suite"; }
unset APT_CONFIG
"$TOP/tests/kernels/run" --out "$PWD/table" "newest@$NEWEST_ROOT" > log 2>&1 || say_wrong "$(tail -n 3 log)"
"$TOP/tests/kernels/run" --page --out "$PWD/table" > page
row=$(grep -F "| $release |" page)
echo "$row"
cells=$(tr '|' '\n' <<< "$row" | grep -cE '^ [1-9][0-9]* $')
[ "$cells" = 9 ] || say_wrong "$cells of 9 kinds run on $release"
[[ $row = *'| clean |' ]] || say_wrong "the log of $release complains"
finish
