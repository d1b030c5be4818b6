# The scripts in examples/ run: those without a load of their own twelve at a time over one that has something for each, the others each with its own. tests/examples.inc
# has translated them, and judges what they print.
# examples: yes
# By default those whose head says "Test-always", some of each kind; SLOW=1: all.
dir=$MODULES/examples
wrong=0

exec {idle}<> <(:)
pause() { read -rt 0.2 -u $idle; } # without a process that the scripts would see

# Until the load has done all that it does so many times.
wait_rounds() {
	local now= until
	read -r now 2> /dev/null < "$dir/rounds"
	until=$((${#now} + $1))
	for _ in {1..900}; do
		read -r now 2> /dev/null < "$dir/rounds"
		[ ${#now} -lt $until ] || return
		pause
	done
	echo 'the load does not go on'
	wrong=1
}

begin() { staprun "${@:2}" -o "$dir/$1.out" "$dir/$1.ko" 2> "$dir/$1.err" & }

# What is loaded together sees at least one whole round.
run_together() {
	local name
	local -A pid=()
	for name in "$@"; do
		begin "$name" --timeout=200
		pid[$name]=$!
	done
	for name in "$@"; do
		for _ in {1..900}; do [ ! -e "/sys/module/$name" ] && kill -0 "${pid[$name]}" 2> /dev/null || break; pause; done
	done
	wait_rounds 2
	kill "${pid[@]}" 2> /dev/null
	for name in "$@"; do
		wait "${pid[$name]}"
		echo $? > "$dir/$name.status"
	done
}

: > "$dir/rounds"
sh tests/guest/examples/load.sh "$dir/rounds" > "$dir/load.log" 2>&1 & load=$!
trap 'kill $load' EXIT
together=() own=()
for file in "$dir"/*.load; do
	name=${file##*/} name=${name%.load}
	if [ -s "$file" ]; then own+=("$name"); else together+=("$name"); fi
done
for ((i = 0; i < ${#together[@]}; i += 12)); do
	run_together "${together[@]:i:12}"
done
kill $load
trap - EXIT
for name in "${own[@]}"; do
	begin "$name" --timeout=60 -c "$(< "$dir/$name.load")"
	wait $!
	echo $? > "$dir/$name.status"
done
exit $wrong
