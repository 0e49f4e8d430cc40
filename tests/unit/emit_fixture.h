/* What the suites of emitted headers share: golden journals, and a scratch folder. */
#ifndef EMIT_FIXTURE_H
#define EMIT_FIXTURE_H

#include "hone_test.h"

#include <string.h>

#include "base/strbuf.h"
#include "hone/emit.h"

#define GOLDEN HONE_SOURCE_DIR "/tests/golden/"

enum { MOST = 4 };

/* Recordings of one header. */
struct loaded {
    const struct hone_recording *list[MOST];
    size_t count;
};

static inline struct loaded load(const char *const *names)
{
    struct loaded loaded = {0};
    for (; names[loaded.count]; loaded.count++) {
        char path[512];
        struct hone_recording *recording = NULL;
        struct hone_error err = {0};
        snprintf(path, sizeof path, GOLDEN "%s.jsonl", names[loaded.count]);
        assert_ok(hone_recording_load(&recording, path, &err), err);
        loaded.list[loaded.count] = recording;
    }
    return loaded;
}

static inline void unload(struct loaded *loaded)
{
    for (size_t i = 0; i < loaded->count; i++)
        hone_recording_free((struct hone_recording *)(uintptr_t)loaded->list[i]);
}

static char folder[] = "/tmp/hone-emit-XXXXXX";

#endif
