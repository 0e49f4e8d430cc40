// Clocks of a GPU on the fake driver: which one is taken, graphs of launches and the
// copies that keep them cold, and the clocks against each other.
#include <math.h>
#include <sys/wait.h>

#include "hone_test.h"

#include "base/log.h"
#include "fake/fake_use.h"

enum { SEEN_MOST = 4096 };

static struct {
    const unsigned char *pointers[SEEN_MOST];
    unsigned char firsts[SEEN_MOST];
    int numbers[SEEN_MOST];
    size_t count;
} seen;

static void look_at_arguments(const struct fake_cuda_launch *launch)
{
    assert_true(seen.count < SEEN_MOST);
    memcpy(&seen.pointers[seen.count], launch->params[0], sizeof *seen.pointers);
    memcpy(&seen.numbers[seen.count], launch->params[1], sizeof *seen.numbers);
    seen.firsts[seen.count] = *seen.pointers[seen.count];
    seen.count++;
}

static char warnings[1024];

static void keep_warnings(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    const size_t len = strlen(warnings);
    if (level == HONE_LOG_WARNING)
        snprintf(warnings + len, sizeof warnings - len, "%s\n", line);
}

// A GPU with the kernel k(pointer, number), timed by this clock.
struct gpu {
    struct hone_device *dev;
    struct hone_module *module;
};

static struct gpu open_gpu(const char *config, enum hone_clock clock)
{
    static char ptx[] = ".version 8.0\n.visible .entry k(.param .u64 x, .param .u32 n)\n";
    const struct hone_build build = {
        .outcome = HONE_VALID, .ptx = ptx, .ptx_size = strlen(ptx)};
    struct hone_error err = {0};
    struct hone_fault fault;
    struct gpu gpu = {0};
    assert_int_equal(fake.configure(config), 0);
    fake.body("k", look_at_arguments);
    assert_ok(hone_device_open_by(&gpu.dev, "cuda:0", clock, &err), err);
    assert_ok(gpu.dev->fns->load(gpu.dev, &build, "k", &gpu.module, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_VALID);
    return gpu;
}

static void close_gpu(struct gpu *gpu)
{
    gpu->dev->fns->unload(gpu->dev, gpu->module);
    hone_device_close(gpu->dev);
    assert_int_equal(fake.live(), 0);
}

// Times k on a buffer of so many bytes, all 7.
static struct hone_timing time_k(struct gpu *gpu, size_t bytes, bool warm,
                                 struct hone_fault *fault)
{
    struct hone_error err = {0};
    const struct hone_device_fns *fns = gpu->dev->fns;
    struct hone_time_policy policy = hone_time_policy_default;
    struct hone_timing timing;
    hone_devptr x = 0;
    const int n = 42;
    policy.warm_cache = warm;
    policy.brief = true;
    assert_ok(fns->alloc(gpu->dev, bytes, &x, &err), err);
    assert_ok(fns->fill(gpu->dev, x, 7, bytes, &err), err);
    const struct hone_extent extent = {.base = x, .bytes = bytes};
    const struct hone_launch launch = {
        .grid = {1, 1, 1},
        .block = {32, 1, 1},
        .params = (const void *[]){&x, &n},
        .param_sizes = (size_t[]){sizeof x, sizeof n},
        .param_count = 2,
        .extents = &extent,
        .extent_count = 1,
        .deadline_s = 0.05,
    };
    seen.count = 0;
    assert_ok(fns->time(gpu->dev, gpu->module, &launch, &policy, &timing, fault, &err),
              err);
    if (!fault->sticky) fns->free(gpu->dev, x);
    return timing;
}

static double metric(const struct hone_timing *timing, const char *name)
{
    for (size_t i = 0; i < timing->metric_count; i++)
        if (strcmp(timing->metrics[i].name, name) == 0) return timing->metrics[i].value;
    return (double)NAN;
}

// Pointers among the last so many launches that k has seen.
static size_t different(size_t last)
{
    size_t count = 0;
    for (size_t i = seen.count - last; i < seen.count; i++) {
        size_t j = seen.count - last;
        while (seen.pointers[j] != seen.pointers[i])
            j++;
        count += j == i;
    }
    return count;
}

static void a_graph_sees_short_kernels_without_their_launch(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct gpu gpu = open_gpu("kernel_us=2,overhead_us=6,gap_us=0.5", HONE_CLOCK_GRAPH);
    struct hone_timing timing = time_k(&gpu, 4096, true, &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_int_equal(timing.clock, HONE_CLOCK_GRAPH);
    assert_true(metric(&timing, "graph_launches") == 32);
    // 31 gaps between 32 kernels, and half the cost of two events
    assert_true(fabs(timing.time_us - (2 + 31 * 0.5 / 32 + 3.0 / 32)) < 1e-3);
    close_gpu(&gpu);
}

static void long_kernels_make_short_graphs(void **state)
{
    (void)state;
    const struct {
        const char *config;
        double nodes;
    } cases[] = {{"kernel_us=30", 7}, {"kernel_us=150", 2}, {"kernel_us=5000", 1}};
    for (size_t i = 0; i < 3; i++) {
        struct hone_fault fault;
        struct gpu gpu = open_gpu(cases[i].config, HONE_CLOCK_GRAPH);
        struct hone_timing timing = time_k(&gpu, 4096, true, &fault);
        assert_true(metric(&timing, "graph_launches") == cases[i].nodes);
        close_gpu(&gpu);
    }
}

static void nodes_of_a_cold_graph_have_copies_of_their_own(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct gpu gpu = open_gpu("kernel_us=10", HONE_CLOCK_GRAPH);
    struct hone_timing timing = time_k(&gpu, 100000, false, &fault);
    const size_t nodes = (size_t)metric(&timing, "graph_launches");
    assert_true(nodes > 10);
    assert_int_equal(different(nodes), nodes);
    for (size_t i = 0; i < seen.count; i++) {
        assert_int_equal(seen.firsts[i], 7);
        assert_int_equal(seen.numbers[i], 42);
    }
    time_k(&gpu, 100000, true, &fault);
    assert_int_equal(different(nodes), 1);
    close_gpu(&gpu);
}

static void buffers_beyond_l2_need_no_copies(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct gpu gpu = open_gpu("kernel_us=10", HONE_CLOCK_GRAPH);
    time_k(&gpu, 120u << 20, false, &fault); // L2 has 60 MB
    assert_int_equal(different(8), 1);
    close_gpu(&gpu);
}

// A table of pointers is copied, what they lead to stays: later launches would find it
// in L2.
static void what_cannot_be_moved_has_graphs_of_one_launch(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_timing timing;
    const int n = 42;
    hone_devptr table = 0, data = 0;
    struct gpu gpu = open_gpu("kernel_us=10", HONE_CLOCK_GRAPH);
    const struct hone_device_fns *fns = gpu.dev->fns;
    assert_ok(fns->alloc(gpu.dev, 64, &table, &err), err);
    assert_ok(fns->alloc(gpu.dev, 4096, &data, &err), err);
    assert_ok(fns->fill(gpu.dev, table, 7, 64, &err), err);
    const struct hone_extent extents[] = {{.base = table, .bytes = 64},
                                          {.base = data, .bytes = 4096}};
    struct hone_launch launch = {
        .grid = {1, 1, 1},
        .block = {32, 1, 1},
        .params = (const void *[]){&table, &n},
        .param_sizes = (size_t[]){sizeof table, sizeof n},
        .param_count = 2,
        .extents = extents,
        .extent_count = 2,
    };
    warnings[0] = '\0';
    hone_log_set(keep_warnings, NULL);
    for (size_t i = 0; i < 2; i++) {
        seen.count = 0;
        assert_ok(fns->time(gpu.dev, gpu.module, &launch, &hone_time_policy_default,
                            &timing, &fault, &err),
                  err);
        assert_true(metric(&timing, "graph_launches") == 1);
    }
    hone_log_set(NULL, NULL);
    assert_non_null(strstr(warnings, "'k' gets buffers by tensor maps or arrays"));
    assert_null(strstr(strstr(warnings, "'k' gets") + 1, "'k' gets")); // said once
    launch.extent_count = 1;
    seen.count = 0;
    assert_ok(fns->time(gpu.dev, gpu.module, &launch, &hone_time_policy_default, &timing,
                        &fault, &err),
              err);
    assert_true(metric(&timing, "graph_launches") > 10);
    fns->free(gpu.dev, table);
    fns->free(gpu.dev, data);
    close_gpu(&gpu);
}

static void without_room_for_copies_graphs_are_shorter(void **state)
{
    (void)state;
    struct hone_fault fault;
    // The flush takes 252 MB, the buffer 20 MB: room for 7 copies.
    struct gpu gpu = open_gpu("kernel_us=5,memory=4.25e8", HONE_CLOCK_GRAPH);
    struct hone_timing timing = time_k(&gpu, 20 << 20, false, &fault);
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_true(metric(&timing, "graph_launches") == 8);
    assert_int_equal(different(8), 8);
    close_gpu(&gpu);
}

static void a_fault_within_a_graph_is_the_kernels(void **state)
{
    (void)state;
    struct hone_fault fault;
    struct gpu gpu = open_gpu("kernel_us=100,fault=700@70", HONE_CLOCK_GRAPH);
    time_k(&gpu, 4096, false, &fault);
    assert_int_equal(fault.outcome, HONE_CRASHED);
    assert_true(fault.sticky);
    gpu.dev->fns->unload(gpu.dev, gpu.module);
    hone_device_close(gpu.dev);
    gpu = open_gpu("kernel_us=100,hang=70", HONE_CLOCK_GRAPH);
    time_k(&gpu, 4096, false, &fault); // the fake aborts a call that would wait for ever
    assert_int_equal(fault.outcome, HONE_TIMED_OUT);
    gpu.dev->fns->unload(gpu.dev, gpu.module);
    hone_device_close(gpu.dev);
}

static void a_clock_can_be_wished_for(void **state)
{
    (void)state;
    struct hone_error err = {0};
    struct hone_device *dev = NULL;
    for (enum hone_clock clock = HONE_CLOCK_CUPTI; clock <= HONE_CLOCK_GRAPH; clock++) {
        struct gpu gpu = open_gpu("profiler=1", clock);
        assert_int_equal(gpu.dev->clock, clock);
        close_gpu(&gpu);
        enum hone_clock parsed;
        assert_int_equal(hone_clock_parse(&parsed, hone_clock_name(clock)), HONE_OK);
        assert_int_equal(parsed, clock);
    }
    fake.configure("profiler=0");
    assert_int_equal(hone_device_open_by(&dev, "cuda:0", HONE_CLOCK_CUPTI, &err),
                     HONE_ENODEVICE);
    assert_string_equal(err.text, "no clock 'cupti' here: the driver offers nothing to "
                                  "CUPTI");
    err = (struct hone_error){0};
    assert_int_equal(hone_device_open_by(&dev, "emu:h200", HONE_CLOCK_EVENT, &err),
                     HONE_EUSAGE);
    assert_string_equal(err.text, "emu:h200 has no clock to choose: it is emulated");
}

// Runs first and in a process of its own: CUPTI is opened once a process.
static void refused_cupti_is_noted_and_not_tried_for_other_clocks(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        hone_log_set(keep_warnings, NULL);
        struct gpu gpu = open_gpu("profiler=1,cupti=39", HONE_CLOCK_GRAPH);
        if (warnings[0]) _exit(2);
        close_gpu(&gpu);
        gpu = open_gpu("profiler=1,cupti=39", HONE_CLOCK_NONE);
        if (gpu.dev->clock != HONE_CLOCK_EVENT) _exit(3);
        if (!strstr(gpu.dev->clock_note, "cupti was refused: cuptiActivityEnable"))
            _exit(4);
        if (!strstr(warnings, "another profiler is attached")) _exit(5);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void clocks_are_checked_against_each_other(void **state)
{
    (void)state;
    const struct {
        const char *config;
        enum hone_clock clock;
        const char *note;
    } cases[] = {
        {"", HONE_CLOCK_EVENT, ""},
        {"", HONE_CLOCK_GRAPH, ""},
        {"profiler=1", HONE_CLOCK_CUPTI, ""},
        {"profiler=1,overhead_us=9", HONE_CLOCK_CUPTI, ""}, // 4.5 us, as launches cost
        {"profiler=1,overhead_us=12", HONE_CLOCK_CUPTI,
         "a short kernel takes 2 us by cupti, 8 by event"},
        {"profiler=1,overhead_us=60", HONE_CLOCK_CUPTI,
         "a short kernel takes 2 us by cupti, 32 by event; "
         "a longer one takes 500 us by cupti, 530 by event"},
        {"gap_us=8.25", HONE_CLOCK_GRAPH,
         "a short kernel takes 10.02 us by graph, 2.75 "
         "by event"},
        {"overhead_us=14.5,gap_us=0", HONE_CLOCK_EVENT,
         "a short kernel takes 9.25 us by event, 2.33 by graph"},
    };
    hone_log_set(keep_warnings, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpu gpu = open_gpu(cases[i].config, cases[i].clock);
        warnings[0] = '\0';
        gpu.dev->fns->check_clock(gpu.dev);
        assert_string_equal(gpu.dev->clock_note, cases[i].note);
        assert_int_equal(warnings[0] != '\0', cases[i].note[0] != '\0');
        assert_int_equal(gpu.dev->clock, cases[i].clock);
        close_gpu(&gpu);
    }
    hone_log_set(NULL, NULL);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(refused_cupti_is_noted_and_not_tried_for_other_clocks),
    cmocka_unit_test(a_graph_sees_short_kernels_without_their_launch),
    cmocka_unit_test(long_kernels_make_short_graphs),
    cmocka_unit_test(nodes_of_a_cold_graph_have_copies_of_their_own),
    cmocka_unit_test(buffers_beyond_l2_need_no_copies),
    cmocka_unit_test(what_cannot_be_moved_has_graphs_of_one_launch),
    cmocka_unit_test(without_room_for_copies_graphs_are_shorter),
    cmocka_unit_test(a_fault_within_a_graph_is_the_kernels),
    cmocka_unit_test(a_clock_can_be_wished_for),
    cmocka_unit_test(clocks_are_checked_against_each_other),
};
HONE_TEST_MAIN(tests)
