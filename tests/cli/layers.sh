# SPDX-License-Identifier: GPL-2.0-or-later
# Files include only files of folders that come before theirs in ARCHITECTURE.md's tree, and that tree has every folder
# of ours. A program includes no file of another program. The parts of the runtime without their own line form one
# layer, and so do those of the trace. runtime/core uses three headers of its two back ends, kernel/ and user/.
. "$TOP/tests/cli/expect.inc"
cd "$TOP" || exit
rooms='lib runtime cfi trace staprun stapio merge lket exporter container dtrace translator stap tools'

# FOLDER PLACE: "name/ text" and "  name/ text" below it; "a/, b/" are two. Files without a folder are places, too.
awk '/^```$/ { inside = /^```$/ && !inside; next }
	inside && /^ ? ?[a-z]/ {
		top = /^ / ? top : ""
		for (i = 1; i <= NF; i++) {
			name = $i
			sub(/,$/, "", name)
			if (name !~ /\/$/ && !(i == 1 && top == "stap/")) break
			sub(/\/$/, "", name)
			print top name, ++n
			if ($i !~ /,$/) break
		}
		if (top == "") top = name "/"
	}' ARCHITECTURE.md > "$WORK/order"
# shellcheck disable=SC2086 # words
find $rooms -name '*.[chyl]' -o -name '*.def' > "$WORK/files"
# shellcheck disable=SC2086
grep -rnE '^[[:space:]]*#[[:space:]]*include "' $rooms --include='*.[chyl]' --include='*.def' |
	sed -E 's|^([^:]*):([0-9]+):[^"]*"([^"]*)".*|\1 \2 \3|' > "$WORK/includes"
awk -v programs='staprun stapio merge lket exporter container dtrace stap tools runtime/user' '
	function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
	# The longest listed place that the path is in.
	function room(path,  at) {
		at = path
		sub(/\.[a-z]+$/, "", at)
		while (!(at in place) && at ~ /\//) at = folder(at)
		if (at ~ /^runtime/ && at !~ /^runtime\/(user|uapi|arch)$/) return "runtime"
		return at ~ /^trace/ ? "trace" : at
	}
	function program(of,  i) {
		for (i in is_program) if (of == i || index(of, i "/") == 1) return i
		return ""
	}
	# The file that an include means: the folder of its own first, then those of -I.
	function find(file, name,  i, path) {
		path = folder(file) "/" name
		if (path in is_file) return path
		if (file !~ /^runtime/)
			for (i = 1; i <= nways; i++)
				if ((ways[i] name) in is_file) return ways[i] name
		for (i = nways; i; i--)
			if ((ways[i] name) in is_file) return ways[i] name
		return ""
	}
	BEGIN {
		nways = split("- translator/ runtime/arch/x86_64/ runtime/", ways, " ")
		ways[1] = ""
		split(programs, list, " ")
		for (i in list) is_program[list[i]] = 1
	}
	FILENAME ~ /order$/ { place[$1] = $2; next }
	FILENAME ~ /files$/ { is_file[$1] = 1; next }
	{
		to = find($1, $3)
		if (to == "" || to ~ /^runtime\/user\/(port_inline|env|embedded)\.h$/) next
		seen++
		from = room($1)
		into = room(to)
		if (!(from in place) && !told[from]++) print "ARCHITECTURE.md does not have the folder " from
		if (from ~ /^translator\/?$/ && folder($1) != from && !told[folder($1)]++)
			print "ARCHITECTURE.md does not have the folder " folder($1)
		if (place[into] > place[from]) print $1 ":" $2 ": includes " $3 ", which stands higher"
		if (program(into) != "" && program(into) != program(from) && program(from) != "tools")
			print $1 ":" $2 ": includes " $3 ", which is a file of another program"
	}
	END {
		print seen + 0 > "/dev/stderr"
		if (seen < 2800) print seen + 0 " includes were looked at: too few"
	}' "$WORK/order" "$WORK/files" "$WORK/includes" > "$WORK/wrong" 2> "$WORK/seen" ||
	say_wrong "awk: $(cat "$WORK/seen")"
[ ! -s "$WORK/wrong" ] || say_wrong "$(cat "$WORK/wrong")"
echo "$(cat "$WORK/seen") includes were looked at"
finish
