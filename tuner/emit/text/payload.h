/* How a header finds the driver, and what it has loaded: C as it is, in which a header
 * has names of its own for those that begin with kernel_ or KERNEL_, between "only" and
 * "end" what it needs alone, and texts of its own for slots, words in capitals that who
 * compiles a file by itself defines as macros (struct emit_slots). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_H
#define HONE_EMIT_TEXT_PAYLOAD_H

/* text */
static inline void *kernel_open(const char *variable, const char *name)
{
    const char *given = getenv(variable);
    if (given && !*given) given = 0;
#ifdef _WIN32
    return (void *)LoadLibraryA(given ? given : name);
#else
    return dlopen(given ? given : name, RTLD_NOW);
#endif
}

static inline void *kernel_symbol(void *library, const char *name)
{
#ifdef _WIN32
    void *symbol = 0;
    FARPROC found = GetProcAddress((HMODULE)library, name);
    memcpy(&symbol, &found, sizeof symbol);
    return symbol;
#else
    return dlsym(library, name);
#endif
}

/* The driver's functions that are needed, and what was loaded. Each file that includes
 * this header has its own. */
typedef struct kernel_driver {
    int (*get_current)(void **context);
    int (*get_device)(int *device);
    int (*get_attribute)(int *value, int attribute, int device);
    int (*total_memory)(size_t *bytes, int device);
    int (*load)(void **module, const void *image, unsigned, void *, void *);
    int (*unload)(void *module);
    int (*get_function)(void **function, void *module, const char *name);
    int (*set_attribute)(void *function, int attribute, int value);
    int (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned,
                  unsigned, unsigned shared, void *stream, void **params, void **extra);
    /* only: maps */
    int (*encode)(void *map, int type, unsigned rank, const void *base,
                  const unsigned long long *size, const unsigned long long *stride,
                  const unsigned *box, const unsigned *step, int interleave, int swizzle,
                  int promotion, int fill);
    /* end */
    /* only: symbols */
    int (*get_global)(unsigned long long *address, size_t *bytes, void *module,
                      const char *name);
    /* end */
    /* only: attributes */
    int (*launch_as)(const void *config, void *function, void **params, void **extra);
    int (*ask_function)(int *value, int attribute, void *function);
    /* end */
} kernel_driver;

typedef struct kernel_loaded {
    void *context, *module, *function;
    int config, device;
    unsigned shared; /* dynamic bytes it is set to */
    kernel_gpu gpu;
} kernel_loaded;

enum { KERNEL_LOADED_MOST = 256 };
static struct {
    int lock, ready, count;
    kernel_driver driver;
    kernel_loaded loaded[KERNEL_LOADED_MOST];
} kernel_state;

static inline void kernel_lock(void)
{
#ifdef _MSC_VER
    while (InterlockedExchange((volatile LONG *)&kernel_state.lock, 1))
        Sleep(0);
#else
    while (__atomic_exchange_n(&kernel_state.lock, 1, __ATOMIC_ACQUIRE)) {
    }
#endif
}

static inline void kernel_unlock(void)
{
#ifdef _MSC_VER
    InterlockedExchange((volatile LONG *)&kernel_state.lock, 0);
#else
    __atomic_store_n(&kernel_state.lock, 0, __ATOMIC_RELEASE);
#endif
}

/* Under the lock. HONE_LIBCUDA names another libcuda than the system's. */
static inline int kernel_find_driver(void)
{
    static const char *const names[] = {
        "cuCtxGetCurrent", "cuCtxGetDevice", "cuDeviceGetAttribute",
        "cuDeviceTotalMem_v2", "cuModuleLoadDataEx", "cuModuleUnload",
        "cuModuleGetFunction", "cuFuncSetAttribute", "cuLaunchKernel",
        /* only: maps */
        "cuTensorMapEncodeTiled",
        /* end */
        /* only: symbols */
        "cuModuleGetGlobal_v2",
        /* end */
        /* only: attributes */
        "cuLaunchKernelEx", "cuFuncGetAttribute",
        /* end */
    };
    void *slots[sizeof names / sizeof *names];
    int (*get)(const char *, void **, int, unsigned long long, void *);
    void *library, *address;
    size_t i;
    if (kernel_state.ready) return KERNEL_OK;
#ifdef _WIN32
    library = kernel_open("HONE_LIBCUDA", "nvcuda.dll");
#else
    library = kernel_open("HONE_LIBCUDA", "libcuda.so.1");
#endif
    if (!library) return KERNEL_NO_DRIVER;
    address = kernel_symbol(library, "cuGetProcAddress_v2");
    memcpy(&get, &address, sizeof get);
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        char plain[32];
        slots[i] = kernel_symbol(library, names[i]);
        strcpy(plain, names[i]);
        if (strstr(plain, "_v2")) *strstr(plain, "_v2") = 0;
        if (!slots[i] && get && get(plain, &slots[i], 12000, 0, 0)) slots[i] = 0;
        if (!slots[i]) return KERNEL_NO_DRIVER;
    }
    memcpy(&kernel_state.driver, slots, sizeof slots);
    kernel_state.ready = 1;
    return KERNEL_OK;
}
/* end of text */

#endif
