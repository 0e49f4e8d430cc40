// From PTX to a module that runs: the stages in their order, and behind each what it
// made, as text.
//
// The rooms stand in the order ptx, decode, memory, async, exec, watch, launch, predict:
// each knows only those before it. Where an earlier one calls a later one it has a
// function pointer for it (struct hone_emu_observer, the touch of a launch).
// tests/lint/rooms.sh holds the order.
#include "emu_pipeline.h"

#include <string.h>

#include "dump.h"
#include "predict/steer.h"

// ---- where variables lie ----

static bool is_in_memory(const struct ptx_variable *v)
{
    return v->space == PTX_GLOBAL || v->space == PTX_CONST;
}

// The constants of a template are in its PTX by the dozen, and hardly one is meant there.
// Small ones that nothing means have no place until somebody outside asks for it.
static bool is_wanted(const struct ptx_variable *v)
{
    enum { SMALL_BYTES = 4096 };
    return v->named || v->bytes > SMALL_BYTES;
}

static enum hone_status give_room(struct hone_emu_memory *memory, struct ptx_variable *v,
                                  struct hone_error *err)
{
    enum hone_status status = hone_emu_memory_alloc(memory, v->bytes, &v->address, err);
    if (status == HONE_OK && v->init)
        memcpy(hone_emu_memory_host(memory, v->address), v->init, v->bytes);
    return status;
}

// The addresses that it begins with, once those that it means have their room.
static void fill_in(struct hone_emu_memory *memory, const struct ptx_variable *v)
{
    for (size_t k = 0; k < v->relocation_count; k++) {
        const struct ptx_relocation *r = &v->relocations[k];
        uint64_t address = (r->target->address + (uint64_t)r->addend) >> r->shift;
        memcpy(hone_emu_memory_host(memory, v->address) + r->offset, &address, r->bytes);
    }
    if (v->space == PTX_CONST) hone_emu_memory_protect(memory, v->address);
}

static enum hone_status place_variables(struct hone_emu_memory *memory,
                                        struct hone_module *module,
                                        struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (struct ptx_variable *v = module->ptx.variables; v && status == HONE_OK;
         v = v->next)
        if (is_in_memory(v) && is_wanted(v)) status = give_room(memory, v, err);
    for (struct ptx_variable *v = module->ptx.variables; v && status == HONE_OK;
         v = v->next)
        if (v->address) fill_in(memory, v);
    return status;
}

enum hone_status hone_emu_place_variable(struct hone_emu_device *device,
                                         struct hone_module *module, const char *name,
                                         struct ptx_variable **out,
                                         struct hone_error *err)
{
    struct ptx_variable *v = module->ptx.variables;
    while (v && !(is_in_memory(v) && strcmp(v->name, name) == 0))
        v = v->next;
    *out = v;
    if (!v || v->address) return HONE_OK;
    enum hone_status status = give_room(&device->memory, v, err);
    if (status == HONE_OK) fill_in(&device->memory, v);
    return status;
}

static uint64_t align_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

// Puts a variable behind those of its space. An extern array only raises the alignment of
// the place that all of them share.
static void place_variable(struct ptx_variable *v, struct hone_emu_code *code,
                           uint64_t *dynamic_align)
{
    uint64_t *bytes = v->space == PTX_SHARED  ? &code->static_shared_bytes
                      : v->space == PTX_LOCAL ? &code->local_bytes
                                              : NULL;
    if (bytes && v->space == PTX_SHARED && v->bytes == 0) {
        const uint64_t align = v->align > 16 ? v->align : 16;
        if (align > *dynamic_align) *dynamic_align = align;
    } else if (bytes) {
        v->address = align_up(*bytes, v->align);
        *bytes = v->address + v->bytes;
    }
}

// Shared and local variables lie one after another, in the order of the text; extern
// arrays share the place behind the static ones.
static void place_frames(struct ptx_module *ptx, struct hone_emu_code *code)
{
    struct ptx_variable *const lists[] = {ptx->variables, ptx->kernel->variables};
    uint64_t dynamic_align = 1; // without any, shared memory ends with its last array
    code->reserved_shared_bytes = ptx->reserved_shared_bytes;
    code->static_shared_bytes = ptx->reserved_shared_bytes;
    for (size_t k = 0; k < 2; k++)
        for (struct ptx_variable *v = lists[k]; v; v = v->next)
            place_variable(v, code, &dynamic_align);
    code->local_bytes = align_up(code->local_bytes, 16);
    code->dynamic_shared_at = align_up(code->static_shared_bytes, dynamic_align);
    code->param_bytes = ptx->kernel->param_bytes;
    for (size_t k = 0; k < 2; k++)
        for (struct ptx_variable *v = lists[k]; v; v = v->next)
            if (v->space == PTX_SHARED && v->bytes == 0)
                v->address = code->dynamic_shared_at;
}

// CUDA allows 512 KB a thread; a block of 1024 threads must fit the host as well, with
// what is known of each byte.
enum { MAX_LOCAL_BYTES = 128 << 10 };

static enum hone_status check_local(const struct hone_emu_code *code,
                                    struct hone_error *err)
{
    if (code->local_bytes <= MAX_LOCAL_BYTES) return HONE_OK;
    return hone_fail(err, HONE_EUNSUPPORTED,
                     "%llu bytes of local memory a thread, limit %d",
                     (unsigned long long)code->local_bytes, MAX_LOCAL_BYTES);
}

// ---- the stages ----

struct loading {
    struct hone_emu_device *device;
    struct hone_module *module;
    const struct hone_build *build;
    const char *entry;
};

static enum hone_status read_statements(struct loading *l, struct hone_error *err)
{
    const struct hone_module *module = l->module;
    const char *text = module->text ? module->text : l->build->ptx;
    return hone_ptx_parse(&l->module->ptx, text, l->build->ptx_size, l->entry, err);
}

static enum hone_status lay_out(struct loading *l, struct hone_error *err)
{
    enum hone_status status = place_variables(&l->device->memory, l->module, err);
    if (status != HONE_OK) return status;
    place_frames(&l->module->ptx, &l->module->code);
    return check_local(&l->module->code, err);
}

static enum hone_status decode(struct loading *l, struct hone_error *err)
{
    enum hone_status status =
        hone_emu_decode(&l->module->code, &l->module->ptx, l->device->isa->handlers, err);
    return status == HONE_OK ? hone_emu_find_arrays(&l->module->code, err) : status;
}

static enum hone_status find_steering(struct loading *l, struct hone_error *err)
{
    return hone_emu_find_steering(&l->module->steering, &l->module->code,
                                  l->module->ptx.kernel, err);
}

static enum hone_status place_registers(struct loading *l, struct hone_error *err)
{
    return hone_emu_place_registers(&l->module->code, !l->device->own_places, err);
}

static const struct stage {
    const char *name;
    enum hone_status (*run)(struct loading *, struct hone_error *);
    void (*dump)(struct hone_strbuf *, const struct hone_module *);
} stages[] = {
    {"statements", read_statements, hone_emu_dump_statements}, // ptx/
    {"variables", lay_out, hone_emu_dump_variables},
    {"decoded", decode, hone_emu_dump_code}, // decode/
    {"steering", find_steering, hone_emu_dump_steering},
    {"registers", place_registers, hone_emu_dump_code},
};
enum { STAGES = sizeof stages / sizeof *stages };

enum hone_status hone_emu_prepare(struct hone_emu_device *device,
                                  struct hone_module *module,
                                  const struct hone_build *build, const char *entry,
                                  struct hone_error *err)
{
    struct loading loading = {device, module, build, entry};
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < STAGES; i++)
        status = stages[i].run(&loading, err);
    return status;
}

enum hone_status hone_emu_decode_build(struct hone_emu_device *device,
                                       struct hone_module *module,
                                       const struct hone_build *build, const char *entry,
                                       struct hone_error *err)
{
    struct loading loading = {device, module, build, entry};
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < STAGES; i++) {
        status = stages[i].run(&loading, err);
        if (stages[i].run == decode) break;
    }
    return status;
}

void hone_emu_forget(struct hone_emu_device *device, struct hone_module *module)
{
    for (struct ptx_variable *v = module->ptx.variables; v; v = v->next)
        if (is_in_memory(v) && v->address)
            hone_emu_memory_free(&device->memory, v->address);
    hone_ptx_module_fini(&module->ptx);
}

// ---- what a stage made ----

const char *hone_emu_stage_name(size_t i)
{
    return i < STAGES ? stages[i].name : NULL;
}

enum hone_status hone_emu_dump(struct hone_strbuf *out, struct hone_device *dev,
                               const struct hone_build *build, const char *entry,
                               const char *stage, struct hone_error *err)
{
    struct hone_module module = {0};
    struct loading loading = {dev->priv, &module, build, entry};
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < STAGES; i++) {
        status = stages[i].run(&loading, err);
        if (status != HONE_OK || strcmp(stages[i].name, stage) != 0) continue;
        stages[i].dump(out, &module);
        break;
    }
    hone_emu_forget(dev->priv, &module);
    return status;
}
