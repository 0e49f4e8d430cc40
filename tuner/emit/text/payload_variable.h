/* Variables of a kernel's module (payload.h says how it is read). */
#ifndef HONE_EMIT_TEXT_PAYLOAD_VARIABLE_H
#define HONE_EMIT_TEXT_PAYLOAD_VARIABLE_H

/* text */
/* Where a variable of a configuration's module lies in the current context, and its
 * bytes, by the name that PTX has: it is to be filled before the first launch, and again
 * after kernel_unload. A name that the module lacks is CUDA_ERROR_NOT_FOUND (500). */
static inline int kernel_variable(unsigned long long *address, size_t *bytes,
                                  const kernel_config *config, const char *name)
{
    kernel_loaded *loaded;
    int status;
    const int number = kernel_number_of(config);
    if (number < 0) return number;
    kernel_lock();
    status = kernel_load_here(&loaded, number);
    if (!status)
        status = kernel_state.driver.get_global(address, bytes, loaded->module, name);
    kernel_unlock();
    return status;
}
/* end of text */

#endif
