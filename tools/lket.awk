# SPDX-License-Identifier: GPL-2.0-or-later
# Makes what tapset/LKET/hooks.def stands for: awk -v part=PART -f tools/lket.awk hooks.def. Parts: `hooks`, the aliases
# and the registrations; `fork` and `execve`, that alias alone, in a file of its own; `table`, the rows of lket-b2a.

function fail(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
	failed = 1
	exit 1
}

function about(    text) {
	text = $0
	return sub(/.* -- /, "", text) ? text : fail("its description is missing: -- ...")
}

# Adds a hook.
function add(id, constant, name, filtered, text,    g) {
	g = constant
	sub(/_.*/, "", g)
	if (!(g in group_ids))
		fail("no group '" g "'")
	n++
	ids[n] = id; constants[n] = constant; names[n] = name; group[n] = group_ids[g]
	guards[n] = filtered ? "!filter_by_pid()" : ""
	texts[n] = text
}

# Returns the points of calls: "syscall.a.return, syscall.b.return ?" for "syscall.a,syscall.b?".
function calls(list, suffix,    point, k, count, optional, text) {
	count = split(list, point, ",")
	for (k = 1; k <= count; k++) {
		optional = sub(/\?$/, "", point[k])
		text = text (k > 1 ? ", " : "") point[k] suffix (optional ? " ?" : "")
	}
	return text
}

function add_field(i, type, name, expression) {
	types[i] = types[i] (types[i] ? ":" : "") type
	fields[i] = fields[i] (fields[i] ? ":" : "") name
	values[i] = values[i] ", " expression
	decimal[i] = decimal[i] (type == "STRING" ? "|%s" : "|%d")
	binary[i] = binary[i] (type == "STRING" ? "%s" : "%" substr(type, 4) / 8 "b")
}

BEGIN { common = "gettimeofday_us() / 1000000, gettimeofday_us() %% 1000000, pid(), ppid(), tid(), cpu()" }
/^#/ || NF == 0 { next }
$1 == "group" { group_ids[$3] = $2; group_order[++groups] = $3; next }
$1 == "variable" { variables[++nvariables] = $2 ": " about(); next }
$1 == "hook" {
	call = 0
	add($2, $3, $4, $5 == "filtered", about())
	next
}
$1 == "call" {
	call = $2
	add($2, $3 "_ENTRY", $4 ".entry", $5 == "filtered", about() ": entry")
	add($2 + 1, $3 "_RETURN", $4 ".return", $5 == "filtered", about() ": return")
	match($0, / = [^ ]*/)
	points[n - 1] = calls(substr($0, RSTART + 3, RLENGTH - 3), "")
	points[n] = calls(substr($0, RSTART + 3, RLENGTH - 3), ".return")
	if (points[n] ~ /^(sunrpc|nfs|nfsd)\./)
		add_field(n, "STRING", "retstr", "retstr")
	else
		add_field(n, "INT64", "return", points[n] ~ /^(kernel|signal)/ ? "$return" : "retval")
	next
}
$1 == "at" { sub(/^[ \t]*at /, ""); points[n] = $0; next }
$1 == "skip" { sub(/^[ \t]*skip /, ""); guards[n] = $0; next }
$1 ~ /^(INT(8|16|32|64)|STRING)$/ && $3 == "=" {
	type = $1; name = $2
	sub(/^[ \t]*[A-Z0-9]+ [a-z_0-9]+ = /, "")
	add_field(call ? n - 1 : n, type, name, $0)
	next
}
{ fail("neither group, hook, call nor a field: " $1) }

# Says what is in a record: "fd:INT64, count:INT64".
function contents(i,    t, f, k, count, text) {
	count = split(types[i], t, ":")
	split(fields[i], f, ":")
	for (k = 1; k <= count; k++)
		text = text (k > 1 ? ", " : "") f[k] ":" t[k]
	return text ? text : "nothing of its own"
}

function print_alias(i) {
	printf "/** addevent.%s - %s. The record has: %s */\n", names[i], texts[i], contents(i)
	printf "probe addevent.%s = %s {\n", names[i], points[i]
	if (guards[i])
		printf "\tif (%s)\n\t\tnext\n", guards[i]
	printf "\tif (__lket_ascii())\n"
	printf "\t\tprintf(\"\\n%d|%d|%%d|%%d|%%d|%%d|%%d|%%d%s\", " common "%s)\n",
	       group[i], ids[i], decimal[i], values[i]
	printf "\telse\n"
	printf "\t\tprintf(\"\\001lket %d.%d %%8b%s\", __lket_who()%s)\n}\n",
	       group[i], ids[i], binary[i], values[i]
}

# The alias `name` is all hooks whose names match. Of some kernels some are not: those for programs of 64 bits alone,
# and those whose compiler has made no function of io_submit_one() or sigprocmask(). Of a file of NFS, reading has two
# names today.
function print_umbrella(name, pattern, what,    i, text) {
	for (i = 1; i <= n; i++)
		if (names[i] ~ pattern && names[i] !~ /nfs\.fop\.aio_/)
			text = text (text ? ",\n\t" : "") "addevent." names[i] \
			       (names[i] ~ /llseek|submit_one|procmask/ ? " ?" : "")
	printf "/** addevent.%s - %s */\nprobe addevent.%s = %s { }\n", name, what, name, text
}

# The aliases `name`, name.entry and name.return.
function print_parts(name, what,    pattern) {
	pattern = name
	gsub(/\./, "\\.", pattern)
	print_umbrella(name, "^" pattern "\\.", what)
	print_umbrella(name ".entry", "^" pattern "\\..*\\.entry$", what ": entries")
	print_umbrella(name ".return", "^" pattern "\\..*\\.return$", what ": returns")
}

function print_other_name(name, meant) {
	printf "/** addevent.%s - addevent.%s, as the manual page of 2006 spells it */\n", name, meant
	printf "probe addevent.%s = addevent.%s { }\n", name, meant
}

function print_umbrellas() {
	print_umbrella("syscall", "^syscall\\.", "system calls: their begin and their end")
	print_umbrella("process", "^process\\.", "processes are made, run programs, and end")
	print_umbrella("ioscheduler", "^ioscheduler\\.", "requests of the block layer")
	print_umbrella("tskdispatch", "^tskdispatch\\.", "the scheduler")
	print_umbrella("scsi", "^scsi\\.", "SCSI commands. Needs the module scsi_mod")
	print_umbrella("netdev", "^netdev\\.", "network devices")
	print_umbrella("iosyscall", "^iosyscall\\.", "system calls for input and output")
	print_umbrella("iosyscall.entry", "^iosyscall\\..*\\.entry$", "all entries")
	print_umbrella("iosyscall.return", "^iosyscall\\..*\\.return$", "all returns")
	print_umbrella("aio", "^aio\\.", "asynchronous input and output")
	print_umbrella("aio.entry", "^aio\\..*\\.entry$", "all entries")
	print_umbrella("aio.return", "^aio\\..*\\.return$", "all returns")
	print_umbrella("signal", "^signal\\.", "signals")
	print_umbrella("signal.entry", "^signal\\..*\\.entry$", "all entries")
	print_umbrella("signal.return", "^signal\\..*\\.return$", "all returns")
	print_umbrella("sunrpc", "^sunrpc\\.", "remote procedure calls. Needs the module sunrpc")
	print_parts("sunrpc.clnt", "calls of clients")
	print_parts("sunrpc.svc", "calls that servers serve")
	print_parts("sunrpc.sched", "the tasks of clients")
	print_umbrella("nfs", "^nfs\\.", "files of NFS mounts. Needs the modules nfs, nfsv3 and nfsv4")
	print_parts("nfs.fop", "what programs ask of files")
	print_parts("nfs.aop", "what goes on between the page cache and the server")
	print_parts("nfs.proc", "the calls of the protocol")
	print_parts("nfsd", "the NFS server. Needs the module nfsd")
	print_parts("nfsd.proc", "the calls of the protocol that it serves")
	print_other_name("iosyscall.senfile.entry", "iosyscall.sendfile.entry")
	print_other_name("iosyscall.senfile.return", "iosyscall.sendfile.return")
}

function print_constants(    i) {
	for (i = 1; i <= groups; i++)
		printf "global GROUP_%s = %d\n", group_order[i], group_ids[group_order[i]]
	print "global HOOKID_REGSYSEVT = 1, HOOKID_REGUSREVT = 2, HOOKID_PROCESS_SNAPSHOT = 1"
	for (i = 1; i <= n; i++)
		printf "global HOOKID_%s = %d\n", constants[i], ids[i]
}

# These are right: they are not looked at word by word, as a script's are.
function print_registrations(    i) {
	print "/** register_sys_events - says what the records of all hooks have in them: LKET does it itself */"
	print "function register_sys_events() {"
	print "\t__lket_describe(1, 3, 1, \"INT32:INT32:INT32:STRING\", \"tid:pid:ppid:pname\")"
	for (i = 1; i <= n; i++)
		if (types[i])
			printf "\t__lket_describe(1, %d, %d, \"%s\", \"%s\")\n",
			       group[i], ids[i], types[i], fields[i]
	print "}"
}

function print_table(    i) {
	for (i = 1; i <= groups; i++)
		printf "GROUP(%d, \"%s\")\n", group_ids[group_order[i]], group_order[i]
	print "HOOK(3, 1, \"process_snapshot\", \"INT32:INT32:INT32:STRING\", \"tid:pid:ppid:pname\")"
	for (i = 1; i <= n; i++)
		printf "HOOK(%d, %d, \"%s\", \"%s\", \"%s\")\n", group[i], ids[i], names[i], types[i], fields[i]
}

# The variables are those of the points that the hooks are at.
function print_header(    k) {
	print "/*\n * Hooks of the Linux Kernel Event Trace: lket(5). Made of hooks.def.\n *"
	for (k = 1; k <= nvariables; k++)
		print " * @" variables[k]
	print " */\n"
}

END {
	if (failed)
		exit 1
	if (part == "table") {
		print "/* SPDX-License-Identifier: GPL-2.0-or-later */"
		print "/* Made by tools/lket.awk of tapset/LKET/hooks.def. */"
		print_table()
		exit
	}
	print "// SPDX-License-Identifier: GPL-2.0-or-later"
	if (part == "hooks")
		print_header()
	else
		print "/* Processes are recorded in any case, by lket.stp: this hook does it instead. Made of hooks.def. */\n"
	for (i = 1; i <= n; i++)
		if ((names[i] == "process.fork" ? "fork" : names[i] == "process.execve" ? "execve" : "hooks") == part)
			print_alias(i)
	if (part == "hooks") {
		print_umbrellas()
		print_registrations()
		print_constants()
	} else
		printf "probe begin(-1000001) { __lket_%s_asked = 1 }\n", part
}
