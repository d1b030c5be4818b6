# SPDX-License-Identifier: GPL-2.0-or-later
# The only makefile for user space. `make help` lists the targets.

.DEFAULT_GOAL := all

B          ?= build
PKG_CONFIG ?= pkg-config

# Where things are installed, in the words of the GNU coding standards. The programs find the library and stapio from
# their own place: ../share/stap and ../libexec/stap.
PREFIX  ?= /usr/local
DESTDIR ?=
prefix        = $(PREFIX)
exec_prefix   = $(prefix)
bindir        = $(exec_prefix)/bin
libexecdir    = $(exec_prefix)/libexec
datarootdir   = $(prefix)/share
datadir       = $(datarootdir)
mandir        = $(datarootdir)/man
includedir    = $(prefix)/include
completiondir = $(datarootdir)/bash-completion/completions
zshdir = $(datarootdir)/zsh/site-functions
fishdir = $(datarootdir)/fish/vendor_completions.d
unitdir = $(prefix)/lib/systemd/system
UNITS   = stap@.service staprun@.service $(if $(EXPORTER),stap-exporter.service)
COMPLETED = stap stap-prep stap-report staprun stapio stap-merge lket-b2a $(if $(EXPORTER),stap-exporter)

# ---- libraries ----

# Libraries that every build needs:
#   libdw, libelf       read ELF files and DWARF
#   liblz4, libzstd, liblzma, zlib   unpack kernels and modules; libzstd packs finished output files, too
#   libcrypto           makes the keys of the cache, and checks the signatures of modules (Ed25519) in staprun
#   libjansson          reads and writes JSON: stapio --json, what editors say to stap --language-server, and the state
#                       of container engines, for stap-container
#   libcap-ng           drops the privileges of staprun
#   libseccomp          leaves stapio only the system calls that it needs
TRANSLATOR_LIBS = -ldw -lelf -llz4 -lzstd -llzma -lz -lcrypto -ljansson -lpthread $(NCURSES_LIBS) $(LIBEDIT_LIBS)
STAPRUN_LIBS   := -lcap-ng -lcrypto
STAPIO_LIBS    := -lpthread -lzstd -ljansson -lseccomp
DATABASE_LIBS   = $(SQLITE_LIBS) $(POSTGRESQL_LIBS) $(MYSQL_LIBS)
MERGE_LIBS      = $(STAPIO_LIBS) $(DATABASE_LIBS) $(KAFKA_LIBS) $(KDUMPFILE_LIBS)
EXPORTED_LIBS   = $(EXPORTER_LIBS) -lcrypto -lpthread

# Libraries that add a feature where pkg-config finds them; HAVE_SQLITE=n and its like leave one out. A program that was
# built without one says so when somebody asks for the feature, and stap --doctor lists them all.
#   SQLITE, POSTGRESQL, MYSQL   databases for --to of stap-merge, and for lket-b2a -m
#   KAFKA       sends hits to brokers of Kafka, for --to kafka; few people have such a cluster
#   KDUMPFILE   reads compressed dumps for stap-merge --vmcore; without it dumps have to be ELF files
#   NCURSES     draws the screen of stap --monitor, and knows terminals
#   LIBEDIT     edits, completes and remembers the lines of stap -i
#   EXPORTER    stap-exporter, for stap --exporter: libmicrohttpd is its server (with TLS), libyaml reads web.config,
#               libcrypt checks bcrypt hashes of passwords; libcrypto remembers those that were right
OPTIONAL := SQLITE POSTGRESQL MYSQL KAFKA KDUMPFILE NCURSES LIBEDIT EXPORTER
PACKAGES_SQLITE     := sqlite3
PACKAGES_POSTGRESQL := libpq
PACKAGES_MYSQL      := libmariadb
PACKAGES_KAFKA      := rdkafka
PACKAGES_KDUMPFILE  := libkdumpfile
PACKAGES_NCURSES    := ncursesw
PACKAGES_LIBEDIT    := libedit
PACKAGES_EXPORTER   := libmicrohttpd yaml-0.1 libcrypt
# The files that are compiled with -DHAVE_SQLITE and its like.
USERS_SQLITE     := trace/sink/sqlite.c
USERS_POSTGRESQL := trace/sink/postgresql.c
USERS_MYSQL      := trace/sink/mysql.c
USERS_KAFKA      := trace/sink/kafka.c trace/sink/kafkaurl.c merge/main.c
USERS_KDUMPFILE  := trace/source/vmcore/kdump.c merge/main.c
USERS_NCURSES    := stap/watch/screen.c translator/base/version.c
USERS_LIBEDIT    := stap/dialogue/line.c translator/base/version.c
USERS_EXPORTER   := translator/base/optionhelp.c $(wildcard exporter/*.c)

# ---- flags ----

# -Wundef and -Wvla: generated tables and kernel-shared code must not depend on chance; -Wmissing-prototypes: what is
# not in a header is static; -Wformat-security: packages are built with it as an error. A warning is an error in the
# project's own checks alone (STRICT=1): the next compiler has new warnings, and a package has to be built with it all
# the same.
WARN    := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wundef -Wvla -Wformat-security \
	   -Wno-unused-parameter
STRICT  ?=
WERROR  := $(if $(STRICT),-Werror)
# The portable runtime and what is particular to this machine, runtime/arch/. A compiler that is missing is named by
# tools/deps.sh, with what to do.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2> /dev/null)))
RUNTIME := -Iruntime -Iruntime/arch/$(MACHINE)
SANITIZED := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=undefined -fno-omit-frame-pointer -Wno-format-truncation)
CFLAGS  ?= -O2 -g
# CPPFLAGS, CFLAGS and LDFLAGS are the caller's, from the command line or the environment, and stand behind ours.
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -Iinclude $(WARN) $(WERROR) $(CPPFLAGS) $(CFLAGS) $(SANITIZED)
# The compiler's own ar knows objects of -flto, and those for other machines.
ifeq ($(origin AR),default)
AR := $(or $(subst gcc,gcc-ar,$(filter %gcc gcc-%,$(CC))),ar)
endif
# CFLAGS once more: flags such as -flto and -fPIE have to be given to both steps.
LINK = $(CC) $(CFLAGS) $(LDFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE))

Q := $(if $(V),,@)
say = $(if $(V),,@echo "  $(1)	$(2)")

# ---- sources and objects ----

TRANSLATOR_SRC := $(wildcard translator/*.c translator/*/*.c translator/*/*/*.c)
STAP_SRC       := $(wildcard stap/*.c stap/*/*.c)
STAPRUN_SRC    := $(wildcard staprun/*.c)
STAPIO_SRC     := $(wildcard stapio/*.c)
DTRACE_SRC     := $(wildcard dtrace/*.c)
EXPORTER_SRC   := $(wildcard exporter/*.c)
CONTAINER_SRC  := $(wildcard container/*.c)
LKET_SRC       := $(wildcard lket/*.c)
MERGE_SRC      := $(wildcard merge/*.c)
obj = $(patsubst %.c,$(B)/%.o,$(1))

GRAMMAR := $(B)/translator/parse/grammar.tab.c
LEXER   := $(B)/translator/parse/lex.yy.c

# Programs take what they use of libraries, in this order:
#   translator   a script becomes C, and that a module; it knows no command
#   trace   reads, merges and writes traces; the kinds of --to. What a program does not name, it does not link
#   core    what modules and programs share: formats of printf, records, regular expressions, tables for stacks
#   lib     what programs share: memory, texts, files, whose files are trusted, command lines, the names of options
TRACE := $(B)/trace.a
CORE  := $(B)/core.a
LIB   := $(B)/lib.a
TRANSLATOR := $(B)/translator.a
STAP_OBJ       := $(call obj,$(STAP_SRC)) $(TRANSLATOR) $(CORE) $(LIB)
STAPRUN_OBJ    := $(call obj,$(STAPRUN_SRC)) $(LIB)
STAPIO_OBJ     := $(call obj,$(STAPIO_SRC)) $(TRACE) $(CORE) $(LIB)
TAPSETMAN_OBJ  := $(call obj,tools/tapset-man.c $(wildcard stap/doc/*.c)) $(TRANSLATOR) $(CORE) $(LIB)
MERGE_OBJ      := $(call obj,$(MERGE_SRC)) $(TRACE) $(CORE) $(LIB)
LKET_OBJ       := $(call obj,$(LKET_SRC)) $(TRACE) $(CORE) $(LIB)
EXPORTER_OBJ   := $(call obj,$(EXPORTER_SRC)) $(LIB)
CONTAINER_OBJ  := $(call obj,$(CONTAINER_SRC)) $(LIB)
DTRACE_OBJ     := $(call obj,$(DTRACE_SRC)) $(LIB)

# The aliases of system calls, made of a table with a row for each.
CALLS := $(addprefix tapset/syscall/,calls.stp nd_calls.stp tp_calls.stp)

# The hooks of the Linux Kernel Event Trace, made of such a table, too; lket-b2a has its names from there.
LKET := $(addprefix tapset/LKET/,hooks.stp fork.stp execve.stp)

# ---- stamps: what was built with other flags is built again ----

# A stamp, $(B)/flags/NAME, holds the text of FLAGS_NAME; it is written only when that text has changed. All objects
# depend on the stamp of the compiler's flags, those that use an optional library on the library's, and each program on
# a stamp of what it is linked with. -Werror changes no object: make STRICT=1 keeps those that are there.
FLAGS_compile = $(CC) $(filter-out -Werror,$(ALL_CFLAGS)) $(RUNTIME)
# The commit, for `stap --version`.
FLAGS_commit := $(shell tools/commit)
STAMPS := compile commit $(OPTIONAL)

# optional NAME: looks for a library, and has the objects that use it compiled with its flags
define optional
$(1) := $(if $(filter n,$(HAVE_$(1))),,$(shell $(PKG_CONFIG) --exists $(PACKAGES_$(1)) 2> /dev/null && echo y))
$(1)_CFLAGS := $$(if $$($(1)),-DHAVE_$(1) $$(shell $(PKG_CONFIG) --cflags $(PACKAGES_$(1))))
$(1)_LIBS := $$(if $$($(1)),$$(shell $(PKG_CONFIG) --libs $(PACKAGES_$(1))))
FLAGS_$(1) := $$($(1)_CFLAGS)
$(call obj,$(USERS_$(1))): ALL_CFLAGS += $$($(1)_CFLAGS)
$(call obj,$(USERS_$(1))): $(B)/flags/$(1)
endef
$(foreach library,$(OPTIONAL),$(eval $(call optional,$(library))))

$(B)/translator/base/version.o: $(B)/flags/commit
$(B)/translator/base/version.o: ALL_CFLAGS += -DSTAP_COMMIT='"$(FLAGS_commit)"'

# ---- libraries of our own, and programs ----

# library NAME,SOURCES: $(B)/NAME.a
define library
STAMPS += $(1)
FLAGS_$(1) = $$(AR) $(call obj,$(2))
$(B)/$(1).a: $(call obj,$(2)) $(B)/flags/$(1)
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && $$(AR) rcs $$@ $$(filter %.o,$$^)
endef
$(eval $(call library,translator,$(TRANSLATOR_SRC) $(GRAMMAR:$(B)/%=%) $(LEXER:$(B)/%=%)))
$(eval $(call library,trace,$(wildcard trace/*.c trace/*/*.c trace/*/*/*.c)))
$(eval $(call library,core,$(addprefix runtime/core/,printf.c program_table.c record_format.c regex.c)))
$(eval $(call library,lib,$(wildcard lib/*.c)))

# program FILE,OBJECTS,LIBRARIES: links $(B)/FILE, with flags for static programs where there are some
STATIC :=
define program
PROGRAMS += $(1)
STAMPS += $(subst /,-,$(1))
FLAGS_$(subst /,-,$(1)) = $$(LINK) $(2:$(B)/%=%) $(3)
$(B)/$(1): $(2) $(B)/flags/$(subst /,-,$(1))
	$$(call say,LD,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(LINK) $$(STATIC) -o $$@ $$(filter %.o %.a,$$^) $(3)
endef
link = $(eval $(call program,$(1),$(2),$(3)))
$(call link,bin/stap,$(STAP_OBJ),$(TRANSLATOR_LIBS))
$(call link,bin/tapset-man,$(TAPSETMAN_OBJ),$(TRANSLATOR_LIBS))
$(call link,bin/staprun,$(STAPRUN_OBJ),$(STAPRUN_LIBS))
$(call link,bin/stapio,$(STAPIO_OBJ),$(STAPIO_LIBS))
$(call link,bin/stap-merge,$(MERGE_OBJ),$(MERGE_LIBS))
$(call link,bin/lket-b2a,$(LKET_OBJ),$(STAPIO_LIBS) $(DATABASE_LIBS))
$(call link,bin/stap-container,$(CONTAINER_OBJ),-ljansson)
$(call link,bin/dtrace,$(DTRACE_OBJ))
$(if $(EXPORTER),$(call link,bin/stap-exporter,$(EXPORTER_OBJ),$(EXPORTED_LIBS)))
BUILT := $(PROGRAMS:%=$(B)/%)
# Programs without libraries, for machines of --remote that have none. What glibc says of dlopen() and initgroups() is no
# concern there: root runs them, providers of libcrypto are built in, and groups are read from /etc/group.
$(call link,static/staprun,$(STAPRUN_OBJ),$(STAPRUN_LIBS))
$(call link,static/stapio,$(STAPIO_OBJ),$(STAPIO_LIBS))
$(B)/static/%: STATIC = -static -no-pie -s $(shell $(CC) -Wl,--help 2> /dev/null | \
	sed -n "s/^.*\(--no-warnings\) .*/-Wl,\1/p")
static: $(B)/bin/static/staprun.gz $(B)/bin/static/stapio.gz
$(B)/bin/static/%.gz: $(B)/static/%
	@mkdir -p $(@D)
	$(Q)gzip -n9 < $< > $@.new && mv $@.new $@

# Scripts that are programs as they are.
COPIED := stap-vm stap-fetch-kernel stap-prep stap-report
$(B)/bin/stap-vm: vm/stap-vm
$(B)/bin/stap-fetch-kernel: tools/fetch-kernel
$(B)/bin/stap-prep: tools/stap-prep
$(B)/bin/stap-report: tools/stap-report
$(COPIED:%=$(B)/bin/%):
	@mkdir -p $(@D)
	$(Q)install -m 755 $< $@

# LIBRARY_PAGES= leaves out the library's manual pages, and the colours for editors: a program that is built makes both.
LIBRARY_PAGES ?= man
# The last line says how to use the programs without installing them; a make that another make started does not print it.
all: $(CALLS) $(LKET) $(BUILT) $(COPIED:%=$(B)/bin/%) $(B)/share/man/.made
	$(if $(filter 0,$(MAKELEVEL)),$(if $(filter-out all,$(MAKECMDGOALS)),,@echo 'next: $(EXPORT)    # or: make install'))
THERE  = $(if $(filter /%,$(B)),$(B),$$PWD/$(B))
EXPORT = export PATH=$(THERE)/bin:$$PATH MANPATH=$(THERE)/share/man:$$MANPATH

# differ TEXT,TEXT: empty when they are the same. strip: make 4.3 sometimes leaves the last line's end in what it reads.
differ = $(subst x$(1),,x$(2))$(subst x$(2),,x$(1))
is_old = $(call differ,$(strip $(file < $(B)/flags/$(1))),$(strip $(FLAGS_$(1))))
$(foreach stamp,$(STAMPS),$(if $(call is_old,$(stamp)),$(eval $(B)/flags/$(stamp): FORCE)))
$(STAMPS:%=$(B)/flags/%): $(B)/flags/%:
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(strip $(FLAGS_$*)))' > $@
FORCE:

# Asked when the flags are new. Without it the compiler would complain about the first thing that is missing.
$(B)/.complete: $(B)/flags/compile
	$(Q)tools/deps.sh --built-with '$(CC)'
	@mkdir -p $(@D)
	@touch $@
$(GRAMMAR) $(LEXER) $(CALLS) $(LKET): | $(B)/.complete

# ---- objects ----

# Where the files of a folder find headers, besides in the runtime and by whole paths.
INCLUDES_translator := -Itranslator -I$(B)/translator
INCLUDES_stap       := -Itranslator -I$(B)/translator
INCLUDES_tools      := -Itranslator
INCLUDES_tests      := -Itests/fuzz -Itranslator
INCLUDES_trace      := -I$(B)
define compile
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(INCLUDES_$(firstword $(subst /, ,$*))) $(RUNTIME) -I. -MMD -MP -c -o $@ $<
endef
$(B)/%.o: %.c $(B)/flags/compile | $(B)/.complete
	$(compile)
# What bison and flex have written.
$(B)/%.o: $(B)/%.c $(B)/flags/compile | $(B)/.complete
	$(compile)
$(GRAMMAR:.c=.o) $(LEXER:.c=.o): ALL_CFLAGS += -Wno-unused-function -Wno-unused-but-set-variable -Wno-shadow \
	-Wno-missing-prototypes

$(GRAMMAR): translator/parse/grammar.y
	$(call say,BISON,$@)
	@mkdir -p $(@D)
	$(Q)bison -Wall $(WERROR) -d -o $@ $<
$(GRAMMAR:.c=.h): $(GRAMMAR)

$(LEXER): translator/parse/lex.l
	$(call say,FLEX,$@)
	@mkdir -p $(@D)
	$(Q)flex -o $@ $<

# The parser's header is generated: everything in parse/ waits for it.
$(call obj,$(wildcard translator/parse/*.c)) $(LEXER:.c=.o): | $(GRAMMAR:.c=.h)

# The code in the pictures of --to flame, as a string of C.
$(B)/trace/sink/flame.js.inc: trace/sink/flame.js
	@mkdir -p $(@D)
	$(Q)sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< > $@
$(B)/trace/sink/flame.o: $(B)/trace/sink/flame.js.inc

$(B)/trace/sink/lket/hooks.def: tapset/LKET/hooks.def tools/lket.awk
	@mkdir -p $(@D)
	$(Q)awk -v part=table -f tools/lket.awk $< > $@.new && mv $@.new $@
$(B)/trace/sink/lket/registry.o: $(B)/trace/sink/lket/hooks.def

# What widths the kinds of arguments have: the translator writes them into a call's row.
$(B)/translator/kinds.inc: $(wildcard runtime/syscall/say_*.c)
	@mkdir -p $(@D)
	$(Q)sed -nE -e 's/^KIND\((\w+), ([A-Z]+),.*/{ "\1", "\2" },/p' -e 's/^KIND_NAME\((\w+)\).*/{ "\1", "INT" },/p' \
		-e 's/^KIND_FLAGS\((\w+)\).*/{ "\1", "UINT" },/p' -e 's/^KIND_OUT\((\w+),.*/{ "\1", "ULONG" },/p' \
		$^ > $@.new && mv $@.new $@
$(B)/translator/probe/function/syscall.o: $(B)/translator/kinds.inc

$(CALLS): tapset/syscall/calls.def tools/syscalls.awk
	$(call say,AWK,$@)
	$(Q)awk -v family=$(subst calls.stp,,$(@F))syscall -f tools/syscalls.awk $< $< > $@.new && mv $@.new $@

$(LKET): tapset/LKET/hooks.def tools/lket.awk
	$(call say,AWK,$@)
	$(Q)awk -v part=$(basename $(@F)) -f tools/lket.awk $< > $@.new && mv $@.new $@

-include $(shell find $(B) \( -path $(B)/kernels -o -path $(B)/debug-kernel -o -path $(B)/arm64 -o -path $(B)/arm64.new -o -path $(B)/aarch64 -o -path $(B)/sweep -o -path $(B)/kernels-table -o -path $(B)/deb -o -path $(B)/rpm \) -prune -o -type f -name '*.d' -print 2>/dev/null)

# ---- manual pages ----

# The program that writes manual pages and colours for editors runs during the build: a build for another machine
# compiles it for this one, too.
CC_FOR_BUILD ?= gcc
TAPSET_MAN := $(B)/bin/tapset-man
ifneq ($(filter-out $(shell uname -m),$(MACHINE)),)
TAPSET_MAN := $(B)/native/bin/tapset-man
$(TAPSET_MAN): FORCE
	$(Q)env -u PKG_CONFIG_LIBDIR -u PKG_CONFIG_SYSROOT_DIR $(MAKE) --no-print-directory B=$(B)/native CC=$(CC_FOR_BUILD) \
		PKG_CONFIG=pkg-config CPPFLAGS= CFLAGS=-O1 LDFLAGS= HAVE_NCURSES=n HAVE_LIBEDIT=n $(TAPSET_MAN)
endif

# The library's, out of its comments: made anew when these change, or the code that writes pages, not at each link.
TAPSET := $(wildcard tapset/*.stp tapset/*/*.stp tapset/*.stpm)
man: $(B)/man/.made
$(B)/man/.made: $(CALLS) $(LKET) $(TAPSET) $(wildcard stap/doc/*.[ch]) tools/tapset-man.c | $(TAPSET_MAN)
	$(call say,MAN,$(@D))
	@rm -rf $(@D) && mkdir -p $(@D)
	$(Q)$(TAPSET_MAN) . $(@D)
	@touch $@

# Thousands of pages: a process for each would take minutes on a busy machine.
SECTIONS := $(sort $(patsubst .%,%,$(subst stap,,$(suffix $(wildcard man/*.[1-9]*)))))
# pages DIR: installs the written pages into a directory that man(1) reads
pages = for section in $(SECTIONS); do \
		install -D -m 644 -t $(1)/man$$section man/*.$$section* || exit; done

# All pages, for man(1) with MANPATH, beside the programs that are not installed.
$(B)/share/man/.made: $(if $(LIBRARY_PAGES),$(B)/man/.made) $(subst :,\:,$(wildcard man/*.[1-9]*))
	@rm -rf $(@D) && mkdir -p $(@D)
	$(Q)$(call pages,$(@D))
	$(if $(LIBRARY_PAGES),$(Q)cd $(@D)/man3 && ln -sf ../../../man/*.3stap .)
	@touch $@

# What colours scripts in Vim, Emacs and VS Code, out of the parser's words.
syntax: $(B)/editors/.made
$(B)/editors/.made: $(TAPSET_MAN) tools/syntax $(wildcard editors/*)
	$(call say,SYNTAX,$(@D))
	@rm -rf $(@D)
	$(Q)tools/syntax $(TAPSET_MAN) $(@D)
	@touch $@

# All manual pages and the library as a site, for a browser: mandoc renders them.
html: man
	$(call say,HTML,$(B)/html)
	$(Q)type mandoc > /dev/null || { echo "make html takes mandoc: apt-get install mandoc"; exit 1; }
	$(Q)rm -rf $(B)/html && mkdir -p $(B)/html
	$(Q)perl tools/html.pl $(B)/html man/*.[1-8] man/*.[1-8]stap $(B)/man/*.3stap

# Runs the steps of the tutorial, in guests, and writes what they print into its page.
docs: all
	$(Q)tools/docs man/stap-tutorial.7stap

# ---- what only sanitizers show: the translator, and the unit tests ----

# Both are built in a directory of their own. Line numbers are enough to read a report.
MAKE_SANITIZED = $(MAKE) --no-print-directory B=$(B)/san U=$(B)/unit SANITIZE=address,undefined CFLAGS="-O1 -g1"

# Each unit test includes or links what it tests.
U ?= $(B)/unit
UNIT := $(filter-out $(if $(EXPORTER),,%/auth),$(patsubst tests/unit/%.c,$(U)/%,$(wildcard tests/unit/*.c)))
unit:
	$(Q)$(MAKE_SANITIZED) $(UNIT)
$(UNIT): $(B)/flags/compile $(CORE) $(LIB)
# Rooms of the translator that tests include files of.
UNIT_ROOMS := arch base drift dwarf formats kernel program regex sdt sem unwind
# Those that link the reader.
$(addprefix $(U)/,raw format vmcore seek top): $(filter-out %/main.o,$(STAPIO_OBJ))
$(U)/%: tests/unit/%.c $(wildcard runtime/*.h runtime/api/*.h runtime/core/*.[ch] runtime/user/*.[ch] lib/*.[ch] trace/*.[ch] trace/*/*.[ch] trace/*/*/*.[ch] stapio/*.[ch] staprun/*.[ch] exporter/*.[ch] $(UNIT_ROOMS:%=translator/%/*.[ch]))
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined -Wno-format-truncation $(RUNTIME) -I. -Istapio -Itranslator -o $@ $< $(filter %.o %/trace.a,$^) $(CORE) $(LIB) -lpthread -lelf -lzstd -llz4 -llzma -lz -ljansson -lseccomp $(if $(filter %/vmcore,$@),$(KDUMPFILE_LIBS)) $(if $(filter %/auth,$@),-lcrypto)

# ---- what users type ----

deps:
	$(Q)tools/deps.sh build

demo: deps-demo
	$(Q)$(MAKE) --no-print-directory all
	$(Q)STAP=$(B)/bin/stap examples/app-trace/demo.sh $(B)/demo

# Installs what is missing, builds everything, runs the tests. The last line is "N passed, N failed"; those before say
# what was skipped, and why, and what it cost. With CI=true nothing is skipped: what all tests need is installed or
# unpacked as well, and what has not changed is tested all the same (tests/changed).
when_changed = $(if $(shell tests/changed $(2) && echo y),$(1))
check: deps-check
	$(Q)$(MAKE) --no-print-directory -j2 STRICT=1 all unit $(call when_changed,sanitized,lib stap translator runtime/core runtime/user) \
		$(call when_changed,check-headers,'*.h')
	$(Q)tests/run

check-host: deps
	$(Q)$(MAKE) --no-print-directory -j2 STRICT=1 all unit
	$(Q)tests/run unit parse errors lang cli differential

check-guest: deps-check
	$(Q)$(MAKE) --no-print-directory -j2 STRICT=1 all
	$(Q)tests/run guest

deps-demo:
	$(Q)tools/deps.sh build where demo
deps-guest:
	$(Q)tools/deps.sh build guest
deps-fuzz:
	$(Q)tools/deps.sh build fuzz
deps-check:
	$(Q)tools/deps.sh build guest check $(if $(filter true,$(CI)),ci) $(if $(SLOW),slow)

# stap with ASan and UBSan, for the tests of the translator; behind the unit tests, which are made in the same place.
sanitized: | unit
	$(Q)$(MAKE_SANITIZED) $(B)/san/bin/stap

# ---- fuzzing: each file of tests/fuzz is a target, an entry into one reader ----

# Every target for TIME seconds, or those that FUZZ names: make fuzz-all TIME=3600 FUZZ="module program". What they find
# stays in $(B)/fuzz/found, their corpora in $(B)/fuzz/corpus.
TIME ?= 60
FUZZ_TARGETS := $(filter-out $(if $(EXPORTER),,exporter),$(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c)))
FUZZ ?= $(FUZZ_TARGETS)
# These unit tests write traces, for the seeds.
MAKE_TRACES = $(MAKE_SANITIZED) $(B)/unit/raw $(B)/unit/vmcore
fuzz-all: fuzz-build
	$(Q)B=$(B)/fuzz UNIT=$(B)/unit tests/fuzz/run libfuzzer $(TIME) $(FUZZ)
fuzz-build:
	$(Q)$(MAKE_TRACES)
	$(Q)$(MAKE) --no-print-directory B=$(B)/fuzz CC=clang SANITIZE=address,undefined CFLAGS="-O1 -g -fsanitize=fuzzer-no-link -w" $(FUZZ:%=$(B)/fuzz/bin/fuzz-%)
# The seeds alone, and what all runs so far came to, as doc/fuzzing.md has it.
fuzz-smoke: fuzz-build
	$(Q)B=$(B)/fuzz UNIT=$(B)/unit tests/fuzz/run smoke $(FUZZ)
fuzz-table:
	$(Q)B=$(B)/fuzz tests/fuzz/run table
# The translator alone, and raw files.
fuzz:
	$(Q)$(MAKE) --no-print-directory fuzz-all FUZZ=script
fuzz-raw:
	$(Q)$(MAKE) --no-print-directory fuzz-all FUZZ=raw
# The translator under AFL++: no sanitizers, ten times the speed.
fuzz-afl:
	$(Q)$(MAKE_TRACES)
	$(Q)$(MAKE) --no-print-directory B=$(B)/afl CC=afl-clang-fast CFLAGS="-O2 -g -w" $(B)/afl/bin/fuzz-script
	$(Q)B=$(B)/afl UNIT=$(B)/unit tests/fuzz/run afl $(TIME)

# What a target links: its program, or stap. It may include files of it, which are left out then. The linker shows
# harness/stap.c what stap opens, and lsp.c what becomes of an answer.
FUZZ_STAP := $(STAP_OBJ) $(B)/tests/fuzz/harness/stap.o
FUZZ_OBJ_module := $(STAPRUN_OBJ)
FUZZ_OBJ_options := $(STAPRUN_OBJ)
FUZZ_OBJ_left := $(STAPRUN_OBJ)
FUZZ_OBJ_raw := $(STAPIO_OBJ)
FUZZ_OBJ_live := $(STAPIO_OBJ)
FUZZ_OBJ_vmcore := $(STAPIO_OBJ)
FUZZ_OBJ_lket := $(LKET_OBJ)
FUZZ_OBJ_sink := $(MERGE_OBJ)
FUZZ_OBJ_stapio_options := $(STAPIO_OBJ)
FUZZ_OBJ_dtrace := $(DTRACE_OBJ)
FUZZ_OBJ_exporter := $(call obj,exporter/values.c exporter/metrics.c exporter/text.c)
FUZZ_OWN_lsp := %/lsp/server.o
FUZZ_OWN_remote := %/remote/remote.o
FUZZ_OWN_cache := %/sem/libindex.o
FUZZ_WRAP := dwfl_begin elf_begin elf_end open mmap
FUZZ_WRAP_lsp := json_dumps json_array_append_new subprocess_run
fuzz_links = $(filter-out %/main.o $(FUZZ_OWN_$(1)),$(or $(FUZZ_OBJ_$(1)),$(FUZZ_STAP)))
fuzz_flags = $(if $(FUZZ_OBJ_$(1)),,$(FUZZ_WRAP:%=-Wl,--wrap=%) $(FUZZ_WRAP_$(1):%=-Wl,--wrap=%))
.PRECIOUS: $(B)/%.o
.SECONDEXPANSION:
$(B)/bin/fuzz-%: $(B)/tests/fuzz/%.o $$(call fuzz_links,$$*) $(B)/flags/compile
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(call fuzz_flags,$*) -o $@ $(filter %.o %.a,$^) $(TRANSLATOR_LIBS) $(STAPRUN_LIBS) $(MERGE_LIBS)

# Every header compiles alone.
HEADERS := $(wildcard lib/*.h stap/*.h stap/*/*.h translator/*.h translator/*/*.h translator/*/*/*.h runtime/*.h runtime/api/*.h runtime/uapi/*.h runtime/core/*.h runtime/user/*.h staprun/*.h stapio/*.h trace/*.h trace/*/*.h trace/*/*/*.h merge/*.h container/*.h dtrace/*.h $(if $(EXPORTER),exporter/*.h))
check-headers: $(patsubst %,$(B)/headers/%.ok,$(HEADERS))
$(B)/headers/%.ok: % | $(GRAMMAR:.c=.h)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -Werror -Wno-unused-function -fsyntax-only -x c -Itranslator $(RUNTIME) -I. -Istaprun -Istapio -I$(B)/translator $<
	@touch $@

# Rewrites golden files: make accept T=tests/lang/strings.stp
accept: all
	$(Q)tests/run --accept $(T)

# Random programs against an evaluator: make differential N=20000 [FROM=SEED]
N ?= 20000
FROM ?= 0
differential: all
	$(Q)nice -n 10 tests/differential/run.py --stap $(B)/bin/stap --seeds $(FROM):$(N)

# Scripts with ours and with the SystemTap of TEST_ROOT: half an hour the first time.
beside: all
	$(Q)tests/beside/run || [ $$? = 77 ]

# Every function, return, tracepoint and system call under load: hours. KERNEL: directories that hold a kernel each; LOT:
# points of a lot; LOTS: only so many of each kind; KINDS: patterns of tests/sweep/kinds; MODULES: only these modules' points;
# SECONDS_OF_WORK: for each lot. The page is doc/sweep.md.
KERNEL ?= $(B)/kernels
KINDS  ?= *
LOT    ?= 4000
LOTS   ?= 0
MODULES ?= *
SECONDS_OF_WORK ?= 5
sweep: deps-guest
	$(Q)tools/deps.sh sweep
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/sweep/run --lot $(LOT) --lots $(LOTS) --kinds '$(KINDS)' --modules '$(MODULES)' \
		--seconds $(SECONDS_OF_WORK) --out $(B)/sweep $(KERNEL)
	$(Q)tests/sweep/run --page --out $(B)/sweep > doc/sweep.md

# Nine kinds of scripts on each of these kernels, TREE or TREE@ROOT: ROOT is a root tree with the kernel's compiler. What was
# tried before stays in the page, doc/kernels.md, as long as $(B) does.
KERNELS ?= $(B)/kernels
kernels: deps-guest
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/kernels/run --out $(B)/kernels-table $(KERNELS)
	$(Q)tests/kernels/run --page --out $(B)/kernels-table > doc/kernels.md

# A shell in the guest.
shell: deps-guest
	$(Q)$(MAKE) --no-print-directory all
	$(Q)vm/stap-vm -- bash -i

bench: deps-check
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/bench/run

pkgdatadir := $(datadir)/stap
# stapio is not for users' hands: staprun looks for it beside itself, then in ../libexec/stap.
pkglibexecdir := $(libexecdir)/stap
INSTALLED_PROGRAMS = stap staprun stap-merge lket-b2a stap-container $(COPIED) dtrace $(if $(EXPORTER),stap-exporter)

# With the programs' own place in them.
install-units:
	install -d $(DESTDIR)$(unitdir)
	for unit in $(UNITS); do \
		sed 's|@bindir@|$(bindir)|' units/$$unit > $(DESTDIR)$(unitdir)/$$unit && \
			chmod 644 $(DESTDIR)$(unitdir)/$$unit || exit; done

install: all $(LIBRARY_PAGES) $(if $(LIBRARY_PAGES),syntax) install-units
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(pkglibexecdir) $(DESTDIR)$(pkgdatadir)
	install -m 755 $(INSTALLED_PROGRAMS:%=$(B)/bin/%) $(DESTDIR)$(bindir)
	install -m 755 $(B)/bin/stapio $(DESTDIR)$(pkglibexecdir)
	for program in staprun stapio; do [ ! -e $(B)/bin/static/$$program.gz ] || \
		install -D -m 644 -t $(DESTDIR)$(pkglibexecdir)/static $(B)/bin/static/$$program.gz || exit; done
	install -D -m 644 include/sys/sdt.h $(DESTDIR)$(includedir)/sys/sdt.h
	install -m 644 trace/trace-1.schema.json $(DESTDIR)$(pkgdatadir)
	cp -R --no-preserve=ownership tapset runtime lib vm examples explain tools/fetch $(DESTDIR)$(pkgdatadir)
	install -D -m 644 -t $(DESTDIR)$(pkgdatadir)/trace trace/books.[ch]
	$(if $(LIBRARY_PAGES),cp -R --no-preserve=ownership $(B)/editors $(DESTDIR)$(pkgdatadir) && rm $(DESTDIR)$(pkgdatadir)/editors/.made)
	install -D -m 644 man/stap.bash $(DESTDIR)$(completiondir)/stap
	install -D -m 644 man/stap.zsh $(DESTDIR)$(zshdir)/_stap
	for program in $(COMPLETED); do \
		install -D -m 644 man/stap.fish $(DESTDIR)$(fishdir)/$$program.fish || exit; done
	for program in $(filter-out stap,$(COMPLETED)); do \
		install -D -m 644 man/staprun.bash $(DESTDIR)$(completiondir)/$$program || exit; done
	$(call pages,$(DESTDIR)$(mandir))
	$(if $(LIBRARY_PAGES),install -m 644 -t $(DESTDIR)$(mandir)/man3 $(B)/man/*.3stap)

# Also what this tree would not install today: the build may be gone, or be another one.
uninstall: EXPORTER := y
uninstall:
	rm -f $(INSTALLED_PROGRAMS:%=$(DESTDIR)$(bindir)/%) $(DESTDIR)$(includedir)/sys/sdt.h
	rm -rf $(DESTDIR)$(pkgdatadir) $(DESTDIR)$(pkglibexecdir)
	rm -f $(UNITS:%=$(DESTDIR)$(unitdir)/%)
	rm -f $(COMPLETED:%=$(DESTDIR)$(completiondir)/%) $(COMPLETED:%=$(DESTDIR)$(fishdir)/%.fish) $(DESTDIR)$(zshdir)/_stap
	rm -f $(foreach kind,probe function macro tapset,$(DESTDIR)$(mandir)/man3/$(kind)::*.3stap)
	rm -f $$(for page in man/*.[1-9]*; do section=$${page##*.}; \
		echo $(DESTDIR)$(mandir)/man$${section%stap}/$${page##*/}; done)

# The commit's files, the same bits whoever packs them.
VERSION = $(shell sed -n 's/^.define STAP_VERSION "\(.*\)"/\1/p' translator/base/version.h)
dist:
	@mkdir -p $(B)
	$(Q)git diff --quiet HEAD || echo "make dist: what is not committed is left out" >&2
	$(Q)git -c tar.umask=0022 archive --prefix=stap-$(VERSION)/ HEAD > $(B)/stap-$(VERSION).tar
	$(Q)xz -9 -T1 -f $(B)/stap-$(VERSION).tar
	@echo $(B)/stap-$(VERSION).tar.xz

# Packages of what is committed, in $(B)/deb and $(B)/rpm/RPMS. ARCH=arm64, or aarch64, makes packages for that machine with
# the libraries of FOREIGN_TREE; packages for another machine stay. ARCH in the environment means nothing here: builds of
# kernels use it.
FOREIGN_TREE ?= build/arm64
package_word = $(or $(if $(filter command,$(origin ARCH)),$(ARCH)),$(MACHINE))
package_row  = $(or $(shell awk '$$1 == "$(package_word)" || $$2 == "$(package_word)"' packaging/architectures),$(package_word))
deb_arch     = $(firstword $(package_row))
package_arch = $(lastword $(package_row))
foreign_arch = $(filter-out $(MACHINE),$(package_arch))
foreign_build = $(if $(foreign_arch),$(CURDIR)/tools/foreign-build $(foreign_arch) '$(abspath $(FOREIGN_TREE))')
foreign_group = $(if $(filter aarch64,$(foreign_arch)),$(if $(filter file,$(origin FOREIGN_TREE)),arm64))
deb: dist
	$(Q)tools/deps.sh build deb $(foreign_group)
	@rm -rf $(B)/deb/stap-$(VERSION) $(B)/deb/*_$(deb_arch).* && mkdir -p $(B)/deb
	$(Q)tar -C $(B)/deb -xf $(B)/stap-$(VERSION).tar.xz
	$(Q)cd $(B)/deb/stap-$(VERSION) && $(foreign_build) dpkg-buildpackage -us -uc -b > ../log 2>&1 || \
		{ tail -n 20 ../log; exit 1; }
	@ls $(B)/deb/*_$(deb_arch).deb
rpm: dist
	$(Q)tools/deps.sh build rpm $(foreign_group)
	@rm -rf $(B)/rpm/BUILD* $(B)/rpm/RPMS/$(package_arch) && mkdir -p $(B)/rpm
	$(Q)$(foreign_build) rpmbuild -tb $(RPMFLAGS) --define '_topdir $(abspath $(B))/rpm' $(B)/stap-$(VERSION).tar.xz \
		> $(B)/rpm/log 2>&1 || { tail -n 20 $(B)/rpm/log; exit 1; }
	@ls $(B)/rpm/RPMS/$(package_arch)/*.rpm

clean:
	rm -rf $(B)

help:
	@echo 'make, make all  builds the programs, into $(B)/bin, and their manual pages; then make install, or'
	@echo '                $(EXPORT)'
	@echo "make demo       installs what is missing, builds, traces a real benchmark's I/O"
	@echo "make check      installs what is missing, builds, runs all tests"
	@echo "make static     staprun and stapio for machines of --remote that have none; make install takes them along"
	@echo "make syntax     colours of scripts for Vim, Emacs and VS Code, in $(B)/editors"
	@echo "make check-host, check-guest, unit, sanitized, check-headers   parts of it"
	@echo "make deps       installs what building takes; deps-demo, deps-check: the demonstration, the tests"
	@echo "make deps-guest   what guests take (stap --vm), with a kernel for them in build/kernels"
	@echo "make differential N=20000   random programs against an evaluator of their own"
	@echo "make beside TEST_ROOT=DIR   compares what scripts print with the SystemTap in that root tree"
	@echo "make accept T=FILE   rewrites a test's golden output"
	@echo "make fuzz-all TIME=S FUZZ='module lsp'   fuzzes every reader of foreign bytes, or those named, for S seconds each"
	@echo "make fuzz, fuzz-raw, fuzz-afl   the translator alone, raw files; the translator with afl++"
	@echo "make fuzz-smoke, fuzz-build, fuzz-table, deps-fuzz   the seeds only; builds; what all runs came to; clang and afl++"
	@echo "make sweep KERNEL='DIR …' LOT=N LOTS=N   probes every point of those kernels, under load: doc/sweep.md"
	@echo "make kernels KERNELS='TREE[@ROOT] …'   builds and runs nine kinds of scripts on those kernels: doc/kernels.md"
	@echo "make shell      a shell in the guest that tests run in"
	@echo "make bench      prints the start-up and per-event figures"
	@echo "make man        the library's manual pages (3stap), into $(B)/man"
	@echo "make html       all manual pages and the library as a site with a search, into $(B)/html"
	@echo "make docs       runs the steps of the tutorial and writes their outputs into its page"
	@echo "make install, install-units, uninstall   prefix=$(prefix) DESTDIR="
	@echo "make dist       $(B)/stap-VERSION.tar.xz, of what is committed"
	@echo "make deb, rpm   packages of it, in $(B)/deb and $(B)/rpm/RPMS (RPMFLAGS=--nodeps where rpm does not know what is installed)"
	@echo "make deb ARCH=arm64, make rpm ARCH=aarch64   packages for arm64, compiled here"
	@echo "make clean      removes $(B), the guests' kernels as well"
	@echo "make help       this"

.PHONY: all static man syntax html docs unit fuzz fuzz-all fuzz-build fuzz-smoke fuzz-table fuzz-afl fuzz-raw deps-fuzz deps demo check check-host check-guest deps-demo deps-guest deps-check sanitized check-headers accept \
	differential beside sweep kernels shell bench \
	install install-units uninstall dist deb rpm clean help
.DELETE_ON_ERROR:
