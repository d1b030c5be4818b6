# Prints a script that uses all that --privilege=stapusr lets a script use, in whatever process a timer meets: the lines
# of ../../cli/reach.txt. Judged by ../privilege/reach.sh.
echo '// args: --privilege=stapusr'
awk -v least=stapusr -f tests/guest/modules/reaches.awk tests/cli/reach.txt
