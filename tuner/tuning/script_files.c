// Which files a script's header depends on, by where they stand: nothing is run to know.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/sink.h"
#include "default_limits.h"
#include "tuning/default_header.h"
#include "tuning/workbench.h"

static bool has_known_ending(const char *name)
{
    static const char *const endings[] = {".lua", ".cu", ".cuh", ".h"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0) return true;
    return false;
}

static void add_path(struct hone_strbuf *out, const char *path)
{
    struct hone_strbuf name = HONE_STRBUF_INIT;
    if (hone_sink_make(&name, path))
        hone_strbuf_printf(out, " \\\n %s", name.data);
    else
        hone_log(HONE_LOG_WARNING, "make cannot depend on '%s': it is left out", path);
    out->failed = out->failed || name.failed;
    hone_strbuf_fini(&name);
}

// Scripts require and templates include what stands beside them or in common/.
static void add_files(struct hone_strbuf *out, const char *folder)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (has_known_ending(entries[i]->d_name)) {
            char *path = hone_path_join(folder, entries[i]->d_name);
            if (path) add_path(out, path);
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
}

static void add_folder_of(struct hone_strbuf *out, const char *path)
{
    if (!path) return;
    char *folder = hone_path_folder(path);
    char *common = folder ? hone_path_join(folder, "common") : NULL;
    if (folder) add_files(out, folder);
    if (common) add_files(out, common);
    free(common);
    free(folder);
}

enum hone_status hone_header_depfile(struct hone_strbuf *out, const char *header,
                                     const char *script,
                                     const struct hone_script_options *script_options,
                                     const char *device, struct hone_error *err)
{
    struct hone_workbench bench = {0};
    struct hone_limits limits;
    struct hone_script_options own = *script_options;
    own.limits = &limits;
    enum hone_status status = hone_default_limits(&limits, device, err);
    if (status == HONE_OK && !hone_sink_make(out, header))
        status =
            hone_fail(err, HONE_EUSAGE, "no depfile can name the header '%s'", header);
    if (status == HONE_OK) status = hone_workbench_load(&bench, script, &own, err);
    if (status == HONE_OK) {
        hone_strbuf_add(out, ":");
        add_folder_of(out, script);
        add_folder_of(out, bench.def.template_path);
        add_folder_of(out, bench.def.reference.template_path);
        hone_strbuf_add(out, "\n");
    }
    hone_workbench_close(&bench);
    return status;
}
