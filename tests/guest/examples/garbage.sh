# SPDX-License-Identifier: GPL-2.0-or-later
# Java that makes garbage, in little memory.
for bin in /usr/lib/jvm/java-[1-9]*-openjdk-*/bin; do [ ! -e "$bin/java" ] || break; done
"$bin/java" -XX:+UseSerialGC -Xmx32m tests/guest/examples/Garbage.java
