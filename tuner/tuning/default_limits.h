/* The limits that a header is made with where nothing was measured. */
#ifndef HONE_TUNING_DEFAULT_LIMITS_H
#define HONE_TUNING_DEFAULT_LIMITS_H

#include "hone/device.h"

/* Those of device where it is emulated, else of one that is the same on every machine. */
enum hone_status hone_default_limits(struct hone_limits *limits, const char *device,
                                     struct hone_error *err);

#endif
