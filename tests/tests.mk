# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of all kinds, and figures; a part of ../Makefile.

# ---- what only sanitizers show: the translator, and the unit tests ----

# Both are built in a directory of their own. Line numbers are enough to read a report.
MAKE_SANITIZED = $(MAKE) --no-print-directory B=$(B)/san U=$(B)/unit SANITIZE=address,undefined CFLAGS="-O1 -g1"

# Each unit test includes or links what it tests.
U ?= $(B)/unit
UNIT := $(filter-out $(if $(EXPORTER),,%/auth),$(patsubst tests/unit/%.c,$(U)/%,$(wildcard tests/unit/*.c)))
unit:
	+$(Q)$(MAKE_SANITIZED) $(UNIT)
$(UNIT): $(B)/flags/compile $(TRACE) $(CFI) $(CORE) $(LIB)
# Rooms of the translator that tests include files of.
UNIT_ROOMS := arch base drift dwarf formats kernel program regex sdt sem unwind
# Those that link the reader.
$(addprefix $(U)/,hosts raw format vmcore seek top): $(filter-out %/main.o,$(STAPIO_OBJ))
$(U)/%: tests/unit/%.c $(wildcard runtime/*.h runtime/api/*.h runtime/core/*.[ch] runtime/user/*.[ch] lib/*.[ch] cfi/*.[ch] trace/*.[ch] trace/*/*.[ch] trace/*/*/*.[ch] stapio/*.[ch] staprun/*.[ch] exporter/*.[ch] stap/*/*.[ch] $(UNIT_ROOMS:%=translator/%/*.[ch]))
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined -Wno-format-truncation $(RUNTIME) -I. -Istapio -Itranslator -o $@ $< $(filter %.o,$^) $(TRACE) $(CFI) $(CORE) $(LIB) -lpthread -lelf -lzstd -llz4 -llzma -lz -ljansson -lseccomp $(if $(filter %/vmcore,$@),$(KDUMPFILE_LIBS)) $(if $(filter %/auth,$@),-lcrypto)

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

# stap with ASan and UBSan, for the tests of the translator; after the unit tests, which are made in the same place.
sanitized: | unit
	+$(Q)$(MAKE_SANITIZED) $(B)/san/bin/stap

# Every header compiles alone.
HEADERS := $(wildcard lib/*.h cfi/*.h stap/*.h stap/*/*.h translator/*.h translator/*/*.h translator/*/*/*.h runtime/*.h runtime/api/*.h runtime/uapi/*.h runtime/core/*.h runtime/user/*.h staprun/*.h stapio/*.h trace/*.h trace/*/*.h trace/*/*/*.h merge/*.h container/*.h dtrace/*.h $(if $(EXPORTER),exporter/*.h))
check-headers: $(patsubst %,$(B)/headers/%.ok,$(HEADERS))
$(B)/headers/%.ok: % | $(GRAMMAR:.c=.h)
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -Werror -Wno-unused-function -fsyntax-only -x c -Itranslator $(RUNTIME) -I. -Istaprun -Istapio -I$(B)/translator $<
	@touch $@

# Rewrites golden files: make accept T=tests/lang/strings.stp
accept: all
	$(Q)tests/run --accept $(T)

# Random programs against an evaluator: make differential N=20000 [FROM=SEED] [RUNTIMES=user,bpf,kernel]
N ?= 20000
FROM ?= 0
RUNTIMES ?= user
differential: all
	$(Q)nice -n 10 tests/differential/run.py --stap $(B)/bin/stap --seeds $(FROM):$(N) --runtimes $(RUNTIMES)

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
