# SPDX-License-Identifier: GPL-2.0-or-later
# --runtime=bpf: which functions of the library, @operators and ready scripts it refuses, for which reason: the list is
# bpf_library.txt. All others together become one program: nothing that they call is missing. BPF_LIBRARY=FILE: writes
# the list there, to be examined and kept.
# guards: translator runtime tapset examples tests/reach.inc
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
. "$TOP/tests/cli/expect.inc"
${CC:-gcc} -static -no-pie -g -O0 -o secret "$TOP/tests/guest/programs/privilege/secret.c" || say_wrong "secret.c"
program=./secret
. "$TOP/tests/reach.inc"
reach_calls > calls
reach_script < calls | sed 's/timer.ms(20)/kernel.trace("sched_process_exec")/' > all.stp

# Types of modules that this machine does not have say nothing; nor does a program that is not installed.
elsewhere='no module .* for kernel|there is no program|it needs stap -g'
# reason: why the script in the file is refused, without names
reason() {
	sed -nE 's/^[^ ]*: error: //p' err | head -n 1 |
		sed -E "s/^'?[^ ]* (needs a module)/\1/; s/: [a-z_A-Z]*\(\)\$//; s/^'[^']*': //"
}

(head -n 1 all.stp; tail -n 1 all.stp) > frame
: > list
: > kept
while IFS=$'\t' read -r name _ && read -r line <&3; do
	{ head -n 1 frame; echo "$line"; tail -n 1 frame; } > one.stp
	if "$STAP" --runtime=bpf -g -w -p2 one.stp > out 2> err; then
		echo "$line" >> kept
	elif ! grep -qE "$elsewhere" err; then
		printf '%s\t%s\n' "$name" "$(reason)" >> list
	fi
done < calls 3< <(sed '1d;$d' all.stp)
for script in "$TOP"/examples/*/*.stp; do
	"$STAP" --runtime=bpf -w -p2 "$script" > out 2> err < /dev/null || grep -qE "$elsewhere" err ||
		printf '%s\t%s\n' "${script#"$TOP"/}" "$(reason)" >> list
done
[ -z "${BPF_LIBRARY-}" ] || cp list "$BPF_LIBRARY"
diff "$TOP/tests/cli/bpf_library.txt" list > out || say_wrong "other refusals than bpf_library.txt has"

{ head -n 1 frame; cat kept; tail -n 1 frame; } > kept.stp
check 0 -- "$STAP" --runtime=bpf -g -w -p4 kept.stp
finish
