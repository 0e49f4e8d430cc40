// The functions that load and launch a payload: over the driver's functions, which the
// header finds itself, so that nothing has to be linked.
#include <stdio.h>
#include <string.h>

#include "base/sink.h"
#include "c_expr.h"
#include "emit_launch.h"
#include "emit_sections.h"
#include "emit_text.h"
#include "launcher.h"

void hone_emit_payload_includes(struct hone_strbuf *out, const struct emit_plan *plan)
{
    if (plan->payload) hone_emit_part(out, plan, hone_text_payload_includes, "");
}

static void print_ask_gpu(struct hone_strbuf *out, const struct emit_plan *plan)
{
    // Numbers of CUdevice_attribute, cuda.h 12.
    static const struct {
        const char *field;
        int attribute;
    } known[] = {{"warp_size", 10},
                 {"max_threads_per_block", 1},
                 {"max_threads_per_sm", 39},
                 {"max_blocks_per_sm", 106},
                 {"registers_per_block", 12},
                 {"registers_per_sm", 82},
                 {"shared_bytes_per_sm", 81},
                 {"reserved_shared_bytes", 111},
                 {"max_grid_x", 5},
                 {"max_grid_y", 6},
                 {"max_grid_z", 7}};
    struct emit_slots slots = {.count = 0};
    struct hone_strbuf *further = hone_emit_slot(&slots, "FURTHER_LIMITS");
    for (size_t i = 0; i < plan->gpu_field_count; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(plan->gpu_fields[i], known[k].field) == 0)
                hone_strbuf_printf(further,
                                   "    if (!driver->get_attribute(&value, %d, device)) "
                                   "gpu->%s = value;\n",
                                   known[k].attribute, known[k].field);
    hone_emit_part_with(out, plan, hone_text_payload_gpu, "", &slots);
}

_Static_assert(HONE_SHARED_ALWAYS == 49152, "as text/payload_load.h has it");

/* --- the launch, typed by the kernel's arguments --- */

// Names a dtype in C; halves and the like have no name there.
static const char *c_type(const char *dtype)
{
    static const char *const types[][2] = {{"f64", "double"},
                                           {"f32", "float"},
                                           {"i64", "long long"},
                                           {"i32", "int"},
                                           {"i16", "short"},
                                           {"i8", "signed char"},
                                           {"u64", "unsigned long long"},
                                           {"u32", "unsigned"},
                                           {"u16", "unsigned short"},
                                           {"u8", "unsigned char"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (dtype && strcmp(types[i][0], dtype) == 0) return types[i][1];
    return NULL;
}

static bool is_only_read(const struct hone_record_arg *arg)
{
    return strcmp(arg->kind, "input") == 0 || strcmp(arg->kind, "constant") == 0;
}

// Scalars without a C type are asked for by their bits.
static const char *scalar_type(const struct hone_record_arg *arg)
{
    const char *type = c_type(arg->dtype);
    if (type) return type;
    return arg->dtype && strchr(arg->dtype, '1') ? "unsigned short" : "unsigned char";
}

static void print_params(struct hone_strbuf *out, const struct emit_plan *plan,
                         bool typed)
{
    const char *before = "";
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        const char *type = c_type(arg->dtype);
        if (hone_emit_is_computed(plan, arg) || hone_emit_is_symbol(arg)) continue;
        hone_strbuf_add(out, before);
        before = ", ";
        if (!typed) {
        } else if (strcmp(arg->kind, "scalar") == 0)
            hone_strbuf_printf(out, "%s ", scalar_type(arg));
        else
            hone_strbuf_printf(out, "%s%s *%s", is_only_read(arg) ? "const " : "",
                               type ? type : "void", arg->pointers ? "const *" : "");
        hone_strbuf_printf(out, "%s_arg", arg->name);
    }
}

static enum hone_status check_types(const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        if (hone_emit_is_computed(plan, arg) && !c_type(arg->dtype))
            return hone_fail(plan->err, HONE_EUNSUPPORTED,
                             "argument '%s' of type %s follows from the problem, and C "
                             "lacks that type",
                             arg->name, arg->dtype);
    }
    return HONE_OK;
}

static void print_computed_locals(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        if (hone_emit_is_computed(plan, arg))
            hone_strbuf_printf(out, "    %s %s_arg;\n", c_type(arg->dtype), arg->name);
    }
}

// What has no value, or one that its type does not hold, is launched by nobody.
static enum hone_status print_computed(struct hone_strbuf *out, struct emit_plan *plan)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < plan->info->arg_count && status == HONE_OK; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        int64_t low, high;
        if (!hone_emit_is_computed(plan, arg)) continue;
        const bool whole = hone_emit_integer_range(arg->dtype, &low, &high);
        status = whole ? hone_emit_print_integer(plan, out, arg->size, low, high)
                       : hone_emit_print_real(plan, out, arg->size);
        hone_strbuf_printf(out, "    %s_arg = (%s)%s;\n", arg->name, c_type(arg->dtype),
                           whole ? "value" : "real");
    }
    return status;
}

static void print_pointers(struct hone_strbuf *out, const struct emit_plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        const bool whole = strcmp(arg->kind, "constant") == 0; // the values themselves
        if (hone_emit_is_symbol(arg)) continue;
        hone_strbuf_printf(out, "%s(void *)%s%s_arg%s", count++ ? ", " : "",
                           whole      ? "(size_t)"
                           : arg->map ? ""
                                      : "&",
                           arg->name, arg->map ? "_map" : "");
    }
    if (!count) hone_strbuf_add(out, "0");
}

// What callers must know of an argument besides its C type; programs read it, too.
static void print_argument(struct hone_strbuf *out, const struct hone_record_arg *arg)
{
    struct hone_strbuf line = HONE_STRBUF_INIT;
    hone_strbuf_printf(&line, "%s: %s, %s", arg->name, arg->kind,
                       arg->dtype ? arg->dtype : "of unknown type");
    if (strcmp(arg->kind, "scalar") != 0)
        hone_strbuf_printf(&line, ", %s elements", arg->size);
    if (arg->pointers) hone_strbuf_add(&line, ", pointers");
    hone_strbuf_add(out, " *   ");
    hone_sink_comment(out, line.data ? line.data : "");
    hone_strbuf_add(out, "\n");
    out->failed = out->failed || line.failed;
    hone_strbuf_fini(&line);
}

static void print_arguments(struct hone_strbuf *out, const struct emit_plan *plan)
{
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        if (!hone_emit_is_computed(plan, arg) && !hone_emit_is_symbol(arg))
            print_argument(out, arg);
    }
}

// What is computed and encoded comes first: it says which locals it needs.
static enum hone_status add_launch_slots(struct emit_slots *slots, struct emit_plan *plan)
{
    print_params(hone_emit_slot(slots, "OPERAND_PARAMS"), plan, true);
    print_params(hone_emit_slot(slots, "OPERAND_ARGS"), plan, false);
    print_computed_locals(hone_emit_slot(slots, "COMPUTED_LOCALS"), plan);
    hone_emit_map_rooms(hone_emit_slot(slots, "ROOMS_OF_MAPS"), plan);
    print_pointers(hone_emit_slot(slots, "POINTERS"), plan);
    enum hone_status status =
        print_computed(hone_emit_slot(slots, "COMPUTE_OPERANDS"), plan);
    struct hone_strbuf *maps = hone_emit_slot(slots, "ENCODE_MAPS");
    if (status == HONE_OK) status = hone_emit_maps(maps, plan);
    struct hone_strbuf *locals = hone_emit_slot(slots, "LAUNCH_LOCALS");
    if (plan->launch_values) hone_strbuf_add(locals, "    long long value;\n");
    if (plan->launch_reals) hone_strbuf_add(locals, "    double real;\n");
    hone_emit_need(plan, plan->launch_needs);
    hone_emit_print_needed(hone_emit_slot(slots, "NEEDED_VALUES"), plan);
    return status;
}

static enum hone_status print_launch(struct hone_strbuf *out, struct emit_plan *plan)
{
    struct emit_slots slots = {.count = 0};
    const char *words = hone_emit_is_plain(plan->info)      ? "plain "
                        : hone_emit_has_cluster(plan->info) ? "more cluster "
                                                            : "more single ";
    print_arguments(hone_emit_slot(&slots, "ARGUMENT_LINES"), plan);
    enum hone_status status = add_launch_slots(&slots, plan);
    hone_emit_part_with(out, plan, hone_text_payload_launch, words, &slots);
    return status;
}

static enum hone_status check_args(const struct emit_plan *plan)
{
    static const char *const kinds[] = {"input",    "output",    "inout", "scalar",
                                        "constant", "workspace", "symbol"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        size_t k = 0;
        while (k < KINDS && (!arg->kind || strcmp(arg->kind, kinds[k]) != 0))
            k++;
        if (k == KINDS || !arg->name || !arg->size)
            return hone_fail_at(plan->err, HONE_EUNSUPPORTED, hone_emit_journal(plan), 1,
                                "argument %zu ('%s') is of a kind that no payload passes",
                                i, arg->name ? arg->name : "");
    }
    return HONE_OK;
}

enum hone_status hone_emit_prepare_launcher(struct emit_plan *plan)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    enum hone_status status = check_args(plan);
    if (status == HONE_OK) status = check_types(plan);
    if (status == HONE_OK) status = print_computed(&text, plan);
    if (status == HONE_OK) status = hone_emit_maps(&text, plan);
    hone_strbuf_fini(&text);
    return status;
}

static void print_load(struct hone_strbuf *out, const struct emit_plan *plan)
{
    const enum hone_payload_kind kind = plan->payload->kind;
    const bool is_cubin = kind == HONE_PAYLOAD_CUBIN;
    struct emit_slots image = {.count = 0}, load = {.count = 0};
    hone_strbuf_add(hone_emit_slot(&image, "IS_CUBIN"), is_cubin ? "1" : "0");
    hone_strbuf_add(hone_emit_slot(&image, "WHERE_IT_RUNS"),
                    is_cubin ? "cubins run on later minor versions"
                             : "PTX runs on all later versions");
    hone_emit_part_with(out, plan,
                        kind == HONE_PAYLOAD_SOURCE ? hone_text_payload_source
                                                    : hone_text_payload_image,
                        "", &image);
    hone_sink_c_string(hone_emit_slot(&load, "ENTRY_NAME"), plan->info->entry);
    hone_emit_part_with(out, plan, hone_text_payload_load, "", &load);
}

enum hone_status hone_emit_launcher(struct hone_strbuf *out, struct emit_plan *plan)
{
    char needed[64];
    hone_emit_part(out, plan, hone_text_payload_codes, "");
    const char *const words[] = {hone_emit_has_maps(plan) ? "maps " : "",
                                 hone_emit_has_symbols(plan) ? "symbols " : "",
                                 hone_emit_is_plain(plan->info) ? "" : "attributes "};
    snprintf(needed, sizeof needed, "%s%s%s", words[0], words[1], words[2]);
    hone_emit_part(out, plan, hone_text_payload, needed);
    print_ask_gpu(out, plan);
    print_load(out, plan);
    hone_emit_symbols(out, plan);
    hone_emit_launch_with(out, plan);
    return print_launch(out, plan);
}
