#include "symbols.h"

#include <stdio.h>
#include <string.h>

#include "base/identifier.h"
#include "compare.h"
#include "evaluate/module.h"
#include "fault.h"

// Whether name is a word of the text.
static bool has_word(const char *text, const char *name)
{
    const size_t len = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p++)
        if ((p == text || !hone_is_name_part(p[-1])) && !hone_is_name_part(p[len]))
            return true;
    return false;
}

static enum hone_status reject_symbol(struct hone_fault *fault, const char *name,
                                      const char *why)
{
    fault->outcome = HONE_REJECTED;
    snprintf(fault->reason, sizeof fault->reason, "symbol '%s': %s", name, why);
    return HONE_OK;
}

static enum hone_status place_one(struct hone_device *device, struct hone_buffer *symbol,
                                  const struct hone_loaded *kernel,
                                  struct hone_fault *fault, struct hone_error *err)
{
    char name[HONE_VARIABLE_MAX], why[160];
    struct hone_error missing = {0};
    size_t bytes = 0;
    symbol->data = 0;
    if (!device->fns->find_variable)
        return hone_fail(err, HONE_EUNSUPPORTED, "symbol '%s': %s finds no variables",
                         symbol->arg.name, device->id);
    enum hone_status status =
        hone_build_variable(kernel->build, symbol->arg.name, name, &missing);
    if (status == HONE_OK)
        status = device->fns->find_variable(device, kernel->module, name, &symbol->data,
                                            &bytes, &missing);
    if (status == HONE_ENOTFOUND || status == HONE_EINPUT)
        return reject_symbol(fault, symbol->arg.name, missing.text);
    if (status != HONE_OK) return hone_error_pass(err, status, &missing);
    if (symbol->bytes <= bytes) return HONE_OK;
    snprintf(why, sizeof why, "%llu elements of %s have %zu bytes, the variable has %zu",
             (unsigned long long)symbol->arg.count, hone_dtype_name(symbol->arg.dtype),
             symbol->bytes, bytes);
    symbol->data = 0;
    return reject_symbol(fault, symbol->arg.name, why);
}

// A configuration whose macros leave the symbol out has its name in the source alone.
static bool is_left_out(const struct hone_loaded *kernel, const char *symbol)
{
    char name[HONE_VARIABLE_MAX];
    return !kernel->is_reference && has_word(kernel->job->source, symbol) &&
           hone_build_variable(kernel->build, symbol, name, NULL) == HONE_ENOTFOUND;
}

enum hone_status hone_symbols_place(struct hone_buffers *buffers,
                                    const struct hone_loaded *kernel,
                                    struct hone_fault *fault, struct hone_error *err)
{
    for (size_t i = 0; i < buffers->arg_count; i++) {
        struct hone_buffer *symbol = &buffers->items[i];
        if (symbol->arg.kind != HONE_ARG_SYMBOL) continue;
        symbol->data = 0;
        if (is_left_out(kernel, symbol->arg.name)) continue;
        enum hone_status status = place_one(buffers->device, symbol, kernel, fault, err);
        if (!hone_is_right(status, fault)) return status;
    }
    return hone_symbols_arm(buffers, err);
}

enum hone_status hone_symbols_load(struct hone_buffers *buffers,
                                   struct hone_loaded *kernel, struct hone_fault *fault,
                                   struct hone_error *err)
{
    struct hone_error why = {0};
    enum hone_status status = hone_module_load(kernel, buffers->device, fault, &why);
    if (status == HONE_ENOTFOUND && kernel->is_reference)
        return hone_fail(err, status, "reference: %.400s", why.text);
    if (!hone_is_right(status, fault)) return hone_error_pass(err, status, &why);
    return hone_symbols_place(buffers, kernel, fault, err);
}

enum hone_status hone_symbols_arm(struct hone_buffers *buffers, struct hone_error *err)
{
    struct hone_device *device = buffers->device;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < buffers->arg_count && status == HONE_OK; i++) {
        const struct hone_buffer *symbol = &buffers->items[i];
        if (symbol->arg.kind == HONE_ARG_SYMBOL && symbol->data)
            status = device->fns->copy(device, HONE_TO_DEVICE, symbol->data,
                                       symbol->values, symbol->bytes, err);
    }
    return status;
}

enum hone_status hone_symbols_check(struct hone_buffers *buffers, unsigned char *scratch,
                                    struct hone_fault *fault, struct hone_error *err)
{
    struct hone_device *device = buffers->device;
    for (size_t i = 0; i < buffers->arg_count; i++) {
        const struct hone_buffer *symbol = &buffers->items[i];
        if (symbol->arg.kind != HONE_ARG_SYMBOL || !symbol->data) continue;
        enum hone_status status = device->fns->copy(device, HONE_TO_HOST, symbol->data,
                                                    scratch, symbol->bytes, err);
        if (status != HONE_OK) return status;
        if (!hone_compare_input(symbol, scratch, fault)) break;
    }
    return HONE_OK;
}
