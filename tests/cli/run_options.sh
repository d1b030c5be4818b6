# SPDX-License-Identifier: GPL-2.0-or-later
# staprun's and stapio's command lines: errors in them give exit status 2; the rows of run_options.def are in -h, in the
# man pages and in the completion.
. "$TOP/tests/cli/expect.inc"
bin=$(dirname "$STAP")
stapio="$bin/stapio --fds=3,4,5,6,7"

check 0 '/^Usage: staprun' -- "$bin/staprun" -h
check 0 '/^staprun \(stap\)' -- "$bin/staprun" -V
check 0 '/^Usage: stapio' -- "$bin/stapio" --help
check 2 '/no module named' -- "$bin/staprun"
check 2 '/-c and -x exclude each other' -- "$bin/staprun" -c true -x 1 m.ko
check 2 "/-d takes a module's name and nothing else" -- "$bin/staprun" -d -o x m
check 2 '/--fds is missing: stapio is started by staprun' -- "$bin/stapio" m
check 2 '/name one module' -- $stapio
check 2 '/-x needs the number of a process' -- $stapio -x init m
check 2 '/--fds needs at least five descriptors above 2' -- "$bin/stapio" --fds=3,4 m
check 2 '/-o needs the name of a file' -- $stapio -o '' m
check 2 '/-o 100%: the name ends inside a conversion' -- $stapio -o 100% m
check 2 '/-o %q: the name has a conversion that is none' -- $stapio -o %q m
check 2 '/-o %c: %c, the CPU, is for the raw files of -b' -- $stapio -o %c m
check 1 "/-o .*: %m is the module's name; the month is %Om, and %F is a whole date" -- $stapio -o %Y%m%d m
check 2 '/-S takes SIZE\[,COUNT\] or TIME\[,COUNT\]' -- $stapio -o x -S many m
check 2 '/-S knows the units K, M and G' -- $stapio -o x -S 5T m
check 2 '/-S and --compress need -o' -- $stapio -S 5 m
check 2 '/--on-disk-full is end or wait' -- $stapio -o x --on-disk-full=stop m
check 2 '/--on-disk-full=wait is for the file of -o, and cannot be combined with -b' -- $stapio --on-disk-full=wait m
check 2 '/--on-disk-full=wait is for the file of -o, and cannot be combined with -b' \
	-- $stapio -o x -b --on-disk-full=wait m
check 2 '/-S and --compress need -o' -- $stapio --compress m
check 2 '/-S is for modules; it cannot be combined with --runtime=user' -- $STAP --runtime=user -S 5 -e 'probe begin {}'

for form in json text,0 data,x dat,1; do
	check 2 '/--records is text or data, seconds, and values: data,1,values' -- $stapio --records=$form m
done
for option in '-o x' '-b -M' '--to sqlite:x' -L; do
	check 2 '/--records cannot be combined with -o, -M, -L, -D or --to' -- $stapio --records=text $option m
done
check 2 '/-M keeps the raw files of -b, which is not given' -- $stapio -M m
check 2 '/--json is for text; of raw files it is made by stap-merge --json' -- $stapio -b -M --json m
check 2 '/-o %c: %c, the CPU, is for the raw files of -b' -- $stapio -b -o %c m
check 2 "/the module's name is a number; the size of the buffers is -s MB" -- "$bin/staprun" -M 16 m.ko
# A number after -b is SystemTap's -s.
check 2 "/-s takes megabytes, from 1 to 4095, not '5000'" -- "$bin/staprun" -b 5000 m.ko
check 4 '/^ERROR: m.ko: No such file' -- "$bin/staprun" -b 64 m.ko
check 4 '/^ERROR: m.ko: No such file' -- "$bin/staprun" -wb m.ko
check 4 '/^ERROR: 64m.ko: No such file' -- "$bin/staprun" -b 64m.ko
# staprun's -T was perhaps meant as stap's.
check 1 '/^WARNING: -T 10 looks for output every 10 ms; --timeout=10 ends the script after 10 seconds$' \
	-- $stapio -T 10 m
check 1 '!WARNING: -T' -- $stapio -T 100 m
check 1 '!WARNING: -T' -- $stapio -T 10 --timeout=5 m
# Options may stand behind the module's name, and the beginning of one long name is that option.
check 2 "/-s takes megabytes, from 1 to 4095, not '0'" -- "$bin/staprun" m.ko -w -s 0
check 2 '/-c and -x exclude each other' -- "$bin/staprun" m.ko a=5 -c true --time=5 -x 1
check 4 '/^ERROR: m.ko: No such file' -- "$bin/staprun" m.ko -w --strict --time=5
check 4 '/^ERROR: m.ko: No such file' -- "$bin/staprun" --str m.ko --comp
check 2 "/option '--co' is ambiguous" -- "$bin/staprun" --co m.ko
check 2 '/no files named' -- "$bin/stap-merge"
check 2 '/--json and -v exclude each other' -- "$bin/stap-merge" --json -v x
check 2 '/-o 5%: the name ends|the name ends inside a conversion' -- "$bin/stap-merge" -o 5% x
check 1 '/x: No such file' -- "$bin/stap-merge" x
check 1 '/.: offset 0: not a raw file of stap' -- "$bin/stap-merge" .
check 1 '/offset 0: not a raw file of stap' -- "$bin/stap-merge" "$TOP/Makefile"
check 1 '/offset 0: not a raw file of stap' -- "$bin/stap-merge" /dev/null

check 2 '/--on-full is drop, overwrite or throttle' -- $stapio --on-full=wait m
check 2 '/-A cannot be combined with -L, -c, -x or --on-full' -- $stapio -A -x 1 m
check 2 '/-L cannot be combined with -c, -o, -b or --json' -- $stapio -L --json m
check 2 '/-T takes milliseconds' -- $stapio -T 0 m
check 2 '/--timeout takes seconds' -- $stapio --timeout=x m
check 2 '/--ready takes a descriptor' -- $stapio --ready=1 m
check 2 '/-C is auto, always or never' -- $stapio -C red m
check 2 "/^$(printf '\033')\[01;31mERROR:$(printf '\033')\[0m name one module" -- $stapio -C always
SYSTEMTAP_COLORS=warning=1:error=35 check 2 "/^$(printf '\033')\[35mERROR:" -- $stapio -C always
check 2 "/-s takes megabytes, from 1 to 4095, not '0'" -- "$bin/staprun" -s 0 m.ko
for number in 0 2 3x 99 -4; do
	check 2 "/--values takes the descriptor of a file in memory, not '$number'" \
		-- "$bin/staprun" --values=$number m.ko
done
exec 4> file
check 2 "/--values takes the descriptor of a file in memory, not '4'" -- "$bin/staprun" --values=4 m.ko
exec 4>&-
check 2 '/-A cannot be combined with options for loading' -- "$bin/staprun" -A -R m
check 2 "/-r takes a number and a name, N:URI, not 'here'" -- "$bin/staprun" -r here m.ko
check 2 '/-A cannot be combined with options for loading' -- "$bin/staprun" -A m x=1
check 2 '/-D needs -o, and cannot be combined with -L' -- "$bin/staprun" -D m.ko
check 2 '/-L and -c exclude each other' -- "$bin/staprun" -F -c true m.ko
check 2 "/-d takes a module's name and nothing else" -- "$bin/staprun" -d -s 5 m
check 2 "/-N takes the number of a process, not 'init'" -- "$bin/staprun" -N init m.ko
check 2 '/--target-namespaces takes a number from 1 ' -- $STAP --target-namespaces=init -e 'probe begin { }'
check 2 "/-T takes a number from 1 to" -- $STAP -T never -e 'probe begin {}'

# The options of a program: of its column in run_options.def, in -h, in the page, in the completion.
table=$TOP/runtime/uapi/run_options.def
# column N: 3 staprun's, 4 stapio's.
column() {
	grep '^RUN_OPTION(' "$table" |
		sed -E "s/^[^,]*, (0|'(.)'), \"([a-z-]*)\", .*, ([A-Z]+), ([A-Z]+), ([A-Z]+), .*/\2 \3 \4 \5 \6/" |
		awk -v column="$1" 'NF == 4 && $column != "NO" { print (length($1) == 1 ? "-" : "--") $1 }'
	printf '%s\n' -h -V
}
for program in staprun.8 stapio.8 stap-merge.1 lket-b2a.1; do
	page=$TOP/man/$program program=${program%.*}
	"$bin/$program" -h | grep -oE '^ +(--[a-z-]+|-[A-Za-z](, -[A-Za-z])*)' | grep -oE -- '--[a-z-]+|-[A-Za-z]' |
		sort -u > help
	sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$page" | sed 's/\\-/-/g' | grep -A 1 -x '\.TP' |
		grep -oE -- '(^| |")--?[A-Za-z][a-z-]*' | grep -oE -- '--[a-z-]+|-[A-Za-z]' | sort -u > page
	grep -vxE -- '--help|--version' page > short
	diff help short > out || say_wrong "$program: the man page differs from -h (<: -h, >: page)"
	(
		. "$TOP/man/staprun.bash"
		for cur in - --; do
			COMP_WORDS=("$bin/$program" $cur) COMP_CWORD=1
			_${program//-/_}
			printf '%s\n' "${COMPREPLY[@]}"
		done
	) | sed 's/=$//' | sort -u > completion
	diff help completion > out || say_wrong "$program: man/staprun.bash differs from -h (<: -h, >: completion)"
	case $program in
	staprun) column 3 | sort > rows ;;
	stapio) column 4 | sort > rows ;;
	*) continue ;;
	esac
	[ "$(wc -l < rows)" -gt 15 ] || say_wrong "run_options.def could not be read"
	diff rows help > out || say_wrong "$program: -h differs from run_options.def (<: table, >: -h)"
done

# A row without its member or setter, and one that is handed on to a program without it, do not compile.
# row STATUS FILE COLUMNS [/REGEX]: compiles FILE with a row more in the table.
row() {
	mkdir -p more/uapi
	{ echo "RUN_OPTION(another, 0, \"another\", NULL, $3, \"\")"; cat "$table"; } > more/uapi/run_options.def
	check "$1" ${4+"$4"} \
		-- ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -fsyntax-only -I"$WORK/more" -I"$TOP/runtime" -I"$TOP" \
		-I"$TOP/translator" "$TOP/$2"
}
row 0 stapio/options.c 'PASS, PASS, NO'
row 1 stapio/options.c 'PASS, PASS, FLAG' /another
row 1 stapio/options.c 'PASS, PASS, SET' /another
row 0 staprun/options.c 'PASS, PASS, FLAG'
row 1 staprun/options.c 'PASS, PASS, NO' /another
row 1 staprun/options.c 'NO, NOTE, NO' /another
row 1 staprun/options.c 'NO, NOTE, SET' /another
row 1 staprun/options.c 'PASS, NO, FLAG' /another
row 1 staprun/options.c 'NO, SET, FLAG' /another
row 0 translator/base/options.c 'PASS, PASS, FLAG'
rm -r more

# What stands before a word says what the word may be.
( . "$TOP/man/staprun.bash"; COMP_WORDS=(staprun --on-full = o) COMP_CWORD=3; _staprun; echo "${COMPREPLY[@]}"
	: > m.ko; COMP_WORDS=(staprun m) COMP_CWORD=1; _staprun; echo "${COMPREPLY[@]}" ) > out 2> err
[ "$(cat out)" = "$(printf 'overwrite\nm.ko')" ] || say_wrong "completion of arguments"
finish
