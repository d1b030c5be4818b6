/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables whose places are known. Private to this folder. */
#ifndef STAP_DWARF_SCOPEVARS_H
#define STAP_DWARF_SCOPEVARS_H

#include "dwarf/dwarf.h"
#include "dwarf/location.h"
#include "dwarf/unittypes.h"

/* Makes the access to a variable, or to a part of it, at the location. */
struct error *scopevars_access(struct session *s, Dwarf_Die *variable, struct btf *btf,
			       uint32_t type, const struct location *l, const path_steps *path,
			       bool address_of, struct access *a);

#endif
