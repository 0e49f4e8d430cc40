// A libcuda.so.1 for machines without a GPU: exports cuGetProcAddress_v2 alone, keeps
// device memory on the host, runs kernels as registered host functions and tells time
// from a model. Faults are injected by $HONE_FAKE_CUDA (see fake_cuda.h). Not safe for
// concurrent calls on one device.
#include "fake_cuda.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_state.h"

struct fake_state fake_state;

struct fake_object {
    struct fake_object *next;
    max_align_t data[];
};

void *fake_new(size_t size)
{
    struct fake_object *object = calloc(1, sizeof *object + size);
    if (!object) abort();
    object->next = fake_state.objects;
    fake_state.objects = object;
    return object->data;
}

void fake_delete(void *data)
{
    for (struct fake_object **link = &fake_state.objects; *link; link = &(*link)->next) {
        struct fake_object *object = *link;
        if (object->data != data) continue;
        *link = object->next;
        free(object);
        return;
    }
    fprintf(stderr, "fake_cuda: an object is destroyed that does not exist\n");
    abort();
}

static size_t count_objects(void)
{
    size_t count = 0;
    for (struct fake_object *o = fake_state.objects; o; o = o->next)
        count++;
    return count;
}

void fake_end_context(void)
{
    fake_state.forgotten += count_objects();
    for (struct fake_memory *block = fake_state.blocks; block; block = block->next)
        free(block->data);
    while (fake_state.objects)
        fake_delete(fake_state.objects->data);
    fake_state.blocks = NULL;
    fake_state.used = 0;
}

void fake_must_not_hang(const char *call)
{
    if (!fake_state.hung) return;
    fprintf(stderr, "fake_cuda: %s would wait for a kernel that never ends\n", call);
    abort();
}

enum setting_type { WHOLE, REAL }; // a long, a double

#define AT(field) offsetof(struct fake_state, field)

static const struct setting {
    const char *key;
    size_t offset;
    enum setting_type type;
} settings[] = {
    {"devices", AT(devices), WHOLE},
    {"init", AT(init), WHOLE},
    {"stub", AT(stub), WHOLE},
    {"memory", AT(memory), REAL},
    {"static_shared", AT(static_shared), WHOLE},
    {"clusters", AT(clusters), WHOLE},
    {"fault", AT(fault), WHOLE},
    {"hang", AT(hang_at), WHOLE},
    {"hang_s", AT(hang_s), REAL},
    {"hung", AT(hung), WHOLE},
    {"queue", AT(queue), WHOLE},
    {"dither", AT(dither), REAL},
    {"noise", AT(noise), REAL},
    {"kernel_us", AT(kernel_us), REAL},
    {"drop", AT(drop), WHOLE},
    {"overhead_us", AT(overhead_us), REAL},
    {"zero", AT(zero), WHOLE},
    {"profiler", AT(profiler), WHOLE},
    {"cupti", AT(cupti), WHOLE},
    {"slow", AT(slow), WHOLE},
    {"alike", AT(alike), WHOLE},
    {"gap_us", AT(gap_us), REAL},
    {"traced_us", AT(traced_us), REAL},
    {"watts", AT(watts), REAL},
    {"hot", AT(hot), REAL},
    {"cap", AT(cap), REAL},
    {"fall_ms", AT(fall_ms), REAL},
    {"energy", AT(energy), WHOLE},
    {"drift", AT(drift), REAL},
    {"drift_launches", AT(drift_launches), REAL},
    {"late", AT(late), WHOLE},
    {"thread", AT(thread), WHOLE},
    {"others", AT(others), WHOLE},
    {"jit", AT(jit), WHOLE},
    {"cold_us", AT(cold_us), REAL},
    {"driver", AT(driver), WHOLE},
    {"too_new", AT(too_new), WHOLE},
    {"counters", AT(counters), WHOLE},
    {"count_code", AT(count_code), WHOLE},
    {"count_call", AT(count_call), WHOLE},
    {"count_passes", AT(count_passes), WHOLE},
    {"count_nan", AT(count_nan), WHOLE},
    {"count_dropped", AT(count_dropped), WHOLE},
    {"count_dies", AT(count_dies), WHOLE},
    {"count_vgpu", AT(count_vgpu), WHOLE},
    {"cc", AT(cc), WHOLE},
    {"count_taken", AT(count_taken), WHOLE},
    {"nvml_us", AT(nvml_us), REAL},
    {"held", AT(held), WHOLE},
    {"settle", AT(settle), WHOLE},
    {"skew_us", AT(skew_us), REAL},
    {"kept_us", AT(kept_us), REAL},
    {"forget", AT(forget), WHOLE},
    {"set", AT(set), WHOLE},
    {"set_aside", AT(set_aside), WHOLE},
    {"write_back_us", AT(write_back_us), REAL},
};

static const struct setting *find_setting(const char *key)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (strcmp(settings[i].key, key) == 0) return &settings[i];
    return NULL;
}

static bool parse_pair(struct fake_state *out, const char *key, const char *value)
{
    const struct setting *setting = find_setting(key);
    char *end = NULL;
    if (!setting) return false;
    void *place = (char *)out + setting->offset;
    if (setting->type == REAL)
        *(double *)place = strtod(value, &end);
    else
        *(long *)place = strtol(value, &end, 10);
    if (place == &out->fault && *end == '@') out->fault_at = strtol(end + 1, &end, 10);
    return end != value && !*end;
}

static int parse(struct fake_state *out, const char *text)
{
    char copy[512], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", text ? text : "");
    for (char *pair = strtok_r(copy, ",", &rest); pair;
         pair = strtok_r(NULL, ",", &rest)) {
        char *equals = strchr(pair, '=');
        if (!equals) return -1;
        *equals = '\0';
        if (!parse_pair(out, pair, equals + 1)) return -1;
    }
    return 0;
}

static long whole(const char *key)
{
    const struct setting *setting = find_setting(key);
    if (!setting || setting->type != WHOLE) return -1;
    return *(const long *)(const void *)((const char *)&fake_state + setting->offset);
}

static int adjust(const char *text)
{
    return parse(&fake_state, text);
}

static int configure(const char *text)
{
    struct fake_state fresh = {.devices = 1,
                               .cc = 90,
                               .memory = 16e9,
                               .overhead_us = 1.5,
                               .gap_us = 1,
                               .queue = 1024,
                               .clusters = -1,
                               .traced_us = 1,
                               .watts = 350,
                               .fall_ms = 300,
                               .energy = 1,
                               .jit = 1,
                               .driver = 13000,
                               .too_new = CUDA_ERROR_INVALID_IMAGE,
                               .counters = 1,
                               .write_back_us = 15,
                               .set_aside = 30 << 20,
                               .drift_launches = 1e4,
                               .record = fake_state.record};
    if (parse(&fresh, text) != 0) return -1;
    fake_end_context();
    fake_state = fresh;
    return 0;
}

__attribute__((constructor)) static void start(void)
{
    if (configure(getenv("HONE_FAKE_CUDA")) == 0) return;
    fprintf(stderr, "fake_cuda: cannot read HONE_FAKE_CUDA=%s\n",
            getenv("HONE_FAKE_CUDA"));
    abort();
}

__attribute__((destructor)) static void stop(void)
{
    fake_end_context();
}

static size_t live(void)
{
    return fake_state.forgotten + fake_state.contexts + count_objects();
}

static size_t copied(void)
{
    return fake_state.copied;
}

static size_t launches(void)
{
    return fake_state.launches;
}

static void register_body(const char *name, fake_cuda_body *body)
{
    for (size_t i = 0; i < FAKE_BODIES; i++) {
        if (fake_state.bodies[i].name && strcmp(fake_state.bodies[i].name, name) != 0)
            continue;
        fake_state.bodies[i].name = name;
        fake_state.bodies[i].body = body;
        return;
    }
    abort();
}

static int is_slow(void)
{
    return fake_state.launches < (size_t)fake_state.slow;
}

// How often driver and NVML bring their counters up to date.
static const double step_us = 1e5;

static uint64_t held(void)
{
    if (fake_state.now_us >= fake_state.held_at_us + step_us) {
        fake_state.held_at_us = step_us * floor(fake_state.now_us / step_us);
        fake_state.held_us = fake_state.slowed_us;
    }
    return (uint64_t)(fake_state.held_us * 1e3);
}

static size_t nvml_call(void)
{
    fake_state.now_us += fake_state.nvml_us;
    return fake_state.nvml_calls++;
}

static double energy(void)
{
    if (!fake_state.energy) return -1;
    if (fake_state.now_us >= fake_state.counted_us + step_us) {
        fake_state.counted_us = step_us * floor(fake_state.now_us / step_us);
        fake_state.counted_mj =
            fake_state.used_j * 1e3 + FAKE_IDLE_WATTS * fake_state.now_us * 1e-3;
    }
    return floor(fake_state.counted_mj);
}

static uint64_t now(void)
{
    return (uint64_t)(1e9 + (fake_state.now_us - fake_state.skew_us) * 1e3);
}

static int on_kernel(fake_cuda_record *record)
{
    if (fake_state.cupti == 0 || !record) fake_state.record = record;
    return (int)fake_state.cupti;
}

static CUresult export_table(const void **out, const CUuuid *id)
{
    (void)id;
    *out = NULL;
    return CUDA_ERROR_NOT_FOUND;
}

static const struct fake_entry own_functions[] = {
    {"fake_cuda_configure", (fake_function *)configure},
    {"fake_cuda_adjust", (fake_function *)adjust},
    {"fake_cuda_live", (fake_function *)live},
    {"fake_cuda_copied", (fake_function *)copied},
    {"fake_cuda_launches", (fake_function *)launches},
    {"fake_cuda_register", (fake_function *)register_body},
    {"fake_cuda_held", (fake_function *)held},
    {"fake_cuda_nvml_call", (fake_function *)nvml_call},
    {"fake_cuda_is_slow", (fake_function *)is_slow},
    {"fake_cuda_energy", (fake_function *)energy},
    {"fake_cuda_whole", (fake_function *)whole},
    {"fake_cuda_now", (fake_function *)now},
    {"fake_cuda_on_kernel", (fake_function *)on_kernel},
    {"fake_cuda_must_not_hang", (fake_function *)fake_must_not_hang},
    {NULL, NULL},
};

static fake_function *find(const struct fake_entry *table, const char *name)
{
    for (; table->name; table++)
        if (strcmp(table->name, name) == 0) return table->function;
    return NULL;
}

static fake_function *find_driver_function(const char *name)
{
    fake_function *function = find(fake_device_functions, name);
    if (!function) function = find(fake_kind_functions, name);
    if (!function) function = find(fake_memory_functions, name);
    if (!function) function = find(fake_launch_functions, name);
    if (!function) function = find(fake_graph_functions, name);
    if (!function && fake_state.profiler && strcmp(name, "cuGetExportTable") == 0)
        function = (fake_function *)export_table;
    return function;
}

__attribute__((visibility("default"))) CUresult CUDAAPI
cuGetProcAddress(const char *symbol, void **out, int version, cuuint64_t flags,
                 CUdriverProcAddressQueryResult *status)
{
    (void)version;
    (void)flags;
    (void)status;
    fake_function *function = find(own_functions, symbol);
    if (!function && fake_state.stub) return CUDA_ERROR_STUB_LIBRARY;
    if (!function) function = find_driver_function(symbol);
    memcpy(out, &function, sizeof *out);
    return function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
