# The scripts in examples/ run: those without a load of their own ten at a time over a round of work that has something
# for each, the others each with its own. All run again on the same load: on the round with -x, with --json and with
# --cgroup, on their own load with both; meanwhile another process does similar things. tests/examples.inc has
# translated them, and judges their output.
# examples: yes
# By default those whose head says "Test-always", some of each kind; SLOW=1: all; EXAMPLES="tcp-* opens": these.
# guards: examples tests/guest/examples tests/examples.inc tapset runtime stapio lib trace
dir=$MODULES/examples
group=/sys/fs/cgroup/stap_examples
leaf=$group/work # groups whose groups have controllers hold no processes themselves

exec {idle}<> <(:)
pause() { read -rt 0.2 -u $idle; } # without a process that the scripts would see

# begin NAME RUN OPTION…: its output goes to RUN.out
begin() {
	: > "$dir/$2.err"
	staprun -v "${@:3}" -o "$dir/$2.${output:-out}" "$dir/$1.ko" > /dev/null 2> "$dir/$2.err" &
	pid[$2]=$!
}

# begun RUN: its probes are there, or it has ended
begun() { [[ $(< "$dir/$1.err") == *"probes are in place"* ]] || ! kill -0 "${pid[$1]}" 2> /dev/null; }
all_begun() {
	local run
	for run; do
		until begun "$run"; do pause; done
	done
}

# ended RUN…: their statuses are noted
ended() {
	local run
	for run; do
		wait "${pid[$run]}"
		echo $? > "$dir/$run.status"
	done
}

# The round waits for a word before it begins, so that its process is known before.
start_round() {
	{ read -r _; exec sh tests/guest/examples/round.sh "$files" "$disk" > "$dir/round" 2>&1; } <&$word &
	round=$!
}

# over_round SUFFIX BEGIN NAME…: runs NAME.SUFFIX see one round. BEGIN NAME begins one of them. What has a target ends
# with it, the others are told to.
over_round() {
	local suffix=$1 begin=$2 name runs
	local -A pid=()
	shift 2
	runs=("${@/%/$suffix}")
	start_round
	for name; do $begin "$name" "$name$suffix"; done
	all_begun "${runs[@]}"
	echo > "$go"
	wait $round || { echo "the round stopped with status $?:"; tail -n 1 "$dir/round"; }
	[ "$begin" = begin_on_target ] || kill "${pid[@]}" 2> /dev/null
	ended "${runs[@]}"
}

run_together() { over_round "" begin "$@"; }

begin_on_target() { output=json begin "$@" -x $round --json; }
run_as_target() { over_round .x begin_on_target "$@"; }

begin_on_group() {
	echo $round > $leaf/cgroup.procs
	begin "$@" --cgroup "${group#/sys/fs/cgroup}" $([ ! -e "$dir/$1.by" ] || echo -G by=cgroup)
}
run_in_group() { over_round .group begin_on_group "$@"; }

run_alone() {
	local -A pid=()
	begin "$1" "$1.own" $(< "$dir/$1.options") -c "$(< "$dir/$1.load")"
	ended "$1.own"
	output=json begin "$1" "$1.owngroup" $(< "$dir/$1.options") --json --cgroup "${group#/sys/fs/cgroup}" \
		-c "sh tests/guest/examples/in_group.sh $leaf $(< "$dir/$1.load")"
	ended "$1.owngroup"
}

# The command of Test-attach goes on when it reads a line, says when it is done, and waits for another.
run_attached() {
	local -A pid=()
	coproc command { exec $(< "$dir/$1.attach"); }
	begin "$1" "$1.attached" -x $command_PID
	all_begun "$1.attached"
	echo >&"${command[1]}"
	read -r _ <&"${command[0]}"
	kill -INT "${pid[$1.attached]}"
	ended "$1.attached"
	echo >&"${command[1]}" # and it ends
}

# by_ten FUNCTION NAME…
by_ten() {
	local i
	for ((i = 2; i <= $#; i += 10)); do "$1" "${@:i:10}"; done
}

files=$(mktemp -d)
mount -t tmpfs -o mode=700 none "$files" # as fs.protected_regular forbids in a /tmp what the round does
mkfifo "$files/go"
go=$files/go
exec {word}<> "$go"
modprobe loop
truncate -s 64M "$files/disk"
disk=$(losetup -f --show "$files/disk")
truncate -s 1M "$files/their_disk"
their_disk=$(losetup -f --show "$files/their_disk")
ip link set lo up
modprobe dummy numdummies=1
ip address add 192.0.2.1/24 dev dummy0
ip link set dummy0 up
echo 10 > /proc/sys/vm/dirty_expire_centisecs
echo 10 > /proc/sys/vm/dirty_writeback_centisecs
mount -t cgroup2 none /sys/fs/cgroup 2> /dev/null
mkdir -p $leaf
echo +memory > /sys/fs/cgroup/cgroup.subtree_control
echo +memory > $group/cgroup.subtree_control
ln -s /usr/bin/python3 "$files/outsider"
NETWORK_HOST=127.0.0.2 "$files/outsider" tests/guest/examples/outsider.py "$files/theirs" "$their_disk" & outsider=$!
trap 'kill $outsider; losetup -d "$disk" "$their_disk"' EXIT
together=() own=() attached=()
for file in "$dir"/*.load; do
	name=${file##*/} name=${name%.load}
	[ ! -s "$dir/$name.attach" ] || attached+=("$name")
	[ ! -s "$file" ] || own+=("$name")
	[ -e "$dir/$name.round" ] || continue
	together+=("$name")
done
by_ten run_together "${together[@]}"
by_ten run_as_target "${together[@]}"
by_ten run_in_group "${together[@]}"
for name in "${own[@]}"; do run_alone "$name"; done
for name in "${attached[@]}"; do run_attached "$name"; done
kill -0 $outsider || { echo "the outsider has ended"; exit 1; }
