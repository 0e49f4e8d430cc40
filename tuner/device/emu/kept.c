// A configuration is loaded anew at every size that it is verified at, so that nothing
// goes from one to the next. What has no variables in device memory keeps nothing: it is
// read and decoded once.
#include "kept.h"

#include <stdlib.h>
#include <string.h>

#include "emu_pipeline.h"

struct hone_module *hone_emu_new_module(const struct hone_build *build)
{
    struct hone_module *module = calloc(1, sizeof *module);
    if (module) module->text = malloc(build->ptx_size + 1);
    if (!module || !module->text) {
        free(module);
        return NULL;
    }
    memcpy(module->text, build->ptx, build->ptx_size);
    module->text[build->ptx_size] = '\0';
    module->text_bytes = build->ptx_size;
    return module;
}

void hone_emu_drop_module(struct hone_emu_device *device, struct hone_module *module)
{
    if (!module) return;
    hone_emu_forget(device, module);
    free(module->text);
    free(module);
}

static bool is_of(const struct hone_module *module, const struct hone_build *build,
                  const char *entry)
{
    return module->text_bytes == build->ptx_size &&
           strcmp(module->ptx.kernel->name, entry) == 0 &&
           memcmp(module->text, build->ptx, build->ptx_size) == 0;
}

struct hone_module *hone_emu_take_kept(struct hone_emu_device *device,
                                       const struct hone_build *build, const char *entry)
{
    struct hone_module *module = device->kept;
    if (!module || !is_of(module, build, entry)) return NULL;
    device->kept = NULL;
    module->ran = false;
    return module;
}

static bool holds_memory(const struct hone_module *module)
{
    for (const struct ptx_variable *v = module->ptx.variables; v; v = v->next)
        if ((v->space == PTX_GLOBAL || v->space == PTX_CONST) && v->address) return true;
    return false;
}

void hone_emu_leave_module(struct hone_emu_device *device, struct hone_module *module)
{
    struct hone_module *dropped = module;
    if (module && !holds_memory(module)) {
        dropped = device->kept;
        device->kept = module;
    }
    hone_emu_drop_module(device, dropped);
}

void hone_emu_drop_kept(struct hone_emu_device *device)
{
    hone_emu_drop_module(device, device->kept);
    device->kept = NULL;
}
