# SPDX-License-Identifier: GPL-2.0-or-later
# C of the wrong type is refused, in programs and in modules: a number for a string would be a wild pointer.
. "$TOP/tests/cli/expect.inc"

# refused LINE REGEX: as a program and as a module; the message leads to that line of the script
refused() {
	local how
	for how in "--runtime=user" "-r $KERNEL -m refused"; do
		check 1 "/^$name:$1:[0-9]+: (error|note): .*$2" '/the C compiler refused' -- "$STAP" $how -g -p4 "$name"
	done
}

name=string.stp
cat > $name <<'EOS'
function f() %{ STAP_RETVALUE = 5; %}
probe begin { println("a" . f()) }
EOS
refused 1 'lvalue required'
name=old.stp
cat > $name <<'EOS'
function f:string() %{
	THIS->__retvalue = "a"; %}
probe begin { println(f()) }
EOS
refused 2 'read-only'
name=number.stp
cat > $name <<'EOS'
function f:long() %{ STAP_RETVALUE = "a"; %}
probe begin { println(f()) }
EOS
refused 1 'makes integer from pointer'
name=returned.stp
cat > $name <<'EOS'
function f:string() %{ STAP_RETURN(77); %}
probe begin { println(f()) }
EOS
refused 1 'makes pointer from integer'
name=argument.stp
cat > $name <<'EOS'
function f:string(a:long) %{ strlcpy(STAP_RETVALUE, STAP_ARG_a, MAXSTRINGLEN); %}
probe begin { println(f(1)) }
EOS
refused 1 'in expansion of macro'
name=global.stp
cat > $name <<'EOS'
global x = 1, s = "a", a, t
function f:long() %{
	STAP_GLOBAL_SET_x("test"); %}
probe begin { x++; println(f(), x) }
EOS
refused 3 "in expansion of macro .STAP_GLOBAL_SET_x"
sed -i 's/SET_x("test")/SET_s(5)/; s/x++; println(f(), x)/println(f(), s)/' $name
refused 3 "in expansion of macro .STAP_GLOBAL_SET_s"
sed -i 's/SET_s(5)/SET_a("k", 5)/; s/println(f(), s)/a[1] = 2; println(f(), a[1])/' $name
refused 3 "in expansion of macro .STAP_GLOBAL_SET_a"
name=value.stp
cat > $name <<'EOS'
probe begin {
	y =
%{ /* string */ 5 %}
	println(y . "a")
}
EOS
refused 3 'makes pointer from integer'
name=unknown.stp
cat > $name <<'EOS'
function f:long() %{ STAP_RETVALUE = no_such_function(); %}
probe begin { println(f()) }
EOS
refused 1 'implicit declaration'

# What is of the right type is as it was.
cat > right.stp <<'EOS'
global x = 1, s = "a"
function f:string(t:string, n:long) %{
	STAP_GLOBAL_SET_x(STAP_ARG_n + STAP_GLOBAL_GET_x()); STAP_GLOBAL_SET_s(STAP_ARG_t);
	snprintf(STAP_RETVALUE, MAXSTRINGLEN, "%s-", STAP_GLOBAL_GET_s()); STAP_RETVALUE[0]++; %}
function g:string() %{ strlcpy(THIS->__retvalue, "old", MAXSTRINGLEN); %}
probe begin { x += 0; s .= ""; println(f("b", 4), g(), x, s, %{ 3 %}, %{ /* string */ "c" %}) exit() }
EOS
check 0 '/^c-old5b3c$' -- "$STAP" --runtime=user -g right.stp
check 0 -- "$STAP" -r "$KERNEL" -g -p4 -m right right.stp
finish
