// What the first line says of the kernel: derived values, how it is launched, arguments.
#include "header_reader.h"

#include <string.h>

static void read_one_derived(struct hone_header_reader *r, struct hone_derived *derived,
                             const json_t *item)
{
    derived->name = hone_header_read_name(r, item, "name");
    derived->text = hone_header_read_text(r, item, "text");
    if (!derived->name || !derived->text)
        hone_header_bad(r, "derived", "a list of objects with name and text");
    derived->line = (int)json_integer_value(json_object_get(item, "line"));
}

void hone_header_read_derived(struct hone_header_reader *r)
{
    const struct hone_header_list list = hone_header_read_list(r, r->line, "derived");
    r->info->derived_count = list.count;
    if (!list.count) return;
    struct hone_derived *derived = hone_header_array(r, list.count, sizeof *derived);
    r->info->derived = derived;
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++)
        read_one_derived(r, &derived[i], json_array_get(list.json, i));
}

// --- launches ---

static void read_extent(struct hone_header_reader *r, const char *extent[3],
                        const json_t *launch, const char *key)
{
    const struct hone_header_list list = hone_header_read_list(r, launch, key);
    if (list.count > 3) hone_header_bad(r, key, "at most three expressions");
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++) {
        const json_t *json = json_array_get(list.json, i);
        if (json_is_null(json)) continue;
        if (!json_is_string(json)) hone_header_bad(r, key, "a list of expressions");
        extent[i] = hone_header_keep(r, json_string_value(json));
        hone_header_check_text(r, key, extent[i], HONE_HEADER_TEXT_MOST);
    }
}

void hone_header_read_launch(struct hone_header_reader *r)
{
    const json_t *launch = json_object_get(r->line, "launch");
    struct hone_record_info *info = r->info;
    read_extent(r, info->grid, launch, "grid");
    read_extent(r, info->block, launch, "block");
    read_extent(r, info->cluster, launch, "cluster");
    if (hone_header_read_flag(r, launch, "cooperative"))
        info->launch_flags |= HONE_LAUNCH_COOPERATIVE;
    if (hone_header_read_flag(r, launch, "dependent"))
        info->launch_flags |= HONE_LAUNCH_DEPENDENT;
}

// --- arguments ---

static uint32_t read_mode(struct hone_header_reader *r, const json_t *json,
                          const char *key, uint32_t number(uint32_t))
{
    const json_t *mode = json_object_get(json, key);
    const json_int_t bytes = json_integer_value(mode);
    if (!mode) return 0;
    const bool fits = json_is_integer(mode) && bytes >= 0 && bytes <= 256;
    if (!fits || number((uint32_t)bytes) == UINT32_MAX)
        hone_header_bad(r, key, "what tensor maps have");
    return (uint32_t)bytes;
}

static void read_axes(struct hone_header_reader *r, struct hone_map_def *map,
                      const json_t *json)
{
    const struct hone_header_list list = hone_header_read_list(r, json, "axes");
    if (!list.count || list.count > HONE_MAP_RANK_MAX)
        hone_header_bad(r, "axes", "a list of 1 to 5 axes");
    map->rank = list.count;
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++) {
        const json_t *axis = json_array_get(list.json, i);
        map->axes[i].size = hone_header_read_text(r, axis, "size");
        map->axes[i].box = hone_header_read_text(r, axis, "box");
        map->axes[i].stride = hone_header_read_text(r, axis, "stride");
        if (!map->axes[i].size || !map->axes[i].box)
            hone_header_bad(r, "axes", "a list of objects with size and box");
    }
}

// NULL without one.
static const struct hone_map_def *read_map(struct hone_header_reader *r,
                                           const json_t *item)
{
    const json_t *json = json_object_get(item, "tensor_map");
    struct hone_map_def *map = json ? hone_header_array(r, 1, sizeof *map) : NULL;
    if (!map) return NULL;
    struct hone_map_modes *modes = &map->modes;
    read_axes(r, map, json);
    modes->swizzle = read_mode(r, json, "swizzle", hone_map_swizzle);
    modes->interleave = read_mode(r, json, "interleave", hone_map_interleave);
    modes->promotion = read_mode(r, json, "promotion", hone_map_promotion);
    modes->nan_fill = json_is_true(json_object_get(json, "nan_fill"));
    return map;
}

static void read_arg(struct hone_header_reader *r, struct hone_record_arg *arg,
                     const json_t *item)
{
    arg->kind = hone_header_read_name(r, item, "kind");
    arg->name = hone_header_read_name(r, item, "name");
    arg->dtype = hone_header_read_name(r, item, "dtype");
    arg->size = hone_header_read_text(r, item, "size");
    if (!arg->kind || !arg->name || !arg->size)
        hone_header_bad(r, "args", "a list of arguments with kind, name and size");
    arg->pointers = hone_header_read_text(r, item, "pointers");
    arg->map = read_map(r, item);
    arg->fill = hone_header_read_name(r, item, "fill");
}

void hone_header_read_args(struct hone_header_reader *r)
{
    const struct hone_header_list list = hone_header_read_list(r, r->line, "args");
    r->info->arg_count = list.count;
    if (!list.count) return;
    struct hone_record_arg *args = hone_header_array(r, list.count, sizeof *args);
    r->info->args = args;
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++)
        read_arg(r, &args[i], json_array_get(list.json, i));
}

// The problem's own copy of a name; NULL: it has none such.
static const char *problem_name(const struct hone_record_info *info, const char *name)
{
    for (size_t i = 0; name && i < info->problem_count; i++)
        if (strcmp(info->problem[i].name, name) == 0) return info->problem[i].name;
    return NULL;
}

void hone_header_read_defines(struct hone_header_reader *r)
{
    const struct hone_header_list list = hone_header_read_list(r, r->line, "defines");
    if (!list.json) return;
    const char **names = hone_header_array(r, list.count + 1, sizeof *names);
    r->info->defines = names;
    r->info->define_count = list.count;
    for (size_t i = 0; i < list.count && hone_header_is_fine(r); i++) {
        const json_t *item = json_array_get(list.json, i);
        names[i] = problem_name(r->info, json_string_value(item));
        if (!names[i]) hone_header_bad(r, "defines", "a list of names of the problem");
    }
}
