/* The headers that have a golden copy, and the journals that they are made of. */
#ifndef EMIT_GOLDENS_H
#define EMIT_GOLDENS_H

#include "emit_fixture.h"

static const struct {
    const char *header, *name;
    const char *journals[MOST];
} goldens[] = {
    {"sgemm", NULL, {"sgemm_h200", "sgemm_h200_small", "sgemm_a100"}},
    {"sgemm_emu", "sgemm_emu", {"sgemm_emu"}},
    {"odd", "ODD", {"odd"}},
    {"plain", NULL, {"plain"}},
};
enum { GOLDEN_COUNT = sizeof goldens / sizeof *goldens };

/* The text of a header. */
static inline char *emit(const struct loaded *loaded, const char *name)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    struct hone_emit_options options = {.name = name, .accept_predicted = true};
    assert_ok(hone_emit(&out, loaded->list, loaded->count, &options, &err), err);
    return hone_strbuf_steal(&out);
}

#endif
