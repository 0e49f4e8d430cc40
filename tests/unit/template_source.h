/* The text of a shipped template, with parameters, for tests. */
#ifndef HONE_TEST_TEMPLATE_SOURCE_H
#define HONE_TEST_TEMPLATE_SOURCE_H

#include <stdio.h>
#include <string.h>

#include "hone/strbuf.h"
#include "hone_test.h"
#include "render/template.h"

// The template after "#define" lines for parameters like "BM 64, BN 32".
static char *read_template(const char *name, const char *parameters)
{
    char path[512];
    snprintf(path, sizeof path, "%s/templates/%s", HONE_SOURCE_DIR, name);
    struct hone_error err = {0};
    struct hone_strbuf text = HONE_STRBUF_INIT;
    while (*parameters) {
        size_t length = strcspn(parameters, ",");
        hone_strbuf_printf(&text, "#define %.*s\n", (int)length, parameters);
        parameters += length + strspn(parameters + length, ", ");
    }
    struct hone_template template;
    const char *const folder = HONE_SOURCE_DIR "/templates";
    const struct hone_template_places places = {
        .roots = {.folders = &folder, .count = 1}};
    assert_ok(hone_template_read(&template, path, &places, &err), err);
    hone_strbuf_add(&text, template.text);
    hone_template_fini(&template);
    return hone_strbuf_steal(&text);
}

#endif
