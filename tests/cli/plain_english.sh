# SPDX-License-Identifier: GPL-2.0-or-later
# The texts that a user reads are plain English: pages, messages, --help, comments of the library and of ready scripts
# have none of the patterns below, each of which stopped a native reader. read_texts.pl finds the texts.
. "$TOP/tests/cli/expect.inc"
cd "$TOP" || exit
texts=$TOP/tests/cli/read_texts.pl

# A pattern of perl's, a tab, what to write instead; a line each.
cat > "$WORK/patterns" <<'END'
\b[Gg]o(?:es)? without (?!saying)	cannot be combined with
\bhow manyth\b|\bthe (?:how|which)\b	ordinal number; name the thing
\bwhich (?:of \w+ )?is (?:said|told)\b|\bis told of\b	a message reports it
\b(?:is|are) (?:said|told)(?! to be)\b|\bthat is said\b	name the message, page or program that says it
(?<!here )(?<!here are)\b(?:is|are|am) no (?!longer|more\b|less|such|room|way\b|need|doubt|slower|faster)	is not a
(?:^|[\t.:;] ?)(?:What|Who|Which|How)\b[^.?!:]*[.:](?= |$)	name the thing; for …, see page(N)
\b(?:[Ww]hat|How) [^.:;?]{2,60} (?:says?|tells?) [a-z@.-]+ ?\([1-9]	for …, see page(N)
\b[Ii]n bold stands\b	is in bold
\bstands? (?:in|on|at|behind|before|after|there|here|outside)\b	is, belongs, comes
\bstands? (?:where|beside|alone|by|below|above)\b	is, belongs, comes
\bsays so of itself\b	name the effect
\bin 1 [a-z]+s\b	a right plural
\bwhatever it ended\b	for whatever reason
\b(?:declared|called|written|named|runs?|seen|printed|done) so\b(?! that| far| long| as| many| much)	like this
\bbehind (?:it|them|that|the|its|an?|all|any|one|their|'|\()	after
\b(?:put|comes?|goes|go|printed|written|are|is|and|or|comment|follow|text|digits|zeros) behind\b	after
\bparted by\b|\bpart words\b	separated by
\b[Ll]arge and small letters\b	case-sensitive, upper and lower case
\bare told when\b	are reported
\bnothing is (?:known of|called)\b|\b(?:is|are) known of\b|\bis called so\b	unknown name
\btoo long to be true\b	implausibly long
\bothers than\b	users other than
\bwhat (?:it|that) takes\b|\bwhat takes\b	the packages, rights or time that it needs
\bas far as the reader takes\b	until the reader stops reading
\b(?:is|are) (?:not )?to be had\b	is available
\b(?:has|have) it not\b|\bhas not[.,]	does not have
\b(?:works?|lies?) beside\b|\bbeside (?:it|them|the)\b	next to, in addition to
(?<!complete and )(?<!complete, )(?<!stay )\bin order(?=[.,;:]| and | when | by |\)|$)	cleanly
\bdearer\b|\bdearest\b|\btoo dear\b	more expensive
\b(?:of ours|one's own)\b	your own
\btakes? (?:no|only signed) modules\b	cannot load modules, loads only signed modules
\bwants? (?:an? (?:name|place|number|structure|member|symbol|string|marker)|at least|two)\b	needs
\bwants? the (?:member|name|path|package)	needs
\bso many (?:mega|milli|micro|seconds)	this many
\b(?:and|or) (?:its|their) like\b	and similar functions
END

# found NAME TEXT…: says which texts have a pattern.
found() {
	local name=$1 pattern better
	while IFS=$'\t' read -r pattern better; do
		grep -P -- "$pattern" "$WORK/$name" | sed "s/^/instead: $better: /"
	done < "$WORK/patterns"
}

# Each pattern finds what it is for, by the extractor's eyes, and leaves good sentences alone.
mkdir "$WORK/man" && cd "$WORK" || exit
cat > bad.c <<'END'
/* a comment is no text */
static const char a[] = "--to goes without -o, "
	"and -b"; // which is told
	fail("the %s is no array", "x");
	print("'%" PRIu64 "' stands behind it");
END
printf '.TH X 1\n.TP\n.B \\-x\nHow stap\nruns says\n.BR staprun (8).\n.PP\nit is printed behind the\n.I name\nnow.\n' > man/bad.1
printf '/**\n * f - what was read; what was printed behind\n * it is gone\n */\nprobe begin { }\n' > bad.stp
printf 'message: this is parted by commas\n\nA clean sentence stands for itself, without more ado.\n' > bad.txt
perl "$texts" bad.c man/bad.1 bad.stp bad.txt > bad.texts
found bad.texts > bad.found
for want in 'bad.c:2.*goes without' 'bad.c:4.*is no array' 'bad.c:5.*stands behind' 'bad.1.*How stap' \
	'bad.1.*behind the' 'bad.stp.*behind it' 'bad.txt:1.*parted by'; do
	grep -qE -- "$want" bad.found || say_wrong "no pattern finds: $want"
done
! grep -E 'clean sentence|comment is no text|which is told' bad.found || say_wrong 'a pattern finds what is no text'
cd "$TOP" || exit

# What is generated, or holds the words of kernels and of others, is left out.
out='(calls|hooks)\.stp$|^examples/.*\.(sh|py|json|yaml)$|^tapset/(BUILDS|sourcefiles)|\.(bash|fish|zsh)$|^runtime/former'
out+='|^runtime/compat|^vm/README'
places=(README.md NEWS man explain examples tapset lib cfi trace translator stap stapio staprun merge exporter
	container lket dtrace runtime vm
	tools/fetch-kernel tools/html.js tools/html.pl tools/tapset-man.c debian/control
	packaging/stap.spec editors/package.json)

# Comments, too, say "behind" of places alone, never of time.
late='([Bb]ehind ((its|the|an) )?((first|last|lasting) )*(access|effects?|touch|return|finding|panic)|behind all (others|records))'
grep -rnIP "^([^'\"]*[ \t])?(/?\*|//|#) .*\b(how manyth|$late)\b" "${places[@]}" tests |
	grep -vE '^(stap/lsp|tests/cli/plain_english)' > "$WORK/comments"
[ ! -s "$WORK/comments" ] || say_wrong "'after' is of time: $(cat "$WORK/comments")"

find "${places[@]}" -type f | grep -vE "$out" | sort > "$WORK/files"
[ "$(grep -c . "$WORK/files")" -gt 1000 ] || say_wrong 'too few files were looked at'
xargs -d '\n' perl "$texts" < "$WORK/files" > "$WORK/texts"
[ "$(grep -c . "$WORK/texts")" -gt 6000 ] || say_wrong 'too few texts were found'
found texts > "$WORK/found"
[ ! -s "$WORK/found" ] || say_wrong "wording that stops a native reader:
$(cut -c1-300 "$WORK/found")"
finish
