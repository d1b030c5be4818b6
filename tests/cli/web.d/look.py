# SPDX-License-Identifier: GPL-2.0-or-later
# Looks at the live page in a browser: look.py STAP SCRIPT DIR. Prints what is wrong; pictures are left in DIR.
import atexit, os, re, signal, subprocess, sys, time
from browser import Browser

def wrong(text):
	print(text)

stap, script, directory = sys.argv[1:]
run = subprocess.Popen(stap.split() + ["--web", script], stdout=subprocess.PIPE, text=True)
url = run.stdout.readline().strip()
browser = Browser(directory + "/browser")
atexit.register(browser.end)
atexit.register(run.kill)
browser.open(url)

# Returns the children of a process and theirs, the script's program last.
def programs(pid):
	ret = []
	for task in os.listdir(f"/proc/{pid}/task"):
		with open(f"/proc/{pid}/task/{task}/children") as f:
			for child in f.read().split():
				ret += [int(child), *programs(child)]
	return ret

# Waits until an expression is true.
def until(expression, what):
	for _ in range(600):
		if browser.value("(() => { try { return " + expression + " } catch (e) { return false } })()"):
			return
		time.sleep(0.1)
	wrong(f"never: {what}")

section = "[...document.querySelectorAll('section')].find(s => s.querySelector('h2').firstChild.textContent == '%s')"
until("run.look > 12 && panels.size == 9", "a panel for each value, the output and the probes")
for name, inside in ("hits", "canvas"), ("depth", "canvas"), ("by_name", "tbody tr"), ("sizes", "td.number"), \
	("latency", "canvas"), ("stacks", ".flame div"), ("Output", "pre"), ("Probes", "input[type=checkbox]"):
	if not browser.value(f"!!({section % name}).querySelector('{inside}')"):
		wrong(f"the panel {name} has no {inside}")
if not re.fullmatch(r"<b>\d+</b>", browser.value(f"({section % 'who'}).querySelector('.text').textContent")):
	wrong("a string is not shown as it is")
if browser.value("document.querySelectorAll('section img, section b, section script').length"):
	wrong("a text of the script has become markup")
caption = browser.value(f"({section % 'latency'}).querySelectorAll('.note')[0].textContent")
if not re.search(r"over the last ([2-9]|\d\d+) s; from blue to red: 1 to [1-9]", caption):
	wrong(f"the heat map: {caption}")
frames = browser.value(f"[...({section % 'stacks'}).querySelectorAll('.flame div')].map(d => d.textContent).join(' ')")
if "vfs_read" not in frames or "ksys_1" not in frames or "0x" in frames:
	wrong(f"frames: {frames}")
if "0 of" not in browser.value("document.getElementById('lost').textContent"):
	wrong("no books")
browser.picture(directory + "/page.png")

# A click on a column's head sorts; the filter leaves rows out.
browser.value(f"({section % 'sizes'}).querySelectorAll('th')[0].click()")
until(f"[...({section % 'sizes'}).querySelectorAll('tbody tr')].map(r => r.firstChild.textContent).join() == '4,3,2,1,0' ||"
	f"[...({section % 'sizes'}).querySelectorAll('tbody tr')].map(r => r.firstChild.textContent).join() == '0,1,2,3,4'", "sorted rows")
browser.value(f"(i => {{ i.value = '>7'; i.dispatchEvent(new Event('input')) }})(({section % 'by_name'}).querySelector('input'))")
until(f"({section % 'by_name'}).querySelectorAll('tbody tr').length <= 1", "filtered rows")

# Paused, nothing moves, and the run goes on.
browser.value("document.getElementById('pause').click()")
before = browser.value("new Promise(r => setTimeout(() => r(document.getElementById('panels').innerText), 300))")
look = browser.value("run.look")
until(f"run.look > {look} + 3", "looks while it is paused")
if browser.value("document.getElementById('panels').innerText") != before:
	wrong("a paused page moves")
browser.value("document.getElementById('pause').click()")
until("!paused && document.getElementById('panels').innerText != " + repr(before), "the page goes on")

# A probe is switched off by its box.
browser.value(f"({section % 'Probes'}).querySelector('input').click()")
until("run.hosts[0].probes[0][6] == 1", "a probe that is off")

# Values that do not come any more are said to be old.
program = programs(run.pid)[-1]
os.kill(program, signal.SIGSTOP)
until("/the values are [1-9][0-9]* s old/.test(document.getElementById('state').textContent)", "old values")
os.kill(program, signal.SIGCONT)
until("document.getElementById('state').textContent == 'running'", "new values")

# Saved, it is one file, which shows the same and asks nobody.
with open(directory + "/saved.html", "w") as f:
	f.write(browser.value("whole_page()"))
panels = browser.value("panels.size")
if {a.split("/")[2] for a in browser.addresses() if not a.startswith("data:")} != {url.split("/")[2]}:
	wrong(f"asked: {browser.addresses()}")
run.send_signal(signal.SIGINT)
run.wait()
until("run.state.startsWith('ended') || run.state == 'no connection'", "the end is seen")
ended = browser.complaints()
browser.events = []
browser.open(f"file://{directory}/saved.html")
until(f"typeof panels == 'object' && panels.size == {panels}", "the saved panels")
browser.picture(directory + "/saved.png")
if any(not a.startswith(("file:", "data:")) for a in browser.addresses()):
	wrong(f"the saved page asked {browser.addresses()}")
ended = [c for c in ended if "/events?" not in str(c)] # the connection has ended with the run
for complaint in ended + browser.complaints():
	wrong(f"the browser says: {str(complaint)[:300]}")
