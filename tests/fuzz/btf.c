/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into the translator: the BTF of a kernel that -r names. The first
 * byte chooses the script, and in its high bit that the input is a whole vmlinux rather
 * than its section alone.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static const char *const scripts[] = {
	"probe kernel.function(\"*\") { println($$parms$$) }",
	"probe kernel.function(\"*\").return { println($return$$, @entry($$parms$)) }",
	"probe kernel.trace(\"*\") { println($$vars$$) }",
	"probe kernel.function(\"vfs_read\") { println($file->f_inode->i_ino, $buf$, $count,"
	" $file->f_flags, &$file->f_pos, $file$$) }",
	"probe begin { println(@cast(0, \"struct task_struct\")$$,"
	" @cast(0, \"struct file\", \"kernel\")->f_inode->i_sb->s_dev,"
	" @enumname(\"pid_type\", 2), @enum(\"PIDTYPE_PID\"), @kderef(4, 1)) }",
	"probe syscall.* { println(name, argstr) }",
	"probe kernel.function(\"*\") { $count = 1 println(sizeof(\"struct file\")) }",
	"probe module(\"*\").function(\"*\") { println($$vars) }",
};

/* Writes an ELF file with the section alone. */
static void write_section(const uint8_t *data, size_t size)
{
	static const char names[] = "\0.BTF\0.shstrtab";
	Elf64_Shdr sections[3] = { 0 };
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_shoff = sizeof(head),
		.e_ehsize = sizeof(head),
		.e_shentsize = sizeof(sections[0]),
		.e_shnum = 3,
		.e_shstrndx = 2,
	};
	size_t at = sizeof(head) + sizeof(sections), all = at + size + sizeof(names);
	char *file = malloc(all);

	sections[1] = (Elf64_Shdr){
		.sh_name = 1, .sh_type = SHT_PROGBITS, .sh_offset = at, .sh_size = size
	};
	sections[2] = (Elf64_Shdr){
		.sh_name = 6,
		.sh_type = SHT_STRTAB,
		.sh_offset = at + size,
		.sh_size = sizeof(names),
	};
	memcpy(file, &head, sizeof(head));
	memcpy(file + sizeof(head), sections, sizeof(sections));
	memcpy(file + at, data, size);
	memcpy(file + at + size, names, sizeof(names));
	harness_write(HARNESS_BUILD "vmlinux", file, all);
	free(file);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char calls[] =
		"asmlinkage long sys_read(unsigned int fd, char __user *buf, size_t count);\n";

	harness_make_tree();
	harness_write(HARNESS_BUILD "include/linux/syscalls.h", calls, sizeof(calls) - 1);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] & 0x80)
		harness_write(HARNESS_BUILD "vmlinux", data + 1, size - 1);
	else
		write_section(data + 1, size - 1);
	harness_stap((const char *const[]){
		"-p3", "-g", "-w", "-r", HARNESS_RELEASE, "-e",
		scripts[(data[0] & 0x7f) % (sizeof(scripts) / sizeof(*scripts))], NULL });
	return 0;
}
