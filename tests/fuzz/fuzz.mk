# SPDX-License-Identifier: GPL-2.0-or-later
# Fuzzers; a part of ../../Makefile.

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
FUZZ_OBJ_tables := $(CFI) $(CORE) $(LIB)
FUZZ_OBJ_vmcore := $(STAPIO_OBJ)
FUZZ_OBJ_lket := $(LKET_OBJ)
FUZZ_OBJ_sink := $(MERGE_OBJ)
FUZZ_OBJ_stapio_options := $(STAPIO_OBJ)
FUZZ_OBJ_dtrace := $(DTRACE_OBJ)
FUZZ_OBJ_demangle := $(call obj,lib/rustname.c lib/rustv0.c lib/punycode.c)
FUZZ_OBJ_bpfhandlers := $(call obj,runtime/user/bpfreader.c runtime/user/bpfrefusal.c)
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
