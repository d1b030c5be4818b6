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
fits_terminal "$page"
finish
