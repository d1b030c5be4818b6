# SPDX-License-Identifier: GPL-2.0-or-later
# Puts the figures of doc/costs into a document: tests/bench/page describes the marks, and passes the files in this
# order: the scripts of tests/bench/cost.d, the files of doc/costs, the document.

# stem PATH: the file's name without its ending
function stem(path) {
	sub(/.*\//, "", path)
	sub(/\.[a-z]+$/, "", path)
	return path
}

function grouped(n) {
	return n > 999 ? grouped(int(n / 1000)) sprintf(",%03d", n % 1000) : n
}

function wrong(text) {
	print FILENAME ":" FNR ": " text > "/dev/stderr"
	exit failed = 1
}

# raw KERNEL CASE CALLS WHO: the figure as the table says it, or ""
function raw(kernel, case_, calls, who) {
	return (kernel, case_, calls, who) in figure ? figure[kernel, case_, calls, who] / each[case_] : ""
}

# number KERNEL CASE CALLS WHO…: the figure of the first who has one; with a star where events were lost
function number(kernel, case_, calls, whos, who, n, i, ret) {
	n = split(whos, who, /[ ,]/)
	for (i = 1; i <= n && ret == ""; i++) {
		ret = raw(kernel, case_, calls, who[i])
		if (ret != "")
			ret = grouped(int(ret + 0.5)) (missed[kernel, case_, calls, who[i]] > 0 ? "*" : "")
	}
	return ret
}

# least KERNEL CASE CALLS WHO…: the lowest figure
function least(kernel, case_, calls, whos, who, n, i, one, ret) {
	n = split(whos, who, ",")
	for (i = 1; i <= n; i++) {
		one = raw(kernel, case_, calls, who[i])
		if (one != "" && (ret == "" || one < ret)) ret = one
	}
	return ret
}

# both FIRST SECOND: of few calls, and of many, where the work of the reader is in the figure
function both(first, second) {
	return second == "" ? first : first " · " second
}

# share KERNEL CASE CALLS WHO… GOAL: ours of theirs, bold above the goal
function share(kernel, case_, calls, whos, goal, ours, theirs, ret) {
	ours = raw(kernel, case_, calls, "ours")
	theirs = least(kernel, case_, calls, whos)
	if (ours == "" || theirs == "") return ""
	ret = ours < 0.005 * theirs ? "< 0.01" : sprintf("%.2f", ours / theirs)
	return goal != "" && ours > goal * theirs ? "**" ret "**" : ret
}

# cell CASE COLUMN: what a column of a table in Markdown has of a case
function cell(case_, column, part, kernel, peers, text, few_, many_) {
	if (column == "to-reach") return reach[case_]
	if (split(column, part, "@") != 2) wrong("a column is WHO@KERNEL, to-reach or -, not '" column "'")
	kernel = part[2] ~ /-/ ? part[2] : part[2] "-x86_64"
	if (!(kernel in measured)) wrong("doc/costs has no figures of '" kernel "'")
	if (!((kernel, case_) in few)) return "–"
	few_ = few[kernel, case_]
	many_ = many[kernel, case_]
	if (split(part[1], peers, "/") > 1)
		text = both(share(kernel, case_, few_, peers[2], peers[3]), \
			many_ > few_ ? share(kernel, case_, many_, peers[2], peers[3]) : "")
	else if (sub(/\+$/, "", part[1]))
		text = both(number(kernel, case_, few_, part[1]), \
			many_ > few_ ? number(kernel, case_, many_, part[1]) : "")
	else {
		text = number(kernel, case_, few_, part[1])
		if (is_better(kernel, case_, few_, part[1], text)) text = "**" text "**"
	}
	return text == "" ? "–" : text
}

# is_better KERNEL CASE CALLS WHO… TEXT: another tracer has a lower figure than we, and lost nothing
function is_better(kernel, case_, calls, whos, text) {
	return text != "" && text !~ /\*/ && whos !~ /ours|raw|floor/ && \
		least(kernel, case_, calls, whos) < raw(kernel, case_, calls, "ours")
}

function trimmed(text) {
	gsub(/`|^ +| +$/, "", text)
	return text
}

# case_of CELL: the case that a row is about: "CASE: …", or what the case measures
function case_of(text) {
	text = trimmed(text)
	if (text in named) return named[text]
	return text ~ /^[A-Za-z0-9-]+: / && (substr(text, 1, index(text, ":") - 1) in what) ? \
		substr(text, 1, index(text, ":") - 1) : ""
}

# row LINE: a row of a table in Markdown with the figures of its case
function row(line, cells, n, i, case_) {
	n = split(line, cells, "|")
	case_ = case_of(cells[2])
	if (case_ == "") wrong("\"" trimmed(cells[2]) "\" is nothing that a script of tests/bench/cost.d measures")
	if (n != columns + 3) wrong(n - 3 " columns below a mark that names " columns)
	for (i = 1; i <= columns; i++)
		if (column[i] != "-") cells[i + 2] = " " cell(case_, column[i]) " "
	line = ""
	for (i = 2; i < n; i++) line = line "|" cells[i]
	return line "|"
}

# table KERNEL: its figures as a table for tbl(1), below a line that says how they were measured
function table(kernel, i, name, calls, line) {
	line = kernel
	sub(/-[^-]*$/, "", line)
	print ".SH \"LINUX " line " ON " substr(kernel, length(line) + 2) "\""
	line = measured[kernel]
	gsub(/-/, "\\-", line)
	print line
	print ".in 2n\n.na\n.TS\ntab(@);\nlB rB rB rB rB rB rB rB rB\nlw(15n)1 r1 r1 r1 r1 r1 r1 r1 r."
	print "what@stap@reader@kernel@SystemTap@bpftrace@fentry@ftrace@perf"
	for (i = 1; i <= cases; i++) {
		name = order[i]
		if (!((kernel, name) in few)) continue
		calls = few[kernel, name]
		print "T{\n" what[name] "\nT}@" number(kernel, name, calls, "ours") "@" \
			(many[kernel, name] > calls ? number(kernel, name, many[kernel, name], "ours") : "") "@" \
			number(kernel, name, calls, "floor") "@" number(kernel, name, calls, "systemtap") "@" \
			number(kernel, name, calls, "bpftrace") "@" number(kernel, name, calls, "fentry") "@" \
			number(kernel, name, calls, "hist events tracer") "@" \
			number(kernel, name, calls, "perf perf-dwarf")
	}
	print ".TE\n.ad\n.in"
	if (kernel in has_bpf) table_by_bpf(kernel)
}

# table_by_bpf KERNEL: the figures of --runtime=bpf beside the module's and those of the other that uses BPF
function table_by_bpf(kernel, i, name, calls) {
	print ".PP\nThe same scripts with\n.BR \\-\\-runtime=bpf :\n.in 2n\n.na\n.TS\ntab(@);"
	print "lB rB rB rB rB rB\nlw(25n)1 r1 r1 r1 r1 r.\nwhat@by BPF@reader@module@bpftrace@fentry"
	for (i = 1; i <= cases; i++) {
		name = order[i]
		if (raw(kernel, name, calls = few[kernel, name], "bpf") == "") continue
		print "T{\n" what[name] "\nT}@" number(kernel, name, calls, "bpf") "@" \
			(many[kernel, name] > calls ? number(kernel, name, many[kernel, name], "bpf") : "") "@" \
			number(kernel, name, calls, "ours") "@" number(kernel, name, calls, "bpftrace") "@" \
			number(kernel, name, calls, "fentry")
	}
	print ".TE\n.ad\n.in"
}

FNR == 1 {
	name = stem(FILENAME)
	kind = FILENAME ~ /\.stp$/ ? "case" : FILENAME ~ /^doc\/costs\// ? "costs" : "document"
}
kind == "case" && sub(/^\/\/ what: /, "") {
	what[name] = $0
	named[$0] = name
	each[name] = 1
	order[++cases] = name
}
kind == "case" && sub(/^\/\/ each: /, "") { each[name] = $0 }
kind == "case" && sub(/^\/\/ to-reach: /, "") {
	reach[name] = both(grouped($1), $2 == "" ? "" : grouped($2))
}
kind == "costs" && FNR == 1 {
	kernels[++n_kernels] = name
	if (match($0, /, [^;]*;/))
		measured[name] = "Measured with " substr($0, 3, RSTART - 3) " on " \
			substr($0, RSTART + 2, RLENGTH - 3) ";" substr($0, RSTART + RLENGTH) "."
}
kind == "costs" && !/^#/ {
	figure[name, $1, $2, $3] = $4
	missed[name, $1, $2, $3] = $5
	if ($3 == "bpf") has_bpf[name]
	if (!((name, $1) in few) || $2 + 0 < few[name, $1]) few[name, $1] = $2 + 0
	if ($2 + 0 > many[name, $1]) many[name, $1] = $2 + 0
}
kind != "document" { next }

/^\.\\" tables end/ { off = 0 }
/^<!-- costs: / {
	columns = split($0, column, " ") - 3
	for (i = 1; i <= columns; i++) column[i] = column[i + 2]
	rows = 0
}
/^$/ { columns = 0 }
columns && /^\|/ && ++rows > 2 { $0 = row($0) }
!off { print }
/^\.\\" tables begin/ {
	off = 1
	for (i = 1; i <= n_kernels; i++) table(kernels[i])
}
END { exit failed }
