#include "verdict_run.h"

#include "base/file.h"
#include "hone/evaluate.h"
#include "hone_test.h"
#include "space/trial_keep.h"

#include <string.h>

static struct hone_arena said; // by the trials, whose evaluators are gone

bool verdict_machine_open(struct verdict_machine *machine)
{
    struct hone_error err = {0};
    const struct hone_builder_options options = {
        .cache_folder = "", .threads = 1, .memory_bytes = 64 << 20};
    hone_arena_fini(&said);
    *machine = (struct verdict_machine){0};
    strcpy(machine->folder, "/tmp/hone-verdicts-XXXXXX");
    enum hone_status status = hone_builder_new(&machine->builder, &options, &err);
    if (status == HONE_ENODEVICE) {
        printf("skipped: %s\n", err.text);
        return false;
    }
    assert_ok(status, err);
    assert_non_null(mkdtemp(machine->folder));
    return true;
}

void verdict_machine_close(struct verdict_machine *machine)
{
    if (!machine->builder) return;
    for (size_t i = 0; i < machine->device_count; i++)
        hone_device_close(machine->devices[i]);
    hone_builder_free(machine->builder);
    assert_int_equal(rmdir(machine->folder), 0);
    *machine = (struct verdict_machine){0};
}

static struct hone_device *device_of(struct verdict_machine *machine, const char *id)
{
    struct hone_error err = {0};
    for (size_t i = 0; i < machine->device_count; i++)
        if (strcmp(machine->devices[i]->id, id) == 0) return machine->devices[i];
    assert_true(machine->device_count < VERDICT_DEVICES);
    struct hone_device **slot = &machine->devices[machine->device_count++];
    assert_ok(hone_device_open(slot, id, &err), err);
    return *slot;
}

// A copy of what the file's kernels include, beside a slice, or its removal.
static void place_include(const struct verdict_file *file, const char *folder, bool there)
{
    struct hone_error err = {0};
    char from[512], *text = NULL;
    if (!file->with[0]) return;
    char *to = hone_path_join(folder, file->with);
    assert_non_null(to);
    snprintf(from, sizeof from, "%s/tests/verdicts/%s", HONE_SOURCE_DIR, file->with);
    if (there) {
        assert_ok(hone_file_read(&text, NULL, from, &err), err);
        assert_ok(hone_file_write(to, text, strlen(text), &err), err);
    } else {
        unlink(to);
    }
    free(text);
    free(to);
}

// The slice under the file's own name, so that reports name the file of the corpus.
static char *write_slice(const struct verdict_machine *machine,
                         const struct verdict_file *file, const char *name)
{
    struct hone_error err = {0};
    char folder[160];
    snprintf(folder, sizeof folder, "%s/%s", machine->folder, name);
    assert_ok(hone_file_mkdirs(folder, &err), err);
    char *path = hone_path_join(folder, file->name);
    char *text = verdict_file_slice(file, verdict_file_find(file, name));
    assert_non_null(path);
    assert_ok(hone_file_write(path, text, strlen(text), &err), err);
    place_include(file, folder, true);
    free(text);
    return path;
}

static void remove_slice(const struct verdict_file *file, char *path)
{
    unlink(path);
    *strrchr(path, '/') = 0;
    place_include(file, path, false);
    rmdir(path); // a kernel and its reference are two folders, or the same one twice
    free(path);
}

// Extents of a that b says otherwise.
static struct hone_launch_def make_launch(const struct verdict_geometry *a,
                                          const struct verdict_geometry *b)
{
    struct hone_launch_def launch = {0};
    for (int i = 0; i < 3; i++) {
        const char *grid = b && b->grid[0][0] ? b->grid[i] : a->grid[i];
        const char *block = b && b->block[0][0] ? b->block[i] : a->block[i];
        launch.grid[i] = *grid ? grid : NULL;
        launch.block[i] = *block ? block : NULL;
    }
    for (int i = 0; i < 3 && !b; i++) // a reference is launched plainly
        launch.cluster[i] = *a->cluster[i] ? a->cluster[i] : NULL;
    if (!b) launch.flags = a->flags;
    const char *shared = b && b->shared[0] ? b->shared : a->shared;
    launch.shared = *shared ? shared : NULL;
    return launch;
}

struct map_slot {
    struct hone_map_def def;
    char text[96]; // which the definition points into
};

// "64/64 64/8 swizzle 128": axes, then a mode.
static const struct hone_map_def *make_map(struct map_slot *slot, const char *text)
{
    char *rest = NULL;
    struct hone_map_def *def = &slot->def;
    *slot = (struct map_slot){0};
    snprintf(slot->text, sizeof slot->text, "%s", text);
    for (char *word = strtok_r(slot->text, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest)) {
        char *box = strchr(word, '/');
        if (strcmp(word, "swizzle") == 0) {
            const char *bytes = strtok_r(NULL, " ", &rest);
            assert_non_null(bytes);
            def->modes.swizzle = (uint32_t)strtoul(bytes, NULL, 10);
            continue;
        }
        if (!box || def->rank == HONE_MAP_RANK_MAX)
            fail_msg("no axis of a tensor map: '%s' in '%s'", word, text);
        *box = 0;
        def->axes[def->rank].size = word;
        def->axes[def->rank++].box = box + 1;
    }
    return def;
}

static void make_args(struct hone_arg_def *out, struct map_slot *maps,
                      const struct verdict_launch *launch)
{
    for (size_t i = 0; i < launch->arg_count; i++) {
        const struct verdict_arg *arg = &launch->args[i];
        out[i] =
            (struct hone_arg_def){.name = arg->name,
                                  .kind = arg->kind,
                                  .dtype = arg->dtype,
                                  .size = arg->size,
                                  .fill = arg->fill,
                                  .early = arg->early,
                                  .map = *arg->map ? make_map(&maps[i], arg->map) : NULL,
                                  .data = {.low = arg->low, .high = arg->high}};
    }
}

static struct hone_trial evaluate(struct verdict_machine *machine,
                                  struct hone_device *device,
                                  const struct hone_kernel_def *def, double deadline_s)
{
    const struct hone_evaluate_options options = {.flags = HONE_EVALUATE_NO_TIME,
                                                  .data_seed = 1,
                                                  .deadline_s =
                                                      deadline_s > 0 ? deadline_s : 60};
    struct hone_space *space = NULL;
    struct hone_kernel *kernel = NULL;
    struct hone_evaluator *evaluator = NULL;
    struct hone_error err = {0};
    struct hone_trial trial;
    size_t count = 0;
    assert_ok(hone_space_new(&space, &def->space, &err), err);
    assert_ok(hone_kernel_new(&kernel, def, space, &err), err);
    assert_ok(hone_evaluator_direct(&evaluator, kernel, device, machine->builder,
                                    &options, &err),
              err);
    assert_ok(evaluator->fns->submit(evaluator, 0, &err), err);
    assert_ok(evaluator->fns->wait(evaluator, &trial, 1, &count, &err), err);
    assert_ok(hone_trial_keep(&trial, &said, &err), err);
    hone_evaluator_close(evaluator);
    hone_kernel_free(kernel);
    hone_space_free(space);
    return trial;
}

struct hone_trial verdict_run(struct verdict_machine *machine,
                              const struct verdict_file *file,
                              const struct verdict_kernel *kernel,
                              const struct verdict_launch *launch)
{
    static struct hone_value one = {.type = HONE_INT, .i = 1};
    static struct hone_param param = {.name = "UNUSED", .values = &one, .count = 1};
    struct hone_arg_def args[VERDICT_ARGS];
    struct map_slot maps[VERDICT_ARGS];
    char *path = write_slice(machine, file, kernel->name);
    const bool judged = strcmp(kernel->reference, "none") != 0;
    char *reference_path = judged ? write_slice(machine, file, kernel->reference) : NULL;
    make_args(args, maps, launch);
    static const struct hone_include_folder toolkit[] = {
        {.name = HONE_CUDA_INCLUDE, .folder = HONE_CUDA_INCLUDE},
        {.name = HONE_CUDA_INCLUDE "/cccl", .folder = HONE_CUDA_INCLUDE "/cccl"}};
    const char *tolerance = launch->tolerance[0] ? launch->tolerance : NULL;
    struct hone_kernel_def def = {
        .name = kernel->name,
        .source = "verdicts",
        .template_path = path,
        .entry = kernel->name,
        .space = {.params = &param, .param_count = 1},
        .launch = make_launch(&launch->geometry, NULL),
        .args = args,
        .arg_count = launch->arg_count,
        .reference = {.template_path = reference_path,
                      .entry = kernel->reference,
                      .launch =
                          make_launch(&launch->geometry, &kernel->reference_geometry)},
        .tolerance.relative = tolerance,
        .tolerance.absolute = tolerance,
        .includes = toolkit,
        .include_count = file->needs[0] ? 2 : 0};
    if (!judged) def.reference = (struct hone_reference_def){0};
    const struct hone_trial trial =
        evaluate(machine, device_of(machine, file->on), &def, launch->deadline_s);
    remove_slice(file, path);
    if (judged) remove_slice(file, reference_path);
    return trial;
}
