# Prints a script that uses everything that --privilege=stapusr allows, in any process that a timer interrupts: the
# lines of ../../cli/reach.txt. Judged by ../../privilege/reach.sh. A hit of some hundred calls takes long where the
# machine is emulated.
echo '// args: --privilege=stapusr -DSTP_OVERLOAD_INTERVAL=1000000000000 -DSTP_OVERLOAD_THRESHOLD=900000000000'
awk -v least=stapusr -f tests/guest/modules/privilege/reaches.awk tests/cli/reach.txt
