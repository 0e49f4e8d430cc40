// The counters by name. Names at CUPTI are those of CUPTI 13.0, which unit.counters holds
// them to on each chip; where generations differ the candidates stand in the order of
// their age, the newest last.
#include "device/counters.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "hone/device.h"

#define ELAPSED     ".avg.pct_of_peak_sustained_elapsed"
#define ACTIVE      ".avg.pct_of_peak_sustained_active"
#define STALL(what) "smsp__average_warps_issue_stalled_" what "_per_issue_active.ratio"
#define PERCENT     "% of peak"
#define WARPS       "warps a scheduler"

/* clang-format off */
static const struct hone_counter counters[] = {
    {"time_ns", "time", "ns", "time of the launch on the GPU", true,
     {"gpu__time_duration.sum"}},
    {"gpc_cycles", "time", "cycles", "of the longest part of the GPU", false,
     {"gpc__cycles_elapsed.max"}},
    {"sm_active_cycles", "time", "cycles", "with a warp, mean of multiprocessors", true,
     {"sm__cycles_active.avg"}},
    {"sm_cycles", "time", "cycles", "of the launch", true, {"sm__cycles_elapsed.max"}},
    {"sm_clock", "time", "Hz", "clock of the multiprocessors", true,
     {"sm__cycles_elapsed.avg.per_second"}},
    {"dram_clock", "time", "Hz", "clock of memory", false,
     {"dram__cycles_elapsed.avg.per_second"}},

    {"sm_throughput", "speed of light", PERCENT, "busiest part of the multiprocessors",
     false, {"sm__throughput" ELAPSED}},
    {"memory_throughput", "speed of light", PERCENT, "busiest part of the memory system",
     false, {"gpu__compute_memory_throughput" ELAPSED}},
    {"l1_throughput", "speed of light", PERCENT, "L1", false,
     {"l1tex__throughput" ACTIVE}},
    {"l2_throughput", "speed of light", PERCENT, "L2", false,
     {"lts__throughput" ELAPSED}},
    {"gpu_dram_throughput", "speed of light", PERCENT, "DRAM, its busiest part", false,
     {"gpu__dram_throughput" ELAPSED}},

    {"tensor_pipe", "pipes", PERCENT, "tensor cores busy", true,
     {"sm__pipe_tensor_cycles_active" ACTIVE}},
    {"fma_pipe", "pipes", PERCENT, "multiply-add units busy", true,
     {"sm__pipe_fma_cycles_active" ACTIVE}},
    {"alu_pipe", "pipes", PERCENT, "integer and logic units busy", true,
     {"sm__pipe_alu_cycles_active" ACTIVE}},
    {"fp64_pipe", "pipes", PERCENT, "fp64 units busy", false,
     {"sm__pipe_fp64_cycles_active" ACTIVE}},
    {"lsu_pipe", "pipes", PERCENT, "instructions of loads and stores", false,
     {"sm__inst_executed_pipe_lsu" ACTIVE}},
    {"xu_pipe", "pipes", PERCENT, "instructions of special functions", false,
     {"sm__inst_executed_pipe_xu" ACTIVE}},
    {"tma_pipe", "pipes", PERCENT, "copies by tensor maps busy", false,
     {"sm__pipe_tma_cycles_active" ACTIVE}},
    {"tc_pipe", "pipes", PERCENT, "tcgen05 busy", false,
     {"sm__pipe_tc_cycles_active" ACTIVE}},
    {"uniform_instructions", "pipes", "warp instructions", "of the uniform pipe", false,
     {"sm__inst_executed_pipe_uniform.sum"}},
    {"mma_instructions", "pipes", "warp instructions", "mma of floats", false,
     {"sm__inst_executed_pipe_tensor_op_hmma.sum",
      "sm__inst_executed_pipe_tensor_subpipe_hmma.sum"}},
    {"imma_instructions", "pipes", "warp instructions", "mma of integers", false,
     {"sm__inst_executed_pipe_tensor_op_imma.sum",
      "sm__inst_executed_pipe_tensor_subpipe_imma.sum"}},
    {"wgmma_instructions", "pipes", "warp instructions", "wgmma", false,
     {"sm__inst_executed_pipe_tensor_op_gmma.sum"}},
    {"tcgen05_instructions", "pipes", "warp instructions", "tcgen05", false,
     {"sm__inst_executed_pipe_tc.sum"}},
    {"tma_instructions", "pipes", "warp instructions", "of copies by tensor maps", false,
     {"sm__inst_executed_pipe_tma.sum"}},

    {"bf16_operations", "tensor operations", "operations", "bf16, summed in fp32", false,
     {"sm__ops_path_tensor_src_bf16_dst_fp32.sum"}},
    {"tf32_operations", "tensor operations", "operations", "tf32, summed in fp32", false,
     {"sm__ops_path_tensor_src_tf32_dst_fp32.sum"}},
    {"int8_operations", "tensor operations", "operations", "8-bit integers", false,
     {"sm__ops_path_tensor_src_int8.sum"}},
    {"f16_operations", "tensor operations", "operations", "f16, summed in fp32", false,
     {"sm__ops_path_tensor_src_fp16_dst_fp32.sum", "sm__ops_path_tensor_src_fp16.sum"}},
    {"f8_operations", "tensor operations", "operations", "floats of 8 bits and fewer",
     false,
     {"sm__ops_path_tensor_src_fp8.sum", "sm__ops_path_tensor_src_fp8_dst_fp32.sum",
      "sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp32.sum"}},

    {"instructions", "issue", "warp instructions", "executed", true,
     {"sm__inst_executed.sum"}},
    {"issue_active", "issue", PERCENT, "cycles in which a scheduler issues", true,
     {"smsp__issue_active" ACTIVE}},
    {"instructions_per_cycle", "issue", "a cycle", "of a multiprocessor, while active",
     true, {"sm__inst_executed.avg.per_cycle_active"}},
    {"eligible_warps", "issue", WARPS, "that could issue", false,
     {"smsp__warps_eligible.avg.per_cycle_active"}},
    {"lanes_per_instruction", "issue", "lanes", "of a warp instruction", true,
     {"smsp__thread_inst_executed_per_inst_executed.ratio"}},
    {"lanes_on", "issue", "lanes", "of them, not switched off by a predicate", false,
     {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"}},

    {"occupancy", "occupancy", PERCENT, "warps on a multiprocessor", true,
     {"sm__warps_active" ACTIVE}},
    {"active_warps", "occupancy", WARPS, "on it", true,
     {"smsp__warps_active.avg.per_cycle_active"}},
    {"blocks", "occupancy", "blocks", "launched", true, {"sm__ctas_launched.sum"}},
    {"register_stalls", "occupancy", "cycles", "no warp begins for want of registers",
     false,
     {"tpc__warp_launch_cycles_stalled_shader_cs_reason_register_allocation.sum"}},
    {"shared_stalls", "occupancy", "cycles", "no warp begins for want of shared memory",
     false, {"tpc__warp_launch_cycles_stalled_shader_cs_reason_shmem_allocation.sum"}},

    {"l1_hit_rate", "L1", "%", "sectors found in L1", false,
     {"l1tex__t_sector_hit_rate.pct"}},
    {"load_sectors_per_request", "L1", "sectors", "of a load of global memory", true,
     {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"}},
    {"store_sectors_per_request", "L1", "sectors", "of a store to global memory", true,
     {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"}},
    {"load_sectors", "L1", "sectors", "of loads of global memory", true,
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
    {"store_sectors", "L1", "sectors", "of stores to global memory", true,
     {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
    {"l1_read_bytes", "L1", "bytes", "from L2 to L1", false,
     {"l1tex__m_xbar2l1tex_read_bytes.sum"}},
    {"l1_write_bytes", "L1", "bytes", "from L1 to L2", false,
     {"l1tex__m_l1tex2xbar_write_bytes.sum"}},

    {"load_conflicts", "shared memory", "wavefronts", "bank conflicts of loads", true,
     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
    {"store_conflicts", "shared memory", "wavefronts", "bank conflicts of stores", true,
     {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
    {"wavefronts", "shared memory", "wavefronts", "of shared memory", true,
     {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}},
    {"wavefront_throughput", "shared memory", PERCENT, "of shared memory and L1",
     true, {"l1tex__data_pipe_lsu_wavefronts" ELAPSED}},

    {"local_load_sectors", "spills", "sectors", "of loads of local memory", true,
     {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"}},
    {"local_store_sectors", "spills", "sectors", "of stores to local memory", true,
     {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"}},

    {"l2_hit_rate", "L2", "%", "sectors found in L2", false,
     {"lts__t_sector_hit_rate.pct"}},
    {"l2_read_sectors", "L2", "sectors", "read", false, {"lts__t_sectors_op_read.sum"}},
    {"l2_write_sectors", "L2", "sectors", "written", false,
     {"lts__t_sectors_op_write.sum"}},
    {"l2_sector_rate", "L2", PERCENT, "sectors", true, {"lts__t_sectors" ELAPSED}},
    {"l2_reductions", "L2", "sectors", "of reductions", false,
     {"lts__t_sectors_op_red.sum"}},

    {"dram_read_bytes", "DRAM", "bytes", "read", true,
     {"dram__bytes_read.sum", "dram__bytes_op_read.sum"}},
    {"dram_write_bytes", "DRAM", "bytes", "written", true,
     {"dram__bytes_write.sum", "dram__bytes_op_write.sum"}},
    {"dram_throughput", "DRAM", PERCENT, "bandwidth used", true,
     {"dram__throughput" ELAPSED}},

    {"stall_long_scoreboard", "stalls", WARPS, "wait for global or local memory", false,
     {STALL("long_scoreboard")}},
    {"stall_short_scoreboard", "stalls", WARPS,
     "wait for shared memory or special functions", false, {STALL("short_scoreboard")}},
    {"stall_barrier", "stalls", WARPS, "wait at a barrier", false, {STALL("barrier")}},
    {"stall_wait", "stalls", WARPS, "wait a fixed number of cycles", false,
     {STALL("wait")}},
    {"stall_math", "stalls", WARPS, "wait for a busy arithmetic pipe", false,
     {STALL("math_pipe_throttle")}},
    {"stall_mio", "stalls", WARPS, "wait for the queue of shared memory", false,
     {STALL("mio_throttle")}},
    {"stall_lg", "stalls", WARPS, "wait for the queue of global and local memory", false,
     {STALL("lg_throttle")}},
    {"stall_not_selected", "stalls", WARPS, "could issue, another warp did", false,
     {STALL("not_selected")}},
    {"stall_no_instruction", "stalls", WARPS, "wait for instructions", false,
     {STALL("no_instruction")}},
    {"stall_gmma", "stalls", WARPS, "wait for wgmma", false, {STALL("gmma")}},
};

// The largest chip of each generation.
static const struct {
    const char *chip;
    int64_t major, minor;
} chips[] = {{"TU102", 7, 5}, {"GA100", 8, 0},  {"GA102", 8, 6}, {"AD102", 8, 9},
             {"GH100", 9, 0}, {"GB100", 10, 0}, {"GB202", 12, 0}};
/* clang-format on */

const struct hone_counter *hone_counter_at(size_t i)
{
    return i < sizeof counters / sizeof *counters ? &counters[i] : NULL;
}

const char *hone_counter_chip(size_t i)
{
    return i < sizeof chips / sizeof *chips ? chips[i].chip : NULL;
}

const char *hone_counter_chip_of(int64_t cc_major, int64_t cc_minor)
{
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
        if (chips[i].major == cc_major && chips[i].minor == cc_minor)
            return chips[i].chip;
    return NULL;
}

enum hone_status hone_counter_chip_find(char *chip, size_t size, const char *word,
                                        struct hone_error *err)
{
    struct hone_limits limits;
    if (!strchr(word, ':')) {
        snprintf(chip, size, "%s", word);
        for (char *c = chip; *c; c++)
            *c = hone_upper(*c);
        return HONE_OK;
    }
    enum hone_status status = hone_device_limits(&limits, word, err);
    if (status != HONE_OK) return status;
    const char *found = hone_counter_chip_of(limits.cc_major, limits.cc_minor);
    if (!found)
        return hone_fail(err, HONE_ENOTFOUND,
                         "'%s' has compute capability %d.%d, of which no chip is known",
                         word, (int)limits.cc_major, (int)limits.cc_minor);
    snprintf(chip, size, "%s", found);
    return HONE_OK;
}
