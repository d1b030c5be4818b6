# SPDX-License-Identifier: GPL-2.0-or-later
# awk -v report=FILE -v kernel=RELEASE -f surface.awk surface_absent.txt listed surface.txt: what surface.txt names
# and `listed` (lines of stap -L) has not, or otherwise, but for what surface_absent.txt excuses; FILE
# gets counts of the families.

function pattern(text) {
	gsub(/[.]/, "[.]", text)
	gsub(/[*]/, ".*", text)
	return "^" text "$"
}

function excused(point, name,    i) {
	for (i = 1; i <= reasons; i++)
		if (absent_name[i] == name && point ~ absent_point[i]) {
			used[i] = 1
			return 1
		}
	return 0
}

function family_of(point) {
	sub(/[.].*/, "", point)
	return point
}

function wrong(point, text) {
	print point ": " text
	wrongs[family_of(point)]++
}

# name, name$ (a string), name? (either)
function variable(point, name,    want, has) {
	want = name ~ /[?]$/ ? "" : name ~ /[$]$/ ? "string" : "long"
	sub(/[?$]$/, "", name)
	has = type[point, name]
	if (has == "" && !excused(point, name))
		wrong(point, name " is missing")
	else if (has != "" && want != "" && has != want && !excused(point, name))
		wrong(point, name " is " has ", not " want)
}

function same(point, other) {
	if (variables[other] != variables[point])
		wrong(other, "has [" variables[other] "], syscall.* [" variables[point] "]")
}

function number(version,    part) {
	split(version, part, /[.-]/)
	return part[1] * 1000 + part[2]
}

FILENAME ~ /absent/ {
	if ($1 ~ /^(before|since)$/) {
		if ((number(kernel) < number($2)) != ($1 == "before"))
			next
		sub(/^[a-z]+ [0-9.]+ /, "")
	}
	if ($0 !~ /^#/ && NF) {
		absent_line[++reasons] = $0
		absent_point[reasons] = pattern($1)
		absent_name[reasons] = $2
	}
	next
}

FILENAME == "listed" {
	there[$1] = 1
	for (i = 2; i <= NF && $i !~ /^\$/; i++) {
		split($i, part, ":")
		type[$1, part[1]] = part[2]
		variables[$1] = variables[$1] " " $i
	}
	next
}

/^#/ { next }

{
	split($0, half, ": *")
	points = split(half[1], point, " ")
	names = split(half[2], name, " ")
	for (p = 1; p <= points; p++) {
		total[family_of(point[p])] += names + 1
		if (point[p] in there) {
			for (n = 1; n <= names; n++)
				variable(point[p], name[n])
		} else if (!excused(point[p], "")) {
			wrong(point[p], "is not there")
		}
	}
}

END {
	for (i = 1; i <= reasons; i++)
		if (!used[i])
			wrong(absent_line[i], "is there: no reason is needed")
	for (at in there)
		if (at ~ /^syscall[.]/ && at in variables) {
			same(at, "nd_" at)
			same(at, "tp_" at)
		}
	for (f in total)
		print f, wrongs[f] + 0, "of", total[f] > report
}
