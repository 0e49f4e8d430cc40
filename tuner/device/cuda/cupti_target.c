#include "cupti_target.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static struct {
    struct hone_error error; // why opening failed
    struct hone_cupti_target calls;
} target;

static void bind_target(void)
{
    const struct {
        const char *name;
        void *slot;
    } rows[] = {
#define TARGET_ROW(call, params, name) {name, &target.calls.call},
        HONE_CUPTI_TARGET_LIST(TARGET_ROW)
#undef TARGET_ROW
    };
    void *library = NULL;
    if (hone_cupti_library(&library, &target.error) != HONE_OK) return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *symbol = dlsym(library, rows[i].name);
        if (symbol)
            memcpy(rows[i].slot, &symbol, sizeof symbol);
        else if (target.error.code == HONE_OK)
            hone_fail(&target.error, HONE_ENODEVICE,
                      "CUPTI lacks %s: that of CUDA 12.6 or later is needed",
                      rows[i].name);
    }
}

enum hone_status hone_cupti_target_open(const struct hone_cupti_target **out,
                                        struct hone_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, bind_target);
    *out = &target.calls;
    return hone_error_pass(err, target.error.code, &target.error);
}
