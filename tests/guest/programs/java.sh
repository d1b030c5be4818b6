# SPDX-License-Identifier: GPL-2.0-or-later
# Java with two threads; its methods and objects are told of, too.
bin=/usr/lib/jvm/java-17-openjdk-amd64/bin
dir=$(mktemp -d)
"$bin/javac" -d "$dir" tests/guest/programs/Meets.java
"$bin/java" -XX:+UseSerialGC -XX:+ExtendedDTraceProbes -cp "$dir" Meets
