/* Puts a suite on the fake driver: HONE_LIBCUDA, HONE_CUPTI and so on name the fakes
 * before any case runs, and the fake's own functions are at hand. Include in the one
 * source of a suite; one that builds real kernels defines FAKE_USE_REAL_NVRTC before. */
#ifndef FAKE_USE_H
#define FAKE_USE_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "fake/fake_cuda.h"
#include "hone/device.h"

#define FAKE_LIBCUDA HONE_BINARY_DIR "/tests/fake/fake_cuda.so"
#define FAKE_CUPTI   HONE_BINARY_DIR "/tests/fake/fake_cupti.so"
#define FAKE_NVML    HONE_BINARY_DIR "/tests/fake/fake_nvml.so"
#define FAKE_CACHE   HONE_BINARY_DIR "/tests/fake/cache"
#define FAKE_NVRTC   HONE_BINARY_DIR "/tests/fake/fake_nvrtc.so"

static struct {
    fake_cuda_configure *configure;
    fake_cuda_adjust *adjust;
    fake_cuda_live *live;
    fake_cuda_launches *launches;
    fake_cuda_copied *copied;
    fake_cuda_register *body;
} fake;

static void fake_find(void *library, const char *name, void *slot)
{
    int (*find)(const char *, void **, int, uint64_t, void *);
    void *symbol = dlsym(library, "cuGetProcAddress_v2");
    memcpy(&find, &symbol, sizeof find);
    if (find(name, &symbol, 0, 0, NULL) != 0) abort();
    memcpy(slot, &symbol, sizeof symbol);
}

__attribute__((constructor)) static void fake_use(void)
{
    setenv("HONE_LIBCUDA", FAKE_LIBCUDA, 1);
    setenv("HONE_CUPTI", FAKE_CUPTI, 1);
    setenv("HONE_NVML", FAKE_NVML, 1);
#ifndef FAKE_USE_REAL_NVRTC
    setenv("HONE_NVRTC", FAKE_NVRTC, 1);
#endif
    setenv("HONE_CACHE", FAKE_CACHE, 1); // of the device's own kernels
    unsetenv("HONE_CLOCK");
    void *library = dlopen(FAKE_LIBCUDA, RTLD_NOW | RTLD_LOCAL);
    if (!library) abort();
    fake_find(library, "fake_cuda_configure", &fake.configure);
    fake_find(library, "fake_cuda_adjust", &fake.adjust);
    fake_find(library, "fake_cuda_live", &fake.live);
    fake_find(library, "fake_cuda_launches", &fake.launches);
    fake_find(library, "fake_cuda_copied", &fake.copied);
    fake_find(library, "fake_cuda_register", &fake.body);
}

/* A build whose cubin has this one entry. */
static inline struct hone_build fake_build(char *text, size_t cap, const char *entry)
{
    snprintf(text, cap,
             ".version 8.0\n.visible .entry %s()\n{ ret; }\n// cubin of CUDA 13.0\n",
             entry);
    return (struct hone_build){
        .outcome = HONE_VALID, .cubin = text, .cubin_size = strlen(text)};
}

/* cuda:0 of a fake configured like this, with the kernel "k" loaded; the case ends where
 * it fails. */
static inline struct hone_device *fake_open(const char *config,
                                            struct hone_module **module)
{
    struct hone_error err = {0};
    struct hone_fault fault;
    struct hone_device *dev = NULL;
    char ptx[128];
    struct hone_build build = fake_build(ptx, sizeof ptx, "k");
    assert_int_equal(fake.configure(config), 0);
    assert_ok(hone_device_open(&dev, "cuda:0", &err), err);
    assert_ok(dev->fns->load(dev, &build, "k", module, &fault, &err), err);
    assert_int_equal(fault.outcome, HONE_VALID);
    return dev;
}

#endif
