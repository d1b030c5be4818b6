# SPDX-License-Identifier: GPL-2.0-or-later
# Sources that are made of tables and of other files; a part of ../Makefile.

# The code in the pictures of --to flame and the parts of the live page, as strings of C.
PAGE := $(wildcard exporter/page/*.html exporter/page/*.css exporter/page/*.js)
$(B)/%.inc: %
	@mkdir -p $(@D)
	$(Q)sed 's/[\\"?]/\\&/g; s/.*/"&\\n"/' $< > $@
$(B)/trace/sink/flame.o: $(B)/trace/sink/flame.js.inc
$(B)/exporter/livesite.o: $(PAGE:%=$(B)/%.inc)

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
