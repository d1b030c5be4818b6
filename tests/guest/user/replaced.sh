# A program whose file was replaced gets no breakpoints: they could be in the middle of its instructions.
set -eu
cd build/guest
staprun -c ./replaced t_replaced.ko > /tmp/out
grep -q '^hit$' /tmp/out
cp replaced /tmp/other && printf 'x' >> /tmp/other # longer
cp ./calls_fast /tmp/fast
for other in /tmp/other /tmp/fast; do
	rm replaced && cp "$other" replaced
	status=0; staprun -c ./replaced t_replaced.ko > /tmp/out 2> /tmp/err || status=$?
	[ $status = 1 ] || { echo "status $status"; cat /tmp/err; exit 1; }
	grep -q 'this is not the file that the script was translated for; translate it again' /tmp/err || {
		cat /tmp/err
		exit 1
	}
done
