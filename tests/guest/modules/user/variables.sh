# Prints a script with a probe for each HERE(…) of programs/user/variables.c, in each program made from it: the values
# that the probe sees for the expressions there.
set -eu
source=$1/tests/guest/programs/user/variables.c
for program in variables variables_fast variables_dwarf4 variables_size variables_32 variables_32_fast; do
	[ -e "$2/$program" ] || continue # 32-bit ones want a compiler for them
	sed -n 's/^\t*HERE(\(.*\))$/\1/p' "$source" | sed 's/, /,/g' |
		paste -d' ' <(sed -n '/^\t*HERE(/=' "$source") - | while read -r line list; do
		echo "probe process(\"./$program\").statement(\"*@variables.c:$line\") {"
		echo "$list" | tr , '\n' | while IFS= read -r what; do
			seen=$(echo "$what" |
				sed 's/^\(&\{0,1\}\)\([a-z]\)/\1$\2/; s/\[\([a-z]\)/[$\1/g; s/\.\([a-z]\)/->\1/g')
			echo "	if (@defined($seen)) printf(\"%s $line $what %d\\n\", \"$program\", $seen)"
			echo "	else printf(\"%s $line $what ?\\n\", \"$program\")"
		done
		echo "}"
	done
	cat <<-END
	probe process("./$program").function("swapped").return {
		printf("$program returned swapped %d %d\n", \$return->a, \$return->b)
	}
	probe process("./$program").function("times").return {
		printf("$program returned times %d %d %d %d\n", @entry(\$n), \$return->a, \$return->b,
			\$return->c)
	}
	probe process("./$program").function("turned").return {
		printf("$program returned turned %d %d\n", \$return->high, \$return->low)
	}
	probe process("./$program").function("moved").return {
		printf("$program returned moved %d %d %d\n", \$return->x, @entry(\$p->x), \$by)
	}
	probe process("./$program").function("narrow").return { printf("$program returned narrow %d\n", \$return) }
	END
done
