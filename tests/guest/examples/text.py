# SPDX-License-Identifier: GPL-2.0-or-later
# Reads the output of a script under --json and prints its text. An error: a line is not as stapio(8) says, there is no
# first line that begins it, or no last one with the sums.
import base64, json, sys

kinds = []
for line in sys.stdin.buffer:
    value = json.loads(line)
    kinds.append(value["type"])
    if value["type"] == "output":
        assert value["time"] > 0 and value["probe"]
        text = value["text"].encode() if "text" in value else base64.b64decode(value["base64"])
        sys.stdout.buffer.write(text)
assert kinds[0] == "start" and kinds[-1] == "total", kinds
