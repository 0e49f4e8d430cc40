// One NVRTC compile to a real architecture yields PTX and cubin together, and with ptxas'
// -v the registers, spills and shared bytes in the log. NVRTC has no global lock, so
// threads compile in parallel.
#define _GNU_SOURCE // dladdr
#include "build/compiler.h"

#include <assert.h>
#include <dlfcn.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/log.h"
#include "build/library.h"

/* clang-format off */
#define NVRTC_LIST(X)                                                                   \
    X(nvrtcVersion) X(nvrtcGetErrorString) X(nvrtcCreateProgram) X(nvrtcDestroyProgram) \
    X(nvrtcCompileProgram) X(nvrtcGetProgramLogSize) X(nvrtcGetProgramLog)              \
    X(nvrtcGetPTXSize) X(nvrtcGetPTX) X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN)
/* clang-format on */

// Absent before CUDA 12.9, so not in the list and not declared by older headers.
typedef nvrtcResult set_flow_callback(nvrtcProgram, int (*)(void *, void *), void *);

struct hone_compiler {
    void *handle;
#define NVRTC_FIELD(name) __typeof__(&name) name;
    NVRTC_LIST(NVRTC_FIELD)
#undef NVRTC_FIELD
    set_flow_callback *set_flow_callback; // optional
    int version;                          // 1000 * major + 10 * minor
    char version_text[16];
    char identity[160];
    char library[512];
};

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {
#define NVRTC_ROW(name) {#name, offsetof(struct hone_compiler, name)},
    NVRTC_LIST(NVRTC_ROW)
#undef NVRTC_ROW
};

// memcpy, since ISO C has no cast from an object pointer to a function pointer.
static enum hone_status compiler_resolve(struct hone_compiler *c, struct hone_error *err)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *address = dlsym(c->handle, symbols[i].name);
        if (!address)
            return hone_fail(err, HONE_ENODEVICE, "the NVRTC library has no %s",
                             symbols[i].name);
        memcpy((char *)c + symbols[i].offset, &address, sizeof address);
    }
    void *optional = dlsym(c->handle, "nvrtcSetFlowCallback");
    memcpy(&c->set_flow_callback, &optional, sizeof optional);
    return HONE_OK;
}

// The size of a file and when it was written.
static void add_file(struct hone_compiler *c, const char *path)
{
    struct stat file = {0};
    const size_t used = strlen(c->identity);
    if (stat(path, &file) != 0) return;
    snprintf(c->identity + used, sizeof c->identity - used, "/%lld-%lld.%09ld",
             (long long)file.st_size, (long long)file.st_mtim.tv_sec,
             file.st_mtim.tv_nsec);
}

static bool name_builtins(const struct hone_compiler *c, char *path, size_t size)
{
    const char *slash = strrchr(c->library, '/');
    if (!slash) return false;
    snprintf(path, size, "%.*s/libnvrtc-builtins.so.%s", (int)(slash - c->library),
             c->library, c->version_text);
    return true;
}

// Another code generator can be asked for by the environment.
static void identify_files(struct hone_compiler *c)
{
    char builtins[sizeof c->library + 64];
    const char *generator = getenv("NV_NVVM_VERSION");
    snprintf(c->identity, sizeof c->identity, "%s/%.16s", c->version_text,
             generator ? generator : "");
    add_file(c, c->library);
    if (name_builtins(c, builtins, sizeof builtins)) add_file(c, builtins);
}

static void identify(struct hone_compiler *c)
{
    int major = 0, minor = 0;
    c->nvrtcVersion(&major, &minor);
    c->version = 1000 * major + 10 * minor;
    snprintf(c->version_text, sizeof c->version_text, "%d.%d", major, minor);
    Dl_info info = {0};
    void *address = dlsym(c->handle, "nvrtcVersion");
    if (address && dladdr(address, &info) && info.dli_fname)
        snprintf(c->library, sizeof c->library, "%s", info.dli_fname);
    identify_files(c);
}

// NVRTC opens its builtins by name only, and not every copy of it (the wheels') tells the
// loader to look in its own folder, nor can it where it may open no file: have them in
// memory first. Where they cannot be found, NVRTC says so.
static void preload_builtins(const struct hone_compiler *c)
{
    char path[sizeof c->library + 64];
    if (!name_builtins(c, path, sizeof path)) return;
    if (!dlopen(path, RTLD_NOW | RTLD_NODELETE))
        dlopen(strrchr(path, '/') + 1, RTLD_NOW | RTLD_NODELETE);
}

static const struct hone_library nvrtc = {
    .what = "NVRTC",
    .environment = "HONE_NVRTC",
    .sonames = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"},
};

static enum hone_status open_compiler(struct hone_compiler *c,
                                      const struct hone_library *library,
                                      const char *path, struct hone_error *err)
{
    enum hone_status status = hone_library_open(&c->handle, library, path, err);
    if (status == HONE_OK) status = compiler_resolve(c, err);
    if (status == HONE_OK) identify(c);
    return status;
}

// Within a major version of CUDA a driver loads the cubins of later toolkits as well
// (CUDA Compatibility, "minor version compatibility"), beyond it none.
static bool is_too_new(const struct hone_compiler *c, int for_driver)
{
    return for_driver && c->version / 1000 > for_driver / 1000;
}

static void warn_too_new(const struct hone_compiler *c, int for_driver)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    const int major = c->version / 1000, drivers = for_driver / 1000;
    if (atomic_flag_test_and_set(&warned)) return;
    hone_log(HONE_LOG_WARNING,
             "NVRTC %s (%s) is newer than the driver, which takes CUDA %d.%d: what it "
             "builds may not load. Ways out: NVRTC %d (pip install "
             "nvidia-cuda-nvrtc-cu%d; HONE_NVRTC names its file), a newer driver, or the "
             "package of forward compatibility, cuda-compat-%d-%d",
             c->version_text, c->library, drivers, for_driver % 1000 / 10, drivers,
             drivers, major, c->version % 1000 / 10);
}

// An NVRTC of the driver's major version instead of one that is too new for it.
static void suit_driver(struct hone_compiler *c, int for_driver)
{
    char soname[32];
    struct hone_compiler older = {0};
    snprintf(soname, sizeof soname, "libnvrtc.so.%d", for_driver / 1000);
    const struct hone_library wanted = {
        .what = nvrtc.what, .environment = nvrtc.environment, .sonames = {soname}};
    if (open_compiler(&older, &wanted, NULL, NULL) == HONE_OK &&
        !is_too_new(&older, for_driver)) {
        hone_log(HONE_LOG_INFO, "NVRTC %s is too new for the driver: %s builds",
                 c->version_text, older.library);
        dlclose(c->handle);
        *c = older;
        return;
    }
    if (older.handle) dlclose(older.handle);
    warn_too_new(c, for_driver);
}

enum hone_status hone_compiler_new(struct hone_compiler **out, const char *path,
                                   int for_driver, struct hone_error *err)
{
    const char *appended = getenv("NVRTC_APPEND_FLAGS");
    if (appended && *appended)
        return hone_fail(err, HONE_EINPUT,
                         "NVRTC_APPEND_FLAGS adds options to every compile that nothing "
                         "records: unset it and give 'options' in the script");
    struct hone_compiler *c = calloc(1, sizeof *c);
    if (!c) return hone_no_memory(err, "opening NVRTC");
    enum hone_status status = open_compiler(c, &nvrtc, path, err);
    if (status != HONE_OK) {
        hone_compiler_free(c);
        return status;
    }
    if (is_too_new(c, for_driver)) suit_driver(c, for_driver);
    preload_builtins(c);
    *out = c;
    return HONE_OK;
}

void hone_compiler_free(struct hone_compiler *compiler)
{
    if (!compiler) return;
    if (compiler->handle) dlclose(compiler->handle);
    free(compiler);
}

const char *hone_compiler_version(const struct hone_compiler *compiler)
{
    return compiler->version_text;
}

const char *hone_compiler_library(const struct hone_compiler *compiler)
{
    return compiler->library;
}

const char *hone_compiler_identity(const struct hone_compiler *compiler)
{
    return compiler->identity;
}

// Our options, then the request's. NULL when out of memory; the arch option is written to
// arch.
static const char **compiler_make_options(const struct hone_compiler *c, size_t *count,
                                          char arch[64],
                                          const struct hone_build_request *request)
{
    enum { OWN = 6 };
    const char **options = calloc(request->option_count + OWN, sizeof *options);
    if (!options) return NULL;
    size_t n = 0;
    snprintf(arch, 64, "-arch=%s", request->arch);
    options[n++] = arch;
    options[n++] = "--ptxas-options=-v";
    // The emulator tells lines of the template. The code is the same, and so is the hash
    // of the image.
    options[n++] = "-lineinfo";
    // NVRTC would change RLIMIT_STACK of the whole process, in every thread.
    options[n++] = "-modify-stack-limit=false";
    if (c->version >= 12090) {
        options[n++] = "--no-cache"; // ours is keyed on all that matters
        // What a source includes comes with it; nothing is looked for in the process's
        // folder.
        options[n++] = "--no-source-include";
    }
    assert(n <= OWN);
    for (size_t i = 0; i < request->option_count; i++)
        options[n++] = request->options[i];
    *count = n;
    return options;
}

static int cancelled(void *payload, void *unused)
{
    (void)unused;
    return atomic_load((atomic_bool *)payload);
}

// size bytes and a NUL.
static char *new_text(size_t size)
{
    return calloc(size + 1, 1);
}

static enum hone_status own_failure(const struct hone_compiler *c, nvrtcResult result,
                                    const char *log, struct hone_error *err)
{
    if (result == NVRTC_ERROR_OUT_OF_MEMORY)
        return hone_fail(err, HONE_ENOMEM, "NVRTC ran out of memory");
    return hone_fail(err, HONE_EBUILD, "NVRTC failed: %s %s",
                     c->nvrtcGetErrorString(result), log ? log : "");
}

static nvrtcResult get_log(const struct hone_compiler *c, nvrtcProgram program,
                           struct hone_output *out)
{
    size_t size = 0;
    nvrtcResult result = c->nvrtcGetProgramLogSize(program, &size);
    if (result != NVRTC_SUCCESS) return result;
    out->log = new_text(size);
    if (!out->log) return NVRTC_ERROR_OUT_OF_MEMORY;
    result = c->nvrtcGetProgramLog(program, out->log);
    out->log_size = strlen(out->log);
    return result;
}

static nvrtcResult get_images(const struct hone_compiler *c, nvrtcProgram program,
                              struct hone_output *out)
{
    size_t ptx_size = 0;
    nvrtcResult result = c->nvrtcGetPTXSize(program, &ptx_size);
    if (result == NVRTC_SUCCESS) result = c->nvrtcGetCUBINSize(program, &out->cubin_size);
    if (result != NVRTC_SUCCESS) return result;
    out->ptx = new_text(ptx_size);
    out->cubin = new_text(out->cubin_size);
    if (!out->ptx || !out->cubin) return NVRTC_ERROR_OUT_OF_MEMORY;
    result = c->nvrtcGetPTX(program, out->ptx);
    out->ptx_size = strlen(out->ptx);
    if (result == NVRTC_SUCCESS) result = c->nvrtcGetCUBIN(program, out->cubin);
    return result;
}

// Compile program and read what came out.
static enum hone_status compile(struct hone_compiler *c, nvrtcProgram program,
                                struct hone_output *out,
                                const struct hone_build_request *request,
                                struct hone_error *err)
{
    char arch[64];
    size_t count = 0;
    const char **options = compiler_make_options(c, &count, arch, request);
    if (!options) return own_failure(c, NVRTC_ERROR_OUT_OF_MEMORY, NULL, err);
    double start_s = hone_clock_seconds();
    nvrtcResult result = c->nvrtcCompileProgram(program, (int)count, options);
    out->build_ms = (hone_clock_seconds() - start_s) * 1e3;
    free(options);

    nvrtcResult read = get_log(c, program, out);
    if (read != NVRTC_SUCCESS) return own_failure(c, read, NULL, err);
    out->compiled = result == NVRTC_SUCCESS;
    if (result == NVRTC_ERROR_COMPILATION || result == NVRTC_ERROR_INVALID_OPTION)
        return HONE_OK;
    if (out->compiled) result = get_images(c, program, out);
    return result == NVRTC_SUCCESS ? HONE_OK : own_failure(c, result, out->log, err);
}

// The names and texts of the headers, in one array: names first, texts behind. NULL when
// out of memory.
static const char **list_headers(const struct hone_build_request *request)
{
    const size_t count = request->header_count;
    const char **list = calloc(2 * count + 1, sizeof *list);
    if (!list) return NULL;
    for (size_t i = 0; i < count; i++) {
        list[i] = request->headers[i].name;
        list[count + i] = request->headers[i].text;
    }
    return list;
}

static nvrtcResult create_program(struct hone_compiler *c, nvrtcProgram *program,
                                  const struct hone_build_request *request)
{
    const size_t count = request->header_count;
    const char **list = list_headers(request);
    if (!list) return NVRTC_ERROR_OUT_OF_MEMORY;
    nvrtcResult result =
        c->nvrtcCreateProgram(program, request->source, request->source_name, (int)count,
                              count ? list + count : NULL, count ? list : NULL);
    free(list);
    return result;
}

enum hone_status hone_compiler_run(struct hone_compiler *compiler,
                                   struct hone_output *out,
                                   const struct hone_build_request *request,
                                   atomic_bool *cancel, struct hone_error *err)
{
    *out = (struct hone_output){0};
    nvrtcProgram program = NULL;
    nvrtcResult result = create_program(compiler, &program, request);
    if (result != NVRTC_SUCCESS) return own_failure(compiler, result, NULL, err);
    if (compiler->set_flow_callback)
        compiler->set_flow_callback(program, cancelled, cancel);
    struct hone_error own = {0};
    enum hone_status status = compile(compiler, program, out, request, &own);
    compiler->nvrtcDestroyProgram(&program);
    if (status == HONE_OK) return HONE_OK;
    hone_output_fini(out);
    if (atomic_load(cancel))
        return hone_fail(err, HONE_ECANCELLED, "the build was cancelled");
    return hone_error_pass(err, status, &own);
}

void hone_output_fini(struct hone_output *output)
{
    free(output->ptx);
    free(output->cubin);
    free(output->log);
    *output = (struct hone_output){0};
}
