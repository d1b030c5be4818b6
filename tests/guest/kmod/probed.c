/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module to be probed: writing N to /sys/module/probed/parameters/walk walks a list of points whose values tests know. */
#include <linux/module.h>

struct point {
	int x, y : 5, z : 27;
	union {
		long l;
		char c[8];
	};
	struct point *next;
};
enum colour { RED, GREEN = 7 };

static struct point last = { 10, -3, 100, { .c = "last" } },
		    origin = { 1, 2, -3, { .c = "origin" }, &last };
static long walks;
int walk_result;

static __always_inline int twice(int n)
{
	int m = n * 2;

	walks += m;
	return m;
}

static noinline __attribute__((noipa)) int walk_points(struct point *p, enum colour c,
						       const char *name, unsigned char times)
{
	struct point *q;
	int n = 0;

	for (q = p; q; q = q->next)
		n += twice(q->x) + times;
	barrier();
	return n + c + name[0];
}

static int set_walk(const char *text, const struct kernel_param *kp)
{
	u8 times;
	int err = kstrtou8(text, 0, &times);

	if (!err)
		walk_result = walk_points(&origin, GREEN, "name", times);
	return err;
}

static const struct kernel_param_ops walk_ops = { .set = set_walk };
module_param_cb(walk, &walk_ops, NULL, 0200);
MODULE_LICENSE("GPL");
