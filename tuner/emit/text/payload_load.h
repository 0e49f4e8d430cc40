/* Loading and unloading a payload (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_LOAD_H
#define HONE_EMIT_TEXT_PAYLOAD_LOAD_H

/* text */
static const char kernel_entry[] = ENTRY_NAME;

/* Under the lock: a configuration (-1: just the GPU) in the current context. */
static inline int kernel_load_here(kernel_loaded **out, int config)
{
    void *context = 0;
    kernel_loaded *loaded = 0;
    int i, status = kernel_find_driver();
    if (!status) status = kernel_state.driver.get_current(&context);
    if (status || !context) return status ? status : KERNEL_NO_CONTEXT;
    for (i = 0; i < kernel_state.count && !loaded; i++)
        if (kernel_state.loaded[i].context == context &&
            kernel_state.loaded[i].config == config)
            loaded = &kernel_state.loaded[i];
    if (!loaded) {
        kernel_loaded fresh;
        memset(&fresh, 0, sizeof fresh);
        fresh.context = context;
        fresh.config = config;
        if (kernel_state.count == KERNEL_LOADED_MOST) return KERNEL_NO_ROOM;
        status = kernel_state.driver.get_device(&fresh.device);
        if (!status) status = kernel_ask_gpu(&fresh.gpu, fresh.device);
        if (!status && config >= 0) {
            status = kernel_load_module(&fresh.module, config, &fresh.gpu);
            if (!status)
                status = kernel_state.driver.get_function(&fresh.function, fresh.module,
                                                          kernel_entry);
            if (status && fresh.module) kernel_state.driver.unload(fresh.module);
        }
        if (status) return status;
        loaded = &kernel_state.loaded[kernel_state.count++];
        *loaded = fresh;
    }
    *out = loaded;
    return KERNEL_OK;
}

/* The number of a configuration of the table; below 0 for others, which have no image. */
static inline int kernel_number_of(const kernel_config *config)
{
    int i;
    if (!config) return KERNEL_NO_CONFIG;
    for (i = 0; i < KERNEL_CONFIGS; i++)
        if (config == &kernel_configs[i]) return i;
    return KERNEL_NO_IMAGE;
}

/* The GPU of the current context, as the functions that select want it. */
static inline int kernel_gpu_here(kernel_gpu *gpu)
{
    kernel_loaded *loaded;
    int status;
    kernel_lock();
    status = kernel_load_here(&loaded, -1);
    if (!status) *gpu = loaded->gpu;
    kernel_unlock();
    return status;
}

/* Load a configuration of the table into the current context, so that the first launch
 * need not. Safe from any thread, as the launch is. */
static inline int kernel_load(const kernel_config *config)
{
    kernel_loaded *loaded;
    int status;
    const int number = kernel_number_of(config);
    if (number < 0) return number;
    kernel_lock();
    status = kernel_load_here(&loaded, number);
    kernel_unlock();
    return status;
}

/* Unload what was loaded in the current context, which must be idle; do so before the
 * context goes. */
static inline int kernel_unload(void)
{
    void *context = 0;
    int i, status;
    kernel_lock();
    status = kernel_find_driver();
    if (!status) status = kernel_state.driver.get_current(&context);
    for (i = kernel_state.count; i-- > 0 && !status && context;) {
        kernel_loaded *loaded = &kernel_state.loaded[i];
        if (loaded->context != context) continue;
        if (loaded->module) status = kernel_state.driver.unload(loaded->module);
        *loaded = kernel_state.loaded[--kernel_state.count];
    }
    kernel_unlock();
    return status;
}

/* The function, set to so much dynamic shared memory where it is more than the 48 KiB
 * that need no word. */
static inline int kernel_function(void **function, int config, unsigned shared)
{
    kernel_loaded *loaded;
    int status;
    kernel_lock();
    status = kernel_load_here(&loaded, config);
    if (!status && shared > loaded->shared &&
        shared + kernel_static_shared[config] > 49152) {
        status = kernel_state.driver.set_attribute(loaded->function, 8, (int)shared);
        if (!status) loaded->shared = shared;
    }
    if (!status) *function = loaded->function;
    kernel_unlock();
    return status;
}
/* end of text */

#endif
