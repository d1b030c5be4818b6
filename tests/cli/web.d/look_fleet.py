# SPDX-License-Identifier: GPL-2.0-or-later
# Looks at the live page of several machines in a browser: look_fleet.py STAP DIR. The machines are those of fleet.inc.
# Prints what is wrong; pictures are left in DIR.
import atexit, os, signal, subprocess, sys, time
from browser import Browser

def wrong(text):
	print(text)

stap, directory = sys.argv[1:]
names = "one", "two", "three", "away"
run = subprocess.Popen([stap, "--web", *(w for n in names for w in ("--remote", n)), "-e", "probe begin { }"],
	stdout=subprocess.PIPE, text=True)
url = run.stdout.readline().strip()
browser = Browser(directory + "/browser")
atexit.register(browser.end)
atexit.register(run.kill)
browser.open(url)

# Waits until an expression is true.
def until(expression, what):
	for _ in range(600):
		if browser.value("(() => { try { return " + expression + " } catch (e) { return false } })()"):
			return
		time.sleep(0.1)
	wrong(f"never: {what}")

# Returns the text of a panel of a machine, or of all ("").
def text(title, host=""):
	return browser.value("""(() => { const s = [...document.querySelectorAll("section")].find(s => {
		const h = s.querySelector("h2").children; return h[0].textContent == "%s" && (h[1].textContent == "%s" || !"%s") });
		return s ? s.innerText : "none" })()""" % (title, host, host))

until("run.hosts.length == 4 && run.hosts[2].kind == 'failed' && run.hosts[3].kind == 'failed' && run.hosts[0].look && "
	"run.hosts[0].probes[0][1] > 12 && panels.size == 15", "a panel for each machine and value, the output and the probes")
time.sleep(0.5)
for host, says in ("one", "running"), ("two", "running"), ("three", "ended with status 5"), ("away", "left out: "):
	if says not in text(host):
		wrong(f"{host}: {text(host)}")
for host in "one", "two", "three":
	if host not in text("by_name", host) or "<img src=x onerror=alert(1)>" not in text("by_name", host) or \
		"1" not in text("latency", host) or "none" == text("reads", host):
		wrong(f"the values of {host}: {text('by_name', host)}")
	# Each panel says whose figures are lost.
	if ("two: " in text("reads", host)) != (host == "two") or ("hits lost" in text("by_name", host)) != (host == "two"):
		wrong(f"what is lost on {host}: {text('reads', host)}")
if "two: " not in text("Output") or "two: " not in text("Probes") or "running on 2 of 4 machines; 2 failed" != \
	browser.value("document.getElementById('state').textContent"):
	wrong(f"panels of all: {text('Probes')}")
if "one: <b>first</b> of one" not in text("Output") or "three: ended on three" not in text("Output"):
	wrong(f"lines: {text('Output')}")
if browser.value("document.querySelectorAll('section img, section b, section i').length"):
	wrong("a text of a machine has become markup")
columns = browser.value("[...document.querySelectorAll('#fleet section')].map(s => s.getBoundingClientRect().left)"
	".filter((x, i, all) => all.indexOf(x) == i).length")
if columns != 4:
	wrong(f"{columns} columns")
browser.picture(directory + "/fleet.png")

# A switch is for all machines; one that fails says why.
box = "document.querySelector('section input[type=checkbox]')"
browser.value(f"{box}.click()")
until(f"run.hosts[0].probes[0][6] && run.hosts[1].probes[0][6] && !{box}.checked", "a probe that is off")
browser.value(f"{box}.click()")
until(f"!run.hosts[0].probes[0][6] && !run.hosts[1].probes[0][6] && {box}.checked && !{box}.indeterminate", "a probe that is on")

# Saved, it is one file, which shows the same and asks nobody.
with open(directory + "/saved.html", "w") as f:
	f.write(browser.value("whole_page()"))
panels = browser.value("panels.size")
run.send_signal(signal.SIGINT)
run.wait()
until("run.state.startsWith('ended') || run.state == 'no connection'", "the end is seen")
ended = [c for c in browser.complaints() if "/events?" not in str(c)]
browser.value(f"{box}.click()")
until("/^Not switched o.*: there is no connection/.test(panels.get(' probes').note.textContent)", "why nothing is switched")
browser.events = []
browser.open(f"file://{directory}/saved.html")
until(f"typeof panels == 'object' && panels.size == {panels}", "the saved panels")
if "ended with status 5" not in text("three") or "three" not in text("by_name", "three"):
	wrong(f"saved: {text('three')}")
browser.picture(directory + "/fleet_saved.png")
if any(not a.startswith(("file:", "data:")) for a in browser.addresses()):
	wrong(f"the saved page asked {browser.addresses()}")

# JSON says whose each record is.
complaints, browser.events = browser.complaints(), []
run = subprocess.Popen([stap, "--web", "--json", "--remote", "one", "--remote", "two", "-e", "probe begin { }"],
	stdout=subprocess.PIPE, text=True)
atexit.register(run.kill)
browser.open(run.stdout.readline().strip())
until("run.log.lines.includes('one: line 4 of one') && run.log.lines.includes('two: line 5 of two')", "lines of JSON")
if browser.value("run.log.lines.some(l => !/^(one|two): [^{]/.test(l))"):
	wrong(f"lines of JSON: {browser.value('run.log.lines')}")
browser.value("document.querySelector('section:last-child').scrollIntoView()")
browser.picture(directory + "/fleet_probes.png")
run.send_signal(signal.SIGINT)
run.wait()
complaints += [c for c in browser.complaints() if "/events?" not in str(c)]
for complaint in ended + complaints:
	wrong(f"the browser says: {str(complaint)[:300]}")
