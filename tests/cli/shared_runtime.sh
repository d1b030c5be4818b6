# SPDX-License-Identifier: GPL-2.0-or-later
# stap-prep --share builds the runtime for all users: the first script of each begins with copies of it, unless somebody
# else could have written them.
# guards: runtime translator/build tools/stap-prep
# skip: no_kernel
. "$TOP/tests/cli/expect.inc"
prep=$(dirname "$STAP")/stap-prep
export SYSTEMTAP_SHARED_DIR=$PWD/shared
check 0 "/^stap-prep: the runtime in $PWD/shared serves all users" -- "$prep" --share "$KERNEL"
[ ! -e shared/cache/modules ] || say_wrong 'modules are left behind'
[ -z "$(find shared -perm /022)" ] || say_wrong 'others may write to it'
(cd shared/cache/kernels/* && ls) > shared_files
for file in arrays.o points.o prefix.h.gch recipe runtime.o values.o; do
	grep -qx "$file" shared_files || say_wrong "no $file"
done

# first DIR SCRIPT: a module of a user's first script, whose cache is DIR
first() { SYSTEMTAP_DIR=$PWD/$1 check 0 '/\.ko$' -- "$STAP" -w -r "$KERNEL" -p4 -e "$2"; }
arrays='global a probe kernel.function("vfs_read") { a[tid()] = 1 } probe timer.s(1) { foreach (t in a) println(t) }'
first user "$arrays"
for file in arrays.o recipe; do
	cmp -s user/cache/kernels/*/"$file" shared/cache/kernels/*/"$file" || say_wrong "another $file"
done
[ -L "$(echo user/cache/kernels/*/prefix.h.gch)" ] || say_wrong 'the precompiled header is copied'
[ ! -e "$(echo user/cache/kernels/*/prefix.lock)" ] || say_wrong 'the header was precompiled again'

# A file that others may write is not taken: here it is no object at all.
echo damaged > "$(echo shared/cache/kernels/*/runtime.o)"
chmod o+w shared/cache/kernels/*/runtime.o
first other 'probe begin { println("x") }'
! grep -q damaged other/cache/kernels/*/runtime.o || say_wrong 'a file of others was taken'
chmod o+w shared/cache/kernels/*
rm -rf other
first other 'probe begin { println("x") }'
[ ! -L "$(echo other/cache/kernels/*/prefix.h.gch)" ] || say_wrong "a directory of others was taken"
finish
