/* Bytes between two processes of Hone: frames with a checksum, and the values in them.
 * One function serves both directions (as XDR's do, RFC 4506): it writes *value or reads
 * it, so that the two sides cannot disagree. Numbers are little-endian. */
#ifndef HONE_BASE_WIRE_H
#define HONE_BASE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "hone/status.h"
#include "hone/strbuf.h"

enum {
    HONE_WIRE_VERSION = 2,
    HONE_FRAME_HEAD = 20, /* bytes ahead of a frame's contents */
    /* Behind them, an end of line: what passes on whole lines only (srun without -u)
     * keeps none of it back. */
    HONE_FRAME_TAIL = 1,
    HONE_FRAME_MAX = 64 << 20,  /* bytes of contents */
    HONE_FRAME_SMALL = 64 << 10 /* of frames that hold no source text */
};

struct hone_frame {
    uint8_t type;
    const unsigned char *data; /* borrowed from what was parsed */
    size_t size;
};

/* Append a frame to out. */
void hone_frame_write(struct hone_strbuf *out, uint8_t type, const void *data,
                      size_t size);

/* The first frame of what came. *used is its length with head and tail, 0 while it has
 * not come whole. EINPUT for what is no frame of this version, over a limit or damaged:
 * the stream is of no more use then. */
enum hone_status hone_frame_parse(struct hone_frame *out, size_t *used, const void *data,
                                  size_t size, struct hone_error *err);

/* How many bytes stand ahead of the first place where a frame begins, or may begin with
 * what comes next: greetings of shells and schedulers, which are no frames. */
size_t hone_frame_search(const void *data, size_t size);

/* The error for bytes that are no frame, with what a person should see of them. */
enum hone_status hone_frame_fail(const void *data, size_t size, struct hone_error *err);

/* A cursor. Texts and arrays that are read live in the arena. */
struct hone_wire {
    bool reading;
    bool failed;             /* too short, out of range, or out of memory */
    bool no_memory;          /* it was that */
    struct hone_strbuf *out; /* of a writer */
    const unsigned char *at, *end;
    struct hone_arena *arena;
};

/* Memory for what is read, or NULL: the wire has failed then, for want of it. */
void *hone_wire_keep(struct hone_wire *wire, void *memory);

void hone_wire_u32(struct hone_wire *wire, uint32_t *value);
void hone_wire_u64(struct hone_wire *wire, uint64_t *value);
void hone_wire_i32(struct hone_wire *wire, int32_t *value);
void hone_wire_i64(struct hone_wire *wire, int64_t *value);
void hone_wire_f64(struct hone_wire *wire, double *value);
void hone_wire_bool(struct hone_wire *wire, bool *value);
/* An enumeration of 0 .. last. */
void hone_wire_choice(struct hone_wire *wire, unsigned *value, unsigned last);
/* A text, NULL too. Reading makes a copy. */
void hone_wire_text(struct hone_wire *wire, const char **value);
/* Bytes, which may be none. Reading makes a copy. */
void hone_wire_bytes(struct hone_wire *wire, const void **value, size_t *size);
/* A text in an array of size bytes. A longer one fails. */
void hone_wire_chars(struct hone_wire *wire, char *value, size_t size);
/* The length of an array whose elements take at least least bytes each: what cannot come
 * any more is refused before memory is asked for. */
void hone_wire_count(struct hone_wire *wire, size_t *count, size_t least);

#endif
