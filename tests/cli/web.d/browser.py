# SPDX-License-Identifier: GPL-2.0-or-later
# A headless Chromium, spoken to by a pipe in its debugging protocol.
import base64, json, os, subprocess

class Browser:
	def __init__(self, directory):
		there, ours = os.pipe()
		mine, theirs = os.pipe()

		def places():
			os.dup2(there, 63)
			os.dup2(theirs, 64)
			os.dup2(63, 3)
			os.dup2(64, 4)

		self.process = subprocess.Popen(
			["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-renderer-backgrounding", "--remote-debugging-pipe",
			 "--window-size=1280,1400", f"--user-data-dir={directory}", "about:blank"],
			preexec_fn=places, close_fds=False, stderr=subprocess.DEVNULL)
		os.close(there)
		os.close(theirs)
		self.to, self.back, self.number, self.rest, self.events = ours, mine, 0, b"", []
		page = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"][0]
		self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
		for domain in "Page", "Runtime", "Log", "Network":
			self.call(domain + ".enable")

	def message(self):
		while b"\0" not in self.rest:
			self.rest += os.read(self.back, 1 << 16)
		one, self.rest = self.rest.split(b"\0", 1)
		return json.loads(one)

	def call(self, method, **arguments):
		self.number += 1
		said = {"id": self.number, "method": method, "params": arguments}
		if getattr(self, "session", None):
			said["sessionId"] = self.session
		os.write(self.to, json.dumps(said).encode() + b"\0")
		while True:
			answer = self.message()
			if answer.get("id") == self.number:
				if "error" in answer:
					raise RuntimeError(answer["error"])
				return answer["result"]
			self.events.append(answer)

	def open(self, url):
		self.call("Page.navigate", url=url)

	# Returns the value of an expression of JavaScript.
	def value(self, expression):
		r = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
		if "exceptionDetails" in r:
			raise RuntimeError(r["exceptionDetails"])
		return r["result"].get("value")

	def picture(self, path):
		with open(path, "wb") as f:
			f.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

	# Returns what the pages have complained of, and the addresses that they have asked.
	def complaints(self):
		kinds = "Log.entryAdded", "Runtime.exceptionThrown", "Page.javascriptDialogOpening"
		return [e["params"] for e in self.events if e.get("method") in kinds]

	def addresses(self):
		return {e["params"]["request"]["url"].split("?")[0] for e in self.events
			if e.get("method") == "Network.requestWillBeSent"}

	def end(self):
		self.process.kill()
		self.process.wait()
