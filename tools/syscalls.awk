# SPDX-License-Identifier: GPL-2.0-or-later
# Makes aliases of tapset/syscall/calls.def: awk -v family=syscall -f tools/syscalls.awk calls.def calls.def. The
# families nd_syscall and tp_syscall are other names of syscall.

function fail(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
	failed = 1
	exit 1
}

# read -> kernel.function("sys_read"); 64.read -> "64.sys_read": the translator knows the architecture's name
function function_of(entry,    part) {
	if (split(entry, part, ".") < 2)
		return "sys_" entry
	if (part[1] !~ /^(64|32|compat)$/)
		fail("unknown kind of entry '" entry "'")
	return part[1] ".sys_" part[2]
}

function points(suffix,    text, i, n, entry) {
	n = split($2, entry, ",")
	for (i = 1; i <= n; i++)
		text = text (i > 1 ? ", " : "") \
		       "kernel.function(\"" function_of(entry[i]) "\").decoded(\"" row "\")" suffix " ?"
	return text
}

# Returns the value of a variable of argument n.
function value(variable, kind, n) {
	if (variable ~ /_unquoted$/)
		return "_call_string(" n ")"
	if (variable ~ /^~/ || variable ~ /_str$/ || ((kind == "path" || kind == "string") && variable !~ /^#|_uaddr$/))
		return "_call_text(" n ")"
	return "_call_number(" n ")"
}

# Adds what takes a new value of the variable to argument n: `mode = 5` in a script of -g.
function write_back(variable, kind, n,    of, was) {
	of = was = value(variable, kind, n)
	sub(/^[~#]/, "", variable)
	if (of ~ /string/)
		of = "set_user_string_arg(_call_number(" n "), " variable ")"
	else if (of ~ /text/)
		return
	else
		of = "_call_write" (kind == "offset_pair" ? "_pair(" : "(") n ", " variable ")"
	writes = writes "if (@probewrite(" variable ") && " variable " != " was ") " of "\n\t"
}

function add(variable, expression) {
	sub(/^[~#]/, "", variable)
	body = body "\t" variable " = " expression "\n"
	if (reads && !(($1, variable) in noted)) {
		noted[$1, variable] = 1
		names[$1] = names[$1] (names[$1] ? ", " : ": ") variable
	}
}

function argument(field,    kind, variable, i, n) {
	kind = substr(field, 1, index(field, "(") - 1)
	row = row " " kind
	n = split(substr(field, index(field, "(") + 1, length(field) - length(kind) - 2), variable, ",")
	for (i = 1; i <= n; i++) {
		add(variable[i], value(variable[i], kind, nargs))
		write_back(variable[i], kind, nargs)
	}
	nargs++
}

function address(of,    i, part) {
	split("uaddr_af uaddr_ip uaddr_ip_port uaddr_ipv6_flowinfo uaddr_ipv6_scope_id", part, " ")
	for (i = 1; i in part; i++)
		add(part[i], "_call_address(" of ", addrlen, " i - 1 ")")
}

function options(list,    option, i, n) {
	n = split(substr(list, 2), option, ",")
	for (i = 1; i <= n; i++) {
		if (option[i] ~ /^as:/)
			shown = substr(option[i], 4)
		else if (option[i] == "hex" || option[i] == "octal")
			format = option[i] == "hex" ? 2 : 3
		else if (option[i] ~ /^arch:!/)
			on = "%( arch != \"" substr(option[i], 7) "\" %? "
		else if (option[i] ~ /^arch:/)
			on = "%( arch == \"" substr(option[i], 6) "\" %? "
		else if (option[i] == "saved" || option[i] == "noreturn")
			how = option[i]
		else
			fail("unknown option '" option[i] "'")
	}
}

function read_row(    i, begin) {
	body = how = what = on = writes = ""
	nargs = 0
	format = 1
	shown = $1
	begin = 3
	if ($3 ~ /^=/) {
		options($3)
		begin = 4
	}
	row = shown
	for (i = begin; i <= NF && $i != "--"; i++) {
		if ($i ~ /^@address\(/)
			address(substr($i, 10, length($i) - 10))
		else if ($i ~ /^[a-z0-9_]+=/)
			add(substr($i, 1, index($i, "=") - 1), substr($i, index($i, "=") + 1))
		else
			argument($i)
	}
	while (++i <= NF)
		what = what " " $i
	if (what == "")
		fail("a row without a word about what the call does")
}

BEGIN {
	print "// SPDX-License-Identifier: GPL-2.0-or-later"
	print "/*"
	print " * System calls; made of calls.def by tools/syscalls.awk. In a script of -g, what is assigned to the variable of an"
	print " * argument, or to NAME_unquoted, is what the call goes on with, as soon as the handler is done."
	print " *"
	print " * @name: the call\47s name"
	print " * @argstr: the arguments as strace prints them"
	print " * @retstr: the result, \"-2 (ENOENT)\""
	print " * @retval: the result, -2"
	print " * @args_uaddr: address of the arguments in the process"
	print " */"
}

/^#/ || !NF { next }

# The file is read twice: the variables of all rows of a name are in its one comment.
{ reads = NR == FNR }

reads {
	read_row()
	next
}

family != "syscall" {
	if ($1 in seen)
		next
	seen[$1] = 1
	printf "\n/** %s.%s - syscall.%s by another name%s */\n", family, $1, $1, names[$1]
	printf "probe %s.%s = syscall.%s ? { }\n", family, $1, $1
	if ($3 !~ /noreturn/) {
		printf "/** %s.%s.return - syscall.%s.return by another name%s */\n", family, $1, $1, names[$1]
		printf "probe %s.%s.return = syscall.%s.return ? { }\n", family, $1, $1
	}
	next
}

{
	read_row()
	first = !($1 in seen)
	seen[$1] = 1
	print ""
	if (first)
		printf "/** syscall.%s -%s%s */\n", $1, what, names[$1]
	if (writes) {
		sub(/\n\t$/, "", writes)
		writes = " %( guru_mode == 1 %? , {\n\t" writes "\n} %)"
	}
	printf "%sprobe syscall.%s = %s {\n\tname = _call_name()\n\targstr = _call_args()\n%s}%s%s\n", on, $1, points(""),
	       body, writes, on ? " %)" : ""
	if (how == "noreturn")
		next
	if (first)
		printf "/** syscall.%s.return - its result, and what it was given%s */\n", $1, names[$1]
	if (how == "saved")
		gsub(/_call_(text|string|number|args)\([0-9]*\)/, "@entry(&)", body)
	printf "%sprobe syscall.%s.return = %s {\n\tname = _call_name()\n\targstr = %s\n%s", on, $1, points(".return"),
	       how == "saved" ? "@entry(_call_args())" : "_call_args()", body
	printf "\tretval = _call_result()\n\tretstr = return_str(%d, _call_result())\n}%s\n", format, on ? " %)" : ""
}

END {
	if (failed)
		exit 1
}
