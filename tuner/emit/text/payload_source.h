/* Compiling the source of a payload (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_SOURCE_H
#define HONE_EMIT_TEXT_PAYLOAD_SOURCE_H

/* text */
typedef struct kernel_nvrtc {
    int (*create)(void **program, const char *source, const char *name, int, void *,
                  void *);
    int (*compile)(void *program, int count, const char *const *options);
    int (*ptx_size)(void *program, size_t *size);
    int (*ptx)(void *program, char *ptx);
    int (*log_size)(void *program, size_t *size);
    int (*log)(void *program, char *log);
    int (*destroy)(void **program);
} kernel_nvrtc;

/* HONE_NVRTC names another libnvrtc than those looked for. */
static inline int kernel_find_nvrtc(kernel_nvrtc *nvrtc)
{
    static const char *const names[] = {"nvrtcCreateProgram",     "nvrtcCompileProgram",
                                        "nvrtcGetPTXSize",        "nvrtcGetPTX",
                                        "nvrtcGetProgramLogSize", "nvrtcGetProgramLog",
                                        "nvrtcDestroyProgram"};
#ifdef _WIN32
    static const char *const files[] = {"nvrtc64_130_0.dll", "nvrtc64_120_0.dll"};
#else
    static const char *const files[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                        "/usr/local/cuda/lib64/libnvrtc.so"};
#endif
    void *slots[sizeof names / sizeof *names], *library = 0;
    size_t i;
    for (i = 0; i < sizeof files / sizeof *files && !library; i++)
        library = kernel_open("HONE_NVRTC", files[i]);
    if (!library) return KERNEL_NO_COMPILER;
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        slots[i] = kernel_symbol(library, names[i]);
        if (!slots[i]) return KERNEL_NO_COMPILER;
    }
    memcpy(nvrtc, slots, sizeof slots);
    return KERNEL_OK;
}

/* The source of a configuration as one text, to be freed; null: out of memory. */
static inline char *kernel_source_of(int config)
{
    size_t size = strlen(kernel_macros[config]) + 1, at, i;
    char *text;
    for (i = 0; kernel_source[i]; i++)
        size += strlen(kernel_source[i]);
    text = (char *)malloc(size);
    if (!text) return 0;
    at = strlen(kernel_macros[config]);
    memcpy(text, kernel_macros[config], at);
    for (i = 0; kernel_source[i]; i++) {
        memcpy(text + at, kernel_source[i], strlen(kernel_source[i]));
        at += strlen(kernel_source[i]);
    }
    text[at] = 0;
    return text;
}

/* PTX of a configuration for a compute capability, to be freed. What the compiler says of
 * an error goes to stderr. arch_suffix: "a" for what wgmma and the like need. */
static inline int kernel_compile(char **ptx, int config, int cc_major, int cc_minor,
                                 const char *arch_suffix)
{
    enum { OPTIONS = sizeof kernel_options / sizeof *kernel_options };
    const char *options[OPTIONS];
    char arch[64], *source = kernel_source_of(config), *log;
    kernel_nvrtc nvrtc;
    void *program = 0;
    size_t size = 0;
    int i, status = kernel_find_nvrtc(&nvrtc);
    *ptx = 0;
    if (!source || status) {
        free(source);
        return status ? status : KERNEL_NO_ROOM;
    }
    sprintf(arch, "--gpu-architecture=compute_%d%d%s", cc_major, cc_minor, arch_suffix);
    options[0] = arch;
    for (i = 0; i + 1 < OPTIONS; i++)
        options[i + 1] = kernel_options[i];
    status = nvrtc.create(&program, source, "kernel.cu", 0, 0, 0);
    if (!status) status = nvrtc.compile(program, OPTIONS, options);
    if (!status && !nvrtc.ptx_size(program, &size)) *ptx = (char *)malloc(size);
    if (*ptx)
        status = nvrtc.ptx(program, *ptx);
    else if (program && !nvrtc.log_size(program, &size) && (log = (char *)malloc(size))) {
        if (!nvrtc.log(program, log)) fputs(log, stderr);
        free(log);
    }
    if (program) nvrtc.destroy(&program);
    free(source);
    return status || !*ptx ? KERNEL_NOT_COMPILED : KERNEL_OK;
}

static inline int kernel_load_module(void **module, int config, const kernel_gpu *gpu)
{
    char *ptx;
    const char *suffix = gpu->cc_major >= 9 ? "a" : "";
    int status = kernel_compile(&ptx, config, gpu->cc_major, gpu->cc_minor, suffix);
    if (!status) status = kernel_state.driver.load(module, ptx, 0, 0, 0);
    free(ptx);
    return status;
}
/* end of text */

#endif
