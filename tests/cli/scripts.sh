# SPDX-License-Identifier: GPL-2.0-or-later
# Where scripts come from, and their arguments.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user"
hello='probe begin { println("hello") }'

echo "$hello" > hello.stp
check 0 '/println\("hello"\)' -- $user -p1 hello.stp
check 0 '/println\("hello"\)' -- $user -p1 -e "$hello"
check 0 '/println\("hello"\)' '/println\("more"\)' -- $user -p1 -e "$hello" -E 'probe end { println("more") }'
check 0 '/println\("hello"\)' '/println\("more"\)' -- $user -p1 -E 'probe end { println("more") }' hello.stp
check 0 '/println\("hello"\)' -- $STAP hello.stp --runtime=user -p1
check 0 '/^println|  println\("-p2", "-v"\)' -- $STAP -e 'probe begin { println(@1, @2) }' --runtime=user -p1 -- -p2 -v
INPUT=hello.stp check 0 '/println\("hello"\)' -- $user -p1 -
echo 'probe begin { x = }' > wrong.stp
INPUT=wrong.stp check 1 '/^<stdin>:1:19: error: expected an expression' -- $user -p1 -
check 1 '/^<input>:1:19: error: expected an expression' '/Pass 1: parse failed' -- $user -e 'probe begin { x = }'

# Files that are none.
check 1 '/cannot read the script: nothing-there.stp: No such file' -- $user -p1 nothing-there.stp
mkdir directory.stp
check 1 '/cannot read the script: directory.stp: ' -- $user -p1 directory.stp
: > empty.stp
check 1 '/the script empty.stp is empty  \[man error::pass1\]' -- $user empty.stp
check 1 '/the script <input> is empty' -- $user -p1 -e ''
check 1 '/the script <input> is empty' -- $user -p1 -e '# nothing but this'
echo 'function f() { return 1 }' > probeless.stp
check 1 '/there is no probe to run' -- $user -p2 probeless.stp
echo 'probe begin { x = 1 } probe end { }' > idle.stp
check 0 '/^end' '!this probe does nothing' -- $user -p2 idle.stp

# What is wrong at the very end of a file.
echo 'probe begin { println(1)' > open.stp
check 1 '/open.stp:2:1: error: expected an operator or a statement, found the end of the file' -- $user -p1 open.stp
printf 'probe begin { }\n  /* and so on\n' > open.stp
check 1 "/open.stp:2:3: error: comment is never closed; '\*/' is missing" -- $user -p1 open.stp
printf 'function f()\n  %%{ return 1; }%%\nprobe begin { }\n' > open.stp
check 1 "/open.stp:2:3: error: embedded C is never closed; '%}' is missing" -- $user -p1 open.stp
printf '  %%( 1 == 1 %%? probe begin { }\n' > open.stp
check 1 "/open.stp:1:3: error: conditional is never closed; '%\)' is missing" -- $user -p1 open.stp
printf '@define open %%( 1 + 2\nprobe begin { }\n' > open.stp
check 1 "/open.stp:1:9: error: macro '@open' is never closed; '%\)' is missing" -- $user -p1 open.stp
# A file that is no script has an error in every line; only so many are shown.
yes 'probe x { = }' | head -n 1000 > many.stp
check 1 '/there are more errors than these 200; -v shows them' '!^many.stp:[3-9]..:' -- $user -p1 many.stp
(echo 'probe begin {'; yes ' x = )' | head -n 30000; echo '}') > more.stp
check 1 '/there are more errors' -- $user -p1 more.stp
check 1 '/^many.stp:1000:' '!there are more errors' -- $user -v -p1 many.stp

printf '#include <stdio.h>\n#define LIMIT 5\nprobe begin { exit() }\n' > c.stp
check 0 "/^c.stp:1:1: warning: this is a comment: C's headers and macros belong in %\{ … %\}, macros of scripts are @define" \
	'/^c.stp:2:1: warning' \
	-- $user -p1 c.stp

# Arguments: raw, quoted, counted.
check 0 '/println\(5, "x y", 2, "2"\)' -- $user -p1 -e 'probe begin { println($1, @2, $#, @#) }' 5 'x y'
check 0 '/println\(1 \+ 2\)' -- $user -p1 -e 'probe begin { println($1) }' '1 + 2'
check 0 '/println\("-v"\)' -- $user -p1 -E 'probe end { println(@1) }' hello.stp -- -v
check 1 '/error: script argument 2 is missing; 1 was given' -- $user -p1 -e 'probe begin { println($2) }' 5
check 1 "/<argument 1>:1:5: error: a script argument cannot refer to another one" \
	'/<input>:1:23: note: in this script argument' -- $user -p1 -e 'probe begin { println($1) }' '1 + $2'
check 1 "/<argument 1>:1:1: error: string is never closed" -- $user -p1 -e 'probe begin { println($1) }' '"x'

# A script that is run by its name.
mkdir bin
ln -s "$STAP" bin/stap
cat > named <<-'END'
	#!/usr/bin/env -S stap --runtime=user -p1
	probe begin { println(@1) }
END
chmod +x named
PATH=$WORK/bin:$PATH check 0 '/println\("one"\)' -- ./named one

# Types of C headers without a compiler.
check 1 "/types of '<time\\.h>' need the C compiler; apt-get install gcc libc6-dev" -- \
	env PATH="$WORK/bin" $STAP --runtime=user -p2 -e 'probe begin { println(@cast(0, "tm", "<time.h>")->tm_sec) }'

# -I: a tapset of one's own.
mkdir own
echo 'function mine(x) { return x + @one }' > own/mine.stp
echo '@define one %( 1 %)' > own/macros.stpm
echo 'probe my.own = begin { }' > own/alias.stp
check 0 '/mine' -- $user -p2 -I own -e 'probe my.own { println(mine(1)) }'
check 1 "/there is no function 'mine'" -- $user -p2 -e 'probe begin { println(mine(1)) }'
echo 'function mine(x) { return $1 }' > own/mine.stp
check 0 '/^5$' -- $user -I own -e 'probe begin { println(mine(1)) exit() }' 5
check 1 '/own/mine.stp:1:27: error: script argument 1 is missing; 0 were given' \
	-- $user -p2 -I own -e 'probe begin { println(mine(1)) }'
echo 'function mine(x) { return x }' > own/mine.stp
echo 'probe begin { }' >> own/macros.stpm
check 1 "/macros.stpm:2:1: error: a macro library holds '@define' only" \
	-- $user -p2 -I own -e 'probe begin { println(mine(1)) }'

rm own/macros.stpm
check 0 '/^warning: the tapset directory nothing cannot be read: No such file' -- $user -p1 -I nothing -e "$hello"
check 0 '!warning' -- $user -w -p1 -I nothing -e "$hello"
check 1 '/^error: the tapset directory nothing cannot be read' -- $user -W -p1 -I nothing -e "$hello"
ln -s /proc/self/mem own/mem.stp
check 0 '/^warning: a file of the tapset cannot be read: own/mem.stp: ' -- $user -p1 -I own -e "$hello"
rm own/mem.stp
echo 'function harm:long() %{ /* guru */ STAP_RETURN(1); %}' > own/mine.stp
check 1 "/'harm\(\)' can harm the system; it needs stap -g" -- $user -p2 -I own -e 'probe begin { println(harm()) }'
check 0 -- $user -g -p2 -I own -e 'probe begin { println(harm()) }'

# What is wrong in the library leads to its use, through all that lies between.
cat > own/mine.stp <<-'END'
	function outer(x) { return inner(x) }
	function inner(x) { return nothing_like_it(x) }
	probe my.wrong = timer.nothing(1) { }
	probe my.outer = my.wrong { }
END
check 1 "/^own/mine.stp:2:28: error: there is no function 'nothing_like_it'" \
	"/^own/mine.stp:1:28: note: in the function 'inner\(\)', which is called here" \
	"/^<input>:1:23: note: in the function 'outer\(\)', which is called here" -- $user -p2 -I own \
	-e 'probe begin { println(outer(1)) }'
check 1 '/^own/mine.stp:3:24: error: there is no .timer.nothing' \
	"/^own/mine.stp:4:18: note: through the alias 'my.wrong' used here" \
	"/^<input>:1:7: note: through the alias 'my.outer' used here" -- $user -p2 -I own -e 'probe my.outer { }'
check 1 '/^<input>:1:18: error: expected an expression' "/^<input>:1:37: note: in expansion of macro '@m'" \
	-- $user -p1 -e '@define m %( 1 + ) %) probe begin { @m }'

# -G. tests/cli/limit_options.sh has -D.
check 0 -- $user -p3 -G a=5 -G s=text -e 'global a = 1, s = "x" probe begin { println(a, s) }'
check 1 "/error: -G a=five: 'a' is a number" -- $user -p3 -G a=five -e 'global a = 1 probe begin { println(a) }'
check 1 "/error: -G abd: there is no global variable of that name; did you mean 'abc'" \
	-- $user -p3 -G abd=1 -e 'global abc = 1 probe begin { println(abc) }'
check 1 "/error: -G a: only a number or a string can be set; 'a' is an array or an aggregate" \
	-- $user -p3 -G a=1 -e 'global a probe begin { a[1] = 1 foreach (k in a) println(k) }'
check 1 "/only a number or a string can be set" \
	-- $user -p3 -G a=1 -e 'global a probe begin { a <<< 1 println(@count(a)) }'

# Functions of one name in several tapset files: overloads in the order of -I; private ones belong to their file.
mkdir first second
echo 'function both(x) { return 1 } private function own() { return "first" } function ask_first() { return own() }' \
	> first/a.stp
echo 'function both(x) { return 2 } private function own() { return "second" } function ask_second() { return own() }
function both(x, y) { return 3 }' > second/b.stp
check 0 '/^second first 3 1$' \
	-- $user -I first -I second \
	-e 'probe begin { println(ask_second(), " ", ask_first(), " ", both(1, 2), " ", both(1)) exit() }'
check 1 "/there is no function 'own'" -- $user -I first -I second -e 'probe begin { println(own()) }'
echo 'function strlen(s) { if (s == "x") next return 77 }' > first/a.stp
check 0 '/^1 77 2$' \
	-- $user -I first \
	-e 'function strlen(s, t) { return strlen(s . t) - 75 } probe begin { println(strlen("x"), " ", strlen("yy"), " ", strlen("y", "")) exit() }'

# Older versions of the language.
echo 'global private probe begin { private = "\x41" println(private, %( systemtap_v < "2.5" %? "old" %: "new" %)) exit() }' \
	> old.stp
check 0 '/^x41old$' -- $user --compatible=2.2 old.stp
check 1 "/expected a name, found 'private'" -- $user old.stp
check 1 '/:1:1: error: expected .*found .private.' -- $user --compatible=2.2 -e 'private probe begin { }'

# What users of the least privilege may not do.
check 0 \
	-- $user -p2 --privilege=stapusr \
	-e 'probe begin, timer.s(1) { println(tid(), strlen("x")) system("ls") exit() }'
check 1 "/:1:23: error: 'kernel_long\(\)' is not for --privilege=stapusr" \
	-- $user -p2 --unprivileged -e 'probe begin { println(kernel_long(0)) }'
echo 'function bare() { return %{ 1 %} } function marked() { return %{ /* unprivileged */ 1 %} }' > first/a.stp
check 0 -- $user -p2 --unprivileged -I first -e 'probe begin { println(marked()) }'
check 1 "/error: 'bare\(\)' is not for --privilege=stapusr" \
	-- $user -p2 --unprivileged -I first -e 'probe begin { println(bare()) }'
check 0 -- $user -p2 --privilege=stapsys -I first -e 'probe begin { println(bare(), kernel_long(0)) }'

# Printed at the end, or not; target variables that are not there.
check 0 '/^a=1$' -- $user -e 'global a probe begin { a = 1 exit() }'
check 0 '!a=' -- $user --no-global-var-display -e 'global a probe begin { a = 1 exit() }'
check 0 '/^0$' "/:1:23: warning: '.x': 'begin' has no target variables; it is taken as 0" \
	-- $user --skip-badvars -e 'probe begin { println($x) exit() }'

# In a session of its own, since that of whoever runs the tests may have no number here (it began in another namespace
# of processes).
check 0 '/^1 1$' -- setsid -w $user -e 'probe begin { println(sid() > 0, " ", sid() == pgrp()) exit() }'

# Warnings: -w is stronger than -W.
check 0 '!never read' -- $user -p2 -W -w -e 'probe begin { x = 1 println(1) }'
check 1 "/:1:15: error: 'x' is never read" -- $user -p2 -W -e 'probe begin { x = 1 println(1) }'

# What the compiler says of embedded C points into the script.
printf 'function f:long(x:long) %%{\n\tSTAP_RETURN(x_is_missing);\n%%}\nprobe begin { println(f(1)) }\n' > c.stp
check 1 '/c.stp:2:.*x_is_missing' -- $user -g c.stp

finish
