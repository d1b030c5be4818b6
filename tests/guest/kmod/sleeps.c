/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets a guest sleep whose files come from its host: the driver of virtiofs refuses, as a
 * device that is switched off would lose what it was asked. One that sleeps with its
 * processors only (freeze) stays on; so it is left out of what is put to sleep. And the
 * clock's interrupt wakes it, which ACPI would do on a machine.
 */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/pci.h>

#ifdef CONFIG_X86
#define RTC_IRQ 8
#else
#define RTC_IRQ 0 /* its driver has it wake the machine */
#endif

static int leave_out(struct device *device, void *out)
{
	dev_pm_syscore_device(device, out != NULL);
	return 0;
}

static int leave_files_out(void *out)
{
	struct pci_dev *files = pci_get_device(PCI_VENDOR_ID_REDHAT_QUMRANET, 0x105a, NULL);

	if (!files)
		return -ENODEV;
	leave_out(&files->dev, out);
	device_for_each_child(&files->dev, out, leave_out);
	pci_dev_put(files);
	return 0;
}

static int __init begin(void)
{
	int err = leave_files_out(THIS_MODULE);

	return err || !RTC_IRQ ? err : enable_irq_wake(RTC_IRQ);
}

/* The next test's machine is not to sleep: nothing would wake it. */
static void __exit end(void)
{
	if (RTC_IRQ)
		disable_irq_wake(RTC_IRQ);
	leave_files_out(NULL);
}

module_init(begin);
module_exit(end);
MODULE_LICENSE("GPL");
