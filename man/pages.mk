# SPDX-License-Identifier: GPL-2.0-or-later
# Manual pages, colours for editors, the site of all pages; a part of ../Makefile.

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

# Runs stap in a guest under load and makes the pictures of doc/pictures.md.
pictures: all
	$(Q)type chromium > /dev/null || { echo "make pictures needs chromium: apt-get install chromium"; exit 1; }
	$(Q)tools/pictures/pictures.py
