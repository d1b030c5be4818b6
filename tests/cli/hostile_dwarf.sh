# SPDX-License-Identifier: GPL-2.0-or-later
# Damaged debuginfo: bits flipped, bytes replaced, sections cut. Whatever is in the file, stap ends normally, with or
# without a message. Uses the build with sanitizers if there is one. ROUNDS=N for more, FIRST=N to begin elsewhere.
# skip: no_kernel || no_program python3 || no_program objcopy
# guards: translator/dwarf translator/program translator/target translator/formats translator/types
. "$TOP/tests/wait.inc"
cd "$WORK" || exit
stap=$STAP
[ -x "$TOP/build/san/bin/stap" ] && [ ! "$STAP" -nt "$TOP/build/san/bin/stap" ] && stap=$TOP/build/san/bin/stap
export ASAN_OPTIONS=detect_leaks=0

cp "$TOP/tests/cli/walk.c" victim.c
for flags in "-O2 -gdwarf-5" "-O0 -gdwarf-4"; do
	gcc $flags -Wl,--build-id=none -o "victim${flags: -1}" victim.c || exit
done

# A kernel's module: its debuginfo is relocated before it is read.
gcc -DMODULE -O2 -gdwarf-5 -fno-pic -mcmodel=kernel -c victim.c && ld -r -o victim_ko victim.o || exit

cat > damage.py <<'EOF'
import random, subprocess, sys
source, target, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
r = random.Random(seed)
data = bytearray(open(source, "rb").read())
sections = []
for line in subprocess.run(["readelf", "-SW", source], capture_output=True, text=True).stdout.split("\n"):
    words = line.replace("[ ", "[").split()
    if len(words) <= 5 or not words[0].startswith("["):
        continue
    if words[1].startswith((".debug", ".rela.debug")) or words[1] == ".eh_frame":
        sections.append((int(words[4], 16), int(words[5], 16)))
kind = r.randrange(4)
for _ in range(r.choice([1, 1, 2, 4, 16, 64])):
    offset, size = r.choice(sections)
    at = offset + r.randrange(size)
    if kind == 0:
        data[at] ^= 1 << r.randrange(8)
    elif kind == 1:
        data[at] = r.choice([0, 1, 0x7f, 0x80, 0xff])
    elif kind == 2:
        n = min(r.randrange(1, 32), offset + size - at)
        data[at:at + n] = bytes([r.choice([0, 0xff])] * n)
    else:
        n = min(r.randrange(1, 16), len(data) - at)
        data[at:at + n] = bytes(r.randrange(256) for _ in range(n))
if r.randrange(8) == 0:
    data = data[:r.randrange(64, len(data))]
open(target, "wb").write(data)
EOF

bad=0
for ((i = ${FIRST:-0}; i < ${FIRST:-0} + ${ROUNDS:-20}; i++)); do
	for v in victim4 victim5 victim_ko; do
		case $v in
		*_ko)
			[ -n "$KERNEL" ] || continue
			file=$WORK/damaged.ko where="module(\"$WORK/damaged.ko\")" target=(-r "$KERNEL")
			;;
		*) file=$WORK/damaged where="process(\"$WORK/damaged\")" target=() ;;
		esac
		python3 damage.py $v "$file" $i && chmod +x "$file"
		for run in "-L $where.statement(\"*@victim.c:*\")" "-L $where.function(\"walk@victim.c\")" \
			"-p2 -e probe $where.function(\"*@victim.c\") { println(\$\$vars\$, @var(\"sum\"), @cast(0, \"struct point\", \"$file\")->next->l) }"; do
			case $run in
			-L*) watched --cpu 20 "$stap" "${target[@]}" -L "${run#-L }" > out 2> err ;;
			*) watched --cpu 20 "$stap" "${target[@]}" -p2 -e "${run#-p2 -e }" > out 2> err ;;
			esac
			status=$?
			if [ $status -gt 3 ] || grep -qE 'AddressSanitizer|runtime error:' err; then
				echo "seed $i, $v: status $status: $run"
				grep -E 'Sanitizer|runtime error:|^ *#[0-5] ' err | head -8
				bad=$((bad + 1))
			fi
		done
	done
done
echo "$bad bad"
[ $bad = 0 ]
