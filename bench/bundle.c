// hone_bench_bundle JOURNAL SCRIPT DEVICE OUT: the best configuration of a journal for
// programs that launch kernels themselves: OUT.cubin, OUT.ptx and OUT.json with the
// entry, the geometry of the launch and its arguments in order (tests/gpu/compare reads
// it). With OUT ending in "-default" it is the author's default.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hone/build.h"
#include "recorded.h"

struct bundle {
    struct recorded recorded;
    struct hone_job job;
    const struct hone_build *build; // of job; NULL until then
    uint64_t index;
    const char *out;
};

static enum hone_status choose(struct bundle *b, const char *journal,
                               struct hone_error *err)
{
    const struct hone_recording *recording = b->recorded.recording;
    const struct hone_trial *best = hone_recording_best(recording);
    const size_t len = strlen(b->out), tail = strlen("-default");
    const bool wants_default = len > tail && strcmp(b->out + len - tail, "-default") == 0;
    if (wants_default && b->recorded.bench.has_default) {
        b->index = b->recorded.bench.default_index;
        return HONE_OK;
    }
    if (!wants_default && best &&
        recorded_index(&b->recorded, recording, best, &b->index))
        return HONE_OK;
    return hone_fail(err, HONE_ENOTFOUND, "'%s' has no %s in the script's space", journal,
                     wants_default ? "default" : "valid configuration");
}

static enum hone_status build(struct bundle *b, struct hone_error *err)
{
    struct hone_builder *builder = b->recorded.bench.builder;
    const struct hone_build_request request = {
        .source = b->job.source,
        .source_name = b->job.source_name,
        .entry = b->job.entry,
        .arch = b->recorded.bench.limits.arch,
        .options = b->job.options,
        .option_count = b->job.option_count,
    };
    uint64_t ticket = 0;
    enum hone_status status = hone_builder_submit(builder, &request, &ticket, err);
    if (status == HONE_OK) status = hone_builder_take(builder, ticket, &b->build, err);
    if (status == HONE_OK && b->build->outcome != HONE_VALID)
        status = hone_fail(err, HONE_EINPUT, "%s", b->build->reason);
    return status;
}

static enum hone_status open_out(FILE **out, const struct bundle *b, const char *ending,
                                 struct hone_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", b->out, ending);
    *out = fopen(path, "wb");
    return *out ? HONE_OK : hone_fail(err, HONE_EIO, "cannot write '%s'", path);
}

static enum hone_status write_image(const struct bundle *b, const char *ending,
                                    const void *bytes, size_t size,
                                    struct hone_error *err)
{
    FILE *out = NULL;
    enum hone_status status = open_out(&out, b, ending, err);
    if (status != HONE_OK) return status;
    const bool whole = fwrite(bytes, 1, size, out) == size;
    if (fclose(out) != 0 || !whole)
        return hone_fail(err, HONE_EIO, "cannot write '%s%s'", b->out, ending);
    return HONE_OK;
}

// Names and values of scripts are identifiers, numbers and words without quotes.
static void write_value(FILE *out, const char *name, struct hone_value value)
{
    char text[64];
    hone_value_print(text, sizeof text, value);
    const char *quote = value.type == HONE_STRING ? "\"" : "";
    fprintf(out, "\"%s\":%s%s%s", name, quote, text, quote);
}

static void write_numbers(FILE *out, const char *name, const uint64_t *numbers,
                          uint32_t count)
{
    fprintf(out, "\"%s\":[", name);
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%s%llu", i ? "," : "", (unsigned long long)numbers[i]);
    fprintf(out, "],");
}

// With the numbers that the driver has for modes.
static void write_map(FILE *out, const struct hone_tensor_map *map)
{
    uint64_t box[HONE_MAP_RANK_MAX], step[HONE_MAP_RANK_MAX];
    for (uint32_t i = 0; i < map->rank; i++) {
        box[i] = map->box[i];
        step[i] = map->step[i] ? map->step[i] : 1;
    }
    fprintf(out, ",\n   \"map\":{\"type\":%u,", map->type);
    write_numbers(out, "size", map->size, map->rank);
    write_numbers(out, "stride", map->stride_bytes + 1, map->rank - 1);
    write_numbers(out, "box", box, map->rank);
    write_numbers(out, "step", step, map->rank);
    fprintf(out, "\"swizzle\":%u,\"interleave\":%u,\"promotion\":%u,\"fill\":%d}",
            hone_map_swizzle(map->modes.swizzle),
            hone_map_interleave(map->modes.interleave),
            hone_map_promotion(map->modes.promotion), map->modes.nan_fill != 0);
}

static void write_args(FILE *out, const struct hone_job *job)
{
    static const char *const kinds[] = {
        [HONE_ARG_INPUT] = "input",       [HONE_ARG_OUTPUT] = "output",
        [HONE_ARG_INOUT] = "inout",       [HONE_ARG_SCALAR] = "scalar",
        [HONE_ARG_CONSTANT] = "constant", [HONE_ARG_WORKSPACE] = "workspace"};
    for (size_t i = 0; i < job->arg_count; i++) {
        const struct hone_job_arg *arg = &job->args[i];
        fprintf(out,
                "%s\n  {\"name\":\"%s\",\"kind\":\"%s\",\"dtype\":\"%s\",\"count\":%llu",
                i ? "," : "", arg->name, kinds[arg->kind], hone_dtype_name(arg->dtype),
                (unsigned long long)arg->count);
        if (arg->kind == HONE_ARG_SCALAR) {
            fputc(',', out);
            write_value(out, "value", arg->value);
        }
        if (arg->map.rank) write_map(out, &arg->map);
        fprintf(out, ",\"zero\":%s}", arg->fill == HONE_FILL_ZERO ? "true" : "false");
    }
}

static enum hone_status write_description(const struct bundle *b, struct hone_error *err)
{
    const struct hone_record_info *info = hone_recording_info(b->recorded.recording);
    const struct hone_geometry *g = &b->job.geometry;
    char config[1024];
    FILE *out = NULL;
    enum hone_status status = open_out(&out, b, ".json", err);
    if (status != HONE_OK) return status;
    recorded_text(config, sizeof config, &b->recorded, b->index);
    fprintf(out, "{\"kernel\":\"%s\",\"entry\":\"%s\",\"config\":\"%s\",\n \"problem\":{",
            info->kernel, b->job.entry, config);
    for (size_t i = 0; i < info->problem_count; i++) {
        if (i) fputc(',', out);
        write_value(out, info->problem[i].name, info->problem[i].value);
    }
    fprintf(out, "},\n \"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared_bytes\":%u,",
            g->grid[0], g->grid[1], g->grid[2], g->block[0], g->block[1], g->block[2],
            g->shared_bytes);
    fprintf(out, "\"cluster\":[%u,%u,%u],", g->cluster[0], g->cluster[1], g->cluster[2]);
    fprintf(out, "\n \"flops\":%.17g,\"bytes\":%.17g,\n \"args\":[",
            isnan(b->job.flops) ? 0 : b->job.flops,
            isnan(b->job.bytes) ? 0 : b->job.bytes);
    write_args(out, &b->job);
    fprintf(out, "]}\n");
    if (fclose(out) != 0)
        return hone_fail(err, HONE_EIO, "cannot write '%s.json'", b->out);
    return HONE_OK;
}

static enum hone_status run(struct bundle *b, char **argv, struct hone_error *err)
{
    struct hone_workbench *bench = &b->recorded.bench;
    enum hone_status status =
        recorded_open(&b->recorded,
                      &(struct recorded_source){
                          .journal = argv[1], .script = argv[2], .device = argv[3]},
                      err);
    if (status == HONE_OK) status = choose(b, argv[1], err);
    if (status == HONE_OK) status = hone_workbench_make_kernel(bench, err);
    if (status == HONE_OK) status = hone_builder_new(&bench->builder, NULL, err);
    if (status == HONE_OK)
        status = hone_kernel_job(&b->job, bench->kernel, b->index, NULL, err);
    if (status == HONE_OK) status = build(b, err);
    if (status == HONE_OK)
        status = write_image(b, ".cubin", b->build->cubin, b->build->cubin_size, err);
    if (status == HONE_OK)
        status = write_image(b, ".ptx", b->build->ptx, b->build->ptx_size, err);
    return status == HONE_OK ? write_description(b, err) : status;
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: %s JOURNAL SCRIPT DEVICE OUT\n", argv[0]);
        return 2;
    }
    struct bundle b = {.out = argv[4]};
    struct hone_error err = {0};
    const enum hone_status status = run(&b, argv, &err);
    if (status != HONE_OK) fprintf(stderr, "%s: %s\n", argv[0], err.text);
    if (b.build) hone_build_release(b.build);
    hone_job_fini(&b.job);
    recorded_close(&b.recorded);
    return status == HONE_OK ? 0 : 1;
}
