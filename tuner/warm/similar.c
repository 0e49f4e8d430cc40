// A distance in doublings: log2 of the ratios of the problem's sizes and, at half weight,
// of what a kernel feels most of a device (multiprocessors, shared memory of one,
// bandwidth), plus some for another architecture. Recordings without limits are looked up
// by the name of their device; one that nobody knows counts as of another vendor.
#include "similar.h"

#include <math.h>
#include <string.h>

#include "base/ascii.h"
#include "device/gpu_table.h"

// Doublings that another architecture counts as: set by judgement, not by fitting.
static const double other_minor = 1, other_major = 2, other_vendor = 8;

// Whether the words of a device's name, "NVIDIA GeForce RTX 3090", spell name, "rtx3090",
// from the start of one to the end of one.
static bool spells(const char *words, const char *name)
{
    for (const char *start = words; *start; start++) {
        if (start > words && hone_is_alnum(start[-1])) continue;
        const char *w = start, *n = name;
        while (*n && *w) {
            if (hone_lower(*w) == *n)
                n++, w++;
            else if (*w == ' ' && n > name)
                w++;
            else
                break;
        }
        if (!*n && !hone_is_alnum(*w)) return true;
    }
    return false;
}

// False when nobody knows the device.
static bool limits_of(struct hone_limits *out, const struct hone_record_info *info)
{
    struct hone_gpu gpu;
    if (info->limits) {
        *out = *info->limits;
        return true;
    }
    for (size_t i = 0; info->device_name && hone_gpu_name(i); i++) {
        if (!spells(info->device_name, hone_gpu_name(i))) continue;
        if (!hone_gpu_find(&gpu, hone_gpu_name(i))) continue;
        *out = gpu.limits;
        return true;
    }
    return false;
}

static double doublings(int64_t a, int64_t b)
{
    return a > 0 && b > 0 ? fabs(log2((double)a / (double)b)) : 0;
}

static bool is_nvidia(const char *name)
{
    return name && strncmp(name, "NVIDIA", 6) == 0;
}

static double device_distance(const struct hone_record_info *a,
                              const struct hone_record_info *b)
{
    struct hone_limits x, y;
    if (a->device_name && b->device_name && *a->device_name &&
        strcmp(a->device_name, b->device_name) == 0)
        return 0;
    if (!limits_of(&x, a) || !limits_of(&y, b))
        return is_nvidia(a->device_name) && is_nvidia(b->device_name) ? other_major
                                                                      : other_vendor;
    double distance = (doublings(x.sm_count, y.sm_count) +
                       doublings(x.shared_bytes_per_sm, y.shared_bytes_per_sm) +
                       doublings(x.memory_bandwidth_mbs, y.memory_bandwidth_mbs)) /
                      2;
    if (x.cc_major != y.cc_major)
        distance += other_major;
    else if (x.cc_minor != y.cc_minor)
        distance += other_minor;
    return distance;
}

static double similar_number(struct hone_value value)
{
    return value.type == HONE_INT     ? (double)value.i
           : value.type == HONE_FLOAT ? value.f
                                      : (double)NAN;
}

static double problem_distance(const struct hone_record_info *a,
                               const struct hone_record_info *b)
{
    double distance = 0;
    for (size_t i = 0; i < a->problem_count; i++)
        for (size_t k = 0; k < b->problem_count; k++) {
            if (strcmp(a->problem[i].name, b->problem[k].name) != 0) continue;
            double ratio =
                similar_number(a->problem[i].value) / similar_number(b->problem[k].value);
            if (ratio > 0 && isfinite(ratio)) distance += fabs(log2(ratio));
        }
    return distance;
}

double hone_similarity(const struct hone_record_info *a, const struct hone_record_info *b)
{
    return 1 / (1 + device_distance(a, b) + problem_distance(a, b));
}
