#include "lab.h"

#include "hone_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/program.h"
#include "fast_folder.h"

#define FAKE(name) HONE_BINARY_DIR "/tests/fake/fake_" name ".so"

static int set_up(const char *parent)
{
    program_setup_in(parent);
    setenv("HONE_LIBCUDA", FAKE("cuda"), 1);
    setenv("HONE_NVRTC", FAKE("nvrtc"), 1);
    setenv("HONE_CACHE", HONE_BINARY_DIR "/tests/fake/cache", 1); // of own kernels
    setenv("HONE_NVML", "/nowhere/libnvidia-ml.so.1", 1);
    setenv("HONE_CLOCK", "event", 1);
    setenv("HONE_FAKE_CUDA", "memory=1e9", 1);
    setenv("HONE_LOCKS", program.folder, 1);
    return 0;
}

int lab_setup(void **state)
{
    (void)state;
    return set_up("/tmp");
}

int lab_setup_in_memory(void **state)
{
    (void)state;
    return set_up(fast_folder());
}

size_t lab_scale(size_t few, size_t full)
{
    return hone_test_is_long() ? full : few;
}

const struct hone_trial *lab_find(const struct hone_recording *recording, int a, int b,
                                  int c)
{
    const struct hone_space *space = hone_recording_space(recording);
    const int64_t wanted[] = {a, b, c};
    uint16_t choices[3];
    uint64_t index;
    for (size_t i = 0; i < 3; i++) {
        const struct hone_value value = {.type = HONE_INT, .i = wanted[i]};
        if (hone_space_choice_of(space, i, value, &choices[i]) != HONE_OK) return NULL;
    }
    if (hone_space_index(space, choices, &index) != HONE_OK) return NULL;
    return hone_recording_find(recording, index);
}

size_t lab_count(const char *journal)
{
    char path[256];
    struct hone_error err = {0};
    struct hone_recording *recording = NULL;
    snprintf(path, sizeof path, "%s/%s", program.folder, journal);
    if (!hone_file_exists(path)) return 0;
    if (hone_recording_load(&recording, path, &err) != HONE_OK)
        fail_msg("%s:%d: %s", err.source, err.line, err.text);
    // A repeated configuration is only a notice to the reader; here it is a loss of time.
    if (strstr(hone_recording_notice(recording), "repeated"))
        fail_msg("%s: %s", journal, hone_recording_notice(recording));
    const size_t count = hone_recording_count(recording);
    hone_recording_free(recording);
    return count;
}
