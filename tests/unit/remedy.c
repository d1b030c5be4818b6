/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that install what is missing, by distribution. */
#include "unit.h"

#include "lib/arena.c"
#include "lib/error.c"
#include "lib/path.c"
#include "base/remedy.c"
#include "lib/strbuf.c"

#define REL "6.1.0-56-amd64"
static struct arena *arena;

static const char *on(const char *os, enum remedy what, const char *of)
{
	return remedy_command_on(arena, os, what, of);
}

static void distributions(void)
{
	CHECK_TEXT(on("ID=debian\n", REMEDY_HEADERS, REL), "apt-get install linux-headers-" REL);
	CHECK_TEXT(
		on("NAME=\"Mint\"\nID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", REMEDY_HEADERS, REL),
		"apt-get install linux-headers-" REL);
	CHECK_TEXT(on("ID=ubuntu\nID_LIKE=debian\n", REMEDY_HEADERS, "6.8.0-31-generic"),
		   "apt-get install linux-headers-6.8.0-31-generic");
	CHECK_TEXT(on("ID=ubuntu\n", REMEDY_DEBUGINFO, "6.8.0-31-generic"),
		   "apt-get install linux-image-6.8.0-31-generic-dbgsym (of ddebs.ubuntu.com)");
	CHECK_TEXT(on("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", REMEDY_DEBUGINFO, REL),
		   "apt-get install linux-image-" REL "-dbgsym (of ddebs.ubuntu.com)");
	CHECK_TEXT(on("ID=debian\n", REMEDY_DEBUGINFO, REL),
		   "apt-get install linux-image-" REL "-dbg");
	CHECK_TEXT(on("ID=ubuntu\n", REMEDY_MAKE, NULL), "apt-get install make");
	CHECK_TEXT(on("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", REMEDY_HEADERS, REL),
		   "dnf install kernel-devel-" REL);
	CHECK_TEXT(on("PRETTY_NAME=\"x ID=arch\"\nID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"",
		      REMEDY_HEADERS, "6.4.0-1-default"),
		   "zypper install kernel-default-devel");
	CHECK_TEXT(on("ID=arch", REMEDY_MAKE, NULL), "pacman -S make");
	CHECK_TEXT(on("ID=fedora", REMEDY_HEADERS, "6.4.0-1.fc40.x86_64+rt"),
		   "dnf install kernel-rt-devel-6.4.0-1.fc40.x86_64");
	CHECK_TEXT(on("ID=fedora", REMEDY_DEBUGINFO, "5.14.0-1.el9.aarch64+64k-debug"),
		   "dnf install kernel-64k-debug-debuginfo-5.14.0-1.el9.aarch64");
	CHECK_TEXT(on("ID=sles", REMEDY_IMAGE, "6.4.0-1-azure"), "zypper install kernel-azure");
	CHECK_TEXT(on("ID=debian", REMEDY_HEADERS, "6.12.107+deb13-amd64"),
		   "apt-get install linux-headers-6.12.107+deb13-amd64");
	CHECK_TEXT(on("ID=debian", REMEDY_KERNEL_CLANG, "clang-19"),
		   "apt-get install clang-19 lld-19");
	CHECK_TEXT(on("ID=debian", REMEDY_KERNEL_CLANG, "clang"), "apt-get install clang lld");
	CHECK_TEXT(on("ID=fedora", REMEDY_KERNEL_CLANG, "clang-19"), "dnf install clang lld");
	CHECK_TEXT(on("ID=sles", REMEDY_KERNEL_CLANG, "ld.lld-19"), "zypper install clang19 lld19");
	CHECK_TEXT(on("ID=arch", REMEDY_DEBUGINFO, REL), "");
	CHECK_TEXT(on("", REMEDY_MAKE, NULL), "apt-get install make");
	CHECK_TEXT(on("ID=", REMEDY_MAKE, NULL), "apt-get install make");
	CHECK_TEXT(on("ID=\"fedora", REMEDY_MAKE, NULL), "dnf install make");
}

/* Kernels' packages are those of the machine that is asked about, the others ours. */
static void of_target(void)
{
	known = DEBIAN;
	remedy_target("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"");
	CHECK_TEXT(remedy_command(arena, REMEDY_HEADERS, REL), "dnf install kernel-devel-" REL);
	CHECK_TEXT(remedy_command(arena, REMEDY_MAKE, NULL), "apt-get install make");
	CHECK_TEXT(remedy_fetch(arena, "/bin", REMEDY_HEADERS, REL), "");
	CHECK_TEXT(remedy_manager(arena), "dnf");
	CHECK_TEXT(remedy_elsewhere(arena, REMEDY_HEADERS, REL),
		   "on a machine of its distribution, stap-fetch-kernel --into DIR "
		   "kernel-devel-" REL " gets them (dnf); STAP_KERNELS names a copy of DIR here");
	remedy_target("ID=opensuse-leap");
	CHECK_TEXT(remedy_fetched(arena, REMEDY_IMAGE, "6.4.0-1-default"),
		   "kernel-default-6.4.0-1-default");
	remedy_target("ID=debian");
	CHECK_TEXT(remedy_elsewhere(arena, REMEDY_HEADERS, REL), "");
	CHECK_TEXT(remedy_fetch(arena, "/bin", REMEDY_HEADERS, REL),
		   "/bin/stap-fetch-kernel linux-headers-" REL);
	CHECK(!remedy_manager(arena));
	remedy_target(NULL);
}

static void compilers(void)
{
	const char *debian = "ID=debian";

	CHECK_TEXT(on(debian, REMEDY_KERNEL_COMPILER, "x86_64-linux-gnu-gcc-14"),
		   "apt-get install gcc-14");
	CHECK_TEXT(on(debian, REMEDY_KERNEL_COMPILER, "gcc-12"), "apt-get install gcc-12");
	CHECK_TEXT(on(debian, REMEDY_KERNEL_COMPILER, "gcc"), "apt-get install gcc");
	CHECK_TEXT(on("ID=fedora", REMEDY_KERNEL_COMPILER, "gcc"), "dnf install gcc");
	CHECK_TEXT(on("ID=suse", REMEDY_KERNEL_COMPILER, "gcc-13"), "zypper install gcc13");
	CHECK_TEXT(on(debian, REMEDY_CROSS_COMPILER, "aarch64-linux-gnu-gcc-14"),
		   "apt-get install gcc-14-aarch64-linux-gnu");
	CHECK_TEXT(on(debian, REMEDY_CROSS_COMPILER, "aarch64-linux-gnu-gcc"),
		   "apt-get install gcc-aarch64-linux-gnu");
	CHECK_TEXT(on(debian, REMEDY_CROSS_COMPILER, "x86_64-linux-gnu-gcc-12"),
		   "apt-get install gcc-12-x86-64-linux-gnu");
	CHECK_TEXT(on("ID=arch", REMEDY_CROSS_COMPILER, "aarch64-linux-gnu-gcc-14"),
		   "pacman -S aarch64-linux-gnu-gcc");
}

static void names(void)
{
	enum remedy what;

	CHECK(remedy_find("virtiofsd", &what) && what == REMEDY_VIRTIOFSD);
	CHECK(remedy_find("qemu-system-x86_64", &what) && what == REMEDY_QEMU_SYSTEM_X86_64);
	CHECK(!remedy_find("cpi", &what) && !remedy_find("cpioo", &what));
	CHECK(!remedy_find("", &what) && !remedy_find("headers", &what));
	CHECK(strstr(remedy_names(arena), "make, clustershell, ssh, staprun, qemu-system-x86-64"));
}

int main(void)
{
	arena = arena_create();
	RUN(distributions);
	RUN(of_target);
	RUN(compilers);
	RUN(names);
	arena_destroy(arena);
	return unit_end();
}
