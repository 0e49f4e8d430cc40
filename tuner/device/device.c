// The registry: which kinds of device there are, opening one by name and listing them
// all.
#include "hone/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/suggest.h"
#include "cuda_device.h"
#include "device/emu.h"
#include "hone/strbuf.h"

// Ten samples give an interval of the median that is no accident; 200 or 100 ms are
// enough for a noisy kernel, and half a percent is what a finalist must win by to matter.
const struct hone_time_policy hone_time_policy_default = {
    .min_samples = 6,
    .max_samples = 200,
    .target_rel_ci = 0.005,
    .budget_ms = 100,
};

const char *hone_clock_name(enum hone_clock clock)
{
    static const char *const names[] = {
        [HONE_CLOCK_NONE] = "none",         [HONE_CLOCK_CUPTI] = "cupti",
        [HONE_CLOCK_EVENT] = "event",       [HONE_CLOCK_GRAPH] = "graph",
        [HONE_CLOCK_EMULATED] = "emulated",
    };
    return names[clock];
}

enum hone_time_kind hone_clock_times(enum hone_clock clock)
{
    return clock == HONE_CLOCK_EMULATED ? HONE_TIME_PREDICTED : HONE_TIME_NONE;
}

enum hone_status hone_clock_parse(enum hone_clock *out, const char *name)
{
    enum hone_clock clock = HONE_CLOCK_GRAPH;
    while (clock != HONE_CLOCK_NONE && strcmp(name, hone_clock_name(clock)) != 0)
        clock--;
    if (clock == HONE_CLOCK_NONE && strcmp(name, "auto") != 0) return HONE_ENOTFOUND;
    *out = clock;
    return HONE_OK;
}

enum { KIND_CUDA, KIND_EMU };

static const struct kind {
    const struct hone_device_fns *fns;
    const char *usual; // what the kind's name alone stands for, behind its colon
    enum hone_status (*limits)(struct hone_limits *out, const char *spec,
                               struct hone_error *err);
} kinds[] = {
    [KIND_CUDA] = {&hone_device_cuda, "0", hone_cuda_limits},
    [KIND_EMU] = {&hone_device_emu, "h200", hone_emu_limits},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// "cuda:0, ..., emu:h200, ..." as far as they are known without asking anyone.
static void add_known_names(struct hone_strbuf *out)
{
    hone_strbuf_add(out, "auto, cuda:N");
    for (size_t i = 0; hone_emu_name(i); i++)
        hone_strbuf_printf(out, ", %s:%s", hone_device_emu.name, hone_emu_name(i));
}

// Who asks for a GPU by its model, "A100", may have none; letters of any case.
static const char *emulated_model(const char *name)
{
    const size_t kind = strlen(hone_device_emu.name) + 1;
    const char *colon = strchr(name, ':');
    if (colon && colon + 1 == name + kind) name = colon + 1;
    for (size_t i = 0; hone_emu_name(i); i++)
        if (hone_word_begins(hone_emu_name(i), name, true)) return hone_emu_name(i);
    return NULL;
}

static enum hone_status unknown_name(const char *name, struct hone_error *err)
{
    struct hone_strbuf names = HONE_STRBUF_INIT;
    const char *model = emulated_model(name);
    if (model)
        hone_strbuf_printf(&names, "did you mean '%s:%s', which is emulated? ",
                           hone_device_emu.name, model);
    hone_strbuf_add(&names, "there are ");
    add_known_names(&names);
    hone_fail(err, HONE_EUSAGE, "there is no device '%s'; %s", name, names.data);
    hone_strbuf_fini(&names);
    return HONE_EUSAGE;
}

// The kind before the colon and the text after it, or what the kind alone stands for;
// NULL for a name of no device.
static const struct kind *device_split(const char *name, const char **spec)
{
    const size_t length = strcspn(name, ":");
    for (size_t i = 0; i < KINDS; i++) {
        const char *kind = kinds[i].fns->name;
        if (strlen(kind) != length || memcmp(kind, name, length) != 0) continue;
        *spec = name[length] ? name + length + 1 : kinds[i].usual;
        return &kinds[i];
    }
    return NULL;
}

bool hone_device_is_emulated(const char *name)
{
    const char *spec;
    const struct kind *kind = device_split(name, &spec);
    return kind && kind->fns == &hone_device_emu;
}

// What auto means here.
static const char *device_resolve(const char *name)
{
    const char *const emulated = kinds[KIND_EMU].fns->name;
    if (strcmp(name, "auto") != 0) return name;
    struct hone_error why = {0};
    int count = 0;
    if (hone_cuda_count(&count, &why) == HONE_OK) return "cuda:0";
    hone_log(HONE_LOG_INFO, "%s:%s is used: %s", emulated, kinds[KIND_EMU].usual,
             why.text);
    return emulated;
}

enum hone_status hone_device_open(struct hone_device **out, const char *name,
                                  struct hone_error *err)
{
    return hone_device_open_by(out, name, HONE_CLOCK_NONE, err);
}

enum hone_status hone_device_open_by(struct hone_device **out, const char *name,
                                     enum hone_clock clock, struct hone_error *err)
{
    const char *spec = NULL;
    const struct kind *kind = device_split(device_resolve(name), &spec);
    if (!kind) return unknown_name(name, err);
    struct hone_device *dev = calloc(1, sizeof *dev);
    void *priv = calloc(1, kind->fns->priv_size);
    enum hone_status status = HONE_ENOMEM;
    if (dev && priv) {
        *dev = (struct hone_device){.fns = kind->fns, .priv = priv, .clock = clock};
        status = kind->fns->open(dev, spec, err);
    } else {
        hone_no_memory(err, "opening device '%s'", name);
    }
    if (status == HONE_OK) {
        if (!clock || dev->clock == clock) {
            *out = dev;
            return HONE_OK;
        }
        status = hone_fail(err, HONE_EUSAGE, "%s has no clock to choose: it is %s",
                           dev->id, hone_clock_name(dev->clock));
        dev->fns->close(dev);
    }
    free(priv);
    free(dev);
    return status;
}

void hone_device_close(struct hone_device *dev)
{
    if (!dev) return;
    dev->fns->close(dev);
    free(dev->priv);
    free(dev);
}

enum hone_status hone_device_limits(struct hone_limits *out, const char *name,
                                    struct hone_error *err)
{
    const char *spec = NULL;
    const struct kind *kind = device_split(device_resolve(name), &spec);
    if (!kind) return unknown_name(name, err);
    return kind->limits(out, spec, err);
}

static void list_one(hone_device_visit *visit, void *context, const struct kind *kind,
                     const char *spec)
{
    struct hone_limits limits;
    struct hone_error why = {0};
    char id[64];
    snprintf(id, sizeof id, "%s:%s", kind->fns->name, spec);
    bool available = kind->limits(&limits, spec, &why) == HONE_OK;
    visit(context, &(struct hone_device_listing){.id = id,
                                                 .description = kind->fns->description,
                                                 .available = available,
                                                 .why_not = why.text,
                                                 .limits = available ? &limits : NULL});
}

void hone_device_list(hone_device_visit *visit, void *context)
{
    struct hone_error why = {0};
    int count = 0;
    if (hone_cuda_count(&count, &why) != HONE_OK)
        count = 1; // cuda:0, with why it is not there
    for (int i = 0; i < count; i++) {
        char spec[16];
        snprintf(spec, sizeof spec, "%d", i);
        list_one(visit, context, &kinds[KIND_CUDA], spec);
    }
    for (size_t i = 0; hone_emu_name(i); i++)
        list_one(visit, context, &kinds[KIND_EMU], hone_emu_name(i));
}
