// What a script gives a compiler besides its template: options, and values that become
// #defines. Neither may bring what a template may not hold.
#include <string.h>

#include "base/compiler_options.h"
#include "base/one_of.h"
#include "pasting.h"
#include "render_internal.h"

static enum hone_status check_options(const struct hone_kernel_def *def,
                                      struct hone_error *err)
{
    for (size_t i = 0; i < def->option_count; i++) {
        struct hone_error why = {0};
        if (hone_compiler_option_check(def->options[i], &why) != HONE_OK)
            return hone_fail_at(err, why.code, def->source, def->options_line, "%s",
                                why.text);
    }
    return HONE_OK;
}

// A value is the rest of a #define line: one that continues the line, opens a comment,
// holds a directive's sign or a path is no name of a type or a function.
static bool is_macro_text(const char *text)
{
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p < ' ' || hone_one_of(*p, "\\#")) return false;
    const bool names_file = strpbrk(text, "\"<") && strchr(text, '/');
    return !names_file && !strstr(text, "/*") && !strstr(text, "//") &&
           !strstr(text, "%:") && !strstr(text, "__has_") && !strstr(text, "R\"");
}

static enum hone_status check_values(const struct hone_kernel_def *def, const char *name,
                                     const struct hone_value *values, uint64_t count,
                                     struct hone_error *err)
{
    for (uint64_t i = 0; values && i < count; i++)
        if (values[i].type == HONE_STRING && !is_macro_text(values[i].s))
            return hone_fail_at(err, HONE_EINPUT, def->source, def->space.line,
                                "value '%.80s' of '%s' cannot stand in a #define: it "
                                "may hold no \\ # /* // nor a file's path",
                                values[i].s, name);
    return HONE_OK;
}

static enum hone_status check_size(const struct hone_kernel_def *def, size_t i,
                                   struct hone_error *err)
{
    const struct hone_constant *size = &def->space.constants[i];
    enum hone_status status = check_values(def, size->name, &size->value, 1, err);
    for (size_t k = 0; k < def->verify_count && status == HONE_OK; k++)
        status = check_values(def, size->name, &def->verify[k].values[i], 1, err);
    for (size_t k = 0; k < def->draw_count && status == HONE_OK; k++)
        status = check_values(def, size->name, def->draws[k].choices[i].values,
                              def->draws[k].choices[i].count, err);
    return status;
}

enum hone_status hone_macro_values_check(const struct hone_kernel_def *def,
                                         struct hone_error *err)
{
    const struct hone_space_def *space = &def->space;
    enum hone_status status = check_options(def, err);
    for (size_t i = 0; i < space->param_count && status == HONE_OK; i++)
        status = check_values(def, space->params[i].name, space->params[i].values,
                              space->params[i].count, err);
    for (size_t i = 0; i < def->problem_count && status == HONE_OK; i++)
        status = check_size(def, i, err);
    return status;
}

static void add_values(struct hone_pasting *pasting, const struct hone_value *values,
                       uint64_t count)
{
    for (uint64_t i = 0; values && i < count; i++)
        if (values[i].type == HONE_STRING) hone_pasting_add_value(pasting, values[i].s);
}

static void add_size(struct hone_pasting *pasting, const struct hone_kernel_def *def,
                     size_t i)
{
    add_values(pasting, &def->space.constants[i].value, 1);
    for (size_t k = 0; k < def->verify_count; k++)
        add_values(pasting, &def->verify[k].values[i], 1);
    for (size_t k = 0; k < def->draw_count; k++)
        add_values(pasting, def->draws[k].choices[i].values,
                   def->draws[k].choices[i].count);
}

enum hone_status hone_macro_values_fit(const struct hone_kernel_def *def,
                                       const struct hone_template *template,
                                       struct hone_error *err)
{
    struct hone_pasting pasting = template->pasting;
    if (!pasting.macros) return HONE_OK;
    for (size_t i = 0; i < def->option_count; i++)
        hone_pasting_add_value(&pasting, def->options[i]);
    for (size_t i = 0; i < def->space.param_count; i++)
        add_values(&pasting, def->space.params[i].values, def->space.params[i].count);
    for (size_t i = 0; i < def->problem_count; i++)
        add_size(&pasting, def, i);
    if (!hone_pasting_asks(&pasting)) return HONE_OK;
    return hone_fail_at(err, HONE_EINPUT, def->source, def->space.line,
                        "a value or an option has a word that macros of '%s' can paste "
                        "(##) to __has_include: give it another name",
                        template->name);
}
