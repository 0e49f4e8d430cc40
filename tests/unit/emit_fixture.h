/* What the suites of emitted headers share: a scratch folder, and recordings of golden
 * journals or of texts. */
#ifndef EMIT_FIXTURE_H
#define EMIT_FIXTURE_H

#include "hone_test.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "hone/emit.h"
#include "hone/strbuf.h"

#define GOLDEN HONE_SOURCE_DIR "/tests/golden/"

enum { MOST = 4 };

/* --- the folder --- */

static char folder[] = "/tmp/hone-emit-XXXXXX";

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

/* Fails where a case has left a file. */
static inline int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static inline int remove_folder_and_files(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static inline void write_file(const char *name, const char *text)
{
    char path[128];
    struct hone_error err = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(hone_file_write(path, text, strlen(text), &err), err);
}

/* --- recordings --- */

/* A journal of this text; its path ends in /j.jsonl. */
static inline struct hone_recording *recording_of(const char *text)
{
    char path[128];
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    write_file("j.jsonl", text);
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    unlink(path);
    return recording;
}

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

#endif
