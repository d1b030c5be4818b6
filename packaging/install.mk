# SPDX-License-Identifier: GPL-2.0-or-later
# make install, uninstall, dist, deb and rpm; a part of ../Makefile.

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
UNITS   = stap@.service staprun@.service stap-share.service $(if $(EXPORTER),stap-exporter.service)
COMPLETED = stap stap-prep stap-report staprun stapio stap-merge lket-b2a $(if $(EXPORTER),stap-exporter)

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
	install -D -m 644 -t $(DESTDIR)$(pkgdatadir)/trace trace/*.[ch]
	install -D -m 644 -t $(DESTDIR)$(pkgdatadir)/trace/form trace/form/*.[ch] trace/form/*.def
	install -D -m 644 -t $(DESTDIR)$(pkgdatadir)/trace/source trace/source/rawheader.[ch]
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
