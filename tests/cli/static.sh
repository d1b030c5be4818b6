# SPDX-License-Identifier: GPL-2.0-or-later
# make static: staprun and stapio that run without any library, also where programs are position-independent otherwise.
. "$TOP/tests/cli/expect.inc"
if ! echo 'int main(void) { return 0; }' |
	${CC:-cc} -static -x c - -o /dev/null -lcap-ng -lcrypto -lseccomp -lzstd -ljansson 2> /dev/null; then
	echo "there are no libraries for static programs"
	finish
	exit
fi
rm -f "$TOP/$B"/static/*
make -s -C "$TOP" --no-print-directory "B=$B" LDFLAGS=-pie static > out 2>&1 || say_wrong 'make static'
for program in staprun stapio; do
	gzip -dc "$TOP/$B/bin/static/$program.gz" > $program
	chmod +x $program
	check 0 '/not a dynamic executable|statically linked' -- sh -c "ldd $program || :"
	# No library is to be found in there.
	mkdir -p empty
	cp $program empty/
	if [ "$(id -u)" = 0 ]; then
		check 0 "/^$program \(stap\), module interface [0-9]+$" -- chroot empty /$program -V
	else
		check 0 "/^$program \(stap\), module interface [0-9]+$" -- ./$program -V
	fi
done
finish
