// What products, copies, flushes and clocks take, in cycles and microseconds. Launches are
// at raised clocks: an idle GPU runs at a fraction of them, and waits fewer cycles.
#include <math.h>
#include <stdio.h>

#include "base/sample_stats.h"
#include "questions.h"

// ---- Cycles -------------------------------------------------------------------------

// Of one of `groups` warpgroups' products in turn.
static double cycles_of(struct ask *ask, const char *entry, uint32_t groups)
{
    const hone_devptr out = ask_buffer(ask, 64), zeroes = ask_buffer(ask, 16 * 256);
    struct ask_call call = ask_kernel(ask, entry, 1, 128 * groups, 40960 + 1024);
    uint32_t got[16];
    double each[7];
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, zeroes);
    for (size_t i = 0; i < 7; i++) {
        ask_launch(ask, &call);
        ask_read(ask, got, out, sizeof got);
        uint32_t few = 0, many = 0;
        for (uint32_t w = 0; w < groups; w++) {
            const uint32_t *of = got + 4 * w;
            few = of[1] - of[0] > few ? of[1] - of[0] : few;
            many = of[3] - of[2] > many ? of[3] - of[2] : many;
        }
        each[i] = ((double)many - (double)few) / 64 / groups;
    }
    return hone_sample_stats_of(each, 7).median;
}

void answer_wgmma_cycles(struct ask *ask)
{
    static const uint32_t widths[] = {8, 16, 32, 64, 96, 128, 192, 256};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        const double n = widths[i], tensor = n / 2, shared = n / 4;
        for (uint32_t groups = 1; groups <= 2; groups++) {
            char entry[32], name[32];
            snprintf(entry, sizeof entry, "wgmma_rs_%u", widths[i]);
            snprintf(name, sizeof name, "rs_n%u_by_%u", widths[i], groups);
            const double rs = cycles_of(ask, entry, groups),
                         rs_model = fmax(tensor, shared);
            ask_expect(ask, name, rs, 0.9 * rs_model, 1.15 * rs_model + 2);
            snprintf(entry, sizeof entry, "wgmma_ss_%u", widths[i]);
            snprintf(name, sizeof name, "ss_n%u_by_%u", widths[i], groups);
            const double ss = cycles_of(ask, entry, groups);
            const double ss_model = fmax(tensor, 16 + shared);
            ask_expect(ask, name, ss, 0.9 * ss_model, 1.15 * ss_model + 2);
        }
    }
}

// Who has the port of shared memory: mode 1 multiplies, 2 copies, 3 does both.
static void use_port(struct ask *ask, const char *entry, uint32_t mode, double out[2])
{
    enum { TILE = 8192, PRODUCTS = 32 * 9, RUNS = 7 };
    const hone_devptr at = ask_buffer(ask, 8), from = ask_buffer(ask, 8 * TILE);
    struct ask_call call = ask_kernel(ask, entry, 1, 160, 40960 + 4 * TILE + 1024);
    double cycles[RUNS], rates[RUNS];
    ASK_ARGUMENT(&call, at);
    ASK_ARGUMENT(&call, from);
    ASK_ARGUMENT(&call, mode);
    for (size_t i = 0; i < RUNS; i++) {
        uint32_t got[2] = {0};
        ask_write(ask, at, got, sizeof got);
        ask_launch(ask, &call);
        ask_read(ask, got, at, sizeof got);
        cycles[i] = (double)got[0] / PRODUCTS;
        rates[i] = got[0] ? (double)got[1] * TILE / got[0] : 0;
    }
    out[0] = hone_sample_stats_of(cycles, RUNS).median;
    out[1] = hone_sample_stats_of(rates, RUNS).median;
}

void answer_shared_port(struct ask *ask)
{
    static const uint32_t widths[] = {64, 128};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        char entry[32], name[48];
        double alone[2], copies[2], both[2];
        const double left = 128 - 128 * (16 + widths[i] / 4.0) / (widths[i] / 2.0);
        snprintf(entry, sizeof entry, "shared_port_%u", widths[i]);
        use_port(ask, entry, 1, alone);
        use_port(ask, entry, 2, copies);
        use_port(ask, entry, 3, both);
        snprintf(name, sizeof name, "n%u_alone", widths[i]);
        ask_say(ask, name, alone[0]);
        snprintf(name, sizeof name, "n%u_beside_copies", widths[i]);
        ask_expect(ask, name, both[0], 0.95 * alone[0], 1.05 * alone[0]);
        snprintf(name, sizeof name, "n%u_bytes_alone", widths[i]);
        ask_say(ask, name, copies[1]);
        snprintf(name, sizeof name, "n%u_bytes_beside_products", widths[i]);
        ask_expect(ask, name, both[1], 0, left + 0.25 * copies[1]);
    }
}

static double median_of_16(struct ask *ask, hone_devptr out, double *first)
{
    uint32_t got[16];
    double rest[15];
    ask_read(ask, got, out, sizeof got);
    *first = got[0];
    for (size_t i = 0; i < 15; i++)
        rest[i] = got[i + 1];
    return hone_sample_stats_of(rest, 15).median;
}

static void bulk_latency(struct ask *ask, const char *name, uint32_t bytes,
                         uint64_t stride, const double bounds[2])
{
    const hone_devptr out = ask_buffer(ask, 64);
    const hone_devptr from = ask_buffer(ask, bytes + 15 * stride);
    struct ask_call call = ask_kernel(ask, "bulk_latency", 1, 1, 32768);
    double first;
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, from);
    ASK_ARGUMENT(&call, bytes);
    ASK_ARGUMENT(&call, stride);
    ask_launch(ask, &call);
    const double cycles = median_of_16(ask, out, &first);
    ask_expect(ask, name, cycles, bounds[0], bounds[1]);
}

void answer_tma_latency(struct ask *ask)
{
    bulk_latency(ask, "bulk_128_from_l2", 128, 0, (const double[]){400, 1200});
    bulk_latency(ask, "bulk_2048_from_l2", 2048, 0, (const double[]){400, 1300});
    bulk_latency(ask, "bulk_16384_from_l2", 16384, 0, (const double[]){500, 2000});
    bulk_latency(ask, "bulk_2048_16_MB_apart", 2048, 16u << 20,
                 (const double[]){600, 3000});
    const hone_devptr out = ask_buffer(ask, 64);
    const CUtensorMap map = ask_box_map(ask, ask_buffer(ask, 2048));
    const uint32_t bytes = 1024;
    double first;
    struct ask_call call = ask_kernel(ask, "tma_latency", 1, 1, 32768);
    ASK_ARGUMENT(&call, map);
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, bytes);
    ask_launch(ask, &call);
    ask_expect(ask, "tensor_1024_from_l2", median_of_16(ask, out, &first), 400, 1300);
    ask_say(ask, "tensor_1024_first", first);
}

// Gigabytes a second from so much memory, read `times` times by all multiprocessors.
static double bulk_rate(struct ask *ask, uint64_t bytes, uint64_t times)
{
    enum { TILE = 16384, STAGES = 8 };
    const uint32_t blocks = (uint32_t)ask->dev->limits.sm_count;
    const uint32_t n = (uint32_t)(bytes / TILE);
    const uint32_t tiles = (uint32_t)(bytes * times / TILE / blocks);
    const hone_devptr from = ask_buffer(ask, bytes);
    struct ask_call call = ask_kernel(ask, "bulk_rate", blocks, 1, STAGES * TILE + 1024);
    ASK_ARGUMENT(&call, from);
    ASK_ARGUMENT(&call, n);
    ASK_ARGUMENT(&call, tiles);
    const double us = ask_time_us(ask, &call, true);
    return (double)tiles * TILE * blocks / us / 1e3;
}

void answer_tma_rate(struct ask *ask)
{
    const double nominal = (double)ask->dev->limits.memory_bandwidth_mbs / 1e3;
    const double far = bulk_rate(ask, 1ull << 30, 1);
    ask_expect(ask, "gb_per_s_from_dram", far, 0.75 * nominal, nominal);
    ask_expect(ask, "gb_per_s_from_l2", bulk_rate(ask, 16u << 20, 32), far, 4 * nominal);
}

void answer_far_shared(struct ask *ask)
{
    enum { THREADS = 512 };
    const hone_devptr out = ask_buffer(ask, 16);
    struct ask_call call = ask_kernel(ask, "far_shared", 2, THREADS, 0);
    uint32_t got[3];
    ASK_ARGUMENT(&call, out);
    for (size_t i = 0; i < 3; i++)
        ask_launch(ask, &call);
    ask_read(ask, got, out, sizeof got);
    ask_expect(ask, "cycles_own", got[0] / 256.0, 20, 60);
    ask_expect(ask, "cycles_other", got[1] / 256.0, 150, 280);
    ask_expect(ask, "bytes_per_cycle_other", THREADS * 64 * 16.0 / got[2], 8, 128);
}

// ---- L2 and clocks ------------------------------------------------------------------

static void needs_time(const struct ask *ask)
{
    if (ask->dev->clock == HONE_CLOCK_EMULATED)
        ask_cannot("%s predicts, and measures nothing", ask->device);
}

// Megahertz of the multiprocessors, raised from idle, by a spin of some milliseconds
// against %globaltimer, which ticks each microsecond or less often.
static double say_mhz(struct ask *ask, const char *when)
{
    const uint64_t cycles = 10000000;
    const hone_devptr out = ask_buffer(ask, 16);
    struct ask_call call = ask_kernel(ask, "spin_cycles", 1, 1, 0);
    uint64_t took[2];
    char name[48];
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, cycles);
    ask_launch(ask, &call);
    ask_read(ask, took, out, sizeof took);
    const double mhz = (double)took[0] / (double)took[1] * 1e3;
    snprintf(name, sizeof name, "mhz_%s", when);
    ask_say(ask, name, mhz);
    return mhz;
}

struct l2_lines {
    struct ask_call touch, read;
    hone_devptr flush, data, times, sink;
    uint64_t flush_count, data_count;
    uint32_t write;
};

// Microseconds to read the data after as much as twice L2 was written, or read.
static double read_after(struct ask *ask, struct l2_lines *l2, bool write)
{
    uint64_t times[2] = {UINT64_MAX, 0};
    l2->write = write;
    ask_launch(ask, &l2->touch);
    ask_write(ask, l2->times, times, sizeof times);
    ask_launch(ask, &l2->read);
    ask_read(ask, times, l2->times, sizeof times);
    return (double)(times[1] - times[0]) / 1e3;
}

void answer_write_back(struct ask *ask)
{
    enum { MB = 1 << 20, RUNS = 9 };
    needs_time(ask);
    const uint32_t blocks = 8 * (uint32_t)ask->dev->limits.sm_count;
    const uint64_t l2_bytes = (uint64_t)ask->dev->limits.l2_bytes;
    struct l2_lines l2 = {.touch = ask_kernel(ask, "touch_lines", blocks, 256, 0),
                          .read = ask_kernel(ask, "read_timed", blocks, 256, 0),
                          .flush = ask_buffer(ask, 2 * l2_bytes),
                          .data = ask_buffer(ask, 64 * MB),
                          .times = ask_buffer(ask, 16),
                          .sink = ask_buffer(ask, 4),
                          .flush_count = 2 * l2_bytes / 16,
                          .data_count = 64 * MB / 16};
    double dirty[RUNS], clean[RUNS];
    ASK_ARGUMENT(&l2.touch, l2.flush);
    ASK_ARGUMENT(&l2.touch, l2.flush_count);
    ASK_ARGUMENT(&l2.touch, l2.write);
    ASK_ARGUMENT(&l2.touch, l2.sink);
    ASK_ARGUMENT(&l2.read, l2.data);
    ASK_ARGUMENT(&l2.read, l2.data_count);
    ASK_ARGUMENT(&l2.read, l2.times);
    ASK_ARGUMENT(&l2.read, l2.sink);
    for (size_t i = 0; i < RUNS; i++) {
        dirty[i] = read_after(ask, &l2, true);
        clean[i] = read_after(ask, &l2, false);
    }
    const double dirty_us = hone_sample_stats_of(dirty, RUNS).median,
                 clean_us = hone_sample_stats_of(clean, RUNS).median;
    ask_say(ask, "l2_bytes", (double)l2_bytes);
    ask_say(ask, "read_64_mb_after_writes_us", dirty_us);
    ask_say(ask, "read_64_mb_after_reads_us", clean_us);
    const double drain_us =
        (double)l2_bytes / (double)ask->dev->limits.memory_bandwidth_mbs;
    ask_expect(ask, "write_back_us", dirty_us - clean_us, 0, 1.5 * drain_us);
}

// What a clock adds to a spin, at most and at least, besides 0.1 % of it.
static const struct {
    enum hone_clock clock;
    double least_us, most_us;
} biases[] = {{HONE_CLOCK_EVENT, -0.2, 3},
              {HONE_CLOCK_GRAPH, -0.2, 1},
              {HONE_CLOCK_CUPTI, -0.2, 0.5}};

static void clock_bias(struct ask *ask, size_t of, unsigned spin_us, double mhz)
{
    char name[48];
    uint64_t took[2];
    const uint64_t cycles = (uint64_t)(spin_us * mhz);
    const hone_devptr out = ask_buffer(ask, sizeof took);
    struct ask_call call = ask_kernel(ask, "spin_cycles", 1, 1, 0);
    ASK_ARGUMENT(&call, out);
    ASK_ARGUMENT(&call, cycles);
    const double us = ask_time_us(ask, &call, true);
    ask_read(ask, took, out, sizeof took);
    const double drift_us = 1e-3 * spin_us;
    snprintf(name, sizeof name, "%s_bias_of_%u_us", hone_clock_name(biases[of].clock),
             spin_us);
    ask_expect(ask, name, us - (double)took[0] / mhz, biases[of].least_us - drift_us,
               biases[of].most_us + drift_us);
}

void answer_clocks(struct ask *ask)
{
    static const unsigned spins_us[] = {2, 10, 100, 1000};
    needs_time(ask);
    for (size_t c = 0; c < sizeof biases / sizeof *biases; c++) {
        if (!ask_reopen(ask, biases[c].clock)) {
            ask_say_text(ask, hone_clock_name(biases[c].clock), "not there");
            continue;
        }
        const double mhz = say_mhz(ask, hone_clock_name(biases[c].clock));
        for (size_t i = 0; i < sizeof spins_us / sizeof *spins_us; i++)
            clock_bias(ask, c, spins_us[i], mhz);
    }
}
