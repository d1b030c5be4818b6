/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe on a return replaces the return address at entry with an address of the kernel.
 * Code that is not called has something else there: the number of arguments at _start, a
 * signal frame at the place that a signal handler returns to, words that the linker's
 * code has pushed. Unwind information shows this, if there is any.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>

#include "arch/arch.h"
#include "base/session.h"
#include "lib/cleanup.h"
#include "program/executable.h"

/* The file stays open: frames are read on demand. */
static Dwarf_CFI *frames_of(struct executable *p)
{
	_cleanup_close_ int fd = p->frames_asked ? -1 : open(p->path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	p->frames_asked = true;
	if (fd < 0)
		return p->frames;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	p->frames = elf ? dwarf_getcfi_elf(elf) : NULL;
	return p->frames;
}

/*
 * True: the stack holds only the return address, or nothing. If a register holds the
 * return address, it must be unchanged: a rule that takes it from elsewhere belongs to
 * code that was not called.
 */
static bool is_called(const struct arch *arch, const struct executable *p, Dwarf_Frame *frame)
{
	unsigned word = !arch->calling->return_address ? 0 : p->is_32 ? 4 : 8;
	unsigned sp = p->is_32 ? arch->registers->sp_32 : arch->registers->sp;
	Dwarf_Op *ops, room[3];
	Dwarf_Addr begin, end;
	bool is_signal;
	size_t n;
	int ra = dwarf_frame_info(frame, &begin, &end, &is_signal);

	if (ra < 0 || is_signal || dwarf_frame_cfa(frame, &ops, &n) || n != 1)
		return false;
	if (ops->atom == DW_OP_bregx ? ops->number != sp || ops->number2 != word
				     : ops->atom != DW_OP_breg0 + sp || ops->number != word)
		return false;
	if (dwarf_frame_register(frame, ra, room, &ops, &n))
		return false;
	/* none: it is in its register; with operations, the frame has none */
	return arch->calling->return_address ? n : !n && !ops;
}

bool returns_of(struct session *s, struct executable *p, uint64_t address)
{
	Dwarf_CFI *frames;
	Dwarf_Frame *frame;
	bool ret;

	if (address == p->entry)
		return false;
	frames = frames_of(p);
	if (!frames || dwarf_cfi_addrframe(frames, address, &frame))
		return true;
	ret = is_called(arch_of(s), p, frame);
	free(frame);
	return ret;
}
