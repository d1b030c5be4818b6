# Prints the script of reaches.sh with a few additional lines, for those who may see everything: there, the data that
# reach.sh looks for is found.
echo '// args: -g -DSTP_NO_OVERLOAD'
awk -v least=stapdev -f tests/guest/modules/privilege/reaches.awk tests/cli/reach.txt
