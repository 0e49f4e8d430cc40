#include "image.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cubin.h"
#include "ptxas.h"

struct image {
    struct hone_build build; // first: a build is an image
    atomic_uint references;
    struct hone_output output; // owns the texts that build points to
};

// The log is the truth; the cubin fills in what it lacks.
static void fill_in(int32_t *value, int32_t other)
{
    if (*value < 0) *value = other;
}

static void find_resources(struct hone_build *build, const char *entry)
{
    struct hone_resources *resources = &build->resources;
    hone_ptxas_resources(resources, build->log, entry);
    struct hone_cubin_kernel cubin;
    if (!hone_cubin_read(&cubin, build->cubin, build->cubin_size, entry)) return;
    fill_in(&resources->registers, cubin.resources.registers);
    fill_in(&resources->spill_store_bytes, cubin.resources.spill_store_bytes);
    fill_in(&resources->spill_load_bytes, cubin.resources.spill_load_bytes);
    fill_in(&resources->stack_bytes, cubin.resources.stack_bytes);
    fill_in(&resources->static_shared_bytes, cubin.resources.static_shared_bytes);
    build->max_threads = cubin.max_threads;
    build->clusters = cubin.clusters;
}

// A cubin of a form we cannot read is still an image: hash all of it.
static void find_hash(struct hone_build *build)
{
    hone_cubin_hash(build->image_hash, build->cubin, build->cubin_size);
    if (build->image_hash[0]) return;
    struct hone_hash hash;
    hone_hash_begin(&hash);
    hone_hash_part(&hash, build->cubin, build->cubin_size);
    hone_hash_part(&hash, build->ptx, build->ptx_size);
    hone_hash_end(&hash, build->image_hash);
}

void hone_build_virtual_arch(char out[HONE_ARCH_TEXT], const char *arch)
{
    static const char real[] = "sm_";
    const size_t skipped =
        strncmp(arch, real, sizeof real - 1) == 0 ? sizeof real - 1 : 0;
    snprintf(out, HONE_ARCH_TEXT, "%s%s", skipped ? "compute_" : "", arch + skipped);
}

enum hone_status hone_image_new(struct hone_build **out, struct hone_output *output,
                                const struct hone_build_request *request, bool cached,
                                struct hone_error *err)
{
    struct image *image = calloc(1, sizeof *image);
    if (!image) {
        hone_output_fini(output);
        return hone_no_memory(err, "building '%s'", request->source_name);
    }
    image->output = *output;
    *output = (struct hone_output){0};
    atomic_init(&image->references, 1);
    const struct hone_output *own = &image->output;
    image->build = (struct hone_build){
        .outcome = own->compiled ? HONE_VALID : HONE_BUILD_FAILED,
        .ptx = own->compiled ? own->ptx : NULL,
        .ptx_size = own->ptx_size,
        .cubin = own->compiled && own->cubin_size ? own->cubin : NULL,
        .cubin_size = own->cubin_size,
        .log = own->log,
        .resources = HONE_RESOURCES_UNKNOWN,
        .max_threads = -1,
        .build_ms = own->build_ms,
        .cached = cached,
    };
    if (own->failure[0]) {
        snprintf(image->build.reason, HONE_REASON_MAX, "%s", own->failure);
    } else if (own->compiled) {
        find_resources(&image->build, request->entry);
        find_hash(&image->build);
    } else {
        hone_ptxas_reason(image->build.reason, own->log, request->arch);
    }
    *out = &image->build;
    return HONE_OK;
}

void hone_image_retain(struct hone_build *build)
{
    atomic_fetch_add(&((struct image *)build)->references, 1);
}

void hone_build_release(const struct hone_build *build)
{
    if (!build) return;
    struct image *image = (struct image *)(uintptr_t)build;
    if (atomic_fetch_sub(&image->references, 1) != 1) return;
    hone_output_fini(&image->output);
    free(image);
}
