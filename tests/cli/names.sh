# SPDX-License-Identifier: GPL-2.0-or-later
# A function that other files may call begins with its file's or its folder's name, singular or plural; a name of a .c
# file occurs once. Calls of generated C are declared in runtime/api/ and begin with stp_. No code tests the name of a
# probe family: its members describe it.
. "$TOP/tests/cli/expect.inc"
cd "$TOP/$B" || exit

ours='lib cfi trace translator stap stapio staprun merge lket exporter container dtrace'
# shellcheck disable=SC2086 # words
for object in $(find $ours -name '*.o' ! -name main.o | sort); do
	[ -e "$TOP/${object%.o}.c" ] || continue
	nm -g --defined-only "$object" | awk -v object="${object%.o}" '
		function begins(name, word,  one) {
			one = word
			sub(/s$/, "", one)
			return name ~ "^(" word "|" one ")(s|es)?(_|$)"
		}
		BEGIN { n = split(object, part, "/") }
		$2 != "T" || $3 ~ /^(stap_yy|main$)/ { next }
		{ seen++ }
		!begins($3, part[n]) && !begins($3, part[n - 1]) { print object ".c: " $3 "()" }
		END { print seen + 0 > "/dev/stderr" }' 2>> "$WORK/seen"
done > "$WORK/astray"
[ ! -s "$WORK/astray" ] || say_wrong "$(cat "$WORK/astray")"
[ "$(awk '{ n += $1 } END { print n }' "$WORK/seen")" -gt 500 ] || say_wrong 'too few functions were looked at'

# A family's traits are members of struct probe_family, and target/ knows no family.
cd "$TOP/translator" || exit
! grep -rnE '(str[a-z]*cmp\([^;]*family->name|[!=]= *&probe_family_)' . > "$WORK/asked" ||
	say_wrong "these ask for one family: $(cat "$WORK/asked")"
for header in $(cd probe && find . -name '*.h' | sed 's|^\./||'); do
	case $header in probe.h | counter.h) continue ;; esac
	! grep -rnF "\"probe/$header\"" target > "$WORK/known" ||
		say_wrong "target/ knows a family: $(cat "$WORK/known")"
done
[ "$(grep -rc 'family->' target/bind.c)" -gt 3 ] || say_wrong 'target/bind.c asks no family'

# The halves of a family, of a construct and of the two back ends share a name; so do main and options of the programs.
# objects/ is named after what it links, the files of an architecture after the parts of its row (arch/arch.h).
find "$TOP"/{lib,cfi,trace,translator,stap,runtime,stapio,staprun,container,dtrace} -name '*.c' ! -path '*/objects/*' \
	! -path '*/former/*' ! -path '*/arch/*/*' -printf '%P %f\n' | awk '
	{ count[$2]++; where[$2] = where[$2] " " $1 }
	END { for (name in count) if (count[name] > 1) print name ":" where[name] }' | sort > "$WORK/twice"
while read -r name rest; do
	case ${name%.c:} in
	main | options) ;;
	function | kprobe | lifecycle | netfilter | perf | perftask | process | procfs | syscall | timer) ;;
	tracepoint | uprobe) ;;
	arith | arrays | regex | printf | stat | string) ;; # constructs
	bytes | names | text) ;; # forms of LKET are called as what they write
	access | port | runtime | target | control | books | output) ;; # back ends
	*) say_wrong "$name $rest" ;;
	esac
done < "$WORK/twice"

# A file is named after what it is about, in a noun; these words say how it is, or when, and name nothing.
riddles='told|left|beside|own|created|chosen|visible|inside|first|when|late|early|seen|held|patient|put_off|torn|appended'
riddles+='|denied|loaded|refused|dropped|exported|linked|matched|watched|foreign|missing|unused|unfiltered|stable'
riddles+='|simple|many|merged|changed|defined|quoted|killed|interrupted|signed|bare|here|there|again|after|before|gone|given'
riddles+='|taken|made|kept|known|meant|asked|done'
find "$TOP"/{lib,cfi,trace,translator,stap,runtime,stapio,staprun,merge,lket,exporter,container,dtrace,tools} \
	"$TOP"/tests/{cli,unit,fuzz,guest} -type f ! -path '*/former/*' ! -path '*/guest/programs/*' \
	-printf '%P\n' > "$WORK/files"
[ "$(grep -c . "$WORK/files")" -gt 1000 ] || say_wrong 'too few files were looked at'
grep -E "(^|/)($riddles)\.[a-z]+$" "$WORK/files" > "$WORK/riddles"
[ ! -s "$WORK/riddles" ] || say_wrong "names that are no nouns: $(cat "$WORK/riddles")"
finish
