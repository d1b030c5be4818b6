/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into the translator: the text files of a kernel that -r names, its
 * packed image and its modules. The first byte chooses the file; what follows is the
 * file's contents.
 */
#include <glob.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/stap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Removes what stap keeps of an image, of which each input has another. */
static void forget_facts(void)
{
	glob_t found;

	if (!glob(harness_path("cache/facts/" HARNESS_RELEASE "*"), 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			unlink(found.gl_pathv[i]);
	globfree(&found);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

#define CONFIG "CONFIG_HZ == 250 || CONFIG_LOCALVERSION == \"x\""

static const struct {
	const char *file, *script;
} kinds[] = {
	{ HARNESS_BUILD "include/generated/utsrelease.h", "probe begin { }" },
	{ HARNESS_BUILD "include/config/auto.conf",
	  "probe begin { println(%( " CONFIG " %? 1 %: 2 %)) }" },
	{ HARNESS_BUILD "Module.symvers",
	  "probe kernel.function(\"vfs_read\"), kernel.trace(\"sched:*\") { }" },
	{ HARNESS_BUILD "Makefile", "probe kernel.trace(\"sched_switch\") { }" },
	{ HARNESS_BUILD "include/linux/syscalls.h",
	  "probe syscall.*, nd_syscall.* { println(argstr) }" },
	{ HARNESS_BUILD "arch/x86/include/generated/asm/syscalls_64.h",
	  "probe syscall.*, syscall.*.return { println(argstr) }" },
	{ HARNESS_BUILD "include/trace/events/sched.h",
	  "probe kernel.trace(\"sched:*\"), kernel.trace(\"sched_switch\") { }" },
	{ HARNESS_BUILD "../modules.dep", "probe module(\"*\").function(\"*\") { }" },
	{ HARNESS_BUILD "../modules.builtin", "probe module(\"x\").function(\"*\") { }" },
	{ HARNESS_BUILD "../x.ko", "probe module(\"x\").function(\"*\") { println($$parms) }" },
	{ "tree/boot/vmlinuz-" HARNESS_RELEASE,
	  "probe kernel.function(\"*\") { println($$parms) }" },
	{ "tree/boot/config-" HARNESS_RELEASE,
	  "probe begin { println(%( " CONFIG " %? 1 %: 2 %)) }" },
};

static void make_modules(void)
{
	static const char dep[] = "x.ko:\nkernel/y-z.ko.xz: x.ko\n";

	harness_write(HARNESS_BUILD "../modules.dep", dep, sizeof(dep) - 1);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	harness_make_tree();
	make_modules();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t kind;

	if (!size)
		return 0;
	kind = data[0] % (sizeof(kinds) / sizeof(*kinds));
	harness_write(kinds[kind].file, data + 1, size - 1);
	harness_stap((const char *const[]){
		"-p2", "-w", "-r", kind ? HARNESS_RELEASE : harness_path(HARNESS_BUILD "/"), "-e",
		kinds[kind].script, NULL });
	unlink(harness_path(kinds[kind].file));
	forget_facts();
	harness_make_tree();
	make_modules();
	return 0;
}
