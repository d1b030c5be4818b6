# SPDX-License-Identifier: GPL-2.0-or-later
# Headers of @cast: a script names them, and a compiler reads them with the rights of the user who translates it. Only
# headers are read, within bounds; a compiler that does not end is killed.
. "$TOP/tests/cli/expect.inc"
cast() { echo "probe begin { println(@cast(0, \"$1\", \"$2\")->x) }"; }
echo TOPSECRET > secret

# The kernel's, in a tree with headers of our own.
build=$(realpath "$(ls -d {,"${STAP_KERNELS%%:*}"}"/lib/modules/$KERNEL/build" 2> /dev/null | head -n 1)")
mkdir -p trees/own/include
for file in "$(dirname "$build")"/*; do ln -s "$file" trees/; done # headers name others beside them
for file in "$build"/{*,.[!.]*}; do
	[ ! -e "$file" ] || [ "${file##*/}" = include ] || ln -s "$file" trees/own/
done
ln -s "$build"/include/* trees/own/include/
mkfifo trees/own/include/pipe.h
echo 'struct mine { int x; };' > trees/own/include/mine.h
echo '#define A(x) x x x x x x x x x x x x x x x x
#define B(x) A(A(A(A(x))))
B(B(B(int x;)))' > trees/own/include/endless.h
ln -s /dev/zero trees/own/include/zero.h
tree="$STAP -r $PWD/trees/own"
check 0 -- $tree -p2 -e "$(cast mine 'kernel<mine.h>')"
for name in "$PWD/secret" ../../secret include/../../../secret ./../../secret; do
	check 1 "/'<$name>' leads out of the directories of headers" '!TOPSECRET' \
		-- $tree -p2 -e "$(cast mine "kernel<$name>")"
	check 1 "/'<$name>' leads out of the directories of headers" '!TOPSECRET' \
		-- $STAP --runtime=user -p2 -e "$(cast mine "<$name>")"
done
for name in pipe zero; do
	check 1 "/'<$name.h>' is not a regular file" -- $tree -p2 -e "$(cast mine "kernel<mine.h><$name.h>")"
done
check 1 "/'<endless.h>' does not compile: the compiler took too much time or memory, and was stopped" \
	-- $tree --rlimit-cpu=5 -p2 -e "$(cast mine 'kernel<endless.h>')"

# The compiler's bounds, and what it hears of the user's environment.
mkdir bin
cat > bin/gcc <<END
#!/bin/sh
{ ulimit -t; ulimit -v; env; } > $PWD/seen
exec $(command -v gcc) "\$@"
END
chmod +x bin/gcc
mkdir -p theirs/sys
echo '#error TOPSECRET' > theirs/sys/time.h
for cast in 'probe begin { println(@cast(0, "timeval", "<sys/time.h>")->tv_sec) }' "$(cast mine 'kernel<mine.h>')"; do
	rm -f seen
	CPATH=$PWD/theirs C_INCLUDE_PATH=$PWD/theirs GCC_EXEC_PREFIX=/nonexistent/ LANG=de_DE.UTF-8 \
		PATH=$PWD/bin:$PATH \
		check 0 -- $tree -p2 -e "$cast"
	[ "$(sed -n 1p seen)" = 60 ] && [ "$(sed -n 2p seen)" = $((4 << 20)) ] || say_wrong "bounds: $(head -n 2 seen)"
	! sed 1,2d seen | grep -vE '^(PATH|HOME|TMPDIR|LD_LIBRARY_PATH|SOURCE_DATE_EPOCH|LC_ALL|PWD|OLDPWD|SHLVL|_)=' ||
		say_wrong "the compiler hears of more"
done
finish
