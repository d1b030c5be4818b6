# SPDX-License-Identifier: GPL-2.0-or-later
# stap --remote --runtime=bpf: one translation, one file for all machines, run by their staprun, whatever their kernels.
# `ssh` is a stand-in: machines are this one, with another `uname`; with BPF_KERNELS, a list of trees as
# stap-fetch-kernel makes them (6.12 or later), also a guest of each of these kernels.
# skip: [ -z "$(ls /usr/bin/clang-19 /usr/bin/clang-2? 2> /dev/null)" ] && echo "clang 19 or later is not there"
# skip: [ "$(id -u)" != 0 ] && echo "not here: BPF programs need root"
# skip: [ ! -e /sys/kernel/btf/vmlinux ] && echo "not here: the kernel does not tell its types"
# skip: no_program python3
# guards: stap/remote staprun runtime/user trace/form
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/bpf.inc"
needs_bpf 'probe kernel.trace("sys_enter") { exit() }'

mkdir bin old bare
cat > bin/ssh << 'END'
#!/bin/bash
[ "$1" = -T ] && shift
while [ "$1" = -o ]; do shift 2; done
export BOX=$1
shift
case $BOX in
guest*)
	set -- env STAP_KERNELS="$(sed -n "${BOX#guest}p" "$HERE/trees")" "$TOP/build/bin/stap-vm" --smp 1 \
		--memory 1024 -- "$@"
	exec "${@:1:$#-1}" sh -c "${!#}"
	;;
old*) PATH=$HERE/old:$PATH ;;
bare*) PATH=$HERE/bare:/usr/bin:/bin ;;
esac
exec sh -c "$*"
END
# Each machine has a kernel that is not here, without headers.
cat > bin/uname << 'END'
#!/bin/bash
case ${BOX-} in
'' | guest*) exec /usr/bin/uname "$@" ;;
arm*) echo "9.9.9-${BOX#*@} aarch64" ;;
*) [ "$1" = -mr ] && echo "9.9.9-${BOX#*@} x86_64" || exec /usr/bin/uname "$@" ;;
esac
END
# The staprun of a machine says which file it gets; that of an older stap cannot run it.
cat > bin/staprun << 'END'
#!/bin/bash
for last; do [ "${last%.bpf}" = "$last" ] || echo "file $(sha256sum < "$last")" >&2; done
exec "$TOP/build/bin/staprun" "$@"
END
printf '#!/bin/sh\necho " --records=text|data[,S[,values]]"\n' > old/staprun
cp bin/uname bare/
for name in apt-get make gcc cc clang; do
	printf '#!/bin/sh\necho "$0" >> "$HERE/asked"\n' > bare/$name
done
chmod +x bin/* old/* bare/*
export PATH=$PWD/bin:${STAP%/*}:$PATH HERE=$PWD
bpf="$STAP --runtime=bpf -w"
same_file() { # N: as many machines had the same file
	sed -n 's/.*file \([0-9a-f]* \)/\1/p' err | sort | uniq -c > sums
	[ "$(sed 's/^ *\([0-9]*\) .*/\1/' sums)" = "$1" ] || say_wrong "files: $(cat sums)"
}
cat > x.stp << 'END'
global hits, n = 4
probe begin { printf("machine %d %s n=%d\n", remote_id(), remote_uri(), n) }
probe kernel.trace("sys_enter") { hits++ }
probe timer.ms(200) { printf("members %s\n", execname()); if (hits) exit() }
probe end { printf("ended %d\n", hits > 0) }
END

# One machine, several; lines, JSON, data, files.
check 0 '/^machine 0 me@one n=4$' '/^ended 1$' '!machine +run' -- $bpf -m fleet --remote me@one x.stp
same_file 1
grep -q "$(sha256sum < fleet.bpf)" sums || say_wrong "the file here is not the one that ran"
check 0 '/^0: machine 0 one n=7$' '/^1: machine 1 two n=7$' '/^2: machine 2 direct: n=7$' '/^2: ended 1$' \
	'/^two +ran +[0-9]+ +[0-9]+ +0 +0 ' '/^3 of 3 machines ran$' -- \
	$bpf --remote one --remote two --remote direct: --remote-prefix -G n=7 x.stp
same_file 3
check 0 '/^\{"from":"two","type":"output",.*"text":"ended 1' '/"from":"one","type":"books"' \
	'/"release":"9.9.9-two"' -- $bpf --json --remote one --remote two x.stp
check 0 -- $bpf --remote one --remote two -o 'out.%h' -S 1M x.stp
grep -q 'machine 1' out.two || say_wrong "-o with %h: $(ls)"
check 0 -- $bpf --remote one --remote two --to "sqlite:$PWD/%h.db" x.stp
stored() { python3 -c '
import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("SELECT sum(hits) > 0 FROM stap_books").fetchone())' \
	"$1" 2>&1; }
[ "$(stored two.db)" = 1 ] || say_wrong "--to: $(stored two.db)"
check 0 '/^[^ ]+/fleet.bpf$|programs/' '!machine' -- $bpf -m fleet -p4 --remote one --remote two x.stp
[ "$(wc -l < out)" = 1 ] || say_wrong "-p4: not one file"
# A command there, its status; the end by a timeout, a signal; hits that are lost.
check 0 '/^there$' '/^ended 1$' -- $bpf --remote one -c 'echo there' x.stp
check 0 '/^ended$' -- $bpf --remote one --remote two -T 1 -e 'probe end { println("ended") }'
check 5 '/^stap: the run on one ended with status 5' -- $bpf --strict --suppress-handler-errors --remote one \
	--remote two -e 'probe kernel.trace("sys_enter") { if (!n++) error("once"); exit() } global n'
$bpf --remote one --remote two -e 'probe begin { println("begun") } probe end { println("ended in order") }' \
	> out 2> err & pid=$!
both() { [ "$(grep -c begun out)" = 2 ]; }
wait_until both || say_wrong "the runs do not begin"
before=$(loaded)
kill -INT $pid
wait $pid
[ "$(grep -c 'ended in order' out)" = 2 ] || say_wrong "the end by a signal"
fewer() { [ "$(loaded)" -lt "$before" ]; }
wait_until fewer || say_wrong "programs are left"
# Records with looks at the books and the values of globals, as --monitor and --web ask for them.
$bpf -p4 -m looked --globals -e 'global count = 41 probe timer.ms(700) { if (count++ > 42) exit() }' > out
"${STAP%/*}/staprun" --records=text,1,values looked.bpf > stream || say_wrong "a stream with looks"
grep -aq '^value.4[23]$' stream && grep -aq '^value.44$' stream || say_wrong "values: $(tr -d '\0' < stream)"
check 2 '/--records cannot be combined' -- "${STAP%/*}/staprun" --records=text -o x looked.bpf
check 2 '/--records is text or data' -- "${STAP%/*}/staprun" --records=text,0 looked.bpf

# No compiler, no headers; no staprun, or an older one: it is sent.
mkdir -p prefix/{bin,share,libexec/stap/static}
cp "$STAP" prefix/bin/
ln -s "$TOP" prefix/share/stap
sent=prefix/bin/stap
check 3 '/^stap: bare has no staprun, and no static' -- $sent --runtime=bpf --remote bare x.stp
check 3 '/^stap: old has the staprun of an older stap, which runs no programs of --runtime=bpf, and no static' -- \
	$sent --runtime=bpf --remote old x.stp
for program in staprun stapio; do
	gzip < "${STAP%/*}/$program" > prefix/libexec/stap/static/$program.gz
done
check 0 '/^0: machine 0 bare n=4$' '/^1: machine 1 old n=4$' -- \
	$sent --runtime=bpf --remote bare --remote old --remote-prefix x.stp
[ ! -e asked ] || say_wrong "asked there: $(cat asked)"
check 3 '/^stap: arm is a machine of the kind aarch64; programs of --runtime=bpf are made for this machine.s, ' -- \
	$bpf --remote arm x.stp
check 6 '/^stap: arm is a machine of the kind aarch64; .*; it is left out$' '/^machine 0 one' -- \
	$bpf --remote one --remote arm x.stp
check 2 '/-F is for modules' -- $bpf --remote one -F x.stp
check 2 '/-N is for modules' -- $bpf --remote one --target-namespaces=1 x.stp
check 2 '/--remote finds the kernel by itself and cannot be combined with --runtime=user' -- \
	"$STAP" --runtime=user --remote one x.stp

# Guests of several kernels, and this machine: the same file. What a kernel lacks is reported with its machine's name.
i=0 remotes='--remote direct:'
for tree in ${BPF_KERNELS:-}; do
	echo "$tree" >> trees
	i=$((i + 1))
	remotes+=" --remote guest$i"
done
if [ $i -gt 0 ]; then
	cat > fleet.stp << 'END'
	probe begin { printf("begun %s\n", remote_uri()) }
	probe kernel.trace("sched_process_exec") {
		printf("%s %s in %s\n", remote_uri(), kernel_string($bprm->filename),
			kernel_string(@cast(task_current(), "task_struct")->nsproxy->uts_ns->name->release))
		exit()
	}
END
	# shellcheck disable=SC2086
	check 0 "/^$((i + 1)) of $((i + 1)) machines ran$" -- $bpf --remote-timeout 120 $remotes -c /bin/true fleet.stp
	same_file $((i + 1))
	for n in $(seq $i); do
		release=$(sed -n "${n}p" trees | xargs -I{} ls {}/lib/modules | sort -rV | head -n 1)
		grep -qx "guest$n /bin/true in $release" out || say_wrong "guest$n, of kernel $release: $(cat out)"
	done
	cat > lacking.stp << 'END'
	probe kernel.trace("sys_enter") { printf("%d\n", @cast(task_current(), "task_struct")->in_user_fault); exit() }
END
	# shellcheck disable=SC2086
	"$STAP" --runtime=bpf -p4 lacking.stp > err 2>&1 &&
		check 1 "/^guest1: ERROR: .*kernel 6.*'struct task_struct' has no member 'in_user_fault'" '/^0$' \
			'/^guest1 +status 1 ' -- $bpf --remote-timeout 120 --remote direct: --remote guest1 lacking.stp
fi
finish
