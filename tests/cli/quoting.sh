# SPDX-License-Identifier: GPL-2.0-or-later
# Texts from a user arrive unchanged, and nothing in them is interpreted by C, make or a shell: strings and names of
# scripts, values of -G, arguments, directories.
. "$TOP/tests/cli/expect.inc"
user="$STAP --runtime=user -w"
hostile=('");abort();("' "a'b" 'a\' '\"' '??/' '??/"' '*/ abort(); /*' '//' '%n%s%d' '$(touch made)' '`touch made`' \
	'#define x' $'a\nabort();' $'\xff\xfe' $'\t\r\v' '\x22' 'é' 'endif')
count=${#hostile[@]}
printf '%s\n' "${hostile[@]}" > want
# each NAME AFTER: a call of println() for each text's global or function
each() { for i in "${!hostile[@]}"; do echo "println($1$i$2)"; done; }
arrived() { cmp -s want out || say_wrong "$1: not what was given"; }

script='probe begin {' globals='' given=() strings='probe begin {'
for i in "${!hostile[@]}"; do
	text=${hostile[i]}
	script+=" println(@$((i + 1)))"
	globals+="global s$i = \"\" "
	given+=(-G "s$i=$text")
	text=${text//\\/\\\\} text=${text//\"/\\\"} text=${text//$'\n'/\\n}
	strings+=" println(\"$text\")"
done
check 0 -- $user -e "$script exit() }" "${hostile[@]}"
arrived arguments
check 0 -- $user "${given[@]}" -e "$globals probe begin { $(each s '') exit() }"
arrived -G
check 0 -- $user -e "$strings exit() }"
arrived strings
# A script's name stands in #line and in messages, and of a module in its description.
mkdir library
for i in "${!hostile[@]}"; do
	text=${hostile[i]}
	echo "function f$i:long() %{ /* pure */ STAP_RETURN($i); %}" > "library/${text//\//:}.stp"
done
name=$PWD/$(printf '%s' "${hostile[@]}" | tr / :).stp
echo "function own:long() %{ STAP_RETURN(-1); %}
probe begin { println(own()) $(each f '()') exit() }" > "$name"
check 0 -- $user -g -I library "$name"
seq -1 $((count - 1)) | cmp -s - out || say_wrong "names of scripts: $(cat out err)"
check 0 -- $STAP -g -r "$KERNEL" -p4 -m t_quoted -I library "$name"
said=$(modinfo -F stap_script t_quoted.ko)
[ "$said" = "${name##*/}" ] || say_wrong "the module's script: $said"
[ ! -e made ] || say_wrong "a command was run"

# Names that a program's debuginfo gives: those of an enumeration are texts in the module.
cat > victim.c << 'END'
enum kinds { FIRST_OF_ALL_KINDS = 1, OTHER } kind;
int main(void) { return kind; }
END
gcc -g -gz=none -o victim victim.c && sed -i 's/FIRST_OF_ALL_KINDS/X" }, { 5, "YYYYYY/' victim || say_wrong "no victim"
check 0 '/\{ 1, "X\\" \}, \{ 5, \\"YYYYYY" \},' '!"X" \}' \
	-- $user -p3 -e 'probe begin { println(@enumname(pid(), "kinds", "./victim")) exit() }'

# Names that a kernel's types give, which another machine may have sent (--remote, --btf).
export SYSTEMTAP_DIR=$PWD/home
# Of the image: headers may come with types (Debian 13's), and debuginfo has them; those are not kept.
(. "$TOP/tests/lib.sh" && image_alone image)
STAP_KERNELS=$PWD/image check 0 '/sched_switch' -- $STAP -r "$KERNEL" -L 'kernel.trace("sched_switch")'
types=$(ls home/cache/facts/*.btf) || say_wrong 'no types are kept'
sed 's/\x00task_struct\x00/\x00a; int b; c\x00/' "$types" > sent.btf
rm -r home
check 0 '/tracepoint_0\(void \*data, [^;]*\) \{$' '!a; int b' \
	-- $STAP -r "$KERNEL" --btf sent.btf -p3 -e 'probe kernel.trace("sched_switch") { println(1) }'
unset SYSTEMTAP_DIR

# Characters that make or a shell would read.
for dir in 'a b' 'a$(touch made)' 'a;b' "a'b" 'a#b'; do
	mkdir -p "$dir"
	SYSTEMTAP_DIR=$PWD/$dir check 3 "/the kernel's build system cannot work in '.*', because of the characters" \
		-- $STAP -r "$KERNEL" -p4 -e 'probe begin { exit() }'
done
[ ! -e made ] || say_wrong "a command was run"
finish
