// Kernels that go wrong on a GPU. A sticky fault ends CUDA for its process, so each case
// runs in a child, and this process never starts CUDA.
#include <sys/wait.h>

#include "gpu/gpu_kit.h"

struct expectation {
    const char *entry;
    uint64_t argument; // of the kernel
    double deadline_s;
    enum hone_outcome outcome;
};

// Exit code of the child: 0 as expected, 77 no GPU, else which step was wrong.
static int run_faulty(const struct expectation *want)
{
    hone_test_single = 1; // SKIP exits with 77
    struct gpu gpu = gpu_open();
    struct gpu_kernel k = gpu_load(&gpu, want->entry);
    gpu_argument(&k, &want->argument, sizeof want->argument);
    k.launch.deadline_s = want->deadline_s;
    struct hone_fault fault = gpu_launch(&gpu, &k);
    printf("%s: %s, %s\n", want->entry, hone_outcome_name(fault.outcome), fault.reason);
    fflush(stdout);
    if (fault.outcome != want->outcome) return 1;
    if (!fault.sticky) return 2;
    struct hone_error err = {0};
    if (gpu.dev->fns->launch(gpu.dev, k.module, &k.launch, &fault, &err) != HONE_EDEVICE)
        return 3;
    gpu_unload(&gpu, &k);
    gpu_close(&gpu); // must return at once, also while the kernel runs
    return 0;
}

static void expect(const struct expectation *want)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(run_faulty(want));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) SKIP("no GPU");
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void illegal_address_is_a_crash(void **state)
{
    (void)state;
    expect(
        &(struct expectation){.entry = "touch", .argument = 64, .outcome = HONE_CRASHED});
}

static void misaligned_address_is_a_crash(void **state)
{
    (void)state;
    expect(&(struct expectation){
        .entry = "misaligned", .argument = 1 << 20, .outcome = HONE_CRASHED});
}

static void trap_is_a_crash(void **state)
{
    (void)state;
    expect(&(struct expectation){.entry = "trap_now", .outcome = HONE_CRASHED});
}

// Some seconds on any GPU: long enough to miss the deadline, and it ends by itself.
static void missed_deadline_is_timed_out(void **state)
{
    (void)state;
    expect(&(struct expectation){.entry = "spin",
                                 .argument = 6000000000,
                                 .deadline_s = 0.1,
                                 .outcome = HONE_TIMED_OUT});
}

static void gpu_works_after_a_crash_elsewhere(void **state)
{
    (void)state;
    illegal_address_is_a_crash(state);
    pid_t child = fork();
    if (child == 0) {
        struct gpu gpu = gpu_open();
        struct gpu_kernel k = gpu_load(&gpu, "spin");
        const long long ticks = 1000;
        gpu_argument(&k, &ticks, sizeof ticks);
        _exit(gpu_launch(&gpu, &k).outcome == HONE_VALID ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(illegal_address_is_a_crash),
    cmocka_unit_test(misaligned_address_is_a_crash),
    cmocka_unit_test(trap_is_a_crash),
    cmocka_unit_test(missed_deadline_is_timed_out),
    cmocka_unit_test(gpu_works_after_a_crash_elsewhere),
};
HONE_TEST_MAIN(tests)
