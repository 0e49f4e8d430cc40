#include "build/sass.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/subprocess.h"

static const double most_s = 60;

static const char *const names[] = {
#define SASS_NAME(name, word) word,
    HONE_SASS_LIST(SASS_NAME)
#undef SASS_NAME
};

const char *hone_sass_name(enum hone_sass_class kind)
{
    return names[kind];
}

/* --- classes --- */

// How an instruction begins; the first row that fits counts. Names are those of the CUDA
// Binary Utilities' tables, for compute capability 7.5 to 12.
static const struct {
    const char *begin;
    enum hone_sass_class kind;
} rows[] = {
    {"LDGSTS", HONE_SASS_ASYNC},     {"LDGDEPBAR", HONE_SASS_ASYNC},
    {"UBLK", HONE_SASS_ASYNC},       {"UTMA", HONE_SASS_ASYNC},
    {"UTC", HONE_SASS_TENSOR},       {"ARRIVES", HONE_SASS_ASYNC},
    {"HMMA", HONE_SASS_TENSOR},      {"IMMA", HONE_SASS_TENSOR},
    {"DMMA", HONE_SASS_TENSOR},      {"BMMA", HONE_SASS_TENSOR},
    {"QMMA", HONE_SASS_TENSOR},      {"OMMA", HONE_SASS_TENSOR},
    {"HGMMA", HONE_SASS_TENSOR},     {"IGMMA", HONE_SASS_TENSOR},
    {"QGMMA", HONE_SASS_TENSOR},     {"BGMMA", HONE_SASS_TENSOR},
    {"WARPGROUP", HONE_SASS_TENSOR}, {"ATOM", HONE_SASS_ATOMIC},
    {"REDUX", HONE_SASS_WARP},       {"RED", HONE_SASS_ATOMIC},
    {"LDL", HONE_SASS_LOCAL},        {"STL", HONE_SASS_LOCAL},
    {"LDS", HONE_SASS_SHARED},       {"STS", HONE_SASS_SHARED},
    {"LDC", HONE_SASS_CONSTANT},     {"ULDC", HONE_SASS_CONSTANT},
    {"LD", HONE_SASS_GLOBAL},        {"STG", HONE_SASS_GLOBAL},
    {"ST.", HONE_SASS_GLOBAL},       {"ST ", HONE_SASS_GLOBAL},
    {"MUFU", HONE_SASS_SPECIAL},     {"F2", HONE_SASS_CONVERT},
    {"I2", HONE_SASS_CONVERT},       {"FRND", HONE_SASS_CONVERT},
    {"MOVM", HONE_SASS_WARP},        {"MOV", HONE_SASS_MOVE},
    {"SEL", HONE_SASS_MOVE},         {"S2", HONE_SASS_MOVE},
    {"CS2", HONE_SASS_MOVE},         {"P2R", HONE_SASS_MOVE},
    {"R2", HONE_SASS_MOVE},          {"B2R", HONE_SASS_MOVE},
    {"PLOP3", HONE_SASS_MOVE},       {"SHFL", HONE_SASS_WARP},
    {"VOTE", HONE_SASS_WARP},        {"MATCH", HONE_SASS_WARP},
    {"BAR", HONE_SASS_SYNC},         {"MEMBAR", HONE_SASS_SYNC},
    {"ERRBAR", HONE_SASS_SYNC},      {"DEPBAR", HONE_SASS_SYNC},
    {"SYNCS", HONE_SASS_SYNC},       {"FENCE", HONE_SASS_SYNC},
    {"WARPSYNC", HONE_SASS_SYNC},    {"CCTL", HONE_SASS_SYNC},
    {"ELECT", HONE_SASS_WARP},       {"BRA", HONE_SASS_CONTROL},
    {"BRX", HONE_SASS_CONTROL},      {"JM", HONE_SASS_CONTROL},
    {"CALL", HONE_SASS_CONTROL},     {"RET", HONE_SASS_CONTROL},
    {"EXIT", HONE_SASS_CONTROL},     {"BSSY", HONE_SASS_CONTROL},
    {"BSYNC", HONE_SASS_CONTROL},    {"BREAK", HONE_SASS_CONTROL},
    {"BMOV", HONE_SASS_CONTROL},     {"NANOSLEEP", HONE_SASS_CONTROL},
    {"KILL", HONE_SASS_CONTROL},     {"YIELD", HONE_SASS_CONTROL},
    {"HADD2", HONE_SASS_FP16},       {"HMUL2", HONE_SASS_FP16},
    {"HFMA2", HONE_SASS_FP16},       {"HSET", HONE_SASS_FP16},
    {"HMNMX2", HONE_SASS_FP16},      {"DADD", HONE_SASS_FP64},
    {"DMUL", HONE_SASS_FP64},        {"DFMA", HONE_SASS_FP64},
    {"DSET", HONE_SASS_FP64},        {"DMNMX", HONE_SASS_FP64},
    {"FLO", HONE_SASS_INT},          {"F", HONE_SASS_FP32},
    {"UCGABAR", HONE_SASS_SYNC},     {"USETMAXREG", HONE_SASS_CONTROL},
    {"U", HONE_SASS_UNIFORM},        {"I", HONE_SASS_INT},
    {"LEA", HONE_SASS_INT},          {"LOP", HONE_SASS_INT},
    {"SH", HONE_SASS_INT},           {"BF", HONE_SASS_INT},
    {"PRMT", HONE_SASS_INT},         {"POPC", HONE_SASS_INT},
    {"BREV", HONE_SASS_INT},         {"BMSK", HONE_SASS_INT},
    {"SGXT", HONE_SASS_INT},         {"V", HONE_SASS_INT},
};

static enum hone_sass_class class_of(const char *opcode)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(opcode, rows[i].begin, strlen(rows[i].begin)) == 0)
            return rows[i].kind;
    return HONE_SASS_OTHER;
}

/* --- lines --- */

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " \t");
}

// Behind "/*0010*/" and a predicate; NULL where the line is no instruction.
static const char *opcode_of(const char *line)
{
    line = skip_spaces(line);
    if (strncmp(line, "/*", 2) != 0) return NULL;
    const size_t digits = strspn(line + 2, "0123456789abcdef");
    if (!digits || strncmp(line + 2 + digits, "*/", 2) != 0) return NULL;
    line = skip_spaces(line + digits + 4);
    if (*line == '{') line = skip_spaces(line + 1);
    if (*line == '@') line = skip_spaces(line + strcspn(line, " \t"));
    return hone_is_upper(*line) ? line : NULL;
}

// A label ".text.NAME:" begins the code of a function.
static bool begins_function(const char *line, const char *entry, bool *of_kernel)
{
    static const char text[] = ".text.";
    const size_t len = strlen(entry);
    if (strncmp(line, text, sizeof text - 1) != 0) return false;
    line += sizeof text - 1;
    *of_kernel = strncmp(line, entry, len) == 0 && line[len] == ':';
    return true;
}

void hone_sass_add_line(struct hone_sass *sass, const char *line, const char *entry)
{
    bool of_kernel;
    if (begins_function(line, entry, &of_kernel)) {
        sass->inside = of_kernel;
        return;
    }
    const char *opcode = sass->inside ? opcode_of(line) : NULL;
    if (!opcode || strncmp(opcode, "NOP", 3) == 0) return;
    sass->counts[class_of(opcode)]++;
    sass->total++;
}

/* --- the program --- */

static enum hone_status no_program(struct hone_error *err)
{
    return hone_fail(err, HONE_ENOTFOUND,
                     "no nvdisasm: install the CUDA toolkit or, for Python, "
                     "nvidia-cuda-nvdisasm, or name it by HONE_NVDISASM");
}

// The first that is there; what $HONE_NVDISASM names is the only one.
static enum hone_status start(struct hone_subprocess **out, const char *image,
                              const char *nvrtc, struct hone_error *err)
{
    const char *named = getenv("HONE_NVDISASM"), *folder_end = strrchr(nvrtc, '/');
    const int folder = folder_end ? (int)(folder_end - nvrtc) : 0;
    char near[4096] = "", far[4096] = "";
    if (folder) {
        snprintf(near, sizeof near, "%.*s/../bin/nvdisasm", folder, nvrtc);
        snprintf(far, sizeof far, "%.*s/../../../bin/nvdisasm", folder, nvrtc);
    }
    const char *const programs[] = {named ? named : "nvdisasm", near, far,
                                    "/usr/local/cuda/bin/nvdisasm"};
    const size_t count = named ? 1 : sizeof programs / sizeof *programs;
    for (size_t i = 0; i < count; i++) {
        const char *const argv[] = {programs[i], "-c", image, NULL};
        if (!*programs[i] || (i && !hone_file_exists(programs[i]))) continue;
        struct hone_error why = {0};
        const enum hone_status status = hone_subprocess_start(out, argv, &why);
        if (status != HONE_ENOTFOUND) return hone_error_pass(err, status, &why);
    }
    return no_program(err);
}

static enum hone_status read_lines(struct hone_sass *out, struct hone_subprocess *program,
                                   const char *entry, struct hone_error *err)
{
    const double deadline = hone_clock_seconds() + most_s;
    const char *line;
    size_t size;
    struct hone_error why = {0};
    enum hone_status status;
    while ((status = hone_subprocess_read_line(program, &line, &size, deadline, &why)) ==
           HONE_OK)
        hone_sass_add_line(out, line, entry);
    if (status != HONE_EIO) return hone_error_pass(err, status, &why);
    const struct hone_exit how = hone_subprocess_stop(program, deadline);
    char text[96];
    hone_exit_text(text, sizeof text, how);
    if (how.signalled || how.code)
        return hone_fail(err, HONE_EIO, "nvdisasm %s: is it older than the GPU?", text);
    if (!out->total)
        return hone_fail(err, HONE_EIO, "nvdisasm shows nothing of '%s'", entry);
    return HONE_OK;
}

enum hone_status hone_sass_of(struct hone_sass *out, const struct hone_build *build,
                              const char *entry, const char *nvrtc,
                              struct hone_error *err)
{
    char *image = NULL;
    struct hone_subprocess *program = NULL;
    *out = (struct hone_sass){0};
    enum hone_status status = hone_file_temporary(&image, err);
    if (status != HONE_OK) return status;
    status = hone_file_write(image, build->cubin, build->cubin_size, err);
    if (status == HONE_OK) status = start(&program, image, nvrtc, err);
    if (status == HONE_OK) status = read_lines(out, program, entry, err);
    hone_subprocess_free(program);
    unlink(image);
    free(image);
    return status;
}
