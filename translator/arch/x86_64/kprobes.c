/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>

#include "arch/arch.h"

/*
 * Some were seen with kernels 6.1 and 6.12, the rest are functions that these call. If
 * one is missing, the guests of tests/guest/safety/hotplug_early.sh and torture.sh die.
 * After hotplug_early.sh, the last lines of QEMU's "-d int" have its address.
 */
static const char *const refused[] = {
	/* run by a processor that starts */
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
	/* run by a processor that wakes */
	"restore_processor_state",
	"__restore_processor_state",
	/* run by ftrace, from each function */
	"__fentry__",
	"ftrace_caller",
	"ftrace_caller_op_ptr",
	"ftrace_caller_end",
	"ftrace_call",
	"ftrace_regs_caller",
	"ftrace_regs_caller_op_ptr",
	"ftrace_regs_caller_jmp",
	"ftrace_regs_caller_end",
	"ftrace_regs_call",
	"ftrace_graph_caller",
	"ftrace_graph_call",
	"ftrace_stub",
	"ftrace_stub_graph",
	"ftrace_stub_direct_tramp",
	"ftrace_graph_ret_stub",
	"ftrace_graph_entry_stub",
	"ftrace_epilogue",
	"return_to_handler",
	NULL,
};

const struct arch_kprobes x86_64_kprobes = { .refused = refused };
