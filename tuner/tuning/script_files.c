// Which files a script's header depends on, by where they stand: nothing is run to know.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "tuning/default_header.h"
#include "tuning/workbench.h"

struct told {
    void (*tell)(void *context, const char *path);
    void *context;
};

static bool has_known_ending(const char *name)
{
    static const char *const endings[] = {".lua", ".cu", ".cuh", ".h"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0) return true;
    return false;
}

// Scripts require and templates include what stands beside them or in common/.
static void tell_files(const struct told *told, const char *folder)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (has_known_ending(entries[i]->d_name)) {
            char *path = hone_path_join(folder, entries[i]->d_name);
            if (path) told->tell(told->context, path);
            free(path);
        }
        free(entries[i]);
    }
    free(entries);
}

static void tell_folder_of(const struct told *told, const char *path)
{
    if (!path) return;
    char *folder = hone_path_folder(path);
    char *common = folder ? hone_path_join(folder, "common") : NULL;
    if (folder) tell_files(told, folder);
    if (common) tell_files(told, common);
    free(common);
    free(folder);
}

enum hone_status hone_script_files(const char *script,
                                   const struct hone_script_options *script_options,
                                   void (*tell)(void *context, const char *path),
                                   void *context, struct hone_error *err)
{
    struct hone_workbench bench = {0};
    const struct told told = {tell, context};
    enum hone_status status = hone_workbench_load(&bench, script, script_options, err);
    if (status == HONE_OK) {
        tell_folder_of(&told, script);
        tell_folder_of(&told, bench.def.template_path);
        tell_folder_of(&told, bench.def.reference.template_path);
    }
    hone_workbench_close(&bench);
    return status;
}
