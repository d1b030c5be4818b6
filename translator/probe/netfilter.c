/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netfilter.hook("NAME").pf("FAMILY")[.priority("NAME" | N)], in either order: packets on
 * their way through the network stack. The names are those of the kernel's headers, in
 * upper or lower case; with -g, numbers are also allowed.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "base/writer.h"
#include "kernel/config.h"
#include "kernel/functions.h"
#include "kernel/kernel.h"
#include "lib/error.h"
#include "probe/probe.h"
#include "types/member.h"
#include "types/types.h"

extern const struct probe_family probe_family_netfilter;

struct name {
	const char *name;
	int value;
};

/* linux/netfilter_ipv4.h and _ipv6.h differ only in the prefix. */
#define HOOKS_OF(prefix)                                                                           \
	{ prefix "PRE_ROUTING", 0 }, { prefix "LOCAL_IN", 1 }, { prefix "FORWARD", 2 },            \
		{ prefix "LOCAL_OUT", 3 },                                                         \
	{                                                                                          \
		prefix "POST_ROUTING", 4                                                           \
	}
#define PRIORITIES_OF(prefix)                                                                      \
	{ prefix "FIRST", INT_MIN }, { prefix "RAW_BEFORE_DEFRAG", -450 },                         \
		{ prefix "CONNTRACK_DEFRAG", -400 }, { prefix "RAW", -300 },                       \
		{ prefix "SELINUX_FIRST", -225 }, { prefix "CONNTRACK", -200 },                    \
		{ prefix "MANGLE", -150 }, { prefix "NAT_DST", -100 }, { prefix "FILTER", 0 },     \
		{ prefix "SECURITY", 50 }, { prefix "NAT_SRC", 100 },                              \
		{ prefix "SELINUX_LAST", 225 }, { prefix "CONNTRACK_HELPER", 300 },                \
		{ prefix "CONNTRACK_CONFIRM", INT_MAX },                                           \
	{                                                                                          \
		prefix "LAST", INT_MAX                                                             \
	}

static const struct name hooks_ipv4[] = { HOOKS_OF("NF_INET_"), HOOKS_OF("NF_IP_"), { NULL, 0 } };
static const struct name hooks_ipv6[] = { HOOKS_OF("NF_INET_"), HOOKS_OF("NF_IP6_"), { NULL, 0 } };
static const struct name hooks_arp[] = {
	{ "NF_ARP_IN", 0 }, { "NF_ARP_OUT", 1 }, { "NF_ARP_FORWARD", 2 }, { NULL, 0 }
};
/* Without NF_BR_BROUTING: present kernels have room for five. */
static const struct name hooks_bridge[] = { HOOKS_OF("NF_BR_"), { NULL, 0 } };
static const struct name priorities_ipv4[] = { PRIORITIES_OF("NF_IP_PRI_"), { NULL, 0 } };
static const struct name priorities_ipv6[] = { PRIORITIES_OF("NF_IP6_PRI_"), { NULL, 0 } };
static const struct name none[] = { { NULL, 0 } };

static const struct protocol {
	const char *name;
	int value;
	const struct name *hooks, *priorities;
	const char *config; /* the kernel's option beyond CONFIG_NETFILTER; NULL: none */
} protocols[] = {
	{ "NFPROTO_IPV4", 2, hooks_ipv4, priorities_ipv4, NULL },
	{ "NFPROTO_IPV6", 10, hooks_ipv6, priorities_ipv6, NULL },
	{ "NFPROTO_ARP", 3, hooks_arp, none, "CONFIG_NETFILTER_FAMILY_ARP" },
	{ "NFPROTO_BRIDGE", 7, hooks_bridge, none, "CONFIG_NETFILTER_FAMILY_BRIDGE" },
};
#define NPROTOCOLS (sizeof(protocols) / sizeof(protocols[0]))

/* The family's derived->data. */
struct netfilter {
	int pf, hook, priority;
};

/* ---- points ---- */

static bool read_number(const char *text, int *ret)
{
	char *end;
	long n = strtol(text, &end, 0);

	*ret = (int)n;
	return end != text && !*end && n >= INT_MIN && n <= INT_MAX;
}

static bool read_name(const struct name *rows, const char *text, int *ret)
{
	for (; rows->name; rows++) {
		if (strcasecmp(rows->name, text))
			continue;
		*ret = rows->value;
		return true;
	}
	return false;
}

static const char *list_of(struct session *s, const struct name *rows)
{
	const char *list = "";

	for (const struct name *row = rows; row->name; row++)
		list = arena_printf(s->arena, "%s%s%s", list, row > rows ? ", " : "", row->name);
	return list;
}

static struct error *unknown_protocol(struct session *s, const char *text)
{
	return error_create(s->arena, ERROR_ABSENT,
			    "no protocol family '%s'; there are NFPROTO_IPV4, NFPROTO_IPV6, "
			    "NFPROTO_ARP and NFPROTO_BRIDGE",
			    text);
}

/*
 * Returns an error if the kernel's options are known and the family's is not set. Given
 * such a hook, the kernel logs a warning and never calls it.
 */
static struct error *need_config(struct session *s, const struct protocol *pf)
{
	if (kernel_need(s) || !kernel_config(s, "CONFIG_NETFILTER") || kernel_config(s, pf->config))
		return NULL;
	return error_create(s->arena, ERROR_ABSENT, "this kernel was built without %s: no %s",
			    pf->config, pf->name);
}

static struct error *read_protocol(struct session *s, const char *text, const struct protocol **ret)
{
	const struct protocol *found = NULL;
	int number;
	bool numbered = s->options->guru && read_number(text, &number);

	for (size_t i = 0; i < NPROTOCOLS; i++)
		if (numbered ? protocols[i].value == number : !strcasecmp(protocols[i].name, text))
			found = &protocols[i];
	if (!found)
		return unknown_protocol(s, text);
	*ret = found;
	return found->config ? need_config(s, found) : NULL;
}

static bool is_hook(const struct name *rows, int number)
{
	for (; rows->name; rows++)
		if (rows->value == number)
			return true;
	return false;
}

static struct error *read_hook(struct session *s, const char *text, const struct protocol *pf,
			       int *ret)
{
	if (read_name(pf->hooks, text, ret) ||
	    (s->options->guru && read_number(text, ret) && is_hook(pf->hooks, *ret)))
		return NULL;
	return error_create(s->arena, ERROR_ABSENT, "no hook '%s' of %s; there are %s", text,
			    pf->name, list_of(s, pf->hooks));
}

static struct error *read_priority(struct session *s, const struct component *c,
				   const struct protocol *pf, int *ret)
{
	if (c->arg_kind == ARG_NUMBER && c->number >= INT_MIN && c->number <= INT_MAX) {
		*ret = (int)c->number;
		return NULL;
	}
	if (c->arg_kind == ARG_STRING &&
	    (read_number(c->string, ret) || read_name(pf->priorities, c->string, ret)))
		return NULL;
	if (c->arg_kind != ARG_STRING || !pf->priorities->name)
		return probe_wrong(s, "'.priority' needs a number: priority(\"-5\")");
	return error_create(s->arena, ERROR_ABSENT,
			    "no priority '%s' of %s; there are numbers and %s", c->string, pf->name,
			    list_of(s, pf->priorities));
}

static struct error *read_point(struct session *s, const struct point *p, struct netfilter *ret)
{
	unsigned hook = probe_component_is(p, 1, "hook", ARG_STRING) ? 1 : 2, pf = 3 - hook;
	const struct component *priority = probe_component(p, 3);
	const struct protocol *known = NULL;
	struct error *err;

	if (!probe_component_is(p, hook, "hook", ARG_STRING) ||
	    !probe_component_is(p, pf, "pf", ARG_STRING) ||
	    (priority && strcmp(priority->name, "priority")))
		return probe_wrong(
			s, "expected netfilter.hook(\"NF_INET_PRE_ROUTING\").pf(\"NFPROTO_IPV4\") "
			   "with or without .priority(\"N\")");
	err = read_protocol(s, probe_component(p, pf)->string, &known);
	if (!err)
		err = read_hook(s, probe_component(p, hook)->string, known, &ret->hook);
	if (err)
		return err;
	ret->pf = known->value;
	err = priority ? read_priority(s, priority, known, &ret->priority) : NULL;
	if (!err && probe_component(p, 4))
		err = probe_wrong(s, "nothing can follow as '.%s' here",
				  probe_component(p, 4)->name);
	return err;
}

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	struct netfilter data = { 0 }, *copy;
	struct error *err;

	if (!probe_component_is(p, 0, "netfilter", ARG_NONE) || probe_component(p, 1) == NULL)
		return NULL;
	err = read_point(s, p, &data);
	if (err)
		return err;
	copy = arena_new(s->arena, struct netfilter);
	*copy = data;
	probe_derived_new(s, &probe_family_netfilter, p, ret)->data = copy;
	return NULL;
}

/* ---- target variables ---- */

/*
 * Target variables. Their types are those of the parameters of the function that runs the
 * hooks: skb, state.
 */
static const struct variable {
	const char *name, *c_type;
	unsigned argument;
	/*
	 * member of the structure that the argument points to; NULL: the argument itself
	 */
	const char *member;
} variables[] = {
	{ "$hooknum", "long", 1, "hook" },
	{ "$skb", "struct sk_buff *", 0, NULL },
	{ "$in", "struct net_device *", 1, "in" },
	{ "$out", "struct net_device *", 1, "out" },
};
#define NVARIABLES (sizeof(variables) / sizeof(variables[0]))

static const struct access_own verdict_guru = { .get = "stp_netfilter_verdict",
						.set = "stp_netfilter_decide" };
static const struct access_own verdict = {
	.get = "stp_netfilter_verdict",
	.unwritten = "it decides the fate of the packet; this needs stap -g",
};

static struct error *unknown_variable(struct session *s, const struct node *n)
{
	return error_create(s->arena, ERROR_ABSENT,
			    "netfilter probes have no variable '%s'; they have $hooknum, $skb, "
			    "$in, $out and $verdict",
			    n->target_name);
}

static struct error *follow(struct session *s, const struct variable *v, const struct node *n,
			    struct access *a)
{
	struct path_step member = { .kind = STEP_MEMBER, .loc = n->loc, .member = v->member };
	kernel_functions found = { 0 };
	path_steps path = { 0 };
	struct btf *btf;
	uint32_t type;
	/* A kernel without netfilter does not even have this structure. */
	struct error *err = types_find(s, NULL, "struct nf_hook_state", &btf, &type);

	if (!err)
		err = kernel_find_functions(s, NULL, "nf_hook_slow", &found);
	if (err || !found.count || found.data[0].params.count <= v->argument)
		return err ? err : unknown_variable(s, n);

	struct path_start start = { .btf = found.data[0].btf,
				    .type_id = found.data[0].params.data[v->argument].type_id,
				    .place = PATH_VALUE };

	if (v->member)
		vec_push(s->arena, &path, member);
	vec_each(&n->path, i)
		vec_push(s->arena, &path, n->path.data[i]);
	a->number = v->argument;
	return member_follow(s, &start, &path, n->address_of, a);
}

static void target(struct session *s, struct derived *d, struct node *n)
{
	struct access *a = arena_new(s->arena, struct access);
	struct error *err = NULL;

	n->access = a;
	a->base = ACCESS_TRACE_ARG;
	for (size_t i = 0; i < NVARIABLES; i++) {
		if (strcmp(variables[i].name, n->target_name))
			continue;
		err = kernel_need(s);
		if (!err)
			err = follow(s, &variables[i], n, a);
		n->unresolved = err ? err->text : NULL;
		return;
	}
	a->base = ACCESS_OWN;
	a->own = s->options->guru ? &verdict_guru : &verdict;
	if (strcmp(n->target_name, "$verdict"))
		n->unresolved = unknown_variable(s, n)->text;
	else if (n->path.count || n->address_of)
		n->unresolved = "'$verdict' is a number, which has no members, elements or address";
}

static void vars(struct session *s, struct derived *d, target_variables *ret)
{
	struct target_variable own = { .name = "$verdict", .c_type = "long" };

	for (size_t i = 0; i < NVARIABLES; i++) {
		struct target_variable v = { .name = variables[i].name,
					     .c_type = variables[i].c_type };

		vec_push(s->arena, ret, v);
	}
	vec_push(s->arena, ret, own);
}

/* ---- emission ---- */

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct netfilter *data = d->data;

	writer_line(w,
		    "static const struct stp_point_netfilter point_%u = { .pf = %d, .hook = %d, "
		    ".priority = %lld };",
		    d->index, data->pf, data->hook, (long long)data->priority);
}

static const char *bpf_obstacle(const struct derived *d)
{
	return "hooks of netfilter";
}

PROBE_FAMILY(netfilter,
	     "netfilter.hook(string).pf(string)\nnetfilter.hook(string).pf(string).priority("
	     "string)\n"
	     "netfilter.hook(string).pf(string).priority(number)\n"
	     "netfilter.pf(string).hook(string)\nnetfilter.pf(string).hook(string).priority("
	     "string)\n"
	     "netfilter.pf(string).hook(string).priority(number)",
	     .resolve = resolve, .target = target, .vars = vars, .emit = emit,
	     .bpf_obstacle = bpf_obstacle);
