/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/tag.h"

#include "formats/btf.h"

const char *tag_of(const struct btf *btf, uint32_t type, int32_t member)
{
	for (uint32_t id = btf_end(btf); id-- > btf_first(btf);) {
		const struct btf_type *t = btf_type(btf, id);

		if (btf_kind(btf, id) != BTF_KIND_DECL_TAG)
			return NULL;
		if (t->type == type && *(const int32_t *)btf_tail(t) == member)
			return btf_name(btf, id);
	}
	return NULL;
}

const char *tag_each(const struct btf *btf, uint32_t type, uint32_t *at)
{
	for (uint32_t id; (id = btf_end(btf) - ++*at) >= btf_first(btf);) {
		const struct btf_type *t = btf_type(btf, id);

		if (btf_kind(btf, id) != BTF_KIND_DECL_TAG)
			return NULL;
		if (t->type == type && *(const int32_t *)btf_tail(t) == TAG_WHOLE)
			return btf_name(btf, id);
	}
	return NULL;
}
