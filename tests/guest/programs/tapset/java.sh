# SPDX-License-Identifier: GPL-2.0-or-later
# Java with two threads, which also reports its methods and objects.
for bin in /usr/lib/jvm/java-[1-9]*-openjdk-*/bin; do [ ! -e "$bin/javac" ] || break; done
dir=$(mktemp -d)
"$bin/javac" -d "$dir" tests/guest/programs/tapset/Meets.java
"$bin/java" -XX:+UseSerialGC -XX:+ExtendedDTraceProbes -cp "$dir" Meets
