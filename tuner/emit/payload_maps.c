// Tensor maps in a launch: the driver's host code encodes them anew for each, into room
// on the stack.
#include <string.h>

#include "emit_launch.h"
#include "emit_text.h"
#include "launcher.h"

enum { ROOM_BYTES = HONE_MAP_BYTES + HONE_MAP_ALIGNMENT };

bool hone_emit_has_maps(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->arg_count; i++)
        if (plan->info->args[i].map) return true;
    return false;
}

// "A_arg", "A_arg_map": what the text has for a map's names.
static void add_name(struct emit_slots *slots, const char *slot,
                     const struct hone_record_arg *arg, const char *end)
{
    hone_strbuf_printf(hone_emit_slot(slots, slot), "%s_arg%s", arg->name, end);
}

void hone_emit_map_rooms(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        struct emit_slots slots = {.count = 0};
        if (!arg->map) continue;
        add_name(&slots, "MAP_ROOM", arg, "_room");
        add_name(&slots, "MAP_OF", arg, "_map");
        hone_strbuf_printf(hone_emit_slot(&slots, "ROOM_BYTES"), "%d", ROOM_BYTES);
        hone_strbuf_printf(hone_emit_slot(&slots, "ALIGNMENT"), "%d", HONE_MAP_ALIGNMENT);
        hone_emit_lines(out, plan, hone_text_payload_room, "", &slots);
    }
}

// Strides leave out the innermost axis.
static enum hone_status print_item(struct hone_strbuf *out, struct emit_plan *plan,
                                   const struct hone_record_arg *arg,
                                   enum emit_map_part part, size_t axis)
{
    static const char *const arrays[] = {
        [EMIT_MAP_SIZE] = "size", [EMIT_MAP_BOX] = "box", [EMIT_MAP_STRIDE] = "stride"};
    const char *c = part == EMIT_MAP_BOX ? "unsigned" : "unsigned long long";
    const char *const texts[] = {[EMIT_MAP_SIZE] = arg->map->axes[axis].size,
                                 [EMIT_MAP_BOX] = arg->map->axes[axis].box,
                                 [EMIT_MAP_STRIDE] = arg->map->axes[axis].stride};
    enum hone_status status = hone_emit_print_integer(
        plan, out, texts[part], 1, hone_emit_map_most(arg, axis, part));
    hone_strbuf_printf(out, "        map_%s[%zu] = (%s)value", arrays[part],
                       axis - (part == EMIT_MAP_STRIDE), c);
    return status;
}

// Strides count bytes.
static enum hone_status print_axis(struct hone_strbuf *out, struct emit_plan *plan,
                                   const struct hone_record_arg *arg, size_t i)
{
    const unsigned bytes = hone_emit_element_bytes(arg->dtype);
    enum hone_status status = print_item(out, plan, arg, EMIT_MAP_SIZE, i);
    hone_strbuf_add(out, ";\n");
    if (status == HONE_OK) status = print_item(out, plan, arg, EMIT_MAP_BOX, i);
    hone_strbuf_add(out, ";\n");
    if (!i || status != HONE_OK) return status;
    if (arg->map->axes[i].stride) {
        status = print_item(out, plan, arg, EMIT_MAP_STRIDE, i);
        hone_strbuf_printf(out, " * %u;\n", bytes);
    } else if (i == 1) {
        hone_strbuf_printf(out, "        map_stride[0] = map_size[0] * %u;\n", bytes);
    } else {
        hone_strbuf_printf(out,
                           "        map_stride[%zu] = map_stride[%zu] * map_size[%zu];\n",
                           i - 1, i - 2, i - 1);
    }
    return status;
}

static enum hone_status print_map(struct hone_strbuf *out, struct emit_plan *plan,
                                  const struct hone_record_arg *arg)
{
    const struct hone_map_def *map = arg->map;
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *axes = hone_emit_slot(&slots, "SET_AXES");
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < map->rank && status == HONE_OK; i++)
        status = print_axis(axes, plan, arg, i);
    add_name(&slots, "MAP_OF", arg, "_map");
    add_name(&slots, "MAP_BASE", arg, "");
    hone_strbuf_printf(hone_emit_slot(&slots, "MAP_TYPE"), "%u",
                       hone_map_type(arg->dtype));
    hone_strbuf_printf(hone_emit_slot(&slots, "MAP_RANK"), "%zu", map->rank);
    hone_strbuf_printf(hone_emit_slot(&slots, "MAP_MODES"), "%u, %u, %u, %u",
                       hone_map_interleave(map->modes.interleave),
                       hone_map_swizzle(map->modes.swizzle),
                       hone_map_promotion(map->modes.promotion), map->modes.nan_fill);
    hone_emit_lines(out, plan, hone_text_payload_map, "", &slots);
    return status;
}

enum hone_status hone_emit_maps(struct hone_strbuf *out, struct emit_plan *plan)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < plan->info->arg_count && status == HONE_OK; i++)
        if (plan->info->args[i].map) status = print_map(out, plan, &plan->info->args[i]);
    return status;
}
