# SPDX-License-Identifier: GPL-2.0-or-later
# Looks at the timeline of the live page: look_slices.py STAP SCRIPT DIR. Prints what is wrong; a picture is left in DIR.
import atexit, signal, subprocess, sys, time
from browser import Browser

stap, script, directory = sys.argv[1:]
run = subprocess.Popen(stap.split() + ["--web", script], stdout=subprocess.PIPE, text=True)
url = run.stdout.readline().strip()
browser = Browser(directory + "/browser")
atexit.register(browser.end)
atexit.register(run.kill)
browser.open(url)

def until(expression, what):
	for _ in range(300):
		if browser.value("(() => { try { return " + expression + " } catch (e) { return false } })()"):
			return
		time.sleep(0.1)
	print(f"never: {what}: {browser.value(expression)}")

timeline = "panels.get(' timeline')"
until(f"{timeline}.now.textContent.startsWith('2 tracks') && run.log.lines.length > 300", "two tracks")
track = "run.timeline.tracks.get('disk')"
until(f"{track}.slices.every(s => s[2] == 'wait' ? Math.abs(s[1] - s[0] - 4e6) < 2 && s[3] == 1 : "
	f"/^<i>read \\d<.i>$/.test(s[2]) && Math.abs(s[1] - s[0] - 12e6) < 2 && s[3] == 0) && {track}.slices.length > 100",
	"slices by their lengths, those inside below")
until("run.timeline.tracks.get('cpu').slices.length > 10", "slices with a beginning and an end")
if not browser.value("run.log.lines.some(l => /^half of \\d+, the other half$/.test(l))") or \
	browser.value("run.log.lines.some(l => l.includes('{'))"):
	print(f"the log: {browser.value('run.log.lines.slice(0, 5)')}")
tops = browser.value("['n', 'Timeline', 'Output', 'Probes'].map(t => [...document.querySelectorAll('section')].find("
	"s => s.querySelector('h2').firstChild.textContent == t).offsetTop)")
if tops != sorted(tops):
	print(f"the panels' order: {tops}")
browser.picture(directory + "/timeline.png")

# A click names a slice; a wheel zooms, which holds the view; "latest" follows again.
at = browser.value(f"(b => {{ const r = {timeline}.canvas.getBoundingClientRect(); return [r.left + b[0] + b[2] / 2, r.top + b[1] + 5] }})"
	f"({timeline}.boxes.findLast(b => b[3][2] == 'wait'))")
for kind in "mousePressed", "mouseReleased":
	browser.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)
until(f"/^(wait, 4.0 ms|<i>read \\d<.i>, 12.0 ms|work, .*), on (disk|cpu)$/.test({timeline}.note.textContent)", "a click names the slice")
browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=at[0], y=at[1], deltaX=0, deltaY=-100)
until(f"{timeline}.span < 4.5e9 && {timeline}.end !== null", "the wheel zooms")
browser.value(f"{timeline}.latest.click()")
until(f"{timeline}.end === null", "it follows again")

# Saved, the page has its timeline.
with open(directory + "/saved.html", "w") as f:
	f.write(browser.value("whole_page()"))
run.send_signal(signal.SIGINT)
run.wait()
complaints = browser.complaints()
browser.events = []
browser.open(f"file://{directory}/saved.html")
until(f"{timeline}.boxes.length > 20", "slices on the saved page")
for complaint in complaints + browser.complaints():
	if "/events?" in str(complaint): # the connection has ended with the run
		continue
	print(f"the browser says: {str(complaint)[:300]}")
