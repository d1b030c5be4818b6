# Prints a script that probes the returns of all functions; of those with s, unless SLOW=1 is set.
# Functions share what their values are saved in: those are looked at, too. Judged by ../all_returns.sh.
letter=s
[ -z "${SLOW-}" ] || letter=
cat <<END
// args: -DSTP_NO_OVERLOAD
global n, wrong
probe begin { println("begun") }
probe kernel.function("$letter*").return {
	if (@entry(task_current()) != task_current())
		wrong++
	n[ppfunc()] <<< 1
}
probe end { printf("ended, %d wrong, of seq_read %d\n", wrong, @count(n["seq_read"]) > 0) }
END
