# SPDX-License-Identifier: GPL-2.0-or-later
# The makefile for user space, with the parts that it includes. `make help` lists the targets.

.DEFAULT_GOAL := all

B          ?= build
PKG_CONFIG ?= pkg-config

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
USERS_KAFKA      := trace/sink/kafka.c trace/sink/kafkaurl.c merge/options.c
USERS_KDUMPFILE  := trace/source/vmcore/kdump.c merge/options.c
USERS_NCURSES    := stap/watch/screen.c translator/base/version.c
USERS_LIBEDIT    := stap/dialogue/line.c translator/base/version.c
USERS_EXPORTER   := translator/base/optionhelp.c $(wildcard exporter/*.c)

# ---- flags ----

# -Wundef and -Wvla: generated tables and kernel-shared code must not depend on chance; -Wmissing-prototypes: what is
# not in a header is static; -Wformat-security: packages are built with it as an error. A warning is an error in the
# project's own checks alone (STRICT=1): the next compiler has new warnings, and a package has to be built with it all
# the same. So does the next C library: tests/newer.h.
WARN    := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wundef -Wvla -Wformat-security \
	   -Wno-unused-parameter
STRICT  ?=
WERROR  := $(if $(STRICT),-Werror -include tests/newer.h)
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
#   cfi     tables for stacks of programs, out of compilers' unwind data
#   core    what modules and programs share: formats of printf, records, regular expressions, tables for stacks
#   lib     what programs share: memory, texts, files, whose files are trusted, command lines, the names of options
TRACE := $(B)/trace.a
CORE  := $(B)/core.a
CFI   := $(B)/cfi.a
LIB   := $(B)/lib.a
TRANSLATOR := $(B)/translator.a
STAP_OBJ       := $(call obj,$(STAP_SRC)) $(TRANSLATOR) $(TRACE) $(CFI) $(CORE) $(LIB)
STAPRUN_OBJ    := $(call obj,$(STAPRUN_SRC)) $(LIB)
STAPIO_OBJ     := $(call obj,$(STAPIO_SRC)) $(TRACE) $(CFI) $(CORE) $(LIB)
TAPSETMAN_OBJ  := $(call obj,tools/tapset-man.c $(wildcard stap/doc/*.c)) $(TRANSLATOR) $(CFI) $(CORE) $(LIB)
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
FLAGS_compile = $(CC) $(filter-out $(WERROR),$(ALL_CFLAGS)) $(RUNTIME)
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
$(eval $(call library,cfi,$(wildcard cfi/*.c)))
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
INCLUDES_exporter   := -I$(B)
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
	$(Q)bison -Wall $(filter -Werror,$(WERROR)) -d -o $@ $<
$(GRAMMAR:.c=.h): $(GRAMMAR)

$(LEXER): translator/parse/lex.l
	$(call say,FLEX,$@)
	@mkdir -p $(@D)
	$(Q)flex -o $@ $<

# The parser's header is generated: everything in parse/ waits for it.
$(call obj,$(wildcard translator/parse/*.c)) $(LEXER:.c=.o): | $(GRAMMAR:.c=.h)

-include $(shell find $(B) \( -path $(B)/kernels -o -path $(B)/debug-kernel -o -path $(B)/arm64 -o -path $(B)/arm64.new -o -path $(B)/aarch64 -o -path $(B)/sweep -o -path $(B)/kernels-table -o -path $(B)/deb -o -path $(B)/rpm \) -prune -o -type f -name '*.d' -print 2>/dev/null)

# ---- other targets, by topic ----

include tools/generated.mk man/pages.mk tests/tests.mk tests/fuzz/fuzz.mk packaging/install.mk

# ---- what users type ----

deps:
	$(Q)tools/deps.sh build

demo: deps-demo
	$(Q)$(MAKE) --no-print-directory all
	$(Q)STAP=$(B)/bin/stap examples/app-trace/demo.sh $(B)/demo

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
	@echo "make differential N=20000 RUNTIMES=user,bpf,kernel   random programs against an evaluator of their own"
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
	@echo "make pictures   runs stap in a guest and makes the pictures of doc/pictures.md (needs chromium)"
	@echo "make install, install-units, uninstall   prefix=$(prefix) DESTDIR="
	@echo "make dist       $(B)/stap-VERSION.tar.xz, of what is committed"
	@echo "make deb, rpm   packages of it, in $(B)/deb and $(B)/rpm/RPMS (RPMFLAGS=--nodeps where rpm does not know what is installed)"
	@echo "make deb ARCH=arm64, make rpm ARCH=aarch64   packages for arm64, compiled here"
	@echo "make clean      removes $(B), the guests' kernels as well"
	@echo "make help       this"

.PHONY: all static man syntax html docs pictures unit fuzz fuzz-all fuzz-build fuzz-smoke fuzz-table fuzz-afl fuzz-raw deps-fuzz deps demo check check-host check-guest deps-demo deps-guest deps-check sanitized check-headers accept \
	differential beside sweep kernels shell bench \
	install install-units uninstall dist deb rpm clean help
.DELETE_ON_ERROR:
