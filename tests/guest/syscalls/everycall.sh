# argstr and retstr of 300 system calls against strace's lines about the same run.
# skip: no_program strace
set -eu
dir=$(mktemp -d)
staprun -o "$dir/ours" -c "strace -o $dir/strace build/guest/everycall" "$MODULES/t_everycall.ko"
least=290
[ "$(uname -m)" = x86_64 ] || least=350
python3 tests/guest/syscalls/everycall.py "$dir/ours" "$dir/strace" $least
