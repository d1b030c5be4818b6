# The functions allowed in a script for stapusr reveal nothing about others' processes and no kernel address, for any
# argument: a timer interrupts a program of another user and one of root. For those who may see everything, the same
# script shows both.
# guards: translator/lang translator/sem runtime tapset tests/guest/privilege.inc tests/reach.inc
. "$TOP/tests/guest/privilege.inc"
mine ann
install -o 6001 -g 6001 -m 644 "$MODULES"/t_reaches.ko ann
sign ann/t_reaches.ko
install -m 755 "$TOP/build/guest/secret" secret
secret=$(nm "$TOP/build/guest/secret" 2> /dev/null | awk '$3 == "kept" { print $1 }')
banner=$(awk '$3 == "linux_banner" { print $1 }' /proc/kallsyms)
[ -n "$secret" ] && [ -n "$banner" ] || fail "addresses: '$secret' '$banner'"

# Both on each processor, as the timer may be on any.
for cpu in $(seq 0 $(($(nproc) - 1))); do
	other taskset -c "$cpu" ./secret 300 & pids="${pids-} $!"
	taskset -c "$cpu" ./secret 300 & pids="$pids $!"
done
# shown FILE: prints the lines that show a secret, the kernel's memory, or an address in the kernel that nobody gave
shown() {
	awk '
	/SECRET|hunter2|Linux version/ || /5345435245542d4f|4f2d544552434553|52434553/ ||
		/4c696e757820|65762078756e694c|756e694c/ ||
		/5711926894590411091|1380009811|7311707394418108748|1970170188/ { print; next }
	/^-- in/ { given = $NF == 2; next }
	!given { # what is computed of the address that was given is none that it found
		for (i = 3; i <= NF; i++) {
			number = $i
			sub(/^0x/, "", number)
			if (length(number) == 16 && number ~ /^ff[0-9a-f]*$/ && number !~ /^ffffffffffff/) print
		}
	}' "$1"
}
params="user=0x$secret kernel=$((0x$banner))"
staprun --timeout=120 "$MODULES/t_reaches_all.ko" $params > all 2> err || fail "who may see all: status $?"
for text in 'SECRET-OF-BOB' 'Linux version' '^task_current/* = ff'; do
	shown all | grep -q -- "$text" || { head -n 60 all; fail "who may see all: '$text' is not looked for"; }
done
usr staprun --timeout=120 ann/t_reaches.ko $params > seen 2> err || fail "stapusr: status $?"
for user in 6002 0; do
	[ "$(grep -c "^-- in $user, turn" seen)" -ge 3 ] || {
		head -n 20 seen
		fail "stapusr: user $user was not met"
	}
done
shown seen > found
[ ! -s found ] || { sort -u found | head -n 40; fail "stapusr: $(sort -u found | wc -l) lines show it"; }
grep -E '^ended, [1-9]' seen || fail "stapusr: nothing was refused"
[ "$(grep -c = seen)" -gt 300 ] || fail "stapusr: $(grep -c = seen) lines"
# shellcheck disable=SC2086 # several
kill $pids
