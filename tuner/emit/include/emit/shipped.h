/* What was shipped, read back: rows of an emitted header, or the best of a journal. */
#ifndef HONE_EMIT_SHIPPED_H
#define HONE_EMIT_SHIPPED_H

#include "base/arena.h"
#include "hone/record.h"

/* A row of a header, or the best of a journal for one of its problems. Texts are absent
 * (NULL) where it does not tell them. */
struct hone_shipped_row {
    const char *device;
    const char **problem, **config; /* "M=4096", "BM=64": NAME=TEXT, end with NULL */
    size_t number;                  /* of its configuration in a header */
    double time_us;                 /* measured or predicted */
    double rel_std;                 /* NAN: unknown */
    uint32_t samples;               /* 0: unknown */
};

struct hone_shipped {
    struct hone_arena arena;
    struct hone_shipped_row *rows;
    size_t count;
    bool predicted;
    const char *kernel, *clock;
    const char *driver, *nvrtc, *hone_version, *template_hash, *space_hash;
};

/* Read an emitted header or a journal, whichever path is. EINPUT with the line for what
 * is neither. */
enum hone_status hone_shipped_load(struct hone_shipped *out, const char *path,
                                   struct hone_error *err);
void hone_shipped_fini(struct hone_shipped *shipped);

/* Whether path is an emitted header with a payload; false where it cannot be read. */
bool hone_shipped_has_payload(const char *path);

#endif
