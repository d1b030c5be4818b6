# JSON and Prometheus files: their text, read twice, by their own parsers.
set -eu
. "$TOP/tests/wait.inc"
out=$(mktemp)
staprun -v -o "$out" "$MODULES/t_published.ko" 2> "$out.err" & run=$!
wait_until in_place "$out.err" || cat "$out.err"
cd /proc/systemtap/t_published
python3 - << 'EOF'
import json, time
def same(what, is_, wanted):
	if is_ != wanted: raise SystemExit(f'{what}: {is_!r}, not {wanted!r}')
def metric(name, kind, **more): return {'name': name, 'pointer': '/' + name, 'type': kind, **more}
same('metadata', json.load(open('metadata.json')), {'prefix': 'test.of', 'metrics': [
	metric('size', 'integer', description='how much', units='bytes'),
	metric('who', 'string', description='a "name"\\'),
	metric('disks', 'array', index='/__id', metrics=[
		metric('reads', 'integer', description='so many', units='count'), metric('model', 'string')]),
	metric('none', 'array', description='it stays empty', index='/__id', metrics=[])]})
for size in 42, 43:
	same('data', json.load(open('data.json')), {'size': size, 'who': 'x"y\\z\n\t', 'none': [],
		'disks': [{'__id': 'sda', 'reads': 1, 'model': 'first'}, {'__id': 'sdb', 'model': 'second'}]})
def labels(n, of, quote='"'): return ','.join(f'l{i}={quote}{of(i)}{quote}' for i in range(1, n + 1))
deep = range(3, 9)
same('prometheus', sorted(open('prometheus').read().splitlines()), sorted('\n'.join(
	[*(f'deep{{{labels(n, str)}}} {n}' for n in deep),
	'end 1', 'n{of="a \\"b\\"\\\\c\\nd"} -2', 'n{of="plain"} 3', 'p{left="x",right="7"} 9223372036854775807',
	*(f'mapped{{{labels(n, lambda i: i // 2)}}} {2 * n}' for n in deep),
	'mapped{of="<a \\"b\\"\\\\c\\nd>"} -4', 'mapped{of="<plain>"} 6', 'mapped{left="<x>",right="3"} -2',
	*(f'bare{{{labels(n, lambda i: i // 2, "")}}} {2 * n}' for n in deep),
	"bare{of='a \"b\"\\c\nd'} -4", "bare{of='plain'} 6", "bare{left='x',right=3} -2"]).splitlines()))
# A mitigation's switches.
def shown(file): return open(file).read().strip()
def until(what, file, wanted):
	print('waits for', what, flush=True)
	while shown(file) != wanted: time.sleep(0.1)
same('mitigation', sorted(shown('__prometheus').splitlines()), ['cve{key="last"} -7', 'cve{key="tries"} 3'])
same('switches', [shown(f'cve_{name}_p') for name in ('enabled', 'fix', 'trace', 'notify')], ['1', '0', '1', '1'])
open('cve_trace_p', 'w').write('0\n')
same('written', shown('cve_trace_p'), '0')
open('cve_enabled_p', 'w').write('2\n')
# It is off for a second, which may pass while nobody runs the guest; the script says it.
until('off for a second, and on', 'cve_enabled_p', '1')
EOF
echo > stop
wait $run
grep -q "mitigation loaded$" "$out" && grep -qx "CVE-0 mitigation unloaded" "$out"
grep -qx 'off: 0' "$out"
grep -qx "metric 'who' exists already" "$out"
grep -qx "there is no array 'no'; json_add_array makes one" "$out"
grep -qx "no metric 'who' that is a number has been added" "$out"
