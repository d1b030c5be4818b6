/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * netfilter.hook: one hook of the kernel's packet filter for each point, in every network
 * namespace, present and future. Packets continue as usual, unless the handler decides
 * otherwise: then its $verdict becomes that of the hook.
 */
#include <linux/netfilter.h>
#include <linux/netdevice.h>
#include <net/net_namespace.h>

#include "api.h"
#include "core/session.h"

enum { ARG_SKB, ARG_STATE, ARG_VERDICT, NARGS };

struct packets {
	const struct stp_probe *probe;
	struct packets *next;
	struct nf_hook_ops ops;
};

static struct {
	struct packets *first;
	bool registered;
} hooks;

int64_t stp_netfilter_verdict(struct stp_ctx *c)
{
	return c->args[ARG_VERDICT];
}

/* The arguments of the hit are those of packet_hit(). */
void stp_netfilter_decide(struct stp_ctx *c, int64_t verdict)
{
	if (verdict < 0 || verdict > NF_MAX_VERDICT)
		stp_error(c, "$verdict is 0 (NF_DROP) to %d, not %lld", NF_MAX_VERDICT,
			  (long long)verdict);
	else
		((int64_t *)c->args)[ARG_VERDICT] = verdict;
}

static unsigned int packet_hit(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	const struct packets *p = priv;
	int64_t args[NARGS] = { (unsigned long)skb, (unsigned long)state, NF_ACCEPT };

	p->probe->hit(p->probe, NULL, args, NULL);
	return args[ARG_VERDICT];
}

static void net_remove_until(struct net *net, const struct packets *end)
{
	for (const struct packets *p = hooks.first; p != end; p = p->next)
		nf_unregister_net_hook(net, &p->ops);
}

static int net_add(struct net *net)
{
	for (const struct packets *p = hooks.first; p; p = p->next) {
		int error = nf_register_net_hook(net, &p->ops);

		if (!error)
			continue;
		stp_setup_error("%s: the kernel refuses the hook (error %d)", p->probe->pp, -error);
		net_remove_until(net, p);
		return error;
	}
	return 0;
}

static void net_remove(struct net *net)
{
	net_remove_until(net, NULL);
}

static struct pernet_operations nets = { .init = net_add, .exit = net_remove };

static void remove(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	if (hooks.registered)
		unregister_pernet_subsys(&nets);
	hooks.registered = false;
	synchronize_net(); /* waits for packets that are in a handler */
}

static int add(const struct stp_probe *const *probes, void *const *states, unsigned n)
{
	int ret;

	/*
	 * Among hooks of one priority, the last one registered runs first: so the list is
	 * registered in reverse.
	 */
	for (unsigned int i = 0; i < n; i++) {
		const struct stp_point_netfilter *point = probes[i]->point;
		struct packets *p = states[i];

		p->probe = probes[i];
		p->next = hooks.first;
		p->ops = (struct nf_hook_ops){
			.hook = packet_hit,
			.priv = p,
			.pf = point->pf,
			.hooknum = point->hook,
			.priority = point->priority,
		};
		hooks.first = p;
	}
	ret = register_pernet_subsys(&nets);
	hooks.registered = !ret;
	return ret;
}

const struct stp_family stp_family_netfilter = {
	.name = "netfilter",
	.state_size = sizeof(struct packets),
	.add = add,
	.remove = remove,
};
