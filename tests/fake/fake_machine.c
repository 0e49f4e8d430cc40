#include "fake/fake_machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "build/build_once.h"
#include "build/params.h"

struct fake_counts fake_counts;
enum scale_mode fake_reference_mode;
unsigned fake_steered_modes;
struct fake_late fake_late;
static bool is_lost; // after a sticky fault

// --- the builder ---

enum { TICKETS = 256 };

struct hone_builder {
    struct hone_build *builds[TICKETS]; // by ticket
    char wanted[TICKETS][HONE_HASH_TEXT];
    uint64_t next;
};
struct hone_builder fake_builder_object;

size_t hone_builder_threads(const struct hone_builder *builder)
{
    (void)builder;
    return 2;
}

static enum scale_mode mode_of(const struct hone_build_request *request)
{
    if (strcmp(request->entry, "scale_reference") == 0) return fake_reference_mode;
    const char *define = strstr(request->source, "#define MODE ");
    return define ? (enum scale_mode)strtol(define + 13, NULL, 10) : SCALE_RIGHT;
}

// Is one like it, whose ticket was not taken yet, there already?
static bool is_shared(const struct hone_builder *builder, const char *wanted)
{
    for (size_t i = 0; i < TICKETS; i++)
        if (builder->builds[i] && strcmp(builder->wanted[i], wanted) == 0) return true;
    return false;
}

// Equal modes are equal images, whatever else the source says.
enum hone_status hone_builder_submit(struct hone_builder *builder,
                                     const struct hone_build_request *request,
                                     uint64_t *ticket, struct hone_error *err)
{
    struct hone_build *build = calloc(1, sizeof *build);
    if (!build) return hone_no_memory(err, "for a test");
    const enum scale_mode mode = mode_of(request);
    build->outcome = mode == SCALE_BROKEN ? HONE_BUILD_FAILED : HONE_VALID;
    if (mode == SCALE_BROKEN) strcpy(build->reason, "expected a ';'");
    build->resources = HONE_RESOURCES_UNKNOWN;
    build->resources.registers = (int32_t)mode + 10;
    build->max_threads = (int32_t)mode; // the image
    build->build_ms = 5;
    snprintf(build->image_hash, sizeof build->image_hash, "image %d", (int)mode);
    while (builder->builds[builder->next % TICKETS]) // one that is kept for long
        builder->next++;
    *ticket = builder->next++ % TICKETS;
    char *wanted = builder->wanted[*ticket];
    struct hone_hash hash;
    hone_hash_begin(&hash);
    hone_hash_text(&hash, request->source);
    hone_hash_text(&hash, request->entry);
    hone_hash_end(&hash, wanted);
    fake_counts.builds += !is_shared(builder, wanted);
    builder->builds[*ticket] = build;
    fake_counts.tickets++;
    return HONE_OK;
}

enum hone_status hone_builder_take(struct hone_builder *builder, uint64_t ticket,
                                   const struct hone_build **out, struct hone_error *err)
{
    (void)err;
    *out = builder->builds[ticket];
    builder->builds[ticket] = NULL;
    fake_counts.tickets--;
    fake_counts.builds_held++;
    return *out ? HONE_OK : HONE_EBUILD;
}

enum hone_status hone_build_once(const struct hone_build **out,
                                 const struct hone_build_request *request, int for_driver,
                                 struct hone_error *err)
{
    uint64_t ticket = 0;
    (void)for_driver;
    hone_builder_submit(&fake_builder_object, request, &ticket, err);
    return hone_builder_take(&fake_builder_object, ticket, out, err);
}

void hone_build_release(const struct hone_build *build)
{
    if (!build) return;
    fake_counts.builds_held--;
    free((void *)(uintptr_t)build);
}

// This device estimates nothing.
void hone_build_virtual_arch(char out[HONE_ARCH_TEXT], const char *arch)
{
    snprintf(out, HONE_ARCH_TEXT, "%s", arch);
}

enum hone_status hone_build_variable(const struct hone_build *build, const char *name,
                                     char out[HONE_VARIABLE_MAX], struct hone_error *err)
{
    (void)build, (void)out;
    return hone_fail(err, HONE_ENOTFOUND, "the fake has no variable '%s'", name);
}

// Its builds have whatever kernel was asked for.
enum hone_status hone_build_entry(const struct hone_build *build, const char *name,
                                  struct hone_error *err)
{
    (void)build, (void)name, (void)err;
    return HONE_OK;
}

// Its builds have no PTX.
bool hone_build_params(struct hone_build_params *out, const struct hone_build *build,
                       const char *entry)
{
    (void)out, (void)build, (void)entry;
    return false;
}

// Nobody asks it here: this machine estimates nothing.
int hone_occupancy(const struct hone_limits *limits,
                   const struct hone_resources *resources, uint32_t threads,
                   uint32_t dynamic_shared_bytes)
{
    (void)limits, (void)resources, (void)threads, (void)dynamic_shared_bytes;
    return 1;
}

enum hone_outcome hone_build_prune(const struct hone_build *build,
                                   const struct hone_limits *limits,
                                   const struct hone_geometry *geometry,
                                   struct hone_resources *resources,
                                   char reason[HONE_REASON_MAX])
{
    (void)build;
    const uint32_t dynamic_shared_bytes = geometry->shared_bytes;
    resources->dynamic_shared_bytes = (int32_t)dynamic_shared_bytes;
    resources->blocks_per_sm = 4;
    if (dynamic_shared_bytes <= limits->max_shared_bytes) return HONE_VALID;
    snprintf(reason, HONE_REASON_MAX, "needs %u bytes of shared memory",
             dynamic_shared_bytes);
    return HONE_REJECTED;
}

// --- the device ---

struct hone_module {
    enum scale_mode mode;
    size_t large; // launches at the tuned size
};

void fake_device_init(struct hone_device *device, enum hone_clock clock)
{
    is_lost = false;
    *device = (struct hone_device){
        .fns = &fake_device_fns,
        .limits = {.name = "fake", .arch = "sm_0", .max_shared_bytes = 1000},
        .clock = clock,
        .id = "fake:0",
    };
}

static enum hone_status enter(struct hone_error *err)
{
    return is_lost ? hone_fail(err, HONE_EDEVICE, "fake:0 is lost") : HONE_OK;
}

static void lose(struct hone_fault *fault)
{
    is_lost = true;
    fault->outcome = HONE_CRASHED;
    fault->sticky = true;
    strcpy(fault->reason, "illegal address");
}

static enum hone_status load(struct hone_device *dev, const struct hone_build *build,
                             const char *entry, struct hone_module **out,
                             struct hone_fault *fault, struct hone_error *err)
{
    (void)dev, (void)entry;
    *out = NULL;
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    if (is_lost) return enter(err);
    if (build->max_threads == SCALE_UNKNOWN) {
        fault->outcome = HONE_UNSUPPORTED;
        strcpy(fault->reason, "instruction 'frobnicate' at line 7");
        return HONE_OK;
    }
    *out = malloc(sizeof **out);
    if (!*out) return hone_no_memory(err, "for a test");
    **out = (struct hone_module){.mode = (enum scale_mode)build->max_threads};
    fake_counts.modules++;
    return HONE_OK;
}

static void unload(struct hone_device *dev, struct hone_module *module)
{
    (void)dev;
    fake_counts.modules--;
    free(module);
}

static bool data_steers(const struct hone_device *dev, const struct hone_module *module,
                        size_t param)
{
    return dev->clock != HONE_CLOCK_EMULATED ||
           (param == 0 && fake_steered_modes >> module->mode & 1);
}

static enum hone_status alloc(struct hone_device *dev, size_t bytes, hone_devptr *out,
                              struct hone_error *err)
{
    (void)dev;
    if (is_lost) return enter(err);
    if (bytes > 1 << 24)
        return hone_fail(err, HONE_ELIMIT, "no room for %zu bytes", bytes);
    void *block = malloc(bytes);
    if (!block) return hone_no_memory(err, "for a test");
    fake_counts.blocks++;
    *out = (hone_devptr)(uintptr_t)block;
    return HONE_OK;
}

static void release(struct hone_device *dev, hone_devptr ptr)
{
    (void)dev;
    fake_counts.blocks--;
    free((void *)(uintptr_t)ptr);
}

static enum hone_status copy(struct hone_device *dev, enum hone_copy direction,
                             hone_devptr ptr, void *host, size_t bytes,
                             struct hone_error *err)
{
    (void)dev;
    if (is_lost) return enter(err);
    void *device = (void *)(uintptr_t)ptr;
    if (direction == HONE_TO_DEVICE)
        memcpy(device, host, bytes);
    else
        memcpy(host, device, bytes);
    return HONE_OK;
}

static enum hone_status fill(struct hone_device *dev, hone_devptr ptr, uint8_t byte,
                             size_t bytes, struct hone_error *err)
{
    (void)dev;
    if (is_lost) return enter(err);
    memset((void *)(uintptr_t)ptr, byte, bytes);
    return HONE_OK;
}

struct arguments {
    float *x, *y, *sum;
    int32_t *count;
    float a;
    int32_t n;
};

static struct arguments unpack(const struct hone_launch *launch)
{
    struct arguments args;
    void *places[] = {&args.x, &args.y, &args.sum, &args.count, &args.a, &args.n};
    for (size_t i = 0; i < launch->param_count; i++)
        memcpy(places[i], launch->params[i], launch->param_sizes[i]);
    return args;
}

static void spoil(enum scale_mode mode, const struct arguments *args)
{
    const int32_t n = args->n;
    if (mode == SCALE_WRONG || (mode == SCALE_RAGGED_WRONG && n % 4)) args->y[3] += 0.25f;
    const bool large = n == 100;
    if (large && mode == SCALE_LARGE_WRONG) args->y[3] += 0.25f;
    if (mode == SCALE_LATE && fake_late.wrong_from &&
        fake_counts.launches >= fake_late.wrong_from &&
        fake_counts.launches <= fake_late.wrong_to)
        args->y[3] += 0.25f;
    if (large && mode == SCALE_UNSTEADY && fake_counts.launches % 3 == 0)
        args->y[3] += 0.25f;
    if (mode == SCALE_WRONG_COUNT) args->count[2]++;
    if (mode == SCALE_PAST_END) args->y[n] = 1;
    if (mode == SCALE_BEFORE_START) args->y[-1] = 1;
    if (mode == SCALE_CHANGES_INPUT) args->x[2] = 9;
    if (mode == SCALE_NOT_A_NUMBER) args->y[7] = NAN;
}

static void run(struct hone_module *module, const struct arguments *args)
{
    enum { SOBER = 3 };
    const enum scale_mode mode = module->mode;
    const float factor = mode == SCALE_NEARLY_RIGHT ? 1.0f + 0x1p-20f : 1.0f;
    for (int32_t i = 0; i < args->n; i++) {
        args->sum[i] += args->x[i];
        if (mode == SCALE_UNWRITTEN && i == 5) continue;
        args->y[i] = args->a * args->x[i] * factor;
        args->count[i] = i;
    }
    spoil(mode, args);
    module->large += args->n == 100;
    if (mode == SCALE_TIMED_WRONG && module->large > SOBER) args->y[3] += 0.25f;
}

// The reference with doubles in the place of floats, and right.
static void run_wide(const struct hone_launch *launch)
{
    struct {
        double *x, *y, *sum;
        int32_t *count;
        double a;
        int32_t n;
    } args;
    void *places[] = {&args.x, &args.y, &args.sum, &args.count, &args.a, &args.n};
    for (size_t i = 0; i < launch->param_count; i++)
        memcpy(places[i], launch->params[i], launch->param_sizes[i]);
    for (int32_t i = 0; i < args.n; i++) {
        args.sum[i] += args.x[i];
        args.y[i] = args.a * args.x[i];
        args.count[i] = i;
    }
}

static bool fails(enum scale_mode mode, struct hone_fault *fault)
{
    *fault = (struct hone_fault){.outcome = HONE_VALID};
    if (mode == SCALE_ENDLESS) {
        fault->outcome = HONE_TIMED_OUT;
        strcpy(fault->reason, "ran for more than 1 s");
    } else if (mode == SCALE_STICKY ||
               (mode == SCALE_LATE && fake_counts.launches == fake_late.lost_at)) {
        lose(fault);
    }
    return fault->outcome != HONE_VALID;
}

static enum hone_status launch(struct hone_device *dev, struct hone_module *module,
                               const struct hone_launch *launch, struct hone_fault *fault,
                               struct hone_error *err)
{
    (void)dev;
    if (is_lost) return enter(err);
    fake_counts.launches++;
    if (module->mode == SCALE_UNPLUGGED)
        return hone_fail(err, HONE_EDEVICE, "fell off the bus");
    if (fails(module->mode, fault)) return HONE_OK;
    if (launch->param_sizes[4] == sizeof(double)) {
        run_wide(launch);
        return HONE_OK;
    }
    const struct arguments args = unpack(launch);
    if (module->mode == SCALE_LARGE_STICKY && args.n == 100) {
        lose(fault);
        return HONE_OK;
    }
    run(module, &args);
    return HONE_OK;
}

static enum hone_status time_launch(struct hone_device *dev, struct hone_module *module,
                                    const struct hone_launch *launch,
                                    const struct hone_time_policy *policy,
                                    struct hone_timing *out, struct hone_fault *fault,
                                    struct hone_error *err)
{
    (void)dev;
    if (is_lost) return enter(err);
    fake_counts.sustained += policy->sustained;
    fake_counts.sustained_s = policy->sustained_s;
    memcpy(&fake_counts.inputs[fake_counts.timings++ % 64], launch->params[0],
           sizeof *fake_counts.inputs);
    if (fails(module->mode, fault)) return HONE_OK;
    const struct arguments args = unpack(launch);
    enum { SAMPLES = 7 };
    for (int i = 0; i < SAMPLES && module->mode != SCALE_TIMED_IDLE; i++)
        run(module, &args);
    *out = (struct hone_timing){.time_us = 100 + module->mode,
                                .predicted_us = (double)NAN,
                                .energy_j = (double)NAN,
                                .rel_std = 0.01,
                                .samples = SAMPLES,
                                .metric_count = 1,
                                .metrics = {{"first_x", (double)args.x[0]}}};
    return HONE_OK;
}

const struct hone_device_fns fake_device_fns = {
    .name = "fake",
    .description = "C functions instead of kernels",
    .load = load,
    .unload = unload,
    .data_steers = data_steers,
    .alloc = alloc,
    .free = release,
    .copy = copy,
    .fill = fill,
    .launch = launch,
    .time = time_launch,
};
