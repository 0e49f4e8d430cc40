// The program that is asked to compile is the running one where it offers that (hone
// itself does), so that the two are always of one version; else one that is installed
// beside the file that this code is in, the library or the program that was linked with
// it.
#define _GNU_SOURCE // dladdr
#include "compile_way.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/host_memory.h"
#include "base/log.h"

extern char **environ;

static const uint64_t usual_memory = (uint64_t)4 << 30;
static const double usual_seconds = 600;
#define THIS_PROGRAM "/proc/self/exe"
#define INSTALLED    "libexec/hone-" HONE_ABI "/hone-compile"

static atomic_bool is_own_helper;

void hone_compile_way_self(void)
{
    atomic_store(&is_own_helper, true);
}

// --- the program ---

// The folder of the file that holds this code; NULL when it cannot be told.
static char *own_folder(void)
{
    Dl_info info = {0};
    void *self;
    enum hone_status (*function)(struct hone_compile_way *, const char *, bool,
                                 struct hone_error *) = hone_compile_way_init;
    memcpy(&self, &function, sizeof self);
    char *file = NULL;
    if (dladdr(self, &info) && info.dli_fname && strchr(info.dli_fname, '/'))
        file = hone_path_real(info.dli_fname);
    if (!file) file = hone_path_real(THIS_PROGRAM);
    char *folder = file ? hone_path_folder(file) : NULL;
    free(file);
    return folder;
}

static char *installed_in(const char *folder, const char *below)
{
    char path[PATH_MAX];
    const int len = snprintf(path, sizeof path, "%s%s" INSTALLED, folder, below);
    const bool found = len > 0 && (size_t)len < sizeof path && access(path, X_OK) == 0;
    return found ? strdup(path) : NULL;
}

// bin/../libexec, lib/../libexec, lib/ARCH/../../libexec; the build tree has it below.
static char *find_installed(void)
{
    static const char *const above[] = {"/", "/../", "/../../"};
    char *folder = own_folder(), *found = NULL;
    for (size_t i = 0; i < sizeof above / sizeof *above && folder && !found; i++)
        found = installed_in(folder, above[i]);
    free(folder);
    return found ? found : installed_in(HONE_PREFIX, "/");
}

static void warn_without(void)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&warned)) return;
    hone_log(HONE_LOG_WARNING,
             "no " INSTALLED
             " near this program: the compiler runs in this process, with "
             "all its rights. " HONE_COMPILER_HELPER " names one");
}

static enum hone_status find_program(struct hone_compile_way *way, struct hone_error *err)
{
    const char *named = getenv(HONE_COMPILER_HELPER);
    if (named && !*named) {
        way->why = strdup(HONE_COMPILER_HELPER " is empty");
    } else if (named) {
        if (access(named, X_OK) != 0)
            return hone_fail(err, HONE_ENOTFOUND,
                             "no program '%s', which " HONE_COMPILER_HELPER " names",
                             named);
        way->program = strdup(named);
    } else {
        way->program =
            atomic_load(&is_own_helper) ? strdup(THIS_PROGRAM) : find_installed();
        if (!way->program) way->why = strdup("no " INSTALLED " was found");
    }
    if (way->program || way->why) return HONE_OK;
    return hone_no_memory(err, "looking for the compile helper");
}

static enum hone_status wants_box(bool *wanted, struct hone_error *err)
{
    const char *text = getenv(HONE_COMPILE_BOXED);
    if (!text || !*text || strcmp(text, "0") == 0) return HONE_OK;
    *wanted = true;
    if (strcmp(text, "1") == 0) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE, HONE_COMPILE_BOXED " is 0 or 1, not '%s'", text);
}

// In this process with a word of warning, or nowhere.
static enum hone_status allow_without(const struct hone_compile_way *way, bool boxed,
                                      struct hone_error *err)
{
    const char *named = getenv(HONE_COMPILER_HELPER);
    enum hone_status status = wants_box(&boxed, err);
    if (status != HONE_OK || way->program) return status;
    if (boxed)
        return hone_fail(
            err, HONE_EUNSUPPORTED,
            "%s: the compiler would run in this process, which " HONE_COMPILE_BOXED
            " or the program forbids",
            way->why);
    if (!named) warn_without();
    return HONE_OK;
}

// --- its environment ---

// What the loader, the compiler and we ourselves look at; nothing else is its business.
static bool may_see(const char *variable)
{
    static const char *const beginnings[] = {
        "LD_",           "HONE_",          "NV_",
        "NVRTC_",        "CUDA_",          "GLIBC_TUNABLES=",
        "MALLOC_",       "ASAN_OPTIONS=",  "LSAN_OPTIONS=",
        "TSAN_OPTIONS=", "UBSAN_OPTIONS=", "TZ="};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(variable, beginnings[i], strlen(beginnings[i])) == 0) return true;
    return false;
}

static enum hone_status copy_environment(struct hone_compile_way *way,
                                         struct hone_error *err)
{
    size_t count = 0, bytes = 0;
    for (char **at = environ; at && *at; at++) {
        if (!may_see(*at)) continue;
        bytes += strlen(*at) + 1;
        count++;
    }
    way->environment = calloc(1, (count + 1) * sizeof *way->environment + bytes);
    if (!way->environment) return hone_no_memory(err, "for an environment");
    char *text = (char *)(way->environment + count + 1);
    for (char **at = environ, **to = way->environment; at && *at && count; at++) {
        if (!may_see(*at)) continue;
        *to++ = strcpy(text, *at);
        text += strlen(*at) + 1;
        count--;
    }
    return HONE_OK;
}

// --- its limits ---

static enum hone_status read_limits(struct hone_compile_way *way, struct hone_error *err)
{
    const uint64_t total = hone_host_memory_total();
    const char *memory = getenv(HONE_COMPILE_MEMORY), *time = getenv(HONE_COMPILE_TIME);
    way->memory_bytes = total / 2 < usual_memory ? total / 2 : usual_memory;
    way->seconds = usual_seconds;
    if (memory && *memory) {
        if (hone_host_memory_parse(&way->memory_bytes, memory, total, NULL) != HONE_OK ||
            !way->memory_bytes)
            return hone_fail(err, HONE_EUSAGE,
                             HONE_COMPILE_MEMORY
                             " is a share (50%%) or a size (8G), not '%s'",
                             memory);
    }
    if (!time || !*time) return HONE_OK;
    char *end;
    way->seconds = hone_strtod(time, &end);
    if (*end || !(way->seconds > 0) || way->seconds > 1e6)
        return hone_fail(err, HONE_EUSAGE,
                         HONE_COMPILE_TIME " is a number of seconds, not '%s'", time);
    return HONE_OK;
}

enum hone_status hone_compile_way_init(struct hone_compile_way *way, const char *library,
                                       bool boxed, struct hone_error *err)
{
    *way = (struct hone_compile_way){.library = library ? strdup(library) : NULL};
    if (library && !way->library) return hone_no_memory(err, "for a compile helper");
    enum hone_status status = read_limits(way, err);
    if (status == HONE_OK) status = find_program(way, err);
    if (status == HONE_OK) status = allow_without(way, boxed, err);
    if (status == HONE_OK) status = copy_environment(way, err);
    return status;
}

void hone_compile_way_fini(struct hone_compile_way *way)
{
    free(way->program);
    free(way->why);
    free(way->library);
    free(way->environment);
    *way = (struct hone_compile_way){0};
}
