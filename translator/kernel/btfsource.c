/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources of the kernel's BTF; the first that exists is used:
 *
 *   --btf                                        btffile.c
 *   /sys/kernel/btf/vmlinux                      the target runs here
 *   BUILD/vmlinux                                Arch's headers have it; elsewhere users
 *                                                lay a copy of the file above there
 *   TREE/usr/lib/debug/…/vmlinux…                an unpacked kernel, section .BTF
 *   TREE/boot/vmlinuz-RELEASE,                   the packed kernel inside, section .BTF;
 *   TREE/lib/modules/RELEASE/vmlinuz             kept in the cache
 */
#include "base/options.h"
#include "base/remedy.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "kernel/mount.h"
#include "kernel/tree.h"
#include "lib/path.h"

/* Reads the BTF inside vmlinuz. `again`: do not use a copy in the cache. */
static struct error *from_vmlinuz(struct session *s, bool again, struct bytes *ret)
{
	const char *stamp = factcache_stamp(s, kernel_place(s, TREE_IMAGE));
	const char *name = arena_printf(s->arena, "%s.btf", stamp);

	if (stamp && !again && factcache_get(s, name, ret))
		return NULL;

	struct error *err = vmlinux_section(s, ".BTF", ret);

	if (!err && stamp)
		factcache_put(s, name, ret->data, ret->len);
	return err;
}

/* The running kernel's BTF is below /sys, unless that is not mounted or not available. */
static struct error *no_btf(struct session *s, const char *why)
{
	const struct kernel *k = s->kernel;
	const char *mount = NULL;
	const char *fetch = remedy_fetch(s->arena, s->bin_dir, REMEDY_IMAGE, k->release);

	if (k->is_running && !path_exists(VMLINUX_RUNNING_DIR)) {
		mount = mount_lacking(s, k->release, VMLINUX_RUNNING_DIR);
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "no BTF of kernel %s: /sys/kernel/btf is not here, and %s; %s",
				    k->release, why, mount ? mount : "mount -t sysfs sysfs /sys");
	}
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "no BTF of kernel %s: %s; a machine that runs it has it, if built with "
			    "CONFIG_DEBUG_INFO_BTF: --btf FILE takes a copy of "
			    "/sys/kernel/btf/vmlinux from there, --remote HOST fetches it; so has "
			    "the image: %s%s%s%s",
			    k->release, why, remedy_command(s->arena, REMEDY_IMAGE, k->release),
			    *fetch ? ", or " : "", fetch,
			    *fetch ? " gets it without installing it" : "");
}

static struct error *find_btf(struct session *s, bool again, struct bytes *ret)
{
	const struct kernel *k = s->kernel;
	const char *const unpacked[] = {
		arena_printf(s->arena, "%s/vmlinux", k->build_dir),
		kernel_place(s, TREE_DEBUG_IMAGE),
		arena_printf(s->arena, "%s/vmlinux", kernel_place(s, TREE_DEBUG_MODULES)),
	};

	if (s->options->btf)
		return btffile_given(s, ret);
	if (k->is_running && !file_map(s->arena, VMLINUX_RUNNING, ret))
		return NULL;
	for (size_t i = 0; i < sizeof(unpacked) / sizeof(unpacked[0]); i++) {
		struct error *err = btffile_read(s, unpacked[i], ret);

		if (!err || err->kind != ERROR_ABSENT)
			return err;
	}

	struct error *err = from_vmlinuz(s, again, ret);

	if (!err || err->kind != ERROR_ABSENT)
		return err;
	return no_btf(s, err->text);
}

static struct error *open_btf(struct session *s, bool again, struct btf **ret)
{
	struct bytes b;
	struct error *err = find_btf(s, again, &b);

	if (err)
		return err;
	session_facts(s)->btf_bytes = b;
	err = btf_open(s->arena, b.file, b.data, b.len, NULL, ret);
	if (!s->options->btf)
		return err;
	return err ? error_context(s->arena, err, "--btf") : btffile_check(s, b.file, *ret);
}

bool kernel_lacks_btf(struct session *s)
{
	struct bytes b;

	return find_btf(s, false, &b) != NULL;
}

struct error *kernel_btf(struct session *s, struct btf **ret)
{
	struct facts *f = session_facts(s);

	if (!f->btf && !f->btf_failure) {
		f->btf_failure = open_btf(s, false, &f->btf);
		/* A damaged cache file is replaced. */
		if (f->btf_failure && open_btf(s, true, &f->btf) == NULL)
			f->btf_failure = NULL;
	}
	*ret = f->btf;
	return f->btf_failure;
}
