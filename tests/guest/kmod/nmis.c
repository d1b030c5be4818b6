/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interrupts that nothing masks: writing N to /sys/module/nmis/parameters/send sends N of
 * them to each processor, some microseconds apart; taken says how many were taken. The
 * function nmis_take() is called in each.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <asm/apic.h>
#include <asm/nmi.h>

static atomic_long_t taken = ATOMIC_LONG_INIT(0);
static bool sending;

static noinline __attribute__((noipa)) long nmis_take(long n, const char *name)
{
	barrier();
	return n + name[0];
}

static int take(unsigned int type, struct pt_regs *regs)
{
	if (!READ_ONCE(sending))
		return NMI_DONE;
	nmis_take(atomic_long_inc_return(&taken), "name");
	return NMI_HANDLED;
}

static int send_set(const char *text, const struct kernel_param *kp)
{
	unsigned int n;
	int err = kstrtouint(text, 0, &n);

	if (err)
		return err;
	WRITE_ONCE(sending, true);
	for (unsigned int i = 0; i < n; i++) {
		preempt_disable();
		apic->send_IPI_mask(cpu_online_mask, NMI_VECTOR);
		preempt_enable();
		udelay(5 + i * 7 % 90); /* another place of the work that is interrupted */
		cond_resched();
	}
	msleep(20); /* the last are taken */
	WRITE_ONCE(sending, false);
	return 0;
}

static int taken_get(char *text, const struct kernel_param *kp)
{
	return sprintf(text, "%ld\n", atomic_long_read(&taken));
}

static const struct kernel_param_ops send_ops = { .set = send_set },
				     taken_ops = { .get = taken_get };
module_param_cb(send, &send_ops, NULL, 0200);
module_param_cb(taken, &taken_ops, NULL, 0400);

static int __init begin(void)
{
	return register_nmi_handler(NMI_LOCAL, take, 0, "nmis");
}

static void __exit end(void)
{
	unregister_nmi_handler(NMI_LOCAL, "nmis");
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
