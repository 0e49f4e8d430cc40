/* What a test that builds kernels asks first. */
#ifndef HONE_TEST_NVRTC_H
#define HONE_TEST_NVRTC_H

/* Skips the test where NVRTC cannot be opened. Returns the file that it was opened from,
 * valid until the next call. */
const char *need_nvrtc(void);

#endif
