# SPDX-License-Identifier: GPL-2.0-or-later
# Figures of the live page: figures.py STAP SCRIPT DIR. Prints them, a line each, and what is too much after "too much".
# Waits are those of an idle machine; where others had tasks wait for a processor, they are printed alone.
import atexit, os, subprocess, sys, time
from browser import Browser

MOST_MS, MOST_SHARE, SECONDS = 300, 5.0, 12

stap, script, directory = sys.argv[1:]
run = subprocess.Popen(stap.split() + ["--web", script], stdout=subprocess.PIPE, text=True)
atexit.register(run.kill)
url = run.stdout.readline().strip()

# Returns the processor seconds of the exporter, with the children that it has waited for, and of the script's program.
def seconds_of_work():
	ret = 0.0
	for pid in [run.pid, *programs()]:
		with open(f"/proc/{pid}/stat") as f:
			ret += sum(map(int, f.read().rsplit(")", 1)[1].split()[11:15])) / os.sysconf("SC_CLK_TCK")
	return ret

# The program of the script is a child of the stap that the exporter has started.
def programs(of=None):
	ret = []
	for task in os.listdir(f"/proc/{of or run.pid}/task"):
		with open(f"/proc/{of or run.pid}/task/{task}/children") as f:
			for pid in f.read().split():
				ret += [pid, *programs(pid)]
	return ret

def share(seconds):
	before, begun = seconds_of_work(), time.monotonic()
	time.sleep(seconds)
	return 100 * (seconds_of_work() - before) / (time.monotonic() - begun)

time.sleep(4)
alone = share(SECONDS)
browser = Browser(directory + "/browser")
atexit.register(browser.end)
browser.open(url)
for _ in range(300):
	if browser.value("typeof panels == 'object' && panels.size == 4"):
		break
	time.sleep(0.1)
else:
	print("too much: there are no panels")
# Returns the share of the last ten seconds in which some task has waited for a processor.
def pressure():
	with open("/proc/pressure/cpu") as f:
		return float(f.read().split("avg10=")[1].split()[0])

# Notes when each stamp is in a frame that has been drawn.
browser.value("""(() => {
	window.waits = { value: [], line: [] };
	const section = name => [...document.querySelectorAll("section")].find(s => s.querySelector("h2").firstChild.textContent == name);
	const watch = (kind, node, text) => {
		let last = text();
		new MutationObserver(() => {
			const now = text();
			if (now && now != last)
				requestAnimationFrame(() => setTimeout(() => waits[kind].push(Date.now() - Number(now) / 1000)));
			last = now;
		}).observe(node, { childList: true, characterData: true, subtree: true });
	};
	const number = section("stamp").querySelector(".now"), log = section("Output").querySelector("pre");
	watch("value", number, () => number.textContent.replace(/,/g, ""));
	watch("line", log, () => log.textContent.trimEnd().split("\\n").pop());
})()""")
served, busy = share(SECONDS), pressure()
print(f"tasks waited for a processor {busy:.0f} % of the time")
for kind, name in ("value", "a value"), ("line", "a line"):
	waits = sorted(browser.value(f"waits.{kind}"))[:]
	if len(waits) < 10:
		print(f"too much: only {len(waits)} of {kind}")
		continue
	print(f"{name}, from the hit to the pixel: median {waits[len(waits) // 2]:.0f} ms, 95 % {waits[len(waits) * 95 // 100]:.0f} ms, "
		f"most {waits[-1]:.0f} ms of {len(waits)} (to be {MOST_MS})")
	if waits[len(waits) * 95 // 100] > MOST_MS and busy < 30:
		print(f"too much: {name}")
looks = browser.value("run.look")
time.sleep(5)
rate = (browser.value("run.look") - looks) / 5
print(f"2,000 keys, {rate:.1f} looks a second: {served - alone:.1f} % of a processor (to be {MOST_SHARE}), beside {alone:.1f} without a reader")
if served - alone > MOST_SHARE:
	print("too much: processor")
