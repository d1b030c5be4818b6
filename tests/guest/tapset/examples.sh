# The scripts in examples/ run: those without a load of their own ten at a time over a round of work that has something
# for each, the others each with its own. tests/examples.inc has translated them, and judges what they print.
# examples: yes
# By default those whose head says "Test-always", some of each kind; SLOW=1: all.
dir=$MODULES/examples

exec {idle}<> <(:)
pause() { read -rt 0.2 -u $idle; } # without a process that the scripts would see

begin() { staprun -v "${@:2}" -o "$dir/$1.out" "$dir/$1.ko" > /dev/null 2> "$dir/$1.err" & }

# begun NAME PID: its probes are there, or it has ended
begun() { [[ $(< "$dir/$1.err") == *"probes are in place"* ]] || ! kill -0 "$2" 2> /dev/null; }

# What is loaded together sees one round.
run_together() {
	local name
	local -A pid=()
	for name in "$@"; do
		begin "$name"
		pid[$name]=$!
	done
	for name in "$@"; do
		until begun "$name" "${pid[$name]}"; do pause; done
	done
	sh tests/guest/examples/round.sh "$files" "$disk" > /dev/null 2>&1
	kill "${pid[@]}" 2> /dev/null
	for name in "$@"; do
		wait "${pid[$name]}"
		echo $? > "$dir/$name.status"
	done
}

files=$(mktemp -d)
mount -t tmpfs none "$files"
modprobe loop
truncate -s 64M "$files/disk"
disk=$(losetup -f --show "$files/disk")
/usr/bin/python3 tests/guest/examples/network.py & network=$!
trap 'kill $network; losetup -d "$disk"' EXIT
together=() own=()
for file in "$dir"/*.load; do
	name=${file##*/} name=${name%.load}
	if [ -s "$file" ]; then own+=("$name"); else together+=("$name"); fi
done
for ((i = 0; i < ${#together[@]}; i += 10)); do
	run_together "${together[@]:i:10}"
done
for name in "${own[@]}"; do
	begin "$name" -c "$(< "$dir/$name.load")"
	wait $!
	echo $? > "$dir/$name.status"
done
