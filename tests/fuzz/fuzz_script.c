// Any text as a script, in a sandbox with small limits.
#include <string.h>

#include "fuzz.h"
#include "hone/script.h"

static const struct hone_limits limits = {.name = "test",
                                          .arch = "sm_90a",
                                          .cc_major = 9,
                                          .sm_count = 132,
                                          .warp_size = 32,
                                          .max_threads_per_block = 1024,
                                          .max_registers_per_thread = 255,
                                          .max_shared_bytes = 232448};
static const char *const templates[] = {HONE_SOURCE_DIR "/tests/lua/templates",
                                        HONE_SOURCE_DIR "/tests/lua/good"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct hone_script_options options = {.limits = &limits,
                                                .max_instructions = 1000000,
                                                .max_memory_bytes = 8u << 20,
                                                .template_path = templates,
                                                .template_path_count = 2};
    struct hone_script *script = NULL;
    struct hone_error err = {0};
    const char *path = fuzz_file("script.lua", data, size);
    if (!fuzz_taken(hone_script_load(&script, path, &options, &err), &err)) return 0;
    if (hone_script_kind(script) == HONE_SCRIPT_STRATEGY)
        FUZZ_CHECK(hone_script_strategy(script)->name[0]);
    else
        FUZZ_CHECK(hone_script_def(script)->name[0]);
    hone_script_free(script);
    return 0;
}
