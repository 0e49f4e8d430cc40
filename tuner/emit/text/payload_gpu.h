/* The GPU at hand (payload.h says how it is read). The numbers are those of
 * CUdevice_attribute, cuda.h 12. */
#ifndef HONE_EMIT_TEXT_PAYLOAD_GPU_H
#define HONE_EMIT_TEXT_PAYLOAD_GPU_H

/* text */
/* All that the driver tells of a device. */
static inline int kernel_ask_gpu(kernel_gpu *gpu, int device)
{
    const kernel_driver *driver = &kernel_state.driver;
    int major, minor, sms, value, status;
    size_t bytes;
    if ((status = driver->get_attribute(&major, 75, device))) return status;
    if ((status = driver->get_attribute(&minor, 76, device))) return status;
    if ((status = driver->get_attribute(&sms, 16, device))) return status;
    *gpu = kernel_gpu_of(major, minor, sms);
    if (!driver->total_memory(&bytes, device)) gpu->memory_bytes = (long long)bytes;
    if (!driver->get_attribute(&value, 38, device)) gpu->l2_bytes = value;
    if (!driver->get_attribute(&value, 97, device)) gpu->max_shared_bytes = value;
    FURTHER_LIMITS;
    return 0;
}
/* end of text */

#endif
