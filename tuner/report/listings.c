#include "report/listings.h"

#include "hone/device.h"
#include "hone/search.h"
#include "hone/version.h"
#include "record/json_out.h"

/* --- devices --- */

static struct json_t *limits_json(const struct hone_limits *limits)
{
    struct json_t *object = hone_json_object();
    for (size_t i = 0; hone_limits_name(i); i++) {
        int64_t value = 0;
        hone_limits_get(limits, hone_limits_name(i), &value);
        hone_json_integer(object, hone_limits_name(i), value);
    }
    return object;
}

static void add_device_json(void *context, const struct hone_device_listing *d)
{
    struct json_t *object = hone_json_object();
    hone_json_text(object, "device", d->id);
    hone_json_text(object, "description", d->description);
    hone_json_bool(object, "available", d->available);
    if (d->available) {
        hone_json_text(object, "name", d->limits->name);
        hone_json_text(object, "arch", d->limits->arch);
        hone_json_child(object, "limits", limits_json(d->limits));
    } else {
        hone_json_text(object, "why_not", d->why_not);
    }
    hone_json_append(context, object);
}

struct json_t *hone_devices_json(void)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    hone_device_list(add_device_json, list);
    hone_json_child(root, "devices", list);
    return root;
}

/* --- strategies --- */

static void add_settings(struct json_t *object, const struct hone_strategy_fns *fns)
{
    struct json_t *list = hone_json_array();
    for (const struct hone_setting *s = fns->settings; s && s->name; s++) {
        struct json_t *setting = hone_json_object();
        hone_json_text(setting, "name", s->name);
        hone_json_text(setting, "help", s->help);
        hone_json_number(setting, "least", s->least);
        hone_json_number(setting, "most", s->most);
        hone_json_number(setting, "default", s->fallback);
        hone_json_bool(setting, "whole", s->whole);
        hone_json_append(list, setting);
    }
    hone_json_child(object, "settings", list);
}

struct json_t *hone_strategies_json(void)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    for (const struct hone_strategy_fns *const *s = hone_strategies; *s; s++) {
        struct json_t *object = hone_json_object();
        hone_json_text(object, "strategy", (*s)->name);
        hone_json_text(object, "description", (*s)->description);
        add_settings(object, *s);
        hone_json_append(list, object);
    }
    hone_json_child(root, "strategies", list);
    return root;
}

/* --- kernels --- */

static struct json_t *kernel_json(const struct hone_installed_kernel *kernel)
{
    struct json_t *object = hone_json_object();
    hone_json_text(object, "kernel", kernel->name);
    hone_json_text(object, "description", kernel->about);
    hone_json_text(object, "script", kernel->path);
    hone_json_text(object, "page", kernel->page[0] ? kernel->page : NULL);
    return object;
}

struct json_t *hone_kernels_json(const struct hone_installed_kernels *kernels)
{
    struct json_t *root = hone_json_object(), *list = hone_json_array();
    struct hone_installed_kernel kernel;
    for (size_t i = 0; i < kernels->count; i++) {
        hone_installed_kernel_read(&kernel, kernels, i);
        hone_json_append(list, kernel_json(&kernel));
    }
    hone_json_child(root, "kernels", list);
    return root;
}

struct json_t *hone_kernel_json(const struct hone_installed_kernel *kernel,
                                size_t parameters)
{
    struct json_t *object = kernel_json(kernel);
    hone_json_integer(object, "parameters", (int64_t)parameters);
    return object;
}

/* --- this machine --- */

struct json_t *hone_version_json(const struct hone_box *box, const char *docs)
{
    struct json_t *root = hone_json_object(), *parts = hone_json_object();
    for (int i = 0; i < HONE_BOX_PARTS; i++)
        hone_json_lossy_text(parts, hone_box_name((enum hone_box_part)i),
                             box->why[i][0] ? box->why[i] : "active");
    hone_json_text(root, "version", HONE_VERSION);
    hone_json_lossy_text(root, "docs", docs);
    hone_json_child(root, "protections", parts);
    return root;
}

struct hone_plain hone_date_text(time_t when)
{
    struct hone_plain out = {""};
    struct tm utc;
    if (when && gmtime_r(&when, &utc))
        strftime(out.text, sizeof out.text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return out;
}

struct json_t *hone_cache_json(const char *folder, const struct hone_cache_facts *facts)
{
    const struct hone_plain oldest = hone_date_text(facts->oldest);
    const struct hone_plain newest = hone_date_text(facts->newest);
    struct json_t *root = hone_json_object();
    hone_json_text(root, "cache", folder);
    hone_json_integer(root, "entries", (int64_t)facts->entries);
    hone_json_integer(root, "bytes", (int64_t)facts->bytes);
    hone_json_text(root, "oldest", *oldest.text ? oldest.text : NULL);
    hone_json_text(root, "newest", *newest.text ? newest.text : NULL);
    hone_json_integer(root, "removed_entries", (int64_t)facts->removed_entries);
    hone_json_integer(root, "removed_bytes", (int64_t)facts->removed_bytes);
    return root;
}
