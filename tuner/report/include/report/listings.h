/* What there is, as JSON: devices, strategies, installed kernels, what compilers are shut
 * in by, the build cache. */
#ifndef HONE_REPORT_LISTINGS_H
#define HONE_REPORT_LISTINGS_H

#include "base/box.h"
#include "base/quantity.h"
#include "build/cache_clean.h"
#include "tuning/installed_kernels.h"

struct json_t;

struct json_t *hone_devices_json(void);
struct json_t *hone_strategies_json(void);
struct json_t *hone_kernels_json(const struct hone_installed_kernels *kernels);

/* One of them, with the number of its parameters. */
struct json_t *hone_kernel_json(const struct hone_installed_kernel *kernel,
                                size_t parameters);

/* The version, and which protections compilers have on this machine. */
struct json_t *hone_version_json(const struct hone_box *box, const char *docs);

/* What is in the cache at folder, and what was removed. */
struct json_t *hone_cache_json(const char *folder, const struct hone_cache_facts *facts);

/* "2026-11-25T12:00:00Z"; "" for 0. */
struct hone_plain hone_date_text(time_t when);

#endif
