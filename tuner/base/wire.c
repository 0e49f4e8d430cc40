#include "base/wire.h"

#include <string.h>

#include "base/hash.h"

// --- frames: "hone", version, type, two zeros, length, checksum of all that; contents,
// and an end of line ---

enum { AT_VERSION = 4, AT_TYPE = 5, AT_ZERO = 6, AT_LENGTH = 8, AT_SUM = 12 };
static const char magic[AT_VERSION] = {'h', 'o', 'n', 'e'};

static void wire_put(unsigned char *to, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *from, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static uint64_t checksum(const unsigned char *head, const void *data, size_t size)
{
    return hone_hash64(head, AT_SUM) ^ (size ? hone_hash64(data, size) : 0);
}

void hone_frame_write(struct hone_strbuf *out, uint8_t type, const void *data,
                      size_t size)
{
    unsigned char head[HONE_FRAME_HEAD] = {0};
    memcpy(head, magic, sizeof magic);
    head[AT_VERSION] = HONE_WIRE_VERSION;
    head[AT_TYPE] = type;
    wire_put(head + AT_LENGTH, size, 4);
    wire_put(head + AT_SUM, checksum(head, data, size), 8);
    hone_strbuf_add_bytes(out, head, sizeof head);
    hone_strbuf_add_bytes(out, data, size);
    hone_strbuf_add_bytes(out, "\n", HONE_FRAME_TAIL);
}

// Whether a frame may begin with these bytes, as far as they go.
static bool may_begin(const unsigned char *data, size_t size)
{
    static const unsigned char zeros[2];
    const size_t known = size < sizeof magic ? size : sizeof magic;
    if (memcmp(data, magic, known) != 0) return false;
    if (size > AT_VERSION && data[AT_VERSION] != HONE_WIRE_VERSION) return false;
    if (size <= AT_ZERO) return true;
    return memcmp(data + AT_ZERO, zeros, size > AT_ZERO + 1 ? 2 : 1) == 0;
}

size_t hone_frame_search(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    size_t at = 0;
    while (at < size && !may_begin(bytes + at, size - at))
        at++;
    return at;
}

enum hone_status hone_frame_fail(const void *bytes, size_t size, struct hone_error *err)
{
    const unsigned char *data = bytes;
    char shown[41];
    size_t n = 0;
    for (; n < size && n < sizeof shown - 1 && data[n] != '\n'; n++)
        shown[n] = data[n] >= ' ' && data[n] < 127 ? (char)data[n] : '?';
    shown[n] = '\0';
    return hone_fail(err, HONE_EINPUT, "expected a frame, got '%s'", shown);
}

enum hone_status hone_frame_parse(struct hone_frame *out, size_t *used, const void *data,
                                  size_t size, struct hone_error *err)
{
    const unsigned char *head = data;
    *used = 0;
    if (!size) return HONE_OK;
    if (memcmp(head, magic, size < sizeof magic ? size : sizeof magic) != 0)
        return hone_frame_fail(head, size, err);
    if (size < HONE_FRAME_HEAD) return HONE_OK;
    if (head[AT_VERSION] != HONE_WIRE_VERSION)
        return hone_fail(err, HONE_EINPUT, "the other side speaks version %d, not %d",
                         head[AT_VERSION], HONE_WIRE_VERSION);
    const uint64_t length = get(head + AT_LENGTH, 4);
    if (length > HONE_FRAME_MAX || get(head + AT_ZERO, 2))
        return hone_fail(err, HONE_EINPUT, "a frame of %llu bytes, %d are allowed",
                         (unsigned long long)length, HONE_FRAME_MAX);
    if (size - HONE_FRAME_HEAD < length + HONE_FRAME_TAIL) return HONE_OK;
    *out = (struct hone_frame){head[AT_TYPE], head + HONE_FRAME_HEAD, (size_t)length};
    if (checksum(head, out->data, out->size) != get(head + AT_SUM, 8) ||
        out->data[out->size] != '\n')
        return hone_fail(err, HONE_EINPUT, "a damaged frame of %zu bytes", out->size);
    *used = HONE_FRAME_HEAD + out->size + HONE_FRAME_TAIL;
    return HONE_OK;
}

// --- values ---

static const unsigned char *wire_take(struct hone_wire *wire, size_t bytes)
{
    if (wire->failed || (size_t)(wire->end - wire->at) < bytes) {
        wire->failed = true;
        return NULL;
    }
    wire->at += bytes;
    return wire->at - bytes;
}

static uint64_t wire_number(struct hone_wire *wire, uint64_t value, size_t bytes)
{
    if (!wire->reading) {
        unsigned char raw[8];
        wire_put(raw, value, bytes);
        hone_strbuf_add_bytes(wire->out, raw, bytes);
        return value;
    }
    const unsigned char *from = wire_take(wire, bytes);
    return from ? get(from, bytes) : 0;
}

void hone_wire_u32(struct hone_wire *wire, uint32_t *value)
{
    *value = (uint32_t)wire_number(wire, *value, 4);
}

void hone_wire_u64(struct hone_wire *wire, uint64_t *value)
{
    *value = wire_number(wire, *value, 8);
}

void hone_wire_i32(struct hone_wire *wire, int32_t *value)
{
    const uint32_t raw = (uint32_t)wire_number(wire, (uint32_t)*value, 4);
    memcpy(value, &raw, sizeof raw);
}

void hone_wire_i64(struct hone_wire *wire, int64_t *value)
{
    const uint64_t raw = wire_number(wire, (uint64_t)*value, 8);
    memcpy(value, &raw, sizeof raw);
}

void hone_wire_f64(struct hone_wire *wire, double *value)
{
    uint64_t raw;
    memcpy(&raw, value, sizeof raw);
    raw = wire_number(wire, raw, 8);
    memcpy(value, &raw, sizeof raw);
}

void hone_wire_bool(struct hone_wire *wire, bool *value)
{
    unsigned choice = *value;
    hone_wire_choice(wire, &choice, 1);
    *value = choice;
}

void hone_wire_choice(struct hone_wire *wire, unsigned *value, unsigned last)
{
    *value = (unsigned)wire_number(wire, *value, 4);
    if (*value <= last) return;
    wire->failed = true;
    *value = 0;
}

void *hone_wire_keep(struct hone_wire *wire, void *memory)
{
    wire->failed |= !memory;
    wire->no_memory |= !memory;
    return memory;
}

void hone_wire_text(struct hone_wire *wire, const char **value)
{
    bool present = *value != NULL;
    hone_wire_bool(wire, &present);
    size_t size = !wire->reading && present ? strlen(*value) : 0;
    if (present) hone_wire_count(wire, &size, 1);
    if (!wire->reading) {
        if (present) hone_strbuf_add_bytes(wire->out, *value, size);
        return;
    }
    *value = NULL;
    if (!present || wire->failed) return;
    const unsigned char *from = wire_take(wire, size);
    if (!from || memchr(from, '\0', size)) {
        wire->failed = true;
        return;
    }
    char *copy = hone_wire_keep(wire, hone_arena_alloc(wire->arena, size + 1));
    if (!copy) return;
    memcpy(copy, from, size); // the arena's memory is zeroed
    *value = copy;
}

void hone_wire_bytes(struct hone_wire *wire, const void **value, size_t *size)
{
    hone_wire_count(wire, size, 1);
    if (!wire->reading) {
        if (*size) hone_strbuf_add_bytes(wire->out, *value, *size);
        return;
    }
    *value = NULL;
    if (!*size || wire->failed) return;
    const unsigned char *from = wire_take(wire, *size);
    if (from) *value = hone_wire_keep(wire, hone_arena_dup(wire->arena, from, *size));
    if (!*value) wire->failed = true;
}

void hone_wire_chars(struct hone_wire *wire, char *value, size_t size)
{
    size_t length = wire->reading ? 0 : strlen(value);
    hone_wire_count(wire, &length, 1);
    if (!wire->reading) {
        hone_strbuf_add_bytes(wire->out, value, length);
        return;
    }
    const unsigned char *from = length < size ? wire_take(wire, length) : NULL;
    if (!from) wire->failed = true;
    memset(value, 0, size);
    if (from) memcpy(value, from, length);
}

void hone_wire_count(struct hone_wire *wire, size_t *count, size_t least)
{
    uint32_t n = (uint32_t)*count;
    hone_wire_u32(wire, &n);
    if (wire->reading && n > (size_t)(wire->end - wire->at) / least) {
        wire->failed = true;
        n = 0;
    }
    *count = n;
}
