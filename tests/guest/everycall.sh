# argstr and retstr of 300 system calls against strace's lines about the same run.
set -eu
dir=$(mktemp -d)
command -v strace > /dev/null || { echo "strace is not installed"; exit 1; }
staprun -o "$dir/ours" -c "strace -o $dir/strace build/guest/everycall" "$MODULES/t_everycall.ko"
python3 tests/guest/everycall.py "$dir/ours" "$dir/strace"
