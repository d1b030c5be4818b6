/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch/arch.h"

/*
 * Seen with kernels 6.1 and 6.12, the rest by what they call. Where one is missing, the
 * machine of tests/guest/safety/hotplug_early.sh dies; the last lines of QEMU's
 * "-d int" have its address then.
 */
static const char *const functions[] = {
	"secondary_startup_64",
	"secondary_startup_64_no_verify",
	"verify_cpu",
	"sev_verify_cbit",
	"early_setup_idt",
	"setup_ghcb",
	"startup_64_load_idt",
	"startup_64_setup_gdt_idt",
	"startup_64_setup_env",
	"start_secondary",
	"cr4_init",
	"cr4_set_bits",
	"cr4_update_irqsoff",
	"cc_platform_has",
	"cpu_init_secondary",
	"cpu_init_exception_handling",
	"cpu_init_fred_exceptions",
	"setup_getcpu",
	"tss_setup_ist",
	"tss_setup_io_bitmap",
	"native_write_cr4",
	"native_write_msr",
	"native_load_tr_desc",
	"native_write_gdt_entry",
	/* called by these */
	"memset",
	"__memset",
	"memset_erms",
	"memset_orig",
	"memcpy",
	"__memcpy",
	"memcpy_erms",
	"memcpy_orig",
	/* by a processor that wakes */
	"restore_processor_state",
	"__restore_processor_state",
	0,
};

const struct arch_early x86_64_early = { .functions = functions };
