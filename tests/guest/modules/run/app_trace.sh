# The script of 2005 as it was printed, without the line numbers of its listing. APP_TRACE names the listing.
listing=${APP_TRACE:-$1/../shared/reference/rocks-app-trace.txt}
echo '// args: -g --compatible=0.5'
if [ -e "$listing" ]; then
	sed -nE 's/^ {1,4}[0-9]{1,3}( {2}|$)//p' "$listing"
else
	echo 'probe begin { exit() }'
fi
