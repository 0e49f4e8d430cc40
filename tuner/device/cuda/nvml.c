// NVML's header is in no toolkit that hone builds with, so the few functions used are
// declared here after NVIDIA's published nvml.h (API version 13). Names carry their
// version, which nvml.h hides in macros.
#include "nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "build/library.h"

enum {
    NVML_SUCCESS = 0,
    NVML_CLOCK_SM = 1,
    NVML_TEMPERATURE_GPU = 0,
    NVML_FI_DEV_PERF_POLICY_THERMAL = 75, // ns, as the next
    NVML_FI_DEV_PERF_POLICY_BOARD_LIMIT = 77
};

// The clock is low because nothing runs, which says nothing about what ran.
static const uint64_t idle_reason = 0x1;

// nvmlClocksEventReason: hardware slowdown, software thermal, hardware thermal, power
// brake.
static const uint64_t slowed_reasons = 0x8 | 0x20 | 0x40 | 0x80;

struct nvml_process {
    // cppcheck-suppress unusedStructMember // a number, bytes, MIG instances: NVML's
    unsigned long long members[3];
};

struct nvml_field { // nvmlFieldValue_t
    unsigned field, scope;
    long long timestamp_us, latency_us;
    unsigned type; // of value: 3 is an unsigned long long, as both counters are
    int result;
    unsigned long long value;
};
_Static_assert(sizeof(struct nvml_field) == 40, "as NVML lays it out");

static struct {
    struct hone_error error;
    int (*nvmlInit_v2)(void);
    int (*nvmlDeviceGetHandleByPciBusId_v2)(const char *, void **);
    int (*nvmlDeviceGetClockInfo)(void *, int, unsigned *);
    int (*nvmlDeviceGetTemperature)(void *, int, unsigned *);
    int (*nvmlDeviceGetPowerUsage)(void *, unsigned *);
    int (*nvmlDeviceGetCurrentClocksEventReasons)(void *, unsigned long long *);
    int (*nvmlDeviceGetComputeRunningProcesses_v3)(void *, unsigned *,
                                                   struct nvml_process *);
    // NULL where the library is older
    int (*nvmlSystemGetDriverVersion)(char *, unsigned);
    int (*nvmlDeviceGetTotalEnergyConsumption)(void *, unsigned long long *);
    int (*nvmlDeviceGetFieldValues)(void *, int, struct nvml_field *);
} nvml;

static enum hone_status nvml_find(void *library, const char *name, const char *old_name,
                                  void *slot)
{
    void *symbol = dlsym(library, name);
    if (!symbol && old_name) symbol = dlsym(library, old_name);
    memcpy(slot, &symbol, sizeof symbol);
    if (symbol) return HONE_OK;
    return hone_fail(&nvml.error, HONE_ENODEVICE, "NVML lacks %s", name);
}

static enum hone_status nvml_bind(void *library)
{
    enum hone_status status = HONE_OK;
#define BIND(name, old)                                                                  \
    if (status == HONE_OK) status = nvml_find(library, #name, old, &nvml.name)
    BIND(nvmlInit_v2, NULL);
    BIND(nvmlDeviceGetHandleByPciBusId_v2, NULL);
    BIND(nvmlDeviceGetClockInfo, NULL);
    BIND(nvmlDeviceGetTemperature, NULL);
    BIND(nvmlDeviceGetPowerUsage, NULL);
    BIND(nvmlDeviceGetCurrentClocksEventReasons,
         "nvmlDeviceGetCurrentClocksThrottleReasons");
    BIND(nvmlDeviceGetComputeRunningProcesses_v3, NULL);
#undef BIND
    void *symbol = dlsym(library, "nvmlDeviceGetTotalEnergyConsumption");
    memcpy(&nvml.nvmlDeviceGetTotalEnergyConsumption, &symbol, sizeof symbol);
    symbol = dlsym(library, "nvmlDeviceGetFieldValues");
    memcpy(&nvml.nvmlDeviceGetFieldValues, &symbol, sizeof symbol);
    symbol = dlsym(library, "nvmlSystemGetDriverVersion");
    memcpy(&nvml.nvmlSystemGetDriverVersion, &symbol, sizeof symbol);
    return status;
}

static void open_once(void)
{
    static const struct hone_library wanted = {
        .what = "NVML", .environment = "HONE_NVML", .sonames = {"libnvidia-ml.so.1"}};
    void *library = NULL;
    enum hone_status status = hone_library_open(&library, &wanted, NULL, &nvml.error);
    if (status == HONE_OK) status = nvml_bind(library);
    if (status != HONE_OK) return;
    const int result = nvml.nvmlInit_v2();
    if (result != NVML_SUCCESS)
        hone_fail(&nvml.error, HONE_ENODEVICE, "NVML does not start: error %d", result);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

enum hone_status hone_nvml_open(struct hone_nvml *out, const char *pci_bus_id,
                                struct hone_error *err)
{
    *out = (struct hone_nvml){0};
    pthread_once(&once, open_once);
    if (nvml.error.code != HONE_OK)
        return hone_error_pass(err, nvml.error.code, &nvml.error);
    const int result = nvml.nvmlDeviceGetHandleByPciBusId_v2(pci_bus_id, &out->device);
    if (result == NVML_SUCCESS) return HONE_OK;
    out->device = NULL;
    return hone_fail(err, HONE_ENODEVICE, "NVML knows no GPU at %s: error %d", pci_bus_id,
                     result);
}

static double reading(int result, unsigned value, double unit)
{
    return result == NVML_SUCCESS ? value * unit : (double)NAN;
}

struct hone_gpu_state hone_nvml_read(const struct hone_nvml *gpu)
{
    struct hone_gpu_state state = {(double)NAN, (double)NAN, (double)NAN, 0};
    unsigned value = 0;
    unsigned long long reasons = 0;
    if (!gpu->device) return state;
    int result = nvml.nvmlDeviceGetClockInfo(gpu->device, NVML_CLOCK_SM, &value);
    state.sm_mhz = reading(result, value, 1);
    result = nvml.nvmlDeviceGetTemperature(gpu->device, NVML_TEMPERATURE_GPU, &value);
    state.temperature_c = reading(result, value, 1);
    result = nvml.nvmlDeviceGetPowerUsage(gpu->device, &value);
    state.power_w = reading(result, value, 1e-3);
    result = nvml.nvmlDeviceGetCurrentClocksEventReasons(gpu->device, &reasons);
    if (result == NVML_SUCCESS) state.reasons = reasons & ~idle_reason;
    return state;
}

struct hone_gpu_held hone_nvml_held(const struct hone_nvml *gpu)
{
    struct nvml_field fields[] = {{.field = NVML_FI_DEV_PERF_POLICY_THERMAL},
                                  {.field = NVML_FI_DEV_PERF_POLICY_BOARD_LIMIT}};
    struct hone_gpu_held held = {0};
    if (!gpu->device || !nvml.nvmlDeviceGetFieldValues ||
        nvml.nvmlDeviceGetFieldValues(gpu->device, 2, fields) != NVML_SUCCESS)
        return held;
    for (size_t i = 0; i < 2; i++) {
        if (fields[i].result != NVML_SUCCESS) return (struct hone_gpu_held){0};
        held.held_s += (double)fields[i].value * 1e-9;
        held.at_s = (double)fields[i].timestamp_us * 1e-6;
    }
    held.known = true;
    return held;
}

bool hone_nvml_driver(char *text, size_t size)
{
    char version[80]; // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
    if (nvml.error.code != HONE_OK || !nvml.nvmlSystemGetDriverVersion ||
        nvml.nvmlSystemGetDriverVersion(version, sizeof version) != NVML_SUCCESS)
        return false;
    snprintf(text, size, "%s", version);
    return true;
}

bool hone_nvml_energy(const struct hone_nvml *gpu, double *joules)
{
    unsigned long long millijoules = 0;
    if (!gpu->device || !nvml.nvmlDeviceGetTotalEnergyConsumption ||
        nvml.nvmlDeviceGetTotalEnergyConsumption(gpu->device, &millijoules) !=
            NVML_SUCCESS)
        return false;
    *joules = (double)millijoules * 1e-3;
    return true;
}

bool hone_nvml_is_slowed(const struct hone_gpu_state *state)
{
    return (state->reasons & slowed_reasons) != 0;
}

unsigned hone_nvml_strangers(const struct hone_nvml *gpu)
{
    enum { MOST = 64 };
    struct nvml_process processes[MOST];
    unsigned count = MOST;
    if (!gpu->device || nvml.nvmlDeviceGetComputeRunningProcesses_v3(
                            gpu->device, &count, processes) != NVML_SUCCESS)
        return 0;
    return count ? count - 1 : 0;
}
