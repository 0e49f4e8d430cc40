// A GPU that has been idle: how its clock rises under work, what bringing it there costs,
// and what emptying L2 costs before each timed launch. Figures for docs/gpu-log.md; only
// what must hold on any GPU is asserted.
#include <math.h>
#include <time.h>

#include "base/clock.h"
#include "cuda_internal.h"
#include "flush.h"
#include "gpu/gpu_kit.h"
#include "heat.h"

enum { IDLE_S = 4, LOOKS = 12, REPEATS = 50 };

static double event_us(struct hone_cuda *cuda, size_t from, size_t to)
{
    float ms = 0;
    assert_int_equal(
        cuda->driver->cuEventElapsedTime(&ms, cuda->events[from], cuda->events[to]),
        CUDA_SUCCESS);
    return (double)ms * 1e3;
}

// Microseconds of one launch of the kernel that heats, of so many rounds.
static double heat_us(struct hone_device *dev, uint32_t rounds)
{
    struct hone_cuda *cuda = dev->priv;
    const uint32_t *argument = &rounds;
    struct hone_launch launch;
    struct hone_module *heater = hone_cuda_heater(dev, &argument, &launch);
    assert_non_null(heater);
    cuda->driver->cuEventRecord(cuda->events[0], cuda->stream);
    assert_int_equal(hone_cuda_submit(cuda, heater, &launch), CUDA_SUCCESS);
    cuda->driver->cuEventRecord(cuda->events[1], cuda->stream);
    assert_int_equal(hone_cuda_wait(cuda, 10), CUDA_SUCCESS);
    return event_us(cuda, 0, 1);
}

// The same work again and again after a rest: the first times are those of a low clock.
static void clocks_rise_from_idle(void **state)
{
    (void)state;
    struct hone_device *dev = gpu_open_device(HONE_CLOCK_EVENT);
    struct hone_cuda *cuda = dev->priv;
    heat_us(dev, 1000); // loads it
    nanosleep(&(struct timespec){.tv_sec = IDLE_S}, NULL);
    const double idle_mhz = hone_nvml_read(&cuda->nvml).sm_mhz;
    const double start = hone_clock_seconds();
    double first_us = 0, us = 0;
    size_t launches = 0;
    printf("idle for %d s: %.0f MHz\n%12s %12s %8s\n", IDLE_S, idle_mhz, "after ms",
           "same work us", "MHz");
    for (size_t look = 0; look < LOOKS; look++) {
        do {
            us = heat_us(dev, 20000);
            if (launches++ == 0) first_us = us;
        } while (look && hone_clock_seconds() - start < ldexp(1e-3, (int)look - 1));
        printf("%12.2f %12.2f %8.0f\n", 1e3 * (hone_clock_seconds() - start), us,
               hone_nvml_read(&cuda->nvml).sm_mhz);
    }
    printf("%.2f times as fast as at first\n", first_us / us);
    assert_true(us < 1.5 * first_us);
    hone_device_close(dev);
}

static void heating_brings_work_to_its_time(void **state)
{
    (void)state;
    struct hone_device *dev = gpu_open_device(HONE_CLOCK_EVENT);
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    const double start = hone_clock_seconds();
    hone_cuda_heat(dev);
    const double heated_s = hone_clock_seconds() - start;
    const double once = heat_us(dev, 100000), twice = heat_us(dev, 200000);
    printf(
        "heated for %.3f s; then %.1f ns a round, twice the rounds %.3f times as long\n",
        heated_s, once / 100, twice / once);
    assert_true(heated_s < 5);
    // An empty kernel would take the same time for both.
    assert_true(twice > 1.7 * once && twice < 2.3 * once);
    hone_device_close(dev);
}

// What empties L2 before a cold launch: as much again as it holds is written and read.
static void flushing_costs_what_its_bytes_take(void **state)
{
    (void)state;
    struct hone_device *dev = gpu_open_device(HONE_CLOCK_EVENT);
    struct hone_cuda *cuda = dev->priv;
    struct hone_error err = {0};
    assert_ok(hone_cuda_prepare_flush(dev, &err), err);
    assert_int_equal(hone_cuda_flush(dev, 0), CUDA_SUCCESS); // loads its reader
    hone_cuda_heat(dev);
    cuda->driver->cuEventRecord(cuda->events[0], cuda->stream);
    for (int i = 0; i < REPEATS; i++)
        assert_int_equal(hone_cuda_flush(dev, (unsigned char)i), CUDA_SUCCESS);
    cuda->driver->cuEventRecord(cuda->events[1], cuda->stream);
    assert_int_equal(hone_cuda_wait(cuda, 10), CUDA_SUCCESS);
    const double us = event_us(cuda, 0, 1) / REPEATS;
    printf("a flush of %zu bytes takes %.2f us, %.2f TB/s\n", cuda->flush_bytes, us,
           2 * (double)cuda->flush_bytes / us * 1e-6);
    hone_device_close(dev);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(clocks_rise_from_idle),
    cmocka_unit_test(heating_brings_work_to_its_time),
    cmocka_unit_test(flushing_costs_what_its_bytes_take),
};
HONE_TEST_MAIN(tests)
