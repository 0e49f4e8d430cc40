#include "compile_message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hone_wire_compile_open(struct hone_wire *wire, struct hone_compile_open *value)
{
    hone_wire_chars(wire, value->version, sizeof value->version);
    hone_wire_text(wire, &value->library);
    hone_wire_u64(wire, &value->data_bytes);
}

void hone_wire_compile_ready(struct hone_wire *wire, struct hone_compile_ready *value)
{
    hone_wire_chars(wire, value->version, sizeof value->version);
    hone_wire_chars(wire, value->failure, sizeof value->failure);
    for (int i = 0; i < HONE_BOX_PARTS; i++)
        hone_wire_chars(wire, value->box.why[i], sizeof value->box.why[i]);
}

// A text that may not be left out.
static void needed_text(struct hone_wire *wire, const char **value)
{
    hone_wire_text(wire, value);
    if (!*value) wire->failed = true;
}

static void wire_options(struct hone_wire *wire, struct hone_build_request *value)
{
    size_t count = value->option_count;
    hone_wire_count(wire, &count, 1);
    const char **options =
        hone_wire_keep(wire, hone_arena_array(wire->arena, count, sizeof *options));
    if (!options) return;
    if (!wire->reading && count) memcpy(options, value->options, count * sizeof *options);
    for (size_t i = 0; i < count && !wire->failed; i++)
        needed_text(wire, &options[i]);
    value->options = options;
    value->option_count = count;
}

static void wire_headers(struct hone_wire *wire, struct hone_build_request *value)
{
    size_t count = value->header_count;
    hone_wire_count(wire, &count, 1);
    struct hone_build_header *headers =
        hone_wire_keep(wire, hone_arena_array(wire->arena, count, sizeof *headers));
    if (!headers) return;
    if (!wire->reading && count) memcpy(headers, value->headers, count * sizeof *headers);
    for (size_t i = 0; i < count && !wire->failed; i++) {
        needed_text(wire, &headers[i].name);
        needed_text(wire, &headers[i].text);
    }
    value->headers = headers;
    value->header_count = count;
}

void hone_wire_compile_request(struct hone_wire *wire, struct hone_build_request *value)
{
    needed_text(wire, &value->source);
    needed_text(wire, &value->source_name);
    needed_text(wire, &value->arch);
    wire_options(wire, value);
    wire_headers(wire, value);
}

// Bytes of an output with a NUL behind them; NULL for none.
static void wire_owned(struct hone_wire *wire, char **value, size_t *size)
{
    const void *data = *value;
    hone_wire_bytes(wire, &data, size);
    if (!wire->reading) return;
    *value = NULL;
    if (!data) return;
    *value = hone_wire_keep(wire, calloc(*size + 1, 1));
    if (*value) memcpy(*value, data, *size);
}

static void wire_owned_text(struct hone_wire *wire, char **value, size_t *size)
{
    wire_owned(wire, value, size);
    if (!wire->reading || wire->failed) return;
    if (!*value) *value = hone_wire_keep(wire, calloc(1, 1));
    if (*value && strlen(*value) != *size) wire->failed = true;
}

static void wire_output(struct hone_wire *wire, struct hone_output *value)
{
    hone_wire_bool(wire, &value->compiled);
    hone_wire_f64(wire, &value->build_ms);
    if (!(value->build_ms >= 0) || isinf(value->build_ms)) wire->failed = true;
    wire_owned_text(wire, &value->log, &value->log_size);
    if (!value->compiled) return;
    wire_owned_text(wire, &value->ptx, &value->ptx_size);
    wire_owned(wire, &value->cubin, &value->cubin_size);
    // A virtual architecture ("compute_80") has no code of a machine.
    if (wire->reading && !value->cubin) value->cubin = hone_wire_keep(wire, calloc(1, 1));
}

void hone_wire_compile_answer(struct hone_wire *wire, struct hone_compile_answer *value)
{
    hone_wire_choice(wire, &value->status, HONE_ECANCELLED);
    hone_wire_chars(wire, value->failure, sizeof value->failure);
    if (value->status == HONE_OK && !wire->failed) wire_output(wire, &value->output);
}
