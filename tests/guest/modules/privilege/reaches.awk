# SPDX-License-Identifier: GPL-2.0-or-later
# For reaches.sh: "LEVEL<tab>NAME<tab>EXPRESSION<tab>TYPE" lines become a script. Addresses come as parameters.
function line(name, expression, type) {
	printf "\ttry { printf(\"%%s = %s\\n\", %s, %s) } catch { refused++ }\n", type == "string" ? "%s" : "%x %d",
		"\"" name "\"", type == "string" ? expression : expression ", " expression
}
BEGIN {
	FS = "\t"
	print "global user = 0, kernel = 0, text = \"x\", refused"
	print "probe begin { println(\"begun\") }"
	print "function all(at:long) {"
}
/^#/ || $4 == "" || $4 == "unknown" { next }
$1 == "stapusr" { line($2, $3, $4) }
END {
	if (least == "stapdev") {
		line("%m", "sprintf(\"%.64m\", at)", "string")
		line("task_current", "task_current()", "long")
	}
	print "}"
	print "global met"
	print "probe timer.ms(500) {"
	print "\tif (execname() != \"secret\") next"
	print "\tturn = met[uid()]++ % 3"
	print "\tprintf(\"-- in %d, turn %d\\n\", uid(), turn)"
	print "\tall(turn == 0 ? 7 : turn == 1 ? user : kernel)"
	print "\tif (met[6002] >= 3 && met[0] >= 3) exit()"
	print "}"
	print "probe end { printf(\"ended, %d refused\\n\", refused) }"
}
