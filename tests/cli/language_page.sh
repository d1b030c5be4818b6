# SPDX-License-Identifier: GPL-2.0-or-later
# stap-language(7stap): its examples print the output that it shows, and it contains all words of the parser's tables.
. "$TOP/tests/cli/expect.inc"
page=$TOP/man/stap-language.7stap

# ---- examples: N.stp, N.kind, and N.out where the page has the output ----

of_page() { # examples | text | operators
	awk -f "$TOP/tests/cli/page.awk" -v as="$1" "$page"
}
mkdir examples && (cd examples && of_page examples) || say_wrong 'the page cannot be read'
[ "$(ls examples/*.stp | wc -l)" -ge 25 ] || say_wrong 'the page has lost its examples'
of_kind() { (cd examples && grep -lE "^$1( |$)" *.kind | sed 's/\.kind//' | sort -n); }

# Statements become a probe; a begin probe of declarations takes its turn by number.
add() {
	local turn=$((2 * $1 + 1))
	if grep -qE '^(probe|global|private|function|@define|%\{)' "examples/$1.stp"; then
		sed -E "/^probe /s/\<begin\>/begin($turn)/" "examples/$1.stp"
	else
		printf 'probe begin(%d) {\n%s\n}\n' "$turn" "$(cat "examples/$1.stp")"
	fi
}
run_together() { # KIND OPTIONS…: all examples of the kind as one program
	local kind=$1 n
	shift
	for n in $(of_kind "$kind"); do
		printf 'probe begin(%d) { println("-- example %d") }\n' $((2 * n)) "$n"
		add "$n"
		{ echo "-- example $n" && cat "examples/$n.out"; } >> "$kind.want"
	done > "$kind.stp"
	echo 'probe begin(9999) { exit() }' >> "$kind.stp"
	watched $STAP --runtime=user "$@" "$kind.stp" 5 'two words' 2>&1 |
		grep -v "^warning: argument '.*' is not used: " > out # not each kind has examples with both
	diff "$kind.want" out > differs || say_wrong "examples '$kind' (<: the page): $(cat differs)"
}
run_together plain --no-global-var-display
run_together guru -g
for n in $(of_kind alone); do
	watched $STAP --runtime=user $(sed 's/^alone//' "examples/$n.kind") "examples/$n.stp" > out 2> err
	cat out err | sed "s|examples/$n.stp|FILE|; s/ \[stap --explain .*//" | diff "examples/$n.out" - > differs ||
		say_wrong "example $n (<: the page): $(cat differs)"
done
if [ -n "$KERNEL" ]; then
	for n in $(of_kind kernel); do cat "examples/$n.stp"; done > kernel.stp
	watched $STAP -w -g -r "$KERNEL" -p3 kernel.stp > /dev/null 2> out && [ ! -s out ] ||
		say_wrong 'the examples with probes of the kernel are not translated'
fi

# ---- the parser's tables: TABLE NAME… ----

rows() { # TABLE FILE SED-EXPRESSION
	sed -nE "$3" "$TOP/$2" > "$1"
	[ -s "$1" ] || say_wrong "$2: no rows could be read"
}
rows keywords translator/base/lexical.def 's/^WORD\("([a-z]+)", .*/\1/p'
rows operators translator/base/lexical.def "/STAP_YYUNDEF/d; s/^SIGN\(\"([^\"]+)\", ([A-Z_]{2,}|'='), .*/\\1/p"
grep -E '^%(left|right|precedence) ' "$TOP/translator/parse/grammar.y" | grep -oE "'[^a-zA-Z;]'" | tr -d \' >> operators
rows tokens translator/parse/grammar.y "s/^%token .*\"'([^']+)'.*/\1/p"
rows words translator/parse/atword.c 's/^\t\{ "([a-z_]+)", (true|false), .*/@\1/p'
sed -nE '/other_words\[\]/s/^[^{]*\{(.*)\};/\1/p' "$TOP/translator/parse/atword.c" | tr -d '" ' | tr , '\n' |
	sed 's/^/@/' >> words
rows prints translator/parse/printcall.c 's/^\t\{ "([a-z_]+)", [0A-Z_ |]+ \},$/\1/p'
rows conversions runtime/uapi/printf.def "s/^CONVERSION\([A-Z_]+, '(.)'.*/%\1/p"
rows summaries translator/target/bind.c 's/^\t\{ "([a-z]+)", expand_.*/$$\1/p'
rows variables translator/parse/preproc.c 's/^\t\{ "([a-z_]+)", .*/\1/p'
rows limits translator/emit/limits.def 's/^LIMIT\([A-Z_]+, "([A-Z_]+)".*/\1/p'
rows macros translator/module/embedded.def 's/^ROW\("([^"]+)".*/\1/p'
grep -ohE '"STAP_[A-Z_]+' "$TOP"/translator/{module/embedded.c,emit/cglobals.c} | tr -d '"' | sort -u >> macros
grep -oE '\b(_stp_[a-z]+|STAP_[A-Z]+)' "$TOP/runtime/api/embedcalls.h" | sort -u >> macros

missing() { # TEXT TABLE…: names that the text lacks as words
	local text=$1
	shift
	cat "$@" | sort -u | awk '
		NR == FNR { text = text "\n" $0; next }
		{
			name = $0
			from = 1
			while ((at = index(substr(text, from), name)) > 0) {
				at += from - 1
				from = at + 1
				before = at > 1 ? substr(text, at - 1, 1) : " "
				behind = substr(text, at + length(name), 1)
				if (name !~ /[A-Za-z]/ || name ~ /^%/ || name ~ /_$/ && before !~ /[A-Za-z0-9_]/ ||
				    before !~ /[A-Za-z0-9_@$]/ && behind !~ /[A-Za-z0-9_]/)
					next
			}
			print name
		}' "$text" -
}
of_page text > text
cat examples/*.stp > scripts
grep -ohE '%(\([a-z]+\))?[-+ #0]?[0-9*]*(\.[0-9*]+)?[a-zA-Z]' scripts | sed -E 's/^%.*(.)$/%\1/' >> scripts
missing text keywords words prints conversions summaries variables limits macros > out
[ ! -s out ] || say_wrong "the page says nothing of: $(tr '\n' ' ' < out)"
: > out
missing scripts tokens keywords operators words prints conversions > out
[ ! -s out ] || say_wrong "no example of the page has: $(tr '\n' ' ' < out)"
of_page operators > table
sort -u operators | grep -vxFf table > out
[ ! -s out ] || say_wrong "the page's table of operators lacks: $(tr '\n' ' ' < out)"
: > out
# The limits' defaults; where the page has none, the source has 0.
sed -nE 's/^LIMIT\([A-Z_]+, "([A-Z_]+)", [^,]*, ([0-9]+), .*/\1 \2/p' "$TOP/translator/emit/limits.def" |
	while read -r name value; do
		grep -q "^$name@$([ "$value" = 0 ] && echo '0*' || echo "$value")@" text || echo "$name $value"
	done > out
[ ! -s out ] || say_wrong "the page has other defaults than limits.def: $(tr '\n' ' ' < out)"
fits_terminal "$page"
finish
