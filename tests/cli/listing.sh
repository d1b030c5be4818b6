# SPDX-License-Identifier: GPL-2.0-or-later
# What -p2, -l, -L and the --dump options print, in SystemTap's layout.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"

# same NAME COMMAND…: standard output is what stands in `want`
same() {
	check 0 -- "$@"
	diff want out > differs || { cat differs; say_wrong "'$*': the output differs"; }
}

cat > script.stp <<'END'
global a, b[10], c%, s="x", n = 5
private global p
function f(x) { return x+1 }
function g:string(y:string) { z = y . "q" return z }
function v(x) { print(x) }
function emb:long(x:long) %{ STAP_RETURN(1); %}
probe begin, timer.s(1) if (n) {
  l = f(1) print(l, s, g("a")) a[1,"x"] <<< 2 print(@count(a[1,"x"])) b[1] = 1 n = b[2] v(1)
  c["q"]++ foreach (k in c) print(k) p = 1 print(p) print(emb(1))
}
probe foo = end { q = 1 }
probe foo.x = foo { r = "s" }
probe foo.x { print(q, r) }
probe begin(5)?, never { print(@sum(a[1, "y"])) }
probe timer.ms(10).randomize(5) { print(1) }
END
cat > want <<'END'
# globals
s:string
a:stats [long, string]
b[10]:long [long]
n:long
c%:long [string]
p:long
# functions
emb:long (x:long)
f:long (x:long)
g:string (y:string)
  # locals
  z:string
v:unknown (x:long)
# probes
begin /*  <- begin,timer.s(1) if (n) */
  # locals
  l:long
  k:string
timer.s(1) if (n) /*  <- begin,timer.s(1) if (n) */
  # locals
  l:long
  k:string
end /*  <- foo = end  <- foo.x = foo  <- foo.x */
  # locals
  q:long
  r:string
begin(5)? /*  <- begin(5)?,never */
never /*  <- begin(5)?,never */
timer.ms(10).randomize(5) /*  <- timer.ms(10).randomize(5) */
END
same $user -g -p2 script.stp
check 0 '/^s:string = "x"$' '/^n:long = 5$' '/^  z = \(y \. "q"\);$' '/^%\{ STAP_RETURN\(1\); %\}$' '/^ +print\(1\);$' \
	-- $user -g -v -p2 script.stp

# The conditions of aliases are added to the point's own.
cat > want <<'END'
# globals
b:long
a:long
# probes
timer.s(1) if (b && a) /*  <- t = timer.s(1) if (b)  <- t if (a) */
END
same $user -p2 -e 'global a = 1, b = 1 probe t = timer.s(1) if (b) { } probe t if (a) { println(1) }'

# Where nothing matches: one message, nothing printed, status 1.
for point in nothing 'nothing*' 'timer.nothing(1)' 'syscall.nothing_like_it'; do
	for option in -l -L; do
		check 1 -- $user $option "$point"
		[ ! -s out ] && [ "$(grep -c ': error: ' err)" = 1 ] || say_wrong "stap $option $point"
	done
done
printf 'begin\n' > want
same $user -l begin
same $user -L begin
same $user -l 'begin, begin'

# The library's functions, with types and what they may be used for.
mkdir own
cat > own/mine.stp <<'END'
function mine(x) { return x . "y" }
function mine:long(x:string, y) { return strlen(x) + y }
function __inner() { return 1 }
private function hidden() { return 1 }
function harm:long() %{ /* guru */ /* unprivileged */ STAP_RETURN(1); %}
function nothing(x) { }
global state
probe my.own = begin, end? { }
probe my.own.late += timer.s(1)!, never { }
probe __my = begin { }
END
check 0 '/^mine:string \(x:string\)$' '/^mine:long \(x:string, y:long\)$' '/^harm:long \(\) /\* guru \*/$' \
	'/^nothing:unknown \(x:(unknown|long)\)$' \
	'!inner' '!hidden' '/^strlen:long \(s:string\) /\* unprivileged \*/$' '/^exit:unknown \(\)' '!: error: ' \
	-- $user -I own --dump-functions
grep -oE '^user_int(8|16):' out | paste -sd' ' | grep -q '^user_int8: user_int16:$' ||
	say_wrong "--dump-functions is not sorted by numbers"
[ -z "$(sort out | uniq -d)" ] || say_wrong "--dump-functions says something twice"
check 0 '/^my\.own = begin, end\?$' '/^my\.own\.late \+= timer\.s\(1\)!, never$' '!__my' '/^syscall\.read = ' \
	-- $user -I own --dump-probe-aliases
check 0 '/^begin$' '/^begin\(number\)$' '/^timer\.ms\(number\)\.randomize\(number\)$' \
	'/^kernel\.function\(string\)\.return$' -- $user --dump-probe-types

# Wildcards over dots mean built-in points, too; they reach behind the names of aliases.
check 0 '/^timer\.jiffies\(1\) ' -- $user -p2 -e 'probe ti**es(1) { println(1) }'
check 0 '/^timer\.ms\(9\)\.randomize\(2\) ' \
	-- $user -p2 -e 'probe my.tick = timer.ms(9) { } probe my.t*.rand*(2) { println(1) }'
check 1 "/error: no probe point matches 'my.t\*.nothi\*'" \
	-- $user -p2 -e 'probe my.tick = timer.ms(9) { } probe my.t*.nothi* { println(1) }'
stars=$(printf '%77s' | tr ' ' '*') # more than can be tried one after the other
check 0 '/^timer\.s\(1\) ' '/^timer\.ms\(1\) ' -- $user -p2 -e "probe timer.${stars}s(1) { println(1) }"
check 1 "/error: no probe point matches '\*\*.nothing'" -- $user -p2 -e 'probe **.nothing { println(1) }'

# -l looks further: what lies further down, and a word everywhere. Probes of the library's own are not listed.
check 0 '/^netfilter\.ip\.local_in$' '/^netfilter\.arp\.forward$' '!/^kernel' -- $STAP -r "$KERNEL" -l 'netfilter.*'
check 0 '/^kernel\.trace\("tcp_retransmit_skb"\)$' '/^kernel\.function\("tcp_retransmit_skb"\)$' \
	-- $STAP -r "$KERNEL" -l '*retransmit*'
check 0 '/^tcp\.recvmsg$' '/^syscall\.recvmsg$' '/^kernel\.function\("tcp_recvmsg"\)$' '!procfs' \
	-- $STAP -r "$KERNEL" -l '*recvmsg'
check 0 '/^syscall\.openat$' '!return' '!kernel' -- $STAP -r "$KERNEL" -l 'syscall.open*'
# Entry points of calls without parameters, too, whose prototypes have other names.
check 0 '/^kernel\.function\("__x64_sys_getppid"\)$' '/^kernel\.function\("__x64_sys_getpgid"\)$' '!inline' \
	-- $STAP -a x86_64 -r "$KERNEL" -l 'kernel.function("__*64_sys_getp*d")'
check 1 "/no probe point matches '\*nothing_of_it\*'" -- $STAP -r "$KERNEL" -l '*nothing_of_it*'
check 1 "/no probe point matches '\*retransmit\*'" -- $STAP -r "$KERNEL" -p2 -e 'probe *retransmit* { }'

# Behind a point stands what it is, with -v; programs that read the list are not disturbed.
check 0 '/^netfilter\.arp\.in  +ARP: a request or answer has come in$' '/^netfilter\.ip\.local_in  +[a-z]' \
	-- $STAP -r "$KERNEL" -v -l 'netfilter.*'
check 0 '/^netfilter\.arp\.in$' '!  ' -- $STAP -r "$KERNEL" -l 'netfilter.*'
check 0 '/^kernel\.trace\("tcp_retransmit_skb"\)$' '/^kernel\.function\("tcp_retransmit_skb"\)$' \
	-- $STAP -r "$KERNEL" -v -l '*retransmit*'
check 0 '/^syscall\.openat name:string [^ ]' -- $STAP -r "$KERNEL" -v -L 'syscall.openat'
check 0 '/^mine x:long text:string$' -- $STAP --runtime=user -L 'mine = begin { x = 1 text = "a" } probe mine'
check 1 "/unknown probe point 'retransmit'; stap -l '\*retransmit\*' looks in all names" -- $STAP -l retransmit

# Of the running kernel, by its own types alone; about another one where it does not say them, or for a module, and no
# more than a note of it.
note='note: this is about kernel [^ ]+; the running one, 2\.6\.[^ ]+, has no headers here \(-r names another\)$'
if [ -n "$KERNEL" ] && setarch --uname-2.6 true 2> /dev/null; then
	for what in "-L $(printf '%q' 'syscall.read')" '-l syscall.read' '-p2 -e probe\ syscall.read{exit\(\)}'; do
		if [ -e /sys/kernel/btf/vmlinux ]; then expected='!note: '; else expected="/^stap: $note"; fi
		eval "check 0 '$expected' '/syscall\.read' -- setarch --uname-2.6 $STAP $what"
		eval "check 0 '!note: ' '/syscall\.read' -- setarch --uname-2.6 $STAP -w $what"
		eval "check 0 '!note: ' -- setarch --uname-2.6 $STAP -r '$KERNEL' $what"
	done
	check 0 "/^stap: $note" '/\.ko$' -- setarch --uname-2.6 $STAP -p4 -e 'probe begin { exit() }'
	check 0 '!note: ' '/\.ko$' -- setarch --uname-2.6 $STAP -w -p4 -e 'probe begin { exit() }'
fi

# A variable that only dead code reads leaves no place of a pattern out.
places() {
	"$STAP" -r "$KERNEL" -p2 -e "probe kernel.function(\"vfs_*\") { $1 }" 2> /dev/null | grep -c '^kernel.function'
}
if [ -n "$KERNEL" ]; then
	all=$(places 'println(1)')
	for dead in 'if (0) println($no_such)' 'println(1 ? 2 : $no_such)' 'if (0 && $file) println(1)' \
		'while (0) println($file)' 'println(1); next; println($no_such)' 'while (1) { break; println($file) }'
		do
		[ "$(places "$dead")" = "$all" ] || say_wrong "$dead: not the $all places"
	done
	[ "$all" -gt 20 ] || say_wrong "vfs_*: $all places"
fi

# A point is listed as a script has it, also where its name has quotes.
if [ -n "$KERNEL" ] && command -v g++ > /dev/null; then
	cat > literal.cc <<'END'
typedef unsigned long long number;
__attribute__((noinline)) number operator""_kg(number v) { asm volatile(""); return v * 2; }
int main() { return 3_kg == 7; }
END
	for how in -g -s; do
		g++ -O1 $how -rdynamic -o literal literal.cc || say_wrong "g++ $how"
		for kind in '' .return; do
			"$STAP" -r "$KERNEL" -l "process(\"./literal\").function(\"operator*_kg*\")$kind" \
				> points 2> err
			grep -qE 'function\("operator\\"\\" ?_kg' points ||
				{ cp points out; say_wrong "$how$kind: not listed"; }
			sed 's/.*/probe & { println(pp()) }/' points > listed.stp
			check 0 '/operator\\"\\" ?_kg' -- "$STAP" -r "$KERNEL" -p2 listed.stp
		done
	done
fi
finish
