# SPDX-License-Identifier: GPL-2.0-or-later
# awk -v as=WHAT: reads a manual page with examples, as stap-language(7stap). as=examples: writes N.stp, N.kind and
# N.out for each example; as=text: prints the page's text without the examples; as=operators: prints what stands in its
# table of operators, one a line.
function unescaped(line,  ret, at, name) {
	sub(/^\\&/, "", line)
	while ((at = index(line, "\\")) > 0) {
		ret = ret substr(line, 1, at - 1)
		name = substr(line, at + 1, 1)
		if (name == "(")
			name = substr(line, at + 1, 3)
		else if (name == "f")
			name = substr(line, at + 1, 2)
		ret = ret (name in characters ? characters[name] : "")
		line = substr(line, at + 1 + length(name))
	}
	return ret line
}
function refuse(why) { print FILENAME ":" FNR ": " why; failed = 1; exit 1 }
BEGIN {
	characters["e"] = "\\"; characters["-"] = "-"; characters["(aq"] = "'"; characters["(dq"] = "\""
	characters["(ha"] = "^"; characters["(ti"] = "~"; characters["(ga"] = "`"; characters[" "] = " "
}
/^\.\\" (example|command|output)( |$)/ {
	what = $2
	kind = unescaped(substr($0, index($0, what) + length(what) + 1))
	next
}
/^\.\\"/ { next }
/^\.EX$/ {
	if (!what)
		refuse("an example without a comment that says how it runs")
	file = what == "output" ? n ".out" : what == "command" ? n ".cmd" : ++n ".stp"
	if (what == "example" && as == "examples") {
		print kind == "" ? "plain" : kind > (n ".kind")
		printf "" > (n ".out")
	}
	inside = 1
	next
}
/^\.EE$/ { inside = 0; what = ""; if (as == "examples") close(file); next }
inside { if (as == "examples") print unescaped($0) > file; next }
/^\.SH / { in_operators = /OPERATORS/ }
/^\.T[SE]/ { in_table = /S/ }
as == "text" { print unescaped($0) }
as == "operators" && in_operators && in_table && /@/ && !/^tab/ {
	sub(/@.*/, "")
	count = split(unescaped($0), operators, / +/)
	for (i = 1; i <= count; i++) {
		gsub(/[x]/, "", operators[i])
		print operators[i]
	}
}
