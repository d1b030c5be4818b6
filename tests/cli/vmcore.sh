# SPDX-License-Identifier: GPL-2.0-or-later
# A machine that panics in the middle of a flood: its dump has the unread records, in order, up to the last record
# before the panic, and the books. This is tested for a flight recorder and for full rings, in ELF and in kdump's form;
# as text, JSON, raw files and a database.
# guards: stapio runtime/uapi runtime/core/ring.c runtime/kernel vm lib trace
. "$TOP/tests/cli/expect.inc"
merge=${STAP%/*}/stap-merge

cat > flood.stp <<'END_STP'
global n
probe kernel.function("vfs_read") { printf("%d %s\n", ++n, execname()) }
probe kernel.function("__crash_kexec") { printf("%d panic\n", ++n) }
END_STP
$STAP -r "$KERNEL" -p4 -g -m t_flood --suppress-time-limits -DMAXTRYLOCK=100000 flood.stp > out 2>&1 || cat out
$STAP -r "$KERNEL" -p4 -m t_quiet -e 'probe kernel.function("panic") { println("quiet") }' > out 2>&1 || cat out
cat > inside <<'END_SH'
staprun $1 -s 1 t_flood.ko || exit
[ -z "$2" ] || staprun -L $2
for i in 1 2 3 4; do dd if=/dev/zero of=/dev/null bs=16 count=2000000 2> /dev/null & done
until awk '$1 == "probe" && $6 { d += $6 } END { exit d < 20000 }' /proc/stap-t_flood/books; do sleep 0.1; done
echo c > /proc/sysrq-trigger
END_SH

# panics DUMP ARG...
panics()
{
	PATH=${STAP%/*}:$PATH check 4 "/the guest died; its memory is in .*$1" -- \
		stap-vm --smp 2 --memory 256 --vmcore "$1" --release "$KERNEL" --timeout 400 -- sh ./inside "${@:2}"
}

# judge TEXT BOOKS: numbers grow, and each record that the books call delivered is there.
judge()
{
	awk '$1 <= last { print "order: " last " before " $1 } { last = $1 }' "$1" | head -n 5
	awk 'NR == FNR { lines++; next }
		$1 == "total" && ($2 != $3 + $4 + $5 || $3 != lines || $4 < 20000) {
			print lines " lines; books: " $0
		}
		$1 == "total" { found = 1 }
		END { if (!found) print "no books" }' "$1" "$2"
}

[ -e t_flood.ko ] && [ -e t_quiet.ko ] || exit 1
panics flight.elf -F t_quiet.ko
check 1 '/ERROR: flight.elf: it has several modules; name one: t_.*, t_' -- $merge --vmcore flight.elf
check 1 '/no module other in it; there is t_' -- $merge --vmcore flight.elf other
check 0 '/^quiet$' -- $merge --vmcore flight.elf t_quiet
$merge -t --vmcore flight.elf t_flood > flight 2> books || say_wrong "status $?: $(cat books)"
judge flight books
cp books flight_books
# The other processor goes on until it is told to stop, for as long as the host lets it.
grep -q ' panic$' flight || say_wrong "no panic; the last: $(tail -n 1 flight)"
$merge -w -v --vmcore flight.elf t_flood | tac > backwards
cpu=$(sed -n 's/^\(\[[0-9]*,\).* panic$/\1/p' backwards)
grep -m 1 -F "$cpu" backwards | grep -q ' panic$' || say_wrong "after the panic: $(grep -m 1 -F "$cpu" backwards)"
# All hits have a number, the last one of them is that of the panic.
awk 'NR == FNR { n = $1; next } $1 == "total" && $3 + $4 != n { print "of " n " hits: " $0 }' flight books

panics full.kdump '-L --on-full=drop'
if $merge -V | grep -q ', with libkdumpfile'; then
	$merge -t --vmcore full.kdump > full 2> books || say_wrong "status $?: $(cat books)"
	judge full books
	[ "$(head -n 1 full | cut -d ' ' -f 1)" = 1 ] || say_wrong "the first: $(head -n 1 full)"
else
	check 1 '/need a stap-merge that is built with libkdumpfile' -- $merge --vmcore full.kdump
fi

# As makedumpfile makes them of what a kernel for dumps shows: without what is no kernel's page, and whole; packed, and
# as they go through a pipe. What is cut short is refused.
same_as_flight() {
	$merge -t --vmcore "$1" t_flood > form 2> form_books || say_wrong "$2: status $?: $(head -n 3 form_books)"
	cmp -s flight form || say_wrong "$2: not what flight.elf has"
	cmp -s flight_books form_books || say_wrong "$2: other books"
}
if type -P makedumpfile > /dev/null; then
	python3 "$TOP/tests/cli/proc_vmcore.py" flight.elf proc.vmcore > out 2>&1 || say_wrong "proc_vmcore.py"
	same_as_flight proc.vmcore /proc/vmcore
	forms='-c:31 -l:31 :31 -c:0 -c:1'
	# Debian 12's has neither of these, Debian 13's the second.
	makedumpfile -v > enabled
	grep -Eqx 'snappy[[:space:]]+enabled' enabled && forms+=' -p:31'
	grep -Eqx 'zstd[[:space:]]+enabled' enabled && forms+=' -z:31'
	$merge -V | grep -q ', with libkdumpfile' || forms=
	for form in -E:31 -E:1 $forms; do
		makedumpfile ${form%:*} -d "${form#*:}" proc.vmcore "form$form" > /dev/null 2> err ||
			say_wrong "makedumpfile $form"
		same_as_flight "form$form" "makedumpfile $form"
		rm "form$form"
	done
	if [ -n "$forms" ]; then
		makedumpfile -c -d 31 proc.vmcore form.zlib > /dev/null 2> err || say_wrong "makedumpfile -c"
		for library in snappy zstd; do
			python3 "$TOP/tests/cli/repacked.py" $library form.zlib form.$library > out 2>&1
			case $? in
			0) same_as_flight form.$library "pages packed by $library" ;;
			77) ;;
			*) say_wrong "repacked.py $library: $(cat out)" ;;
			esac
		done
		makedumpfile -F -c -d 31 proc.vmcore > form.flat 2> err || say_wrong "makedumpfile -F"
		same_as_flight form.flat 'makedumpfile -F'
		head -c $(($(stat -c %s form.flat) / 2)) form.flat > cut.flat
		check 1 '/cut.flat: ' -- $merge --vmcore cut.flat t_flood
		makedumpfile --split -c -d 31 proc.vmcore part.1 part.2 > /dev/null 2> err ||
			say_wrong "makedumpfile --split"
		# A part has all that is asked for, or is refused.
		for part in part.1 part.2; do
			if $merge --vmcore $part t_flood > form 2> err; then cmp flight form
			else grep -q "^ERROR: $part: " err || say_wrong "makedumpfile --split: $part"; fi
		done
	fi
fi

# As raw files, which say the same; as data.
$merge -w -b -o raw --vmcore flight.elf t_flood || say_wrong "-b: $?"
$merge -t raw_* > joined 2> books || say_wrong "raw: $?: $(cat books)"
cmp flight joined
judge joined books
$merge -w --json --vmcore flight.elf t_flood | tail -n 1 | grep -q '"type":"total"' || say_wrong "JSON"
if $merge -V | grep -q ', with SQLite'; then
	$merge -w --to sqlite:db --vmcore flight.elf t_flood
	python3 -c 'import sqlite3; print(sqlite3.connect("db").execute("select * from stap_probes").fetchall())' > out
	grep -q panic out || say_wrong "no database"
fi
finish
