# SPDX-License-Identifier: GPL-2.0-or-later
# A Java program that makes garbage, with little memory.
for bin in /usr/lib/jvm/java-[1-9]*-openjdk-*/bin; do [ ! -e "$bin/java" ] || break; done
"$bin/java" -XX:+UseSerialGC -Xmx32m tests/guest/examples/Garbage.java
