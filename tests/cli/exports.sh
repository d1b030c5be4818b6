# SPDX-License-Identifier: GPL-2.0-or-later
# Other files use what a file exports: a function that only its own file calls is static, and there are no unused
# functions. Compares the linker's names in the programs, and words in the runtime, from whose parts scripts are linked.
# The mutable globals of the translator and of stap are the exceptions that translator/base/session.h lists.
# skip: grep -qx "" "${B:-build}"/flags/[A-Z]* && echo "not here: a library is missing, and what it uses"
. "$TOP/tests/cli/expect.inc"
cd "$TOP" || exit

# NAME REASON: an extended regular expression, and why nothing in the tree seems to use such a function
cat > "$WORK/kept" << 'END'
main                           the system calls it
main_dialogue                  the table in main.c takes it from commands.def
stap_(yy|lex_).*               bison and flex write it
point_[a-z]+_ops               kinds of function points look alike, wherever points become one
form_[a-z]+                    forms look alike, wherever records are written
source_[a-z]+                  sources look alike, wherever records come from
mergeform_[a-z]+               forms of stap-merge look alike, wherever they stand
top_record                     tests/unit/top.c draws with it
(notify_wait|sinkpipe_reader)_.* scripts that run as programs call it
_stp_[a-z]+                    C in old scripts calls it
END

# Prints the names on stdin, "NAME PLACE", that the table does not excuse, and notes which rows did.
strays() {
	awk -v used="$WORK/excused" '
		NR == FNR { pattern[++n] = "^(" $1 ")$"; next }
		{ for (i = 1; i <= n; i++) if ($1 ~ pattern[i]) { print i >> used; next }; print $2 ": " $1 "()" }' \
		"$WORK/kept" -
}

# ---- the programs ----

# Objects whose source has gone are left from another build. Scripts use those of the runtime, too: see below.
ours='lib translator stap trace stapio merge staprun lket exporter tools'
# shellcheck disable=SC2086 # words
for object in $(cd "$B" && find $ours runtime container dtrace -name '*.o'); do
	case $object in
	*.tab.o | *.yy.o) echo "$B/$object" ;;
	*) [ ! -e "${object%.o}.c" ] || echo "$B/$object" ;;
	esac
done > "$WORK/objects"
xargs nm -A -P -g < "$WORK/objects" | awk -v B="$B" '
	{ place = substr($1, length(B) + 2); sub(/:$/, "", place) }
	$3 == "U" { is_used[$2]; next }
	$3 ~ /[TDRB]/ { where[$2] = place; seen++ }
	END {
		for (name in where) if (!(name in is_used) && where[name] !~ /^runtime/) print name, where[name]
		if (seen < 1500) print "too-few", seen + 0
	}' | sort | strays > "$WORK/wrong"

# ---- the runtime ----

# A prototype in a header begins its line; a use does not. "%sstp_…" in a string of the translator is a use, too.
# shellcheck disable=SC2086
find $ours runtime tapset -type f |
	grep -E '\.([chly]|def|stpm?)$' | grep -v ^runtime/former/ | sort | xargs awk '
	FNR == 1 { in_comment = 0; is_runtime = FILENAME ~ /^runtime\// }
	{
		line = $0
		if (in_comment) {
			if (!sub(/^.*\*\//, "", line)) next
			in_comment = 0
		}
		gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
		if (sub(/\/\*.*/, "", line)) in_comment = 1
	}
	is_runtime && line ~ /^[a-z_][a-z0-9_ \*]*[ \*]_?[a-z][a-z0-9_]*\(/ && line !~ /^(static|typedef|else|return)/ {
		match(line, /_?[a-z][a-z0-9_]*\(/)
		name = substr(line, RSTART, RLENGTH - 1)
		if (FILENAME ~ /\.h$/) { if (!(name in where)) where[name] = FILENAME }
		else if (FILENAME ~ /\.c$/) own[name] = own[name] " " FILENAME
		line = substr(line, RSTART + RLENGTH)
	}
	{
		gsub(/%[a-z]/, " ", line)
		n = split(line, word, /[^A-Za-z0-9_]+/)
		for (i = 1; i <= n; i++)
			if (length(word[i]) > 3 && last[word[i]] != FILENAME) {
				users[word[i]] = users[word[i]] " " FILENAME
				last[word[i]] = FILENAME
			}
	}
	END {
		for (name in where) {
			if (!(name in own)) continue
			seen++
			n = split(users[name], user, " ")
			for (i = 1; i <= n && index(own[name] " ", " " user[i] " "); i++) ;
			if (i > n) print name, where[name]
		}
		if (seen < 300) print "too-few", seen + 0
	}' | sort | strays >> "$WORK/wrong"

[ ! -s "$WORK/wrong" ] || say_wrong "no other file uses these: $(cat "$WORK/wrong")"
awk 'NR == FNR { is_used[$1]; next } !(FNR in is_used)' "$WORK/excused" "$WORK/kept" > "$WORK/idle"
[ ! -s "$WORK/idle" ] || say_wrong "these exceptions excuse nothing: $(cat "$WORK/idle")"

# ---- mutable globals of the translator and of stap ----

cat > "$WORK/mutable" << 'END'
stap/dialogue/line.c         signals
stap/dialogue/work.c         signals
stap/main.c                  signals
stap/remote/hostsignals.c    signals
stap/run/cleaner.c           the message of a child that has almost no stack
stap/run/launch.c            signals
stap/watch/screen.c          the terminal
translator/base/optionhelp.c --help puts its text together in a large buffer
translator/base/remedy.c     which distribution this is
translator/drift/drift.c     the index of constant tables
translator/kernel/fetch.c    headers are fetched once
END
grep -E "^$B/(translator|stap)/" "$WORK/objects" | grep -vE '\.(tab|yy)\.o$' | xargs objdump -t | awk -v B="$B/" '
	/file format/ { file = substr($1, length(B) + 1); sub(/\.o:$/, ".c", file); files++ }
	/ O \.(bss|data)(\.[^r][^ ]*)?\t/ { print file, $NF }
	END { if (files < 250) print "too-few", files + 0 }' | sort > "$WORK/found"
awk 'NR == FNR { may[$1]; next } !($1 in may)' "$WORK/mutable" "$WORK/found" > "$WORK/wrong"
[ ! -s "$WORK/wrong" ] || say_wrong "these globals are mutable: $(cat "$WORK/wrong")"
awk 'NR == FNR { is_found[$1]; next } !($1 in is_found)' "$WORK/found" "$WORK/mutable" > "$WORK/idle"
[ ! -s "$WORK/idle" ] || say_wrong "these files have no mutable global any more: $(cat "$WORK/idle")"
finish
