# SPDX-License-Identifier: GPL-2.0-or-later
# stap-recipes(7): each ready script answers a question there, and each script that is named there is one.
. "$TOP/tests/cli/expect.inc"
page=$TOP/man/stap-recipes.7stap
awk '
	/^\.TP$/ {
		getline
		if (question && !named) print "no script answers: " question
		question = $0
		named = 0
		next
	}
	/^\.BR? [a-z\\0-9-]+( ,)?$/ { gsub(/\\/, ""); named++; print $2 > "named" }
	/^\.SH "SEE/ { exit }' "$page" > out
[ ! -s out ] || say_wrong 'questions without a script'
watched $STAP --examples | sed -n 's/^  \([^ ]*\) .*/\1/p' | sort > there
[ "$(wc -l < there)" -ge 80 ] || say_wrong 'the ready scripts could not be listed'
sort -u named | diff there - > out || say_wrong 'the page differs from the ready scripts (<: scripts, >: page)'
# Each question finds the scripts that answer it, as `stap --examples` takes questions.
awk '
	/^\.SH THE DISK$/ { begun = 1 }
	/^\.SH "SEE/ { exit }
	begun && /^\.B "/ { gsub(/^\.B "|"$/, ""); gsub(/\\\(aq/, "\047"); question = $0; next }
	begun && /^\.BR? [a-z\\0-9-]+( ,)?$/ { gsub(/\\/, ""); print $2 "\t" question }' "$page" > answers
[ "$(wc -l < answers)" -ge 80 ] || say_wrong 'the questions could not be read'
last=
while IFS=$'\t' read -r name question; do
	[ "$question" = "$last" ] || watched $STAP --examples "$question" > found 2> err
	last=$question
	grep -q "^  $name " found || [ "$name" = trace-io ] || say_wrong "'$question' does not find $name"
done < answers
while IFS=: read -r words names; do
	watched $STAP --examples "$words" > found 2> err
	for name in $names; do
		grep -q "^  $name " found || say_wrong "'$words' does not find $name"
	done
done << 'END'
container:cpu-top
why were packets dropped:packet-drops
too many open files:descriptor-leaks
permission denied:capabilities
file descriptor:opens
who writes to a file:file-top
LOCKS:futexes kernel-locks file-locks
swap:reclaim
who writes to /var/log/app.log:file-top
who sends these packets:udp-top tcp-top net-top
page cache misses:cache-hits cache-misses
leak in a running daemon:malloc-leaks
slow DNS:name-lookups
short-lived processes:process-life
connection refused:tcp-connects
process in D:blocked
what is this container doing:cpu-top file-top syscall-errors
pages swapped out:swap-in
who holds the kernel lock:lock-holders
slow HTTP requests:http-requests
MySQL:mysql-queries
END
watched $STAP --examples lock > found
! grep -E '^  (cpu-top|disk-latency|blocked) ' found || say_wrong "'lock' finds what is about clocks and blocks"
check 0 '/2 of 3 words' '/^  disk-latency ' -- $STAP --examples 'disk latency Zanzibar'
check 0 '/^  tcp-retransmits ' '!tcp-top' -- $STAP --examples TCP retransmits
check 1 "/no ready script matches 'Zanzibar'" -- $STAP --examples Zanzibar
fits_terminal "$page"
finish
