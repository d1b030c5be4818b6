# Prints a script that probes the returns of all functions; of those with s, unless SLOW=1 is set. Functions share the
# memory that their values are saved in, so the values are checked, too. Attaching registers and enables thousands of
# kprobes: handlers that ran for the functions this calls would be most of the work, so none may. Judged by
# ../../kernel/all_returns.sh.
letter=s
[ -z "${SLOW-}" ] || letter=
cat <<END
// args: -g -DSTP_NO_OVERLOAD --all-places
global n, wrong, early
probe begin { println("begun") }
probe kernel.function("$letter*").return {
	if (@entry(task_current()) != task_current())
		wrong++
	n[ppfunc()] <<< 1
}
probe kernel.function("register_kprobe"), kernel.function("enable_kprobe") { early++ }
probe end { printf("ended, %d wrong, %d while attaching, of seq_read %d\n", wrong, early, @count(n["seq_read"]) > 0) }
END
