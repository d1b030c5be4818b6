# Prints the script of reaches.sh with a few lines more, for those who may see all: what reach.sh looks for is found.
echo '// args: -g -DSTP_NO_OVERLOAD'
awk -v least=stapdev -f tests/guest/modules/privilege/reaches.awk tests/cli/reach.txt
