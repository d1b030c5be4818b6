# SPDX-License-Identifier: GPL-2.0-or-later
# Combinations of options: for each rule of rules.def, a command line that breaks it, with the message, and one that
# keeps it.
. "$TOP/tests/cli/expect.inc"

# breaks MESSAGE OPTION…: with a script
breaks() {
	local message=$1
	shift
	check 2 "=$message" -- $STAP -p1 -e 'probe begin { }' "$@"
}
# keeps OPTION…
keeps() { check 0 -- $STAP -p1 -e 'probe begin { }' "$@"; }
# check, with lines that are given whole: =LINE
eval "checked_$(declare -f check)"
check() {
	local status=$1 line=$2
	shift
	[ "${line#=}" != "$line" ] || { checked_check "$status" "$@"; return; }
	shift
	checked_check "$status" "$@"
	grep -qxF -- "stap: ${line#=}" err || say_wrong "the message is not '${line#=}'"
}
user=--runtime=user

# ---- a script ----
check 2 '=no script; give a FILE, or -e SCRIPT. See stap --help' -- $STAP
check 2 '=no script; give a FILE, or -e SCRIPT. See stap --help' -- $STAP --fmt
check 2 '=-E adds to a script; give that one as a FILE, or with -e SCRIPT' -- $STAP -E 'probe begin { }'
check 2 '=--example names the script; do not give another one' -- $STAP --example disk-top -e x

# ---- privilege ----
keeps $user -g
breaks '-g is for the stapdev privilege, not for stapusr' -g --unprivileged
breaks '-g is for the stapdev privilege, not for stapsys' -g --privilege=stapsys
breaks "--privilege=stapusr needs a module: --runtime=bpf cannot keep other users' processes from a script" \
	--privilege=stapusr --runtime=bpf
keeps --runtime=bpf --privilege=stapsys
breaks '--suppress-time-limits removes limits that keep the machine responsive; it needs -g' --suppress-time-limits
keeps $user --suppress-time-limits -g

# ---- the target ----
keeps $user -c true
keeps $user -x 1
breaks '-c and -x cannot both be given' -c true -x 1

# ---- programs ----
breaks '--runtime=user cannot be combined with --vm' $user --vm
keeps $user --strict
breaks '--btf describes a kernel; --runtime=user has none' $user --btf /nowhere
for option in --estimate '-S 5' --compress -b -M --on-full=drop --on-disk-full=wait -F --cgroup=x --container=x \
	--top; do
	name=${option%%[= ]*}
	breaks "$name is for modules; it cannot be combined with --runtime=user" $user $option
done
keeps --runtime=bpf -F
breaks '-b is for modules; it cannot be combined with --runtime=bpf' --runtime=bpf -F -b
breaks '-N is for modules; it cannot be combined with --runtime=user' $user --target-namespaces=1
keeps --runtime=bpf --cgroup=-M --container=x
breaks '-M is for modules; it cannot be combined with --runtime=bpf' --runtime=bpf --cgroup=x -M
keeps $user --json
# The first of them is named, wherever --json stands.
breaks '-M is for modules; it cannot be combined with --runtime=user' $user --json -M -b

# ---- a guest ----
for option in --disk --disk=5 --network; do
	breaks '--disk and --network are for a guest: they need --vm' $option
done

# ---- output ----
for option in '-S 5' --compress; do
	breaks '-S and --compress need -o FILE' $option
done
to='--to cannot be combined with -o, -S, -b, -F or --json; stap-merge --to converts raw files of -b -M'
for option in '-o x' '-o x -S 5' -b -F --json; do
	breaks "$to" --to sqlite:x $option
done
there='--to needs records as they come; -F leaves them on the machines, where staprun -A --to KIND:WHERE makes data of them later'
breaks "$there" --to sqlite:x --remote direct: -F
there='--to needs the records here; -M leaves them in raw files on the machines, of which stap-merge --to makes data'
breaks "$there" --to sqlite:x --remote direct: -b -M
keeps --to sqlite:x --remote direct: -b
keeps --to sqlite:x --remote direct: --json
keeps --to sqlite:x --remote direct: -o x
keeps $user --to sqlite:x

# ---- where it runs ----
breaks '--web with --remote needs records as they come; -b or -M leaves them on the machines until the run ends' \
	--web --remote direct: -b -o x
for option in --vm -F; do
	breaks '--monitor shows a run that is read here, and cannot be combined with --vm or -F' \
		--monitor $option
done
for option in $user --vm '-r 1'; do
	breaks '--remote finds the kernel by itself and cannot be combined with --runtime=user, --vm or -r' \
		--remote direct: $option
done
keeps --remote direct: --runtime=bpf
breaks '-F is for modules; it cannot be combined with --runtime=bpf' --remote direct: --runtime=bpf -F
for option in '-S 5' --compress; do
	keeps --remote direct: -o x $option
	keeps --remote direct: --runtime=bpf -o x $option
done
SYSTEMTAP_RELEASE=1 keeps $user

# ---- commands ----
both='--status and --stop cannot both be given'
check 2 "=$both" -- $STAP --status --stop x
for command in --status --stop=x; do
	name="=${command%%=*} takes the name of one run; a wildcard, as in 'stap_*', matches several"
	check 2 "$name" -- $STAP $command -e 'probe begin { }'
	check 2 "$name" -- $STAP $command -E 'probe begin { }'
	check 2 "$name" -- $STAP $command --example disk-top
	check 2 "=${command%%=*} needs a name, not ''" -- $STAP ${command%%=*}=
done
check 2 "=--stop takes the name of one run; a wildcard, as in 'stap_*', matches several" -- $STAP --stop x y
for script in '-e x' '-E x' x; do
	check 2 '=--language-server gets its scripts from the editor; do not name any' \
		-- $STAP --language-server $script
done
for command in '-l begin' '-L begin' --fmt; do
	check 2 '=-i is a dialogue; give other commands there' -- $STAP $user -i $command
done
check 2 '=-i is a dialogue; give other commands there' -- $STAP $user --doctor -i
check 2 '=-i is a dialogue; give other commands there' -- $STAP $user -i --example disk-top
check 2 '=--doctor and --fmt cannot both be given' -- $STAP --doctor --fmt
check 2 '=--dump-functions and --doc cannot both be given' -- $STAP --dump-functions --doc execname
check 2 "=--status takes the name of one run; a wildcard, as in 'stap_*', matches several" -- $STAP --status x y
# The rules of runs are not those of commands.
for command in --dump-functions --dump-probe-aliases --dump-probe-types '--doc execname' --explain --examples \
	--doctor=libedit; do
	check 0 -- $STAP $command -c true -x 1 --suppress-time-limits
done
check 0 -- $STAP -i -c true -x 1 --suppress-time-limits
finish
