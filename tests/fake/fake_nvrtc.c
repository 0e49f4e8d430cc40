// A libnvrtc that compiles nothing: its PTX and cubin name the kernels of the source, and
// in a first line what the source defines, so that every configuration has an image of its
// own within microseconds. A source with "#error" does not compile.
#define _GNU_SOURCE // dladdr
#include <dlfcn.h>
#include <nvrtc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_chaos.h"
#include "fake_delay.h"
#include "fake_log.h"
#include "fake_misdeeds.h"

enum { IMAGE_BYTES = 8192 };

struct _nvrtcProgram {
    char *source;
    char image[IMAGE_BYTES];
    char log[1024];
};

#define EXPORT __attribute__((visibility("default")))

// A copy that is called libnvrtc.so.12 is of CUDA 12.4.
EXPORT nvrtcResult nvrtcVersion(int *major, int *minor)
{
    Dl_info info = {0};
    void *self;
    nvrtcResult (*function)(int *, int *) = nvrtcVersion;
    memcpy(&self, &function, sizeof self);
    const bool older = dladdr(self, &info) && strstr(info.dli_fname, ".so.12");
    *major = older ? 12 : 13;
    *minor = older ? 4 : 0;
    return NVRTC_SUCCESS;
}

EXPORT const char *nvrtcGetErrorString(nvrtcResult result)
{
    return result == NVRTC_SUCCESS ? "NVRTC_SUCCESS" : "NVRTC_ERROR_OF_THE_FAKE";
}

EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram *out, const char *source,
                                      const char *name, int headers,
                                      const char *const *header_sources,
                                      const char *const *header_names)
{
    (void)name, (void)headers, (void)header_sources, (void)header_names;
    nvrtcProgram program = calloc(1, sizeof *program);
    if (program) program->source = strdup(source);
    if (!program || !program->source) return NVRTC_ERROR_OUT_OF_MEMORY;
    *out = program;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program)
{
    free((*program)->source);
    free(*program);
    *program = NULL;
    return NVRTC_SUCCESS;
}

static void append(nvrtcProgram program, const char *text, size_t len)
{
    size_t used = strlen(program->image);
    if (used + len + 1 >= IMAGE_BYTES) abort();
    memcpy(program->image + used, text, len);
}

// "// A=3 B=5" from the lines "#define A 3" that stand at the top of the source.
static void append_defines(nvrtcProgram program)
{
    static const char define[] = "#define ";
    const char *line = program->source;
    append(program, "//", 2);
    for (; strncmp(line, define, sizeof define - 1) == 0;
         line += strcspn(line, "\n") + 1) {
        const char *name = line + sizeof define - 1;
        const size_t len = strcspn(name, " ");
        append(program, " ", 1);
        append(program, name, len);
        append(program, "=", 1);
        append(program, name + len + 1, strcspn(name + len + 1, "\n"));
    }
    int major, minor;
    char version[64];
    nvrtcVersion(&major, &minor);
    snprintf(version, sizeof version, "\n.version %d.%d\n.target sm_90a\n", major - 4,
             minor);
    append(program, version, strlen(version));
}

// Behind "__launch_bounds__(...)", which may be in several lines.
static const char *skip_bounds(const char *at)
{
    static const char bounds[] = "__launch_bounds__(";
    at += strspn(at, " \n");
    if (strncmp(at, bounds, sizeof bounds - 1) != 0) return at;
    at += sizeof bounds - 1;
    for (int depth = 1; depth > 0 && *at; at++)
        depth += (*at == '(') - (*at == ')');
    return at + strspn(at, " \n");
}

static void append_entries(nvrtcProgram program)
{
    static const char global[] = "__global__ void";
    for (const char *at = program->source; (at = strstr(at, global));) {
        at = skip_bounds(at + sizeof global - 1);
        append(program, ".visible .entry ", 16);
        append(program, at, strcspn(at, "("));
        append(program, "()\n{ ret; }\n", 12);
    }
}

// ".const .align 4 .b8 w[36];" from "__constant__ float w[9];".
static void append_variables(nvrtcProgram program)
{
    static const char constant[] = "__constant__ float ";
    for (const char *at = program->source; (at = strstr(at, constant));) {
        char line[128];
        at += sizeof constant - 1;
        const size_t len = strcspn(at, "[");
        snprintf(line, sizeof line, ".const .align 4 .b8 %.*s[%lu];\n", (int)len, at,
                 4 * strtoul(at + len + 1, NULL, 10));
        append(program, line, strlen(line));
    }
}

// A line for each compile, where $HONE_FAKE_NVRTC_LOG names a file.
static struct fake_log compiles;

__attribute__((constructor)) static void open_log(void)
{
    fake_log_open(&compiles, "HONE_FAKE_NVRTC_LOG");
}

// By the kernel, or as any other.
static void delay_compile(const char *source)
{
    static const char global[] = "__global__ void";
    char entry[64];
    const char *at = strstr(source, global);
    if (at) at = skip_bounds(at + sizeof global - 1);
    snprintf(entry, sizeof entry, "%.*s", at ? (int)strcspn(at, "(") : 0, at ? at : "");
    const double seconds = fake_delay_of(entry);
    fake_sleep(seconds > 0 ? seconds : fake_delay_of("compile"));
}

EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count,
                                       const char *const *options)
{
    (void)count, (void)options;
    fake_log_add(&compiles, "compile\n");
    delay_compile(program->source);
    const nvrtcResult misdone =
        fake_misdeed(program->source, program->log, sizeof program->log);
    if (misdone != NVRTC_SUCCESS) return misdone;
    append_defines(program);
    append_variables(program);
    append_entries(program);
    const enum fake_chaos chaos = fake_chaos_of(program->image, "");
    if (chaos == FAKE_CHAOS_BUILD_SEGV) {
        fake_chaos_log(chaos, program->image);
        fake_chaos_strike(chaos);
    }
    if (!strstr(program->source, "#error")) return NVRTC_SUCCESS;
    strcpy(program->log, "lab.cu(1): error: #error directive\n");
    return NVRTC_ERROR_COMPILATION;
}

EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size)
{
    *size = strlen(program->log) + 1;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log)
{
    strcpy(log, program->log);
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *size)
{
    *size = strlen(program->image) + 1;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx)
{
    strcpy(ptx, program->image);
    return NVRTC_SUCCESS;
}

// A cubin is the PTX and a line that tells what it is of.
static void cubin_line(char line[64])
{
    int major, minor;
    nvrtcVersion(&major, &minor);
    snprintf(line, 64, "// cubin of CUDA %d.%d\n", major, minor);
}

EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *size)
{
    char line[64];
    cubin_line(line);
    *size = strlen(program->image) + strlen(line) + 1;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin)
{
    strcpy(cubin, program->image);
    cubin_line(cubin + strlen(cubin));
    return NVRTC_SUCCESS;
}
