/* A driver over the emulator: what emu_cuda.c and emu_modules.c share. */
#ifndef HONE_TEST_EMU_DRIVER_H
#define HONE_TEST_EMU_DRIVER_H

#include <cuda.h>
#include <pthread.h>

#include "hone/device.h"

/* The one device, and the lock of those who call it. */
struct emu_driver {
    pthread_mutex_t lock;
    struct hone_device *device;
};
extern struct emu_driver emu_driver;
extern _Thread_local CUcontext emu_context;

CUresult emu_complain(const char *call, const char *text);
CUresult emu_result(const char *call, enum hone_status status,
                    const struct hone_error *err);

/* --- emu_modules.c: cuModule*, cuFunc* and cuLaunch* by their names --- */

CUresult emu_module_load(CUmodule *out, const void *image, unsigned count,
                         CUjit_option *options, void **values);
CUresult emu_module_unload(CUmodule module);
CUresult emu_module_function(CUfunction *out, CUmodule module, const char *name);
CUresult emu_module_global(CUdeviceptr *out, size_t *bytes, CUmodule module,
                           const char *name);
CUresult emu_function_set(CUfunction function, CUfunction_attribute attribute, int value);
CUresult emu_function_get(int *out, CUfunction_attribute attribute, CUfunction function);
CUresult emu_launch_kernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz,
                           unsigned bx, unsigned by, unsigned bz, unsigned shared,
                           CUstream stream, void **params, void **extra);
CUresult emu_launch_with(const CUlaunchConfig *config, CUfunction function, void **params,
                         void **extra);

void emu_modules_close(void);

#endif
