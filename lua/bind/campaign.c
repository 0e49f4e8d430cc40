// From the record that the prelude made of a campaign's table to its definition in C. The
// prelude has checked the form; what the words lead to is looked at when runs are listed.
#include "hone/campaign.h"

#include <string.h>

#include "bind_internal.h"
#include "define_fields.h"

static size_t count_field(lua_State *L, const char *key)
{
    lua_getfield(L, -1, key);
    const lua_Integer number = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return number > 0 ? (size_t)number : 0;
}

static const char *const *texts_field(lua_State *L, const char *key, size_t *count)
{
    lua_getfield(L, -1, key);
    const char *const *texts = hone_define_text_list(L, count);
    lua_pop(L, 1);
    return texts;
}

// Indices of a list: Lua counts from 1.
static const size_t *indices_field(lua_State *L, const char *key, size_t *count)
{
    lua_getfield(L, -1, key);
    *count = (size_t)lua_rawlen(L, -1);
    size_t *indices = hone_script_alloc(L, *count, sizeof *indices);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        indices[i] = (size_t)lua_tointeger(L, -1) - 1;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return indices;
}

static const int *lines_field(lua_State *L, const char *key, size_t count)
{
    int *lines = hone_script_alloc(L, count, sizeof *lines);
    lua_getfield(L, -1, key);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        lines[i] = (int)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return lines;
}

static struct hone_campaign_kernel read_kernel(lua_State *L)
{
    struct hone_campaign_kernel kernel = {
        .script = hone_define_text_field(L, "script"),
        .name = hone_define_text_field(L, "name"),
        .problems_file = hone_define_text_field(L, "problems_file"),
        .budget = hone_define_text_field(L, "budget"),
        .line = hone_define_line_field(L, "line"),
        .problems_line = hone_define_line_field(L, "problems_line")};
    kernel.set = texts_field(L, "set", &kernel.set_count);
    kernel.problems = texts_field(L, "problems", &kernel.problem_count);
    kernel.options = texts_field(L, "options", &kernel.option_count);
    kernel.option_lines = lines_field(L, "option_lines", kernel.option_count);
    kernel.devices = indices_field(L, "devices", &kernel.device_count);
    return kernel;
}

static enum hone_engine engine_of(const char *text)
{
    static const char *const names[] = {
#define ENGINE_NAME(name, text) text,
        HONE_ENGINE_LIST(ENGINE_NAME)
#undef ENGINE_NAME
    };
    unsigned i = 0;
    while (i + 1 < HONE_ENGINE_COUNT && strcmp(names[i], text) != 0)
        i++;
    return (enum hone_engine)i;
}

static struct hone_campaign_device read_device(lua_State *L)
{
    struct hone_campaign_device device = {
        .label = hone_define_text_field(L, "label"),
        .name = hone_define_text_field(L, "name"),
        .via = engine_of(hone_define_text_field(L, "via")),
        .at_once = count_field(L, "at_once"),
        .partition = hone_define_text_field(L, "partition"),
        .gres = hone_define_text_field(L, "gres"),
        .constraint = hone_define_text_field(L, "constraint"),
        .time = hone_define_text_field(L, "time"),
        .account = hone_define_text_field(L, "account"),
        .line = hone_define_line_field(L, "line")};
    device.ids = texts_field(L, "ids", &device.id_count);
    device.sbatch = texts_field(L, "sbatch", &device.sbatch_count);
    return device;
}

static void read_kernels(lua_State *L, struct hone_campaign_def *def)
{
    def->kernel_count = hone_define_open_list(L, "kernels");
    struct hone_campaign_kernel *kernels =
        hone_script_alloc(L, def->kernel_count, sizeof *kernels);
    for (size_t i = 0; i < def->kernel_count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        kernels[i] = read_kernel(L);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    def->kernels = kernels;
}

static void read_devices(lua_State *L, struct hone_campaign_def *def)
{
    def->device_count = hone_define_open_list(L, "devices");
    struct hone_campaign_device *devices =
        hone_script_alloc(L, def->device_count, sizeof *devices);
    for (size_t i = 0; i < def->device_count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        devices[i] = read_device(L);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    def->devices = devices;
}

int hone_campaign_define(lua_State *L)
{
    struct hone_script *script = hone_script_of(L);
    struct hone_campaign_def *def = hone_script_alloc(L, 1, sizeof *def);
    script->kind = HONE_SCRIPT_CAMPAIGN;
    script->campaign = def;
    read_kernels(L, def);
    read_devices(L, def);
    lua_pushvalue(L, HONE_DEFINE_RECORD);
    def->budget = hone_define_text_field(L, "budget");
    def->budget_line = hone_define_line_field(L, "budget_line");
    def->strategy = hone_define_text_field(L, "strategy");
    def->output = hone_define_text_field(L, "output");
    def->state = hone_define_text_field(L, "state");
    def->votes = count_field(L, "votes");
    def->tries = count_field(L, "tries");
    def->most_problems = count_field(L, "most_problems");
    def->seed = (uint64_t)count_field(L, "seed");
    def->warm = hone_define_flag_field(L, "warm");
    def->options = texts_field(L, "options", &def->option_count);
    def->option_lines = lines_field(L, "option_lines", def->option_count);
    def->line = hone_define_line_field(L, "line");
    lua_pop(L, 1);
    return 0;
}

const struct hone_campaign_def *hone_script_campaign(const struct hone_script *script)
{
    return script->campaign;
}
