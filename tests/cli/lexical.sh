# SPDX-License-Identifier: GPL-2.0-or-later
# base/lexical.def has the language's signs once, for everything that reads scripts. Only flex needs separate patterns:
# those of parse/lex.l are the same signs. No other file spells the signs around comments and embedded C.
. "$TOP/tests/cli/expect.inc"
cd "$TOP/translator" || exit
LC_ALL=C

# column NAME: the texts of that kind of rows
column() { sed -nE "s/^$1\\(([A-Z]+, )?\"([^\"]+)\", .*/\\2/p" base/lexical.def; }

# The lexer's signs are in one line of alternatives and one of single characters.
{
	grep '^"<<<"|' parse/lex.l | grep -oE '"[^"]+"' | tr -d '"'
	sed -nE 's/^\[(.*)\] +\{ add_text\(yyextra, TOKEN_PUNCT, yytext, 1, 1\); \}$/\1/p' parse/lex.l |
		tr -d '\\' | grep -o .
} | sort > "$WORK/lexer"
column SIGN | sort > "$WORK/table"
[ "$(wc -l < "$WORK/table")" -gt 50 ] || say_wrong "signs could not be read: $(cat "$WORK/table")"
cmp -s "$WORK/lexer" "$WORK/table" ||
	say_wrong "signs of lex.l (<) and lexical.def (>): $(diff "$WORK/lexer" "$WORK/table" | grep '^[<>]')"

column CONDITIONAL > "$WORK/conditionals"
[ "$(wc -l < "$WORK/conditionals")" = 4 ] || say_wrong "signs of conditionals: $(cat "$WORK/conditionals")"
while read -r sign; do
	grep -F "\"$sign\"  " parse/lex.l | grep -q TOKEN_IF_ || say_wrong "lex.l has no rule for $sign"
done < "$WORK/conditionals"
grep -c TOKEN_IF_ parse/lex.l | grep -qx 4 || say_wrong "lex.l has other signs of conditionals"

column ENCLOSED > "$WORK/enclosed"
[ "$(wc -l < "$WORK/enclosed")" = 4 ] || say_wrong "signs around comments: $(cat "$WORK/enclosed")"
while read -r sign; do
	grep -q "^\"${sign/\*/[*]}\"" parse/lex.l || say_wrong "lex.l has no rule for $sign"
done < "$WORK/enclosed"

cd "$TOP" || exit
grep -rlE '"%\{"|"%\}"|"\*/"|"/\*"' translator stap --include='*.[chlyd]*' | sort | tr '\n' ' ' > "$WORK/readers"
[ "$(cat "$WORK/readers")" = 'translator/base/lexical.def translator/parse/lex.l ' ] ||
	say_wrong "these files spell signs of base/lexical.def: $(cat "$WORK/readers")"
finish
