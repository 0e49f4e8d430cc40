#include "compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "element.h"

// Tables of addresses are their argument's.
static bool wrong(struct hone_fault *fault, enum hone_finding finding,
                  const struct hone_buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static bool wrong(struct hone_fault *fault, enum hone_finding finding,
                  const struct hone_buffer *buffer, const char *format, ...)
{
    const char *name = (buffer->parts_of ? buffer->parts_of : buffer)->arg.name;
    va_list args;
    va_start(args, format);
    hone_vsnprintf(fault->reason, sizeof fault->reason, format, args);
    va_end(args);
    snprintf(fault->buffer, sizeof fault->buffer, "%s", name);
    fault->outcome = HONE_WRONG_RESULT;
    fault->finding = finding;
    return false;
}

static size_t first_difference(const unsigned char *a, const unsigned char *b,
                               size_t size)
{
    size_t i = 0;
    while (i < size && a[i] == b[i])
        i++;
    return i;
}

// The red zones of an image are whole, whatever else it holds.
bool hone_compare_red_zones(const struct hone_buffer *buffer, const unsigned char *block,
                            struct hone_fault *fault)
{
    const size_t after = HONE_RED_ZONE_BYTES + buffer->bytes;
    if (memcmp(block, buffer->image, HONE_RED_ZONE_BYTES) != 0) {
        size_t last = HONE_RED_ZONE_BYTES;
        while (block[last - 1] == HONE_RED_BYTE)
            last--;
        return wrong(fault, HONE_FINDING_WRITES_OUTSIDE, buffer,
                     "writes before the start of %s, at byte -%zu", buffer->arg.name,
                     HONE_RED_ZONE_BYTES - last + 1);
    }
    if (memcmp(block + after, buffer->image + after, HONE_RED_ZONE_BYTES) != 0) {
        size_t first =
            first_difference(block + after, buffer->image + after, HONE_RED_ZONE_BYTES);
        return wrong(fault, HONE_FINDING_WRITES_OUTSIDE, buffer,
                     "writes past the end of %s, at byte %zu of %zu", buffer->arg.name,
                     buffer->bytes + first, buffer->bytes);
    }
    return true;
}

bool hone_compare_input(const struct hone_buffer *buffer, const unsigned char *data,
                        struct hone_fault *fault)
{
    const unsigned char *before =
        buffer->values ? buffer->values : buffer->image + HONE_RED_ZONE_BYTES;
    if (memcmp(data, before, buffer->bytes) == 0) return true;
    const enum hone_dtype dtype = buffer->arg.dtype;
    size_t i = first_difference(data, before, buffer->bytes) / hone_dtype_size(dtype);
    return wrong(fault, HONE_FINDING_CHANGES_INPUT, buffer,
                 "changes its input: %s[%zu] was %.9g and is %.9g", buffer->arg.name, i,
                 hone_element_load(dtype, before, i), hone_element_load(dtype, data, i));
}

static bool is_poison(const struct hone_buffer *buffer, const unsigned char *data,
                      size_t i)
{
    const size_t size = hone_dtype_size(buffer->arg.dtype);
    const unsigned char poison = hone_buffer_poison(buffer);
    for (size_t k = 0; k < size; k++)
        if (data[i * size + k] != poison) return false;
    return true;
}

bool hone_compare_written(const struct hone_buffer *buffer, const unsigned char *data,
                          struct hone_fault *fault)
{
    if (buffer->arg.kind != HONE_ARG_OUTPUT) return true;
    for (size_t i = 0; i < buffer->arg.count; i++) {
        if (!is_poison(buffer, data, i)) continue;
        return wrong(fault, HONE_FINDING_NEVER_WRITES, buffer, "never writes %s[%zu]",
                     buffer->arg.name, i);
    }
    return true;
}

uint64_t hone_compare_count_unwritten(const struct hone_buffer *buffer,
                                      const unsigned char *data)
{
    uint64_t count = 0;
    for (size_t i = 0; buffer->arg.kind == HONE_ARG_OUTPUT && i < buffer->arg.count; i++)
        count += is_poison(buffer, data, i);
    return count;
}

static bool agrees(double x, double ref, double relative, double absolute)
{
    if (isnan(x) || isnan(ref)) return isnan(x) && isnan(ref);
    if (isinf(x) || isinf(ref)) return x == ref;
    return fabs(x - ref) <= absolute + relative * fabs(ref);
}

static double load_expected(const struct hone_buffer *buffer, size_t i)
{
    const enum hone_dtype dtype = buffer->expected_wide ? HONE_F64 : buffer->arg.dtype;
    return hone_element_load(dtype, buffer->expected, i);
}

static const char *expected_of(const struct hone_buffer *buffer)
{
    return buffer->expected_of ? buffer->expected_of : "reference";
}

// No number is near to what is not finite, and "off by nan" says nothing.
static void describe_odd(const struct hone_buffer *buffer, size_t i, double x, double ref,
                         struct hone_fault *fault)
{
    wrong(fault, HONE_FINDING_MISMATCH, buffer, "%s[%zu] is %.9g, %s %.9g%s",
          buffer->arg.name, i, isnan(x) ? (double)NAN : x, expected_of(buffer),
          isnan(ref) ? (double)NAN : ref,
          isfinite(ref) ? ", which no tolerance covers"
                        : ", with which only the same agrees");
}

// An integer is told as it is, a float by so many digits.
static void print_element(char out[32], enum hone_dtype dtype, const unsigned char *data,
                          size_t i, int digits)
{
    int64_t whole;
    const double value = hone_element_load(dtype, data, i);
    if (dtype == HONE_I64 || dtype == HONE_U64)
        memcpy(&whole, data + i * sizeof whole, sizeof whole);
    if (dtype == HONE_I64)
        hone_snprintf(out, 32, "%" PRId64, whole);
    else if (dtype == HONE_U64)
        hone_snprintf(out, 32, "%" PRIu64, (uint64_t)whole);
    else if (*hone_dtype_name(dtype) == 'i' || *hone_dtype_name(dtype) == 'u')
        hone_snprintf(out, 32, "%.0f", value);
    else
        hone_snprintf(out, 32, "%.*g", digits, value);
}

// With as many digits as it takes to tell one from the other.
static void describe_difference(const struct hone_buffer *buffer,
                                const unsigned char *data, size_t i, double allowed,
                                struct hone_fault *fault)
{
    enum { FEW = 9, ALL = 17 };
    const enum hone_dtype dtype = buffer->arg.dtype;
    const enum hone_dtype of = buffer->expected_wide ? HONE_F64 : dtype;
    const double x = hone_element_load(dtype, data, i), ref = load_expected(buffer, i);
    char own[32], other[32], off[48] = "";
    for (int digits = FEW; digits <= ALL; digits += ALL - FEW) {
        print_element(own, dtype, data, i, digits);
        print_element(other, of, buffer->expected, i, digits);
        if (strcmp(own, other) != 0) break;
    }
    if (x != ref) hone_snprintf(off, sizeof off, ", off by %.3g", fabs(x - ref));
    wrong(fault, HONE_FINDING_MISMATCH, buffer, "%s[%zu] is %s, %s %s%s, allowed %.3g",
          buffer->arg.name, i, own, expected_of(buffer), other, off, allowed);
}

static void compare_describe(const struct hone_buffer *buffer, const unsigned char *data,
                             size_t i, double allowed, struct hone_fault *fault)
{
    const double x = hone_element_load(buffer->arg.dtype, data, i);
    const double ref = load_expected(buffer, i);
    if (buffer->arg.kind == HONE_ARG_OUTPUT && is_poison(buffer, data, i))
        wrong(fault, HONE_FINDING_NEVER_WRITES, buffer, "never writes %s[%zu]",
              buffer->arg.name, i);
    else if (!isfinite(x) || !isfinite(ref))
        describe_odd(buffer, i, x, ref, fault);
    else
        describe_difference(buffer, data, i, allowed, fault);
}

// No result of the type is nearer to the reference: that also holds where it overflows.
static bool is_rounded(const struct hone_buffer *buffer, const unsigned char *data,
                       size_t i)
{
    unsigned char rounded[8] = {0};
    const enum hone_dtype dtype = buffer->arg.dtype;
    hone_element_store(dtype, rounded, 0, load_expected(buffer, i));
    const double best = hone_element_load(dtype, rounded, 0);
    const double x = hone_element_load(dtype, data, i);
    return x == best || (isnan(x) && isnan(best));
}

static bool same_bytes(const struct hone_buffer *buffer, const unsigned char *data,
                       size_t i)
{
    const size_t size = hone_dtype_size(buffer->arg.dtype);
    if (buffer->expected_wide) return is_rounded(buffer, data, i);
    return memcmp(data + i * size, buffer->expected + i * size, size) == 0;
}

static bool compare_elements(const struct hone_buffer *buffer, const unsigned char *data,
                             const struct hone_tolerance *tolerance,
                             struct hone_fault *fault)
{
    const double relative = tolerance->relative;
    const double absolute = tolerance->absolute + buffer->slack;
    const enum hone_dtype dtype = buffer->arg.dtype;
    const size_t count = (size_t)buffer->arg.count;
    // Bytes that differ are integers that differ: 64-bit ones can look the same as
    // doubles.
    const bool exact = !hone_dtype_is_float(dtype) && relative == 0 && absolute == 0;
    size_t differ = 0, first = 0;
    for (size_t i = 0; i < count; i++) {
        if (same_bytes(buffer, data, i)) continue;
        if (!exact && agrees(hone_element_load(dtype, data, i), load_expected(buffer, i),
                             relative, absolute))
            continue;
        if (!differ++) first = i;
    }
    if (!differ) return true;
    compare_describe(buffer, data, first,
                     absolute + relative * fabs(load_expected(buffer, first)), fault);
    const size_t used = strlen(fault->reason);
    if (count > 1)
        snprintf(fault->reason + used, sizeof fault->reason - used, "; %zu of %zu wrong",
                 differ, count);
    return false;
}

// A power of two by which no square of a result or an error overflows, nor the largest
// one vanishes.
static double scale_of(const struct hone_buffer *buffer, const unsigned char *data)
{
    double largest = 0;
    int exponent = 0;
    for (size_t i = 0; i < buffer->arg.count; i++) {
        const double ref = load_expected(buffer, i);
        const double off = hone_element_load(buffer->arg.dtype, data, i) - ref;
        if (!isfinite(ref) || !isfinite(off)) continue;
        largest = fmax(largest, fmax(fabs(ref), fabs(off)));
    }
    frexp(largest, &exponent);
    return ldexp(1, -exponent < 1000 ? -exponent : 1000);
}

// The root of the mean square error over that of the reference (Higham's normwise error;
// FlashAttention's papers and FFTW's benchmarks judge precision by it): elements that
// cancel to nearly nothing do not count more than others. Each element has passed on its
// own: one that is no finite number is the same on both sides.
static bool compare_mean(const struct hone_buffer *buffer, const unsigned char *data,
                         double allowed, struct hone_fault *fault)
{
    double errors = 0, magnitudes = 0;
    if (!(allowed > 0) || !hone_dtype_is_float(buffer->arg.dtype)) return true;
    const double scale = scale_of(buffer, data);
    for (size_t i = 0; i < buffer->arg.count; i++) {
        const double ref = load_expected(buffer, i);
        const double off = hone_element_load(buffer->arg.dtype, data, i) - ref;
        if (!isfinite(ref) || !isfinite(off)) continue;
        errors += off * scale * (off * scale);
        magnitudes += ref * scale * (ref * scale);
    }
    const double mean = sqrt(errors / magnitudes);
    if (magnitudes <= 0 || mean <= allowed) return true;
    return wrong(fault, HONE_FINDING_PRECISION, buffer,
                 "the mean error of %s is %.3g of the %s's mean magnitude, allowed %.3g "
                 "(precision lowered?)",
                 buffer->arg.name, mean, expected_of(buffer), allowed);
}

bool hone_compare_output(const struct hone_buffer *buffer, const unsigned char *data,
                         const struct hone_tolerance *tolerance, struct hone_fault *fault)
{
    if (!buffer->expected_wide && memcmp(data, buffer->expected, buffer->bytes) == 0)
        return true;
    return compare_elements(buffer, data, tolerance, fault) &&
           compare_mean(buffer, data, tolerance->mean, fault);
}

double hone_compare_slack(const struct hone_buffer *buffer)
{
    double largest = 0;
    if (!hone_dtype_is_float(buffer->arg.dtype)) return 0;
    for (size_t i = 0; i < buffer->arg.count; i++) {
        const double x = fabs(hone_element_load(buffer->arg.dtype, buffer->expected, i));
        if (isfinite(x) && x > largest) largest = x;
    }
    return largest * exp2(-0.5 * hone_dtype_precision(buffer->arg.dtype));
}

bool hone_compare_odd(const struct hone_buffer *buffer, char *text, size_t size)
{
    size_t odd = 0, first = 0;
    if (!buffer->expected || !hone_dtype_is_float(buffer->arg.dtype)) return false;
    for (size_t i = 0; i < buffer->arg.count; i++)
        if (!isfinite(load_expected(buffer, i)) && !odd++) first = i;
    if (odd)
        hone_snprintf(text, size, "%s[%zu] is %g; %zu of %llu are no finite numbers",
                      buffer->arg.name, first, load_expected(buffer, first), odd,
                      (unsigned long long)buffer->arg.count);
    return odd;
}
