// A libnvidia-ml for the fake libcuda: the functions hone uses, of a GPU that is slowed
// down when the fake driver says so.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fake_cuda.h"
#include "fake_delay.h"

enum { SUCCESS = 0, NOT_SUPPORTED = 3, NOT_FOUND = 6, GPU_IDLE = 0x1, HW_SLOWDOWN = 0x8 };

static int the_device;

#define EXPORT __attribute__((visibility("default")))

int nvmlInit_v2(void);
int nvmlSystemGetDriverVersion(char *version, unsigned size);
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device);
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetCurrentClocksEventReasons(void *device, unsigned long long *reasons);
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, void *out);

enum { POLICY_THERMAL = 75, POLICY_BOARD_LIMIT = 77, UNSIGNED_LONG_LONG = 3 };
struct field { // nvmlFieldValue_t
    unsigned field, scope;
    long long timestamp_us, latency_us;
    unsigned type;
    int result;
    unsigned long long value;
};
int nvmlDeviceGetFieldValues(void *device, int count, struct field *fields);

// A function of the fake driver, which the process has opened already; slot stays as it
// is where there is none.
static void find(const char *name, void *slot)
{
    void *driver = dlopen(getenv("HONE_LIBCUDA"), RTLD_NOW | RTLD_NOLOAD);
    if (!driver) return;
    int (*get)(const char *, void **, int, uint64_t, void *);
    void *symbol = dlsym(driver, "cuGetProcAddress_v2");
    memcpy(&get, &symbol, sizeof get);
    if (get(name, &symbol, 0, 0, NULL) == 0) memcpy(slot, &symbol, sizeof symbol);
    dlclose(driver);
}

static bool is_slow(void)
{
    fake_cuda_is_slow *slow = NULL;
    find("fake_cuda_is_slow", &slow);
    return slow && slow();
}

// Each call that reads takes its time.
static void begin_call(void)
{
    fake_cuda_nvml_call *call = NULL;
    fake_delay("nvml");
    find("fake_cuda_nvml_call", &call);
    if (call) call();
}

static long setting(const char *key)
{
    fake_cuda_whole *whole = NULL;
    find("fake_cuda_whole", &whole);
    return whole ? whole(key) : 0;
}

EXPORT int nvmlInit_v2(void)
{
    return SUCCESS;
}

EXPORT int nvmlSystemGetDriverVersion(char *version, unsigned size)
{
    strncpy(version, "580.95.05", size);
    return SUCCESS;
}

EXPORT int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device)
{
    *device = &the_device;
    return strcmp(address, "0000:10:00.0") == 0 ? SUCCESS : NOT_FOUND;
}

EXPORT int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *mhz)
{
    begin_call();
    (void)clock;
    *mhz = is_slow() ? 990 : 1980;
    return device == &the_device ? SUCCESS : NOT_FOUND;
}

EXPORT int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
    begin_call();
    (void)sensor;
    *celsius = is_slow() ? 92 : 45;
    return device == &the_device ? SUCCESS : NOT_FOUND;
}

EXPORT int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    begin_call();
    *milliwatts = 350500;
    return device == &the_device ? SUCCESS : NOT_FOUND;
}

EXPORT int nvmlDeviceGetTotalEnergyConsumption(void *device,
                                               unsigned long long *millijoules)
{
    fake_cuda_energy *energy = NULL;
    find("fake_cuda_energy", &energy);
    const double mj = energy ? energy() : -1;
    if (device != &the_device || mj < 0) return NOT_SUPPORTED;
    *millijoules = (unsigned long long)mj;
    return SUCCESS;
}

EXPORT int nvmlDeviceGetCurrentClocksEventReasons(void *device,
                                                  unsigned long long *reasons)
{
    begin_call();
    const long counters = setting("counters");
    *reasons = counters == 1 ? GPU_IDLE : counters || is_slow() ? HW_SLOWDOWN : 0;
    return device == &the_device ? SUCCESS : NOT_FOUND;
}

EXPORT int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count,
                                                   void *out)
{
    (void)out;
    *count = 1 + (unsigned)setting("others");
    return device == &the_device ? SUCCESS : NOT_FOUND;
}

EXPORT int nvmlDeviceGetFieldValues(void *device, int count, struct field *fields)
{
    fake_cuda_held *held = NULL;
    fake_cuda_now *now = NULL;
    find("fake_cuda_held", &held);
    find("fake_cuda_now", &now);
    begin_call();
    for (int i = 0; i < count; i++) {
        const bool heat = fields[i].field == POLICY_THERMAL;
        const bool known = setting("counters") && held && now &&
                           (heat || fields[i].field == POLICY_BOARD_LIMIT);
        fields[i].result = known ? SUCCESS : NOT_SUPPORTED;
        if (!known) continue;
        fields[i].type = UNSIGNED_LONG_LONG;
        fields[i].timestamp_us = (long long)(now() / 1000);
        fields[i].value = heat ? held() : 0;
    }
    return device == &the_device ? SUCCESS : NOT_FOUND;
}
