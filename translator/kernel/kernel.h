/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts of the target kernel, without debuginfo packages: BTF (of --btf, from
 * /sys/kernel/btf/vmlinux when the target runs here, build/vmlinux,
 * usr/lib/debug/boot/vmlinux-RELEASE, or the payload of the image in the kernel's tree),
 * split BTF of modules (.BTF section of the .ko files), Module.symvers
 * and the headers' syscalls.h. Everything is read on first use. All returned strings live
 * in the session's arena or in the mapped facts.
 */
#ifndef STAP_KERNEL_KERNEL_H
#define STAP_KERNEL_KERNEL_H

#include <stdbool.h>

struct session;
struct error;

struct kernel {
	const char *release;   /* "6.1.0-56-cloud-amd64" */
	const char *root;      /* tree that holds it (kernel/tree.h); "": the machine's own */
	const char *build_dir; /* ROOT/lib/modules/RELEASE/build, or the directory of -r /DIR */
	bool has_headers;      /* build_dir is there */
	bool is_running;       /* release is the running kernel's */
	void *facts;	       /* facts.h; private */
};

/*
 * Picks the target: -r, else the running kernel, else (with --vm, or with -p4 when the
 * running kernel has no build tree) the newest kernel that has headers, of all trees. A
 * kernel without headers is accepted if its types are available. Opens nothing. The error
 * tells how to get one.
 */
struct error *kernel_open(struct session *s);
/*
 * Returns an error, which tells how to get them, if the target has no headers. Code that
 * builds modules or reads headers calls it first.
 */
struct error *kernel_need_headers(struct session *s);
/*
 * Calls kernel_open() unless it was called before. An error under --runtime=user, which
 * has no kernel.
 */
struct error *kernel_need(struct session *s);

/* True: the target's BTF is not on this machine, and --btf is not given. */
bool kernel_lacks_btf(struct session *s);
/* Returns a fingerprint of the file or directory of --btf; "" without that option. */
const char *kernel_btf_digest(struct session *s);

#endif
