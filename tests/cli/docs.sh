# SPDX-License-Identifier: GPL-2.0-or-later
# Documentation of the library: every public name has documentation, --doc shows it, the manual pages are valid; and
# every name occurs in a test or an example.
. "$TOP/tests/cli/expect.inc"
tapset_man=$TOP/${B:-build}/bin/tapset-man

check 0 '/^function strtol  \(.*/tapset/string.stp\)' '/^  strtol:long\(str:string, base:long\)' '/^Arguments:' \
	'/^  base  2' -- $STAP --doc strtol
check 0 '/^probe vm.pagefault ' '/kernel.function\("handle_mm_fault"\)' '/write_access  1: it writes' '!error' \
	-- $STAP --doc=vm.pagefault
check 0 '/^macro @count ' '!^probe' -- $STAP --doc count
check 0 '/^function print ' '!printf' -- $STAP --doc function::print
check 0 '/^probe     vm.mmap +the current process maps' '/^probe +vm.munmap' '!kernel.function' -- $STAP --doc 'vm.m*'
check 0 '/stapprobes' '/timer.ms\(number\)' -- $STAP --doc timer.ms
check 1 "/unknown name 'vm.pagefalt'; did you mean 'vm.pagefault'; stap --doc" -- $STAP --doc vm.pagefalt
check 1 "/unknown name 'pagefalt'; stap --doc" -- $STAP --doc probe::pagefalt

# What a comment can say.
mkdir -p lib/tapset
cat > lib/tapset/one.stp <<'STP'
// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One thing.
 *
 * @shared: of the file
 */
/**
 * one.thing - it happens
 * again
 * @count: how often,
 *   in all
 * Context: anywhere
 * Since: 6.1
 * A sentence
 * goes on.
 */
probe one.thing = begin { count = 1 shared = 2 _mine = 3 }
probe one.thing.return = end { count = 1 }
/** one.inner - values (a few, (not many)) of others: count */
probe one.inner = one.thing { }
/** adds - x and y. With a dot and '\back-slash */
function adds:long(x:long, y:long) { return x + y }
/** adds - of three: z (the third) */
function adds:long(x:long, y:long, z:long) { return x + y + z }
/** nobody - is not there */
private function hidden() { }
STP
cp "$TOP/tapset/language.stp" lib/tapset
export SYSTEMTAP_TAPSET=$PWD/lib/tapset
check 0 '/^  it happens again$' '/^  one.thing = begin$' '/^  count   how often, in all$' '/^  shared  of the file$' \
	'/^  A sentence goes on.$' '/^  Context  anywhere' '/^  Since    6.1' '!_mine' -- $STAP --doc one.thing
check 0 '/^  count   how often' '/shared  of the file' -- $STAP --doc one.inner
check 0 '/^  x and y' '/^  of three' '/^  adds:long\(x:long, y:long, z:long\)' '/^  z  the third' -- $STAP --doc adds
check 1 "/'nobody' is documented, but there is nothing with this name" \
	'/probe one.thing.return has no documentation' "!'count'" \
	'!adds' -- "$tapset_man" --check lib
unset SYSTEMTAP_TAPSET
check 2 '/^Usage: tapset-man' -- "$tapset_man"

# All of it.
"$tapset_man" --check "$TOP" > out 2>&1 ||
	say_wrong "names that are not documented (see CONTRIBUTING.md, Where do I add): $(cat out)"
mkdir pages && "$tapset_man" "$TOP" pages || say_wrong 'the pages were not made'
groff -K utf8 -man -ww -Wbreak -Tutf8 -Z pages/*.3stap > /dev/null 2> out
[ ! -s out ] || say_wrong "pages: $(head out)"
man -l pages/probe::ioblock.end.3stap 2>&1 | grep -q 'probe::ioblock.end - a transfer is over' ||
	say_wrong 'the page of ioblock.end'

# Ready scripts: listed, shown, found; each has a head, and what the guest test wants of it.
check 0 '/^disk$' '/^  disk-top +the programs' '/^program$' -- $STAP --examples
check 0 '/^  kernel-leaks ' '!disk-top' -- $STAP --examples=LEAK
check 0 '/^disk-top - the programs' '/^Usage: stap disk-top.stp' '/^Sample:' '/stap --example disk-top runs it' \
	'!Test-' -- $STAP --examples disk-top
check 1 "/no ready script matches 'nothing-like-it'; stap --examples" -- $STAP --examples nothing-like-it
check 2 "/no ready script is called 'disk-tpo'; did you mean 'disk-top'; stap --examples" -- $STAP --example disk-tpo
check 2 '/--example names the script; do not give another one' -- $STAP --example disk-top -e 'probe begin {}'
check 0 '/probe ioblock.request' -- $STAP --example disk-top -p1
[ "$($STAP --examples | grep -c '^  ')" -ge 60 ] || say_wrong 'fewer than 60 examples'
for file in "$TOP"/examples/*/*.stp; do
	case $file in */app-trace/*) continue ;; esac
	for key in 'Usage: stap ' 'Words: ' 'Test-expect: '; do
		grep -q "^ \* $key" "$file" || say_wrong "$file: its head has no '$key'"
	done
	grep -qx " \* $(basename "$file" .stp) - [^ ].*" "$file" ||
		say_wrong "$file: its head does not begin with its name"
	[ -x "$file" ] || say_wrong "$file: cannot be executed"
done

# Each name in a test or an example, but those that match a line of untested.txt.
grep -rahoE --include='*.stp' --include='*.sh' '@?[A-Za-z_][A-Za-z0-9_.]*' "$TOP/tests" "$TOP/examples" |
	sed -E 's/\.$//; p; s/\.(sample|hz|process|counter)$//' | sort -u > words
"$tapset_man" --names "$TOP" | cut -d' ' -f2 | sort -u > names
comm -23 names words > untested
while read -r pattern; do
	case $pattern in '' | '#'*) continue ;; esac
	while read -r name; do
		case $name in $pattern) ;; *) echo "$name" ;; esac
	done < untested > rest
	[ -n "${SLOW-}" ] && cmp -s untested rest &&
		say_wrong "untested.txt: every '$pattern' is tested now; take the line out"
	mv rest untested
done < "$TOP/tests/cli/untested.txt"
[ ! -s untested ] || say_wrong "no test and no example uses: $(tr '\n' ' ' < untested)"
finish
