#include "evaluate/images.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/host_memory.h"
#include "element.h"
#include "fill_threads.h"

// Further sets cost memory and a launch of the reference each: from so many bytes on
// there is one, and then none.
static const size_t few_bytes = (size_t)64 << 20, many_bytes = (size_t)1 << 30;

// In SIMILAR one element of so many is another one.
enum { DIFFERS_ONCE_IN = 32 };

static size_t image_bytes(const struct hone_buffer *buffer)
{
    return buffer->bytes + 2 * (size_t)HONE_RED_ZONE_BYTES;
}

// Tables of addresses follow their blocks, not the set.
static bool has_own_image(const struct hone_buffer *buffer)
{
    return buffer->image && !buffer->parts_of &&
           (buffer->arg.kind == HONE_ARG_INPUT || buffer->arg.kind == HONE_ARG_INOUT);
}

// One of first up to first + DIFFERS_ONCE_IN.
static uint64_t other_element(uint64_t seed, uint64_t first, uint64_t count)
{
    const uint64_t parts[] = {seed, first};
    const uint64_t left = count - first;
    return first + hone_hash64(parts, sizeof parts) %
                       (left < DIFFERS_ONCE_IN ? left : DIFFERS_ONCE_IN);
}

// New data; in SIMILAR what set 0 has, with new elements here and there.
static void fill_set(const struct hone_buffer *buffer, size_t set, uint64_t seed,
                     const unsigned char *first, unsigned char *out)
{
    const size_t size = hone_dtype_size(buffer->arg.dtype);
    const uint64_t count = buffer->arg.count;
    if (set != HONE_SET_SIMILAR) {
        hone_fill_by_threads(&buffer->arg, seed, 0, (size_t)count, out);
        return;
    }
    memcpy(out, first, buffer->bytes);
    for (uint64_t at = 0; at < count; at += DIFFERS_ONCE_IN) {
        const uint64_t i = other_element(seed, at, count);
        hone_element_fill(&buffer->arg, seed, i, 1, out + i * size);
    }
}

static enum hone_status make_set_image(const struct hone_buffer *buffer, size_t set,
                                       uint64_t seed, unsigned char **out,
                                       struct hone_error *err)
{
    const size_t bytes = image_bytes(buffer);
    enum hone_status status =
        hone_host_memory_claim_spare(bytes, "for the image of a buffer", err);
    if (status != HONE_OK) return status;
    unsigned char *image = malloc(bytes);
    if (!image) {
        hone_host_memory_release(bytes);
        return hone_no_memory(err, "for argument '%s' (%zu bytes)", buffer->arg.name,
                              buffer->bytes);
    }
    memset(image, HONE_RED_BYTE, bytes);
    fill_set(buffer, set, seed, buffer->image + HONE_RED_ZONE_BYTES,
             image + HONE_RED_ZONE_BYTES);
    *out = image;
    return HONE_OK;
}

static enum hone_status make_set_values(const struct hone_buffer *buffer, size_t set,
                                        uint64_t seed, unsigned char **out,
                                        struct hone_error *err)
{
    *out = calloc(1, buffer->bytes + 1);
    if (!*out) return hone_no_memory(err, "for the arguments");
    fill_set(buffer, set, seed, buffer->values, *out);
    return HONE_OK;
}

static void free_set(struct hone_images *images, const struct hone_buffers *buffers,
                     size_t set)
{
    struct hone_set_part *parts = images->parts[set];
    for (size_t i = 0; parts && i < buffers->count; i++) {
        const struct hone_buffer *buffer = &buffers->items[i];
        if (parts[i].image) hone_host_memory_release(image_bytes(buffer));
        if (parts[i].expected)
            hone_host_memory_release(hone_buffer_expected_bytes(buffer));
        free(parts[i].image);
        free(parts[i].values);
        free(parts[i].expected);
    }
    free(parts);
    images->parts[set] = NULL;
}

static enum hone_status make_set(struct hone_images *images,
                                 const struct hone_buffers *buffers, size_t set,
                                 uint64_t seed, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    struct hone_set_part *parts = calloc(buffers->count + 1, sizeof *parts);
    if (!parts) return hone_no_memory(err, "for the arguments");
    images->parts[set] = parts;
    for (size_t i = 0; status == HONE_OK && i < buffers->count; i++) {
        const struct hone_buffer *buffer = &buffers->items[i];
        const uint64_t key[] = {seed, set, i};
        const uint64_t own = hone_hash64(key, sizeof key);
        if (buffer->values)
            status = make_set_values(buffer, set, own, &parts[i].values, err);
        else if (has_own_image(buffer))
            status = make_set_image(buffer, set, own, &parts[i].image, err);
    }
    return status;
}

enum hone_status hone_images_make(struct hone_images *images,
                                  struct hone_buffers *buffers, uint64_t seed,
                                  struct hone_error *err)
{
    const size_t bytes = hone_buffers_bytes(buffers);
    const size_t sets = bytes <= few_bytes ? HONE_SETS : bytes <= many_bytes ? 2 : 1;
    *images = (struct hone_images){0};
    for (size_t set = 1; set < sets; set++) {
        struct hone_error full = {0};
        enum hone_status status = make_set(images, buffers, set, seed, &full);
        if (status == HONE_OK) continue;
        free_set(images, buffers, set);
        if (status == HONE_ELIMIT) break; // what there is has to do
        return hone_error_pass(err, status, &full);
    }
    return HONE_OK;
}

void hone_images_fini(struct hone_images *images, struct hone_buffers *buffers)
{
    for (size_t set = 0; set < HONE_SETS; set++)
        free_set(images, buffers, set);
    *images = (struct hone_images){0};
}

void hone_images_take_expected(struct hone_images *to, const struct hone_buffers *buffers,
                               struct hone_images *from)
{
    for (size_t set = 1; set < HONE_SETS; set++) {
        if (to->parts[set] && !from->parts[set]) free_set(to, buffers, set);
        for (size_t i = 0; to->parts[set] && i < buffers->count; i++) {
            to->parts[set][i].expected = from->parts[set][i].expected;
            from->parts[set][i].expected = NULL;
        }
    }
}

bool hone_images_have(const struct hone_images *images, size_t set)
{
    return set == HONE_SET_FIRST || images->parts[set];
}

static void swap_bytes(unsigned char **a, unsigned char **b)
{
    unsigned char *kept = *a;
    *a = *b;
    *b = kept;
}

// Each part changes places with that of the set that was in use until now.
static void exchange(struct hone_buffers *buffers, size_t i, struct hone_set_part *part)
{
    struct hone_buffer *buffer = &buffers->items[i];
    swap_bytes(&buffer->expected, &part->expected);
    if (buffer->values) swap_bytes(&buffer->values, &part->values);
    if (buffer->arg.kind == HONE_ARG_CONSTANT)
        buffers->params[buffer->param] = buffer->values;
    if (!has_own_image(buffer)) return;
    swap_bytes(&buffer->image, &part->image);
    buffer->intact = false;
}

void hone_images_drop(struct hone_images *images, struct hone_buffers *buffers,
                      size_t set)
{
    hone_images_use(images, buffers, HONE_SET_FIRST);
    free_set(images, buffers, set);
}

void hone_images_use(struct hone_images *images, struct hone_buffers *buffers, size_t set)
{
    const size_t before = images->current;
    if (set == before) return;
    // What the current set left behind are the parts of set 0: those come back first.
    for (size_t i = 0; i < buffers->count; i++) {
        if (before != 0) exchange(buffers, i, &images->parts[before][i]);
        if (set != 0) exchange(buffers, i, &images->parts[set][i]);
    }
    images->current = set;
}
