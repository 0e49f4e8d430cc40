// What the first line says of the kernel: derived values, how it is launched, arguments.
#include "header_reader.h"

#include <string.h>

#include "base/sink.h"

enum hone_status hone_header_read_derived(const struct hone_header_reader *r,
                                          struct hone_record_info *info,
                                          const json_t *root)
{
    const json_t *list;
    enum hone_status status =
        hone_header_read_list(r, &list, &info->derived_count, root, "derived");
    if (status != HONE_OK || !info->derived_count) return status;
    struct hone_derived *derived =
        hone_arena_array(r->arena, info->derived_count, sizeof *derived);
    if (!derived) return hone_header_no_memory(r);
    info->derived = derived;
    for (size_t i = 0; i < info->derived_count; i++) {
        const json_t *item = json_array_get(list, i);
        if ((status = hone_header_read_name(r, &derived[i].name, item, "name")) !=
            HONE_OK)
            return status;
        if ((status = hone_header_read_text(r, &derived[i].text, item, "text")) !=
            HONE_OK)
            return status;
        if (!derived[i].name || !derived[i].text)
            return hone_header_bad(r, "derived", "a list of objects with name and text");
        derived[i].line = (int)json_integer_value(json_object_get(item, "line"));
    }
    return HONE_OK;
}

enum hone_status hone_header_read_extent(const struct hone_header_reader *r,
                                         const char *extent[3], const json_t *root,
                                         const char *key)
{
    const json_t *list;
    size_t count;
    enum hone_status status =
        hone_header_read_list(r, &list, &count, json_object_get(root, "launch"), key);
    if (status != HONE_OK) return status;
    if (count > 3) return hone_header_bad(r, key, "at most three expressions");
    for (size_t i = 0; i < count; i++) {
        const json_t *json = json_array_get(list, i);
        if (json_is_null(json)) continue;
        if (!json_is_string(json))
            return hone_header_bad(r, key, "a list of expressions");
        extent[i] = hone_arena_strdup(r->arena, json_string_value(json));
        if (!extent[i]) return hone_header_no_memory(r);
        status = hone_header_check_text(r, key, extent[i], HONE_HEADER_TEXT_MOST);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

static enum hone_status read_mode(const struct hone_header_reader *r, uint32_t *out,
                                  const json_t *json, const char *key,
                                  uint32_t number(uint32_t))
{
    const json_t *mode = json_object_get(json, key);
    const json_int_t bytes = json_integer_value(mode);
    if (!mode) return HONE_OK;
    *out = (uint32_t)bytes;
    const bool fits = json_is_integer(mode) && bytes >= 0 && bytes <= 256;
    return fits && number(*out) != UINT32_MAX
               ? HONE_OK
               : hone_header_bad(r, key, "what tensor maps have");
}

static enum hone_status read_axes(const struct hone_header_reader *r,
                                  struct hone_map_def *map, const json_t *json)
{
    const json_t *list;
    enum hone_status status = hone_header_read_list(r, &list, &map->rank, json, "axes");
    if (status != HONE_OK || !map->rank || map->rank > HONE_MAP_RANK_MAX)
        return status != HONE_OK ? status
                                 : hone_header_bad(r, "axes", "a list of 1 to 5 axes");
    for (size_t i = 0; i < map->rank; i++) {
        const json_t *axis = json_array_get(list, i);
        if ((status = hone_header_read_text(r, &map->axes[i].size, axis, "size")) !=
            HONE_OK)
            return status;
        if ((status = hone_header_read_text(r, &map->axes[i].box, axis, "box")) !=
            HONE_OK)
            return status;
        if ((status = hone_header_read_text(r, &map->axes[i].stride, axis, "stride")) !=
            HONE_OK)
            return status;
        if (!map->axes[i].size || !map->axes[i].box)
            return hone_header_bad(r, "axes", "a list of objects with size and box");
    }
    return HONE_OK;
}

static enum hone_status read_map(const struct hone_header_reader *r,
                                 const struct hone_map_def **out, const json_t *item)
{
    const json_t *json = json_object_get(item, "tensor_map");
    if (!json) return HONE_OK;
    struct hone_map_def *map = hone_arena_alloc(r->arena, sizeof *map);
    if (!map) return hone_header_no_memory(r);
    *map = (struct hone_map_def){.rank = 0};
    *out = map;
    struct hone_map_modes *modes = &map->modes;
    enum hone_status status = read_axes(r, map, json);
    if (status == HONE_OK)
        status = read_mode(r, &modes->swizzle, json, "swizzle", hone_map_swizzle);
    if (status == HONE_OK)
        status =
            read_mode(r, &modes->interleave, json, "interleave", hone_map_interleave);
    if (status == HONE_OK)
        status = read_mode(r, &modes->promotion, json, "promotion", hone_map_promotion);
    modes->nan_fill = json_is_true(json_object_get(json, "nan_fill"));
    return status;
}

static enum hone_status read_args(const struct hone_header_reader *r,
                                  struct hone_record_info *info, const json_t *root)
{
    const json_t *list;
    enum hone_status status =
        hone_header_read_list(r, &list, &info->arg_count, root, "args");
    if (status != HONE_OK || !info->arg_count) return status;
    struct hone_record_arg *args =
        hone_arena_array(r->arena, info->arg_count, sizeof *args);
    if (!args) return hone_header_no_memory(r);
    info->args = args;
    for (size_t i = 0; i < info->arg_count; i++) {
        const json_t *item = json_array_get(list, i);
        if ((status = hone_header_read_name(r, &args[i].kind, item, "kind")) != HONE_OK)
            return status;
        if ((status = hone_header_read_name(r, &args[i].name, item, "name")) != HONE_OK)
            return status;
        if ((status = hone_header_read_name(r, &args[i].dtype, item, "dtype")) != HONE_OK)
            return status;
        if ((status = hone_header_read_text(r, &args[i].size, item, "size")) != HONE_OK)
            return status;
        if (!args[i].kind || !args[i].name || !args[i].size)
            return hone_header_bad(r, "args",
                                   "a list of arguments with kind, name and size");
        if ((status = hone_header_read_text(r, &args[i].pointers, item, "pointers")) !=
            HONE_OK)
            return status;
        if ((status = read_map(r, &args[i].map, item)) != HONE_OK) return status;
        if ((status = hone_header_read_name(r, &args[i].fill, item, "fill")) != HONE_OK)
            return status;
    }
    return HONE_OK;
}

// The problem's own copy of a name; NULL: it has none such.
static const char *problem_name(const struct hone_record_info *info, const char *name)
{
    for (size_t i = 0; name && i < info->problem_count; i++)
        if (strcmp(info->problem[i].name, name) == 0) return info->problem[i].name;
    return NULL;
}

static enum hone_status read_defines(const struct hone_header_reader *r,
                                     struct hone_record_info *info, const json_t *root)
{
    const json_t *list;
    enum hone_status status =
        hone_header_read_list(r, &list, &info->define_count, root, "defines");
    if (status != HONE_OK || !list) return status;
    const char **names =
        hone_arena_array(r->arena, info->define_count + 1, sizeof *names);
    if (!names) return hone_header_no_memory(r);
    info->defines = names;
    for (size_t i = 0; i < info->define_count; i++) {
        names[i] = problem_name(info, json_string_value(json_array_get(list, i)));
        if (!names[i])
            return hone_header_bad(r, "defines", "a list of names of the problem");
    }
    return HONE_OK;
}

enum hone_status hone_header_read_interface(const struct hone_header_reader *r,
                                            struct hone_record_info *info,
                                            const json_t *root)
{
    const enum hone_status status = read_args(r, info, root);
    return status == HONE_OK ? read_defines(r, info, root) : status;
}
