// hone version: its number, and what compilers are shut in by on this machine.
#include <stdio.h>

#include "base/box.h"
#include "cli.h"
#include "hone/build.h"
#include "hone/version.h"
#include "record/json_out.h"
#include "report/listings.h"
#include "tuning/installed_kernels.h"

struct version_args {
    struct hone_words words;
    bool json;
};

// Nothing is said of a box that is whole.
static void print_version_text(const struct hone_box *box, const char *docs)
{
    int missing = 0;
    printf("hone " HONE_VERSION "\ndocumentation: %s%s\n", docs,
           *docs == '/' ? "" : "/ of the source tree, as none is installed");
    if (box->why[HONE_BOX_PROCESS][0]) {
        printf("compilers run in this process, with all its rights: %s\n",
               box->why[HONE_BOX_PROCESS]);
        return;
    }
    for (int i = 0; i < HONE_BOX_PARTS; i++) {
        if (!box->why[i][0]) continue;
        printf("%s %s (%s)", missing++ ? "," : "compilers run without",
               hone_box_name((enum hone_box_part)i), box->why[i]);
    }
    if (missing) puts("");
}

static enum hone_status run_version(void *args, struct hone_error *err)
{
    struct hone_box box;
    const struct version_args *a = args;
    const struct hone_docs_path docs = hone_docs_path("");
    struct hone_error why = {0};
    // A helper that does not start shuts nothing in.
    if (hone_compile_box(&box, &why) != HONE_OK) hone_box_init(&box, why.text);
    if (a->json) return hone_json_print(hone_version_json(&box, docs.text), stdout, err);
    print_version_text(&box, docs.text);
    return HONE_OK;
}

static const struct hone_option option_table[] = {
    {"json", 0, NULL, "print JSON, with what compilers are shut in by",
     HONE_FLAG(struct version_args, json)},
    {0},
};

const struct hone_command cli_version = {
    .name = "version",
    .summary = "Print the version, where its pages are and which protections are missing",
    .usage = "[--json]",
    .options = CLI_OPTIONS(option_table),
    .args_size = sizeof(struct version_args),
    .run = run_version,
};
