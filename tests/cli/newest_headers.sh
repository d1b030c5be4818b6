# The runtime compiles with the headers of the newest kernel that Debian offers: no function, member or type that it
# names is gone. This machine's compiler takes the place of the kernel's, and nothing that is built can run: that is
# newest_kernel.sh's.
# skip: is_slow "the newest kernel is fetched: a minute"
# skip: no_program apt-get dpkg-deb
. "$TOP/tests/cli/expect.inc"
. "$TOP/tests/cli/newest.inc"
compiler=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="\([^ ]*\) .*/\1/p' newest/boot/config-"$release")
mkdir bin
cat > "bin/$compiler" << 'END'
#!/bin/bash
# An older compiler lacks some options.
args=("$@")
for i in "${!args[@]}"; do
	case ${args[i]} in -fmin-function-alignment=*) args[i]=-falign-functions=${args[i]#*=} ;; esac
done
exec gcc "${args[@]}"
END
printf '#!/bin/sh\n' > bin/objtool # the kernel's own needs the libraries of its release
chmod +x bin/*
objtool=$(find newest/usr/src -path '*/tools/objtool/objtool' | head -n 1)
[ -n "$objtool" ] && cp bin/objtool "$objtool"
cat > kinds.stp << 'END'
global n, h
probe timer.profile { if (user_mode()) n[ubacktrace()]++; else n[backtrace()]++ }
probe kernel.function("vfs_read").return { h <<< $return }
probe kernel.trace("sched_switch") { printf("%s %s\n", execname(), task_execname($next)) }
probe process("/bin/bash").function("main").return { println(user_string(pointer_arg(2), "")) }
probe procfs("x").read { $value = "1" }
probe syscall.open { println(argstr) }
probe netfilter.ipv4.local_in { if (length > 100) n["long"]++ }
probe end { print(@hist_log(h)); foreach (x in n- limit 3) print_usyms(x) }
END
export STAP_KERNELS=$PWD/newest PATH=$PWD/bin:$PATH
check 0 '!warning: .*runtime/' '/kinds\.ko$' -- $STAP -r "$release" -p4 -m kinds --ldd -d /bin/bash kinds.stp
check 0 '/fp\.ko$' -- $STAP -r "$release" -p4 -m fp --stack=fp kinds.stp
finish
