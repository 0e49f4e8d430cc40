// The C names of a header: what is refused, and what gives way when two are the same.
#include <string.h>

#include "base/identifier.h"
#include "emit_plan.h"
#include "expr/c_helpers.h"

static enum hone_status check_part(const struct emit_plan *plan, const char *what,
                                   const char *name)
{
    const char *fault = hone_identifier_fault(name ? name : "");
    if (!fault) return HONE_OK;
    return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                        "%s '%.60s' %s", what, name ? name : "", fault);
}

static enum hone_status check(const struct emit_plan *plan, const char *what,
                              const char *name)
{
    enum hone_status status = check_part(plan, what, name);
    if (status == HONE_OK && hone_identifier_is_keyword(name))
        return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                            "%s '%s' is a keyword of Lua, C or C++", what, name);
    return status;
}

// A global name of the header; underscores are appended until it is new. NULL: out of
// memory.
static const char *take(struct emit_plan *plan, const char *prefix, const char *name)
{
    const char *text = hone_arena_printf(&plan->arena, "%s_%s", prefix, name);
    while (text && hone_name_index_find(&plan->taken, text) != SIZE_MAX)
        text = hone_arena_printf(&plan->arena, "%s_", text);
    return text && hone_name_index_add(&plan->taken, text) ? text : NULL;
}

const char *hone_emit_workspace_name(struct emit_plan *plan, const char *argument)
{
    const char *name = hone_arena_printf(&plan->arena, "%s_bytes", argument);
    return name ? take(plan, plan->name, name) : NULL;
}

static enum hone_status take_helpers(struct emit_plan *plan)
{
    char name[HONE_C_HELPER_NAME];
    for (size_t i = 0; hone_expr_c_helper(i, name); i++)
        if (!take(plan, plan->name, name)) return hone_emit_no_memory(plan);
    return HONE_OK;
}

/* Global names of every header, without their prefix. */
/* clang-format off */
static const char *const lower_names[] = {
    "arch", "ask_gpu",
    "compile", "driver", "entry", "extent", "find_driver", "find_nvrtc",
    "function", "gpu_here", "image", "images", "launch", "launch_config", "load",
    "load_here", "load_module", "loaded", "lock", "macros", "nvrtc", "open",
    "options", "source", "source_of", "state", "symbol", "unload", "unlock",
    "variable", "add_forced", "enter", "force", "force_locked", "forced", "leave",
    "missed", "note_misses", "number_of", "on_miss", "override", "read_text",
    "runtime", "set", "start", "apart", "block", "config", "configs", "defines",
    "device", "devices", "distance", "find", "fits", "gpu", "gpu_of", "grid", "group",
    "groups", "least_gpu", "leaf", "lg", "modelled", "models", "next", "node", "nodes",
    "of_device", "own", "preferences", "problem", "row", "rows", "rule", "select",
    "select_for", "shared_bytes", "static_shared", "put_text", "put_real", "real",
    "runtime_select", "runtime_select_for", "cluster", "cluster_fits", "launch_with",
    "launch_as", "attribute"};
static const char *const upper_names[] = {
    "OK", "NO_DRIVER", "NO_CONTEXT", "NO_CONFIG", "NO_IMAGE", "NO_COMPILER",
    "NOT_COMPILED", "NO_ROOM", "LOADED_MOST", "SAME_MAJOR", "CONFIG", "FORCED",
    "MISSES", "MISS_FROM", "RUNTIME", "SEEN_MOST", "CONFIGS", "DEFAULT",
    "DEFAULT_CONFIG", "DEFINES", "DEVICES", "EXACT", "NONE", "NOT_TUNED", "ROW",
    "ROWS", "SAME_ARCH", "SAME_DEVICE", "SAME_FAMILY",
    "PREDICTED_US", "TIME_US"}; /* of older headers, which are still read */
/* clang-format on */

static enum hone_status take_fixed(struct emit_plan *plan)
{
    enum {
        LOWER = sizeof lower_names / sizeof *lower_names,
        UPPER = sizeof upper_names / sizeof *upper_names
    };
    for (size_t i = 0; i < LOWER; i++)
        if (!take(plan, plan->name, lower_names[i])) return hone_emit_no_memory(plan);
    for (size_t i = 0; i < UPPER; i++)
        if (!take(plan, plan->upper, upper_names[i])) return hone_emit_no_memory(plan);
    return HONE_OK;
}

// Underscores until no size, parameter or derived value is called so; NULL: no memory.
static const char *apart_from_names(struct emit_plan *plan, const char *name)
{
    while (name && hone_name_index_find(&plan->names, name) != SIZE_MAX)
        name = hone_arena_printf(&plan->arena, "%s_", name);
    return name;
}

// A field of the configuration cannot be called as a macro of C or of the header itself.
static const char *field_name(struct emit_plan *plan, const char *name)
{
    if (!hone_identifier_is_macro(name) && strncmp(name, "HONE_", 5) != 0 &&
        hone_name_index_find(&plan->taken, name) == SIZE_MAX)
        return name;
    return apart_from_names(plan, hone_arena_printf(&plan->arena, "%s_of_config", name));
}

static enum hone_status name_params(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    plan->params =
        hone_arena_array(&plan->arena, info->param_count, sizeof *plan->params);
    plan->param_macros =
        hone_arena_array(&plan->arena, info->param_count, sizeof *plan->param_macros);
    if (!plan->params || !plan->param_macros) return hone_emit_no_memory(plan);
    for (size_t i = 0; i < info->param_count; i++) {
        const char *name = info->params[i].name;
        enum hone_status status = check(plan, "parameter", name);
        if (status != HONE_OK) return status;
        plan->param_macros[i] = take(plan, plan->upper, name);
        if (!plan->param_macros[i]) return hone_emit_no_memory(plan);
    }
    for (size_t i = 0; i < info->param_count; i++) {
        plan->params[i].name = field_name(plan, info->params[i].name);
        if (!plan->params[i].name) return hone_emit_no_memory(plan);
    }
    return HONE_OK;
}

static bool starts_with(const char *name, const char *prefix)
{
    size_t len = strlen(prefix);
    return strncmp(name, prefix, len) == 0 && name[len] == '_';
}

// What a launch computes for an argument: A_arg, and A_arg_map of a tensor map.
static bool is_of_argument(const struct emit_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->info->arg_count; i++) {
        const char *arg = plan->info->args[i].name;
        const size_t len = arg ? strlen(arg) : 0;
        if (len && strncmp(name, arg, len) == 0 && strncmp(name + len, "_arg", 4) == 0)
            return true;
    }
    return false;
}

// Names inside of the emitted functions or of C that those with sizes use, and whatever
// may be a global one.
static bool is_local(const struct emit_plan *plan, const char *name)
{
    static const char *const locals[] = {
        "function", "params",     "shared",   "status",    "stream",    "context",
        "end",      "file",       "forced",   "fresh",     "hook",      "name",
        "seen",     "value",      "answered", "apart",     "at",        "best",
        "block",    "cc_major",   "cc_minor", "config",    "configs",   "config_count",
        "count",    "device",     "e",        "exact",     "feature",   "first",
        "found",    "g",          "gap",      "gpu",       "grid",      "group",
        "here",     "high",       "i",        "key",       "known",     "last",
        "least",    "left",       "level",    "lg",        "low",       "middle",
        "node",     "number",     "order",    "place",     "row",       "same",
        "size",     "sm_count",   "sum",      "tier",      "tree",      "whole",
        "map_size", "map_stride", "map_box",  "map_step",  "bytes",     "real",
        "cluster",  "blocks",     "major",    "grid_x",    "grid_y",    "grid_z",
        "block_x",  "block_y",    "block_z",  "cluster_x", "cluster_y", "cluster_z",
        "as",       "list",       "wanted",   "own",       "answer",    "model",
        "chosen",   "tuned",      "size_t",   "memset",    "strcmp",    "FILE",
        "fopen",    "fclose",     "fprintf",  "fputs"};
    for (size_t i = 0; i < sizeof locals / sizeof *locals; i++)
        if (strcmp(locals[i], name) == 0) return true;
    return hone_identifier_is_macro(name) || starts_with(name, "hone") ||
           starts_with(name, "hone2") || starts_with(name, "HONE") ||
           starts_with(name, plan->name) || starts_with(name, plan->upper) ||
           is_of_argument(plan, name);
}

const char *hone_emit_local_name(struct emit_plan *plan, const char *name)
{
    if (!is_local(plan, name)) return name;
    return apart_from_names(plan, hone_arena_printf(&plan->arena, "%s_derived", name));
}

static enum hone_status name_problem(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    plan->problem =
        hone_arena_array(&plan->arena, info->problem_count, sizeof *plan->problem);
    if (!plan->problem) return hone_emit_no_memory(plan);
    if (info->problem_count > EMIT_CONSTANTS_MOST)
        return hone_fail_at(plan->err, HONE_ELIMIT, hone_emit_journal(plan), 1,
                            "the problem has %zu constants, a header takes at most %d",
                            info->problem_count, EMIT_CONSTANTS_MOST);
    for (size_t i = 0; i < info->problem_count; i++) {
        const char *name = info->problem[i].name;
        enum hone_status status = check(plan, "problem", name);
        if (status != HONE_OK) return status;
        if (is_local(plan, name))
            name = apart_from_names(
                plan, hone_arena_printf(&plan->arena, "%s_of_problem", name));
        for (size_t j = 0; j < i && name; j++)
            if (strcmp(plan->problem[j].name, name) == 0)
                return hone_fail_at(plan->err, HONE_EINPUT, hone_emit_journal(plan), 1,
                                    "problem '%s' stands twice", name);
        if (!name) return hone_emit_no_memory(plan);
        plan->problem[i].name = name;
    }
    return HONE_OK;
}

static enum hone_status name_derived(struct emit_plan *plan)
{
    const struct hone_record_info *info = plan->info;
    for (size_t i = 0; i < info->derived_count; i++) {
        enum hone_status status = check(plan, "derived value", info->derived[i].name);
        if (status != HONE_OK) return status;
    }
    return HONE_OK;
}

// They become parts of names: sgemm_partials_bytes, A_arg; so keywords will do.
static enum hone_status check_args(const struct emit_plan *plan)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; i < plan->info->arg_count && status == HONE_OK; i++) {
        const struct hone_record_arg *arg = &plan->info->args[i];
        status = check_part(plan, "argument", arg->name);
        if (status == HONE_OK)
            status = check_part(plan, "kind of an argument", arg->kind);
    }
    return status;
}

enum hone_status hone_emit_make_names(struct emit_plan *plan, const char *name)
{
    bool given = name != NULL;
    plan->name = given ? name : plan->info->kernel;
    const char *fault = hone_identifier_fault(plan->name);
    if (fault)
        return hone_fail_at(plan->err, given ? HONE_EUSAGE : HONE_EINPUT,
                            given ? NULL : hone_emit_journal(plan), !given,
                            "%s '%.60s' %s%s", given ? "header name" : "kernel name",
                            plan->name, fault,
                            given ? "" : ": give the header another with --name");
    char *upper = hone_arena_strdup(&plan->arena, plan->name);
    if (!upper) return hone_emit_no_memory(plan);
    for (char *p = upper; *p; p++)
        if (*p >= 'a' && *p <= 'z') *p = (char)(*p - 'a' + 'A');
    plan->upper = upper;
    enum hone_status status = take_fixed(plan);
    if (status == HONE_OK) status = take_helpers(plan);
    if (status == HONE_OK) status = name_derived(plan);
    if (status == HONE_OK) status = name_params(plan);
    if (status == HONE_OK) status = name_problem(plan);
    if (status == HONE_OK) status = check_args(plan);
    return status;
}
