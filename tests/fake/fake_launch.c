// The fake libcuda: modules, functions and launches, their time model and their faults.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_chaos.h"
#include "fake_delay.h"
#include "fake_state.h"

struct variable {
    struct variable *next;
    CUdeviceptr data;
    char name[64];
};

struct CUmod_st {
    struct CUfunc_st *functions;
    struct variable *variables;
    bool cubin;
    long launches;
    char ptx[];
};

// In a cubin of the fake NVRTC, which is text all the same.
static const char cubin_mark[] = "\n// cubin of CUDA ";

static bool is_cubin(const char *image)
{
    return memcmp(image, "\177ELF", 4) == 0;
}

// An image that the driver is too old for, or that nothing compiles.
static CUresult refuse(const char *image)
{
    const char *mark = strstr(image, cubin_mark), *version = strstr(image, ".version ");
    const long major = fake_state.driver / 1000;
    if (mark && strtol(mark + sizeof cubin_mark - 1, NULL, 10) > major)
        return (CUresult)fake_state.too_new;
    if (mark) return CUDA_SUCCESS;
    if (!fake_state.jit) return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
    const double isa = strtod(version + 9, NULL);
    const double known = (double)major - 4 + (double)(fake_state.driver % 1000) / 100;
    return isa > known + 0.01 ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION : CUDA_SUCCESS;
}

// The compiler's words go to the log of the caller.
static CUresult tell(CUresult result, const char *words, unsigned count,
                     const CUjit_option *options, void **values)
{
    for (unsigned i = 0; i < count; i++)
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER) strcpy(values[i], words);
    return result;
}

static CUresult module_load(CUmodule *out, const void *image, unsigned count,
                            CUjit_option *options, void **values)
{
    if (fake_state.broken) return fake_state.broken;
    if (!is_cubin(image) && !strstr(image, ".version"))
        return tell(CUDA_ERROR_INVALID_IMAGE,
                    "ptxas fatal: missing .version directive\nmore", count, options,
                    values);
    fake_delay("module");
    const CUresult refused = is_cubin(image) ? CUDA_SUCCESS : refuse(image);
    if (refused) return refused;
    if (!is_cubin(image) && !strstr(image, cubin_mark) && strstr(image, ".newest") &&
        !strstr(image, ".version 9.0"))
        return tell(CUDA_ERROR_INVALID_PTX,
                    "ptxas application ptx input, line 5; error : Instruction 'newest' "
                    "requires PTX ISA .version 9.0 or later",
                    count, options, values);
    size_t size = is_cubin(image) ? 0 : strlen(image);
    struct CUmod_st *module = fake_new(sizeof *module + size + 1);
    module->cubin = is_cubin(image);
    memcpy(module->ptx, image, size);
    *out = module;
    return CUDA_SUCCESS;
}

static CUresult module_unload(CUmodule module)
{
    fake_must_not_hang("cuModuleUnload");
    if (fake_state.kept == module) fake_state.kept = NULL;
    for (struct CUfunc_st *function = module->functions, *next; function;
         function = next) {
        next = function->next;
        fake_delete(function);
    }
    for (struct variable *v = module->variables, *next; v; v = next) {
        next = v->next;
        fake_memory_free(v->data);
        fake_delete(v);
    }
    fake_delete(module);
    return fake_state.broken;
}

static CUresult module_function(CUfunction *out, CUmodule module, const char *name)
{
    char entry[300];
    snprintf(entry, sizeof entry, ".entry %s(", name);
    if (!module->cubin && !strstr(module->ptx, entry)) return CUDA_ERROR_NOT_FOUND;
    struct CUfunc_st *function = fake_new(sizeof *function);
    function->dynamic_limit = FAKE_SHARED_DEFAULT - (int)fake_state.static_shared;
    snprintf(function->name, sizeof function->name, "%s", name);
    function->module = module;
    function->image = module->ptx;
    function->next = module->functions;
    module->functions = function;
    *out = function;
    return CUDA_SUCCESS;
}

// ".const .align 4 .b8 NAME[BYTES];" is made when it is first asked for.
static CUresult module_global(CUdeviceptr *out, size_t *bytes, CUmodule module,
                              const char *name)
{
    char declared[80];
    snprintf(declared, sizeof declared, " %s[", name);
    const char *at = module->cubin ? NULL : strstr(module->ptx, declared);
    if (!at) return CUDA_ERROR_NOT_FOUND;
    *bytes = strtoul(at + strlen(declared), NULL, 10);
    for (struct variable *v = module->variables; v; v = v->next)
        if (strcmp(v->name, name) == 0) {
            *out = v->data;
            return CUDA_SUCCESS;
        }
    struct variable *v = fake_new(sizeof *v);
    CUresult result = fake_memory_alloc(&v->data, *bytes);
    if (result != CUDA_SUCCESS) {
        fake_delete(v);
        return result;
    }
    memset((void *)(uintptr_t)v->data, 0, *bytes);
    snprintf(v->name, sizeof v->name, "%s", name);
    v->next = module->variables;
    module->variables = v;
    *out = v->data;
    return CUDA_SUCCESS;
}

void *fake_variable(const char *name)
{
    CUdeviceptr data = 0;
    size_t bytes;
    return module_global(&data, &bytes, fake_state.launched, name) == CUDA_SUCCESS
               ? (void *)(uintptr_t)data
               : NULL;
}

static CUresult function_get(int *out, CUfunction_attribute attribute,
                             CUfunction function)
{
    (void)function;
    *out = attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
               ? (int)fake_state.static_shared
               : 0;
    return fake_state.broken;
}

static CUresult function_set(CUfunction function, CUfunction_attribute attribute,
                             int value)
{
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
        if (fake_state.cc < 90) return CUDA_ERROR_INVALID_VALUE;
        function->large_clusters = value != 0;
    }
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_SUCCESS;
    if (value > FAKE_SHARED_OPT_IN - fake_state.static_shared)
        return CUDA_ERROR_INVALID_VALUE;
    function->dynamic_limit = value;
    return fake_state.broken;
}

int fake_resident(int threads, size_t dynamic_bytes)
{
    size_t shared = dynamic_bytes + (size_t)fake_state.static_shared + 1024;
    int by_threads = 2048 / threads, by_shared = (int)(233472 / shared);
    return by_threads < by_shared ? by_threads : by_shared;
}

static CUresult occupancy(int *out, CUfunction function, int threads, size_t dynamic)
{
    (void)function;
    *out = fake_resident(threads, dynamic);
    return CUDA_SUCCESS;
}

// Uniform in [-1, 1], from the launch number alone (the finaliser of splitmix64).
static double spread(size_t launch)
{
    uint64_t x = (uint64_t)launch * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) / 4503599627370496.0 - 1;
}

// 2 us, and 1 ms for each full wave of threads on 132 multiprocessors: faster would be
// more work than an H200 can do.
static double duration_us(const struct fake_cuda_launch *launch)
{
    double threads = 1;
    for (int i = 0; i < 3; i++)
        threads *= (double)launch->grid[i] * launch->block[i];
    double base = fake_state.kernel_us > 0 ? fake_state.kernel_us
                                           : 2 + 1000 * threads / (132 * 2048.0);
    if (fake_state.launches <= (size_t)fake_state.slow) base *= 2;
    const double turns = (double)fake_state.launches / fake_state.drift_launches;
    base *= 1 + fake_state.drift * sin(2 * acos(-1.0) * turns);
    return base * (1 + fake_state.noise * spread(fake_state.launches));
}

// What it takes with the lines that it kept, and without.
static double kept_duration_us(const struct CUfunc_st *function, double usual_us)
{
    if (!fake_state.kept_us || !strstr(function->image, "evict_last")) return usual_us;
    const bool found = fake_state.kept == function->module;
    fake_state.kept = function->module;
    fake_state.kept_waited = false;
    return found ? fake_state.kept_us : usual_us;
}

static bool every(long k)
{
    return k > 0 && fake_state.launches % (size_t)k == 0;
}

static void keep_record(const char *kernel, const struct fake_cuda_launch *launch,
                        double took_us, bool always)
{
    uint64_t start = (uint64_t)(1e9 + fake_state.now_us * 1e3);
    uint64_t end = start + (uint64_t)(took_us * 1e3 + 0.5);
    if (!fake_state.record) return;
    fake_state.now_us += fake_state.traced_us;
    if (!always && every(fake_state.drop)) return;
    bool zero = !always && every(fake_state.zero);
    fake_state.record(kernel, launch, zero ? 0 : start, zero ? 0 : end);
}

static bool fails_at_once(long code)
{
    return code == 1 || code == 701 || code == 720 || code == 912;
}

static fake_cuda_body *find_body(const char *name)
{
    for (size_t i = 0; i < FAKE_BODIES && fake_state.bodies[i].name; i++)
        if (strcmp(fake_state.bodies[i].name, name) == 0)
            return fake_state.bodies[i].body;
    return fake_kernel(name);
}

// What befalls this kernel's configuration (fake_chaos.h): a result to return at once, or
// a state for the next wait.
static CUresult meet_chaos(const struct CUfunc_st *function, enum fake_chaos chaos)
{
    if (chaos == FAKE_CHAOS_NONE) return CUDA_SUCCESS;
    fake_chaos_log(chaos, function->image);
    fake_chaos_strike(chaos);
    if (chaos == FAKE_CHAOS_LAUNCH) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    if (chaos == FAKE_CHAOS_MEMORY) return CUDA_ERROR_OUT_OF_MEMORY;
    if (chaos == FAKE_CHAOS_ILLEGAL) fake_state.pending = CUDA_ERROR_ILLEGAL_ADDRESS;
    if (chaos == FAKE_CHAOS_LOST) fake_state.pending = CUDA_ERROR_UNKNOWN;
    if (chaos == FAKE_CHAOS_HANG) fake_state.hung = true;
    return CUDA_SUCCESS;
}

static void spoil(const struct fake_cuda_launch *launch)
{
    float *y;
    memcpy(&y, launch->params[1], sizeof y);
    y[3] += 0.25f;
}

// By its last argument, n.
static bool is_large(const struct fake_cuda_launch *launch)
{
    int n;
    memcpy(&n, launch->params[3], sizeof n);
    return n > 2000;
}

// The kernels of the device's own, by which faults are not counted: 10 ns for each round
// that raises the clocks, and 4 TB/s to read what empties L2.
static bool run_own(const char *name, const struct fake_cuda_launch *launch)
{
    const bool heats = strcmp(name, "hone_heat") == 0;
    uint32_t count;
    if (!heats && strcmp(name, "hone_read") != 0) return false;
    memcpy(&count, launch->params[heats ? 0 : 1], sizeof count);
    const double took_us = heats ? count * 0.01 : count * 16.0 / 4e6;
    if (!heats) fake_l2_read(count * 16.0);
    keep_record(name, launch, took_us, true);
    fake_state.now_us += took_us;
    return true;
}

// What the kernel pays for the lines that it evicts, all of them, and for those that it
// does not find.
static double cache_us(void)
{
    const double dirty = fake_state.dirty / FAKE_L2_BYTES;
    const double cold_us = fake_state.cold ? fake_state.cold_us : 0;
    fake_state.dirty = 0;
    fake_state.cold = false;
    return dirty * fake_state.write_back_us + cold_us;
}

// Where kernels compute nothing, no data is needed.
static bool computes(void)
{
    return !(fake_delay_of("device") > 0);
}

// The kernel that fills buffers: 10 ps an element. Faults are not counted by it either.
static CUresult fill(CUfunction function, const struct fake_cuda_launch *launch)
{
    uint64_t count;
    memcpy(&count, launch->params[1], sizeof count);
    keep_record("hone_fill", launch, (double)count * 1e-5, true);
    if (computes()) find_body(function->name)(launch);
    fake_state.now_us += (double)count * 1e-5;
    return CUDA_SUCCESS;
}

CUresult fake_launch(CUfunction function, const struct fake_cuda_launch *launch)
{
    if (fake_state.broken) return fake_state.broken;
    const uint32_t *grid = launch->grid, *block = launch->block;
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (!grid[0] || !grid[1] || !grid[2] || !threads || threads > 1024)
        return CUDA_ERROR_INVALID_VALUE;
    if ((int)launch->shared_bytes > function->dynamic_limit)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult unfit = fake_refuse_kind(function, launch);
    if (unfit) return unfit;
    if (strcmp(function->name, "hone_fill") == 0) return fill(function, launch);
    if (run_own(function->name, launch)) return CUDA_SUCCESS;
    if (fake_state.launches >= fake_state.finished + (size_t)fake_state.queue)
        fake_must_not_hang("a launch");
    fake_state.launches++;
    bool faulty = fake_state.fault && fake_state.launches == (size_t)fake_state.fault_at;
    if (faulty && fails_at_once(fake_state.fault)) return (CUresult)fake_state.fault;
    if (faulty) fake_state.pending = (CUresult)fake_state.fault;
    if (fake_state.hang_at && fake_state.launches == (size_t)fake_state.hang_at)
        fake_state.hung = true;
    const enum fake_chaos chaos = fake_chaos_of(function->image, function->name);
    if (chaos == FAKE_CHAOS_LARGE_REFERENCE && is_large(launch)) fake_state.hung = true;
    const CUresult refused = meet_chaos(function, chaos);
    if (refused) return refused;
    if (fake_state.pending || fake_state.hung) return CUDA_SUCCESS;
    const double blocks = (double)grid[0] * grid[1] * grid[2];
    const double watts = fake_state.watts + fake_state.hot / blocks;
    double took_us = fake_clock_run(
        kept_duration_us(function, duration_us(launch)) + cache_us(), watts);
    if (++function->module->launches <= fake_state.settle) took_us *= 2;
    fake_cuda_body *body = find_body(function->name);
    fake_state.launched = function->module;
    if (body && computes()) body(launch);
    if (chaos == FAKE_CHAOS_WRONG || (chaos == FAKE_CHAOS_LARGE && is_large(launch)))
        spoil(launch);
    keep_record(function->name, launch, took_us, false);
    if (fake_state.launches <= (size_t)fake_state.slow) fake_state.slowed_us += took_us;
    fake_state.used_j += (watts - FAKE_IDLE_WATTS) * took_us * 1e-6;
    fake_state.now_us += took_us;
    return CUDA_SUCCESS;
}

static CUresult launch_kernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                              unsigned bx, unsigned by, unsigned bz, unsigned shared,
                              CUstream stream, void **params, void **extra)
{
    (void)stream;
    (void)extra;
    const struct fake_cuda_launch launch = {.grid = {gx, gy, gz},
                                            .block = {bx, by, bz},
                                            .shared_bytes = shared,
                                            .params = params};
    return fake_launch(function, &launch);
}

const struct fake_entry fake_launch_functions[] = {
    {"cuModuleLoadDataEx", (fake_function *)module_load},
    {"cuModuleUnload", (fake_function *)module_unload},
    {"cuModuleGetFunction", (fake_function *)module_function},
    {"cuModuleGetGlobal", (fake_function *)module_global},
    {"cuFuncGetAttribute", (fake_function *)function_get},
    {"cuFuncSetAttribute", (fake_function *)function_set},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor", (fake_function *)occupancy},
    {"cuLaunchKernel", (fake_function *)launch_kernel},
    {NULL, NULL},
};
