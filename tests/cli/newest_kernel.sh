# SPDX-License-Identifier: GPL-2.0-or-later
# The newest kernel that Debian offers builds nine kinds of scripts and runs them: its compiler comes from NEWEST_ROOT,
# a root tree of a release that has it, with make, pahole, kmod and the libraries of stap.
# skip: is_slow "the newest kernel is fetched and tried: ten minutes"
# skip: no_program apt-get dpkg-deb depmod qemu-system-x86_64 || no_namespace
# skip: [ ! -x "${NEWEST_ROOT:-/none}/usr/bin/make" ] && echo "not here: a root tree with the newest kernel's compiler"
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/newest.inc"
"$TOP/tests/kernels/run" --out "$PWD/table" "newest@$NEWEST_ROOT" > log 2>&1 || say_wrong "$(tail -n 3 log)"
"$TOP/tests/kernels/run" --page --out "$PWD/table" > page
row=$(grep -F "| $release |" page)
echo "$row"
cells=$(tr '|' '\n' <<< "$row" | grep -cE '^ [1-9][0-9]* $')
[ "$cells" = 9 ] || say_wrong "$cells of 9 kinds run on $release"
[[ $row = *'| clean |' ]] || say_wrong "the log of $release complains"
finish
