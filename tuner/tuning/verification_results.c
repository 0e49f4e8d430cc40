// Results by kind and place. A kernel's source is several files: #line directives of the
// template name those that findings are in.
#include "tuning/verification_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/one_of.h"
#include "base/place.h"
#include "base/sink.h"

// ---- kinds ----

// The place that text up to end is: "k.cu:12".
static bool read_place(struct hone_found *out, const char *text, const char *end)
{
    size_t length;
    uint32_t line;
    if (!hone_place_split(text, (size_t)(end - text), &length, &line) ||
        length >= sizeof out->file)
        return false;
    memcpy(out->file, text, length);
    out->file[length] = '\0';
    out->line = line;
    return true;
}

// A compiler's text begins with the place: "k.cu:12: ...".
static struct hone_found place_of(const struct hone_trial *trial)
{
    struct hone_found found = *trial->found;
    const char *colon = strchr(trial->reason, ':');
    const char *end = colon ? strchr(colon + 1, ':') : NULL;
    if (end && found.finding == HONE_FINDING_NONE) read_place(&found, trial->reason, end);
    return found;
}

// Where the word that ends at `end` begins, behind a blank or a bracket.
static const char *word_before(const char *text, const char *end)
{
    while (end > text && !hone_one_of(end[-1], " ("))
        end--;
    return end;
}

static bool is_at(const struct hone_found *a, const struct hone_found *b)
{
    return a->line == b->line && strcmp(a->file, b->file) == 0;
}

// Two accesses may be of one line, in a header say, by way of two calls.
enum access { OTHER_ACCESS, OWN_ACCESS };

// The line that called what is in a header, a toolkit's say: the text has
// "put.h:5, PTX line 104, called at k.cu:12", and its own access last. No line where it
// has none.
static struct hone_found caller_of(const char *text, const struct hone_found *place,
                                   enum access access)
{
    char mark[sizeof place->file + 32];
    struct hone_found caller = {.finding = place->finding};
    snprintf(mark, sizeof mark, "%s:%u, PTX line ", place->file, place->line);
    for (const char *at = text; at && (at = strstr(at, mark)); at++) {
        static const char called[] = ", called at ";
        const char *from = at + strlen(mark);
        from += strspn(from, "0123456789");
        if (strncmp(from, called, sizeof called - 1) != 0) continue;
        from += sizeof called - 1;
        const char *end = from + strcspn(from, " ),");
        if (read_place(&caller, from, end) && access == OTHER_ACCESS) break;
    }
    return caller;
}

static bool has_two_callers(const char *text, const struct hone_found *place)
{
    const struct hone_found other = caller_of(text, place, OTHER_ACCESS);
    const struct hone_found own = caller_of(text, place, OWN_ACCESS);
    return !is_at(&other, &own);
}

// The emulator's texts name the other access, too: "(k.cu:12, PTX line 104)".
static struct hone_found other_of(const char *text, const struct hone_found *found)
{
    static const char mark[] = ", PTX line ";
    for (const char *at = text; (at = strstr(at, mark)); at += sizeof mark - 1) {
        struct hone_found other = {.finding = found->finding};
        if (read_place(&other, word_before(text, at), at) &&
            (!is_at(&other, found) || has_two_callers(text, found)))
            return other;
    }
    return (struct hone_found){.line = 0};
}

// The outcome counts only where there is no finding.
static bool is_same(const struct hone_verification_result *a,
                    const struct hone_verification_result *b)
{
    return a->found.finding == b->found.finding &&
           (a->found.finding != HONE_FINDING_NONE || a->outcome == b->outcome) &&
           is_at(&a->found, &b->found) && strcmp(a->found.buffer, b->found.buffer) == 0;
}

// Each failure counts where an earlier one of its kind and place stands.
static size_t add_failures(struct hone_verification_result *out,
                           const struct hone_verification *v)
{
    size_t count = 0;
    for (size_t i = 0; i < v->done; i++) {
        const struct hone_trial *trial = &v->trials[i];
        if (!hone_outcome_is_failure(trial->outcome)) continue;
        out[count] = (struct hone_verification_result){
            .found = place_of(trial), .outcome = trial->outcome, .text = trial->reason};
        out[count].other = other_of(trial->reason, &out[count].found);
        size_t k = 0;
        while (!is_same(&out[k], &out[count]))
            k++;
        out[k].count++;
        count += k == count;
    }
    return count;
}

static struct hone_verification_result waived(const struct hone_waiver *waiver,
                                              size_t count)
{
    struct hone_verification_result result = {
        .found = {.finding = waiver->finding, .line = waiver->line},
        .count = count,
        .waiver = waiver};
    if (waiver->file)
        snprintf(result.found.file, sizeof result.found.file, "%s", waiver->file);
    else
        snprintf(result.found.buffer, sizeof result.found.buffer, "%s", waiver->buffer);
    return result;
}

enum hone_status hone_verification_results(struct hone_verification_result **items,
                                           size_t *count,
                                           const struct hone_verification *v,
                                           struct hone_error *err)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(v->bench.kernel);
    *count = 0;
    *items = calloc(v->done + def->waiver_count + 1, sizeof **items);
    if (!*items) return hone_no_memory(err, "for findings");
    *count = add_failures(*items, v);
    for (size_t i = 0; i < def->waiver_count; i++)
        if (v->waived[i]) (*items)[(*count)++] = waived(&def->waivers[i], v->waived[i]);
    return HONE_OK;
}

const char *hone_verification_result_name(const struct hone_verification_result *result)
{
    return result->found.finding != HONE_FINDING_NONE
               ? hone_finding_name(result->found.finding)
               : hone_outcome_name(result->outcome);
}

// ---- places ----

// The file that a #line directive of the template calls by this name; NULL without one.
static char *named_file(const struct hone_kernel *kernel, const char *folder,
                        const char *file)
{
    const char *at = hone_kernel_template_text(kernel);
    char *found = NULL;
    for (; !found && *file && (at = strstr(at, "#line ")); at++) {
        const char *from = at + strcspn(at, "\"\n");
        if (*from++ != '"') continue;
        char *name = strndup(from, strcspn(from, "\"\n"));
        if (name && strcmp(hone_path_base(name), file) == 0)
            found = hone_path_join(folder, name);
        free(name);
        if (found && !hone_file_exists(found)) {
            free(found);
            found = NULL;
        }
    }
    return found;
}

// NULL: it is in none of the template's files, or out of memory.
static char *own_path(const struct hone_kernel *kernel, const struct hone_found *place)
{
    const char *template = hone_kernel_get_def(kernel)->template_path;
    char *folder = hone_path_folder(template);
    char *found = folder ? named_file(kernel, folder, place->file) : NULL;
    free(folder);
    if (found || (*place->file && strcmp(hone_path_base(template), place->file) != 0))
        return found;
    return strdup(template);
}

// Where the author can look, and its file; NULL: out of memory. The other access of one
// line is where that was called.
static char *source_path(const struct hone_kernel *kernel,
                         const struct hone_verification_result *result,
                         enum access access, struct hone_found *place)
{
    const struct hone_kernel_def *def = hone_kernel_get_def(kernel);
    const bool called = access == OTHER_ACCESS && is_at(place, &result->found);
    if (place->finding == HONE_FINDING_FORMULA) return strdup(def->source);
    if (!place->line) place->file[0] = '\0';
    char *path = called ? NULL : own_path(kernel, place);
    if (path) return path;
    *place = caller_of(result->text, place, access);
    path = own_path(kernel, place);
    if (path) return path;
    place->line = 0;
    return strdup(def->template_path);
}

static char *uri_of(const char *path)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    char *real = hone_path_real(path), *here = hone_path_real(".");
    const char *name = real ? real : path;
    const size_t length = here ? strlen(here) : 0;
    if (length && strncmp(name, here, length) == 0 && name[length] == '/')
        name += length + 1;
    else if (*name == '/')
        hone_strbuf_add(&out, "file://");
    hone_sink_uri(&out, name);
    free(real);
    free(here);
    return hone_strbuf_steal(&out);
}

// The line of text that has a number, without blanks round it.
static const char *line_of(const char *text, uint32_t number, size_t *length)
{
    while (text && number-- > 1) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    if (!text) text = "";
    text += strspn(text, " \t");
    *length = strcspn(text, "\r\n");
    while (*length && hone_is_space(text[*length - 1]))
        --*length;
    return text;
}

// Where the kernel stands, for what was found after it had ended: the first line that
// has its name.
static uint32_t line_of_entry(const char *text, const char *entry)
{
    const char *at = text ? strstr(text, entry) : NULL;
    uint32_t line = 1;
    for (; at && text < at; text++)
        line += *text == '\n';
    return line;
}

static void make_fingerprint(struct hone_source_place *place,
                             const struct hone_verification_result *result,
                             const char *text)
{
    struct hone_hash hash;
    size_t length;
    const char *line = line_of(text, place->line, &length);
    hone_hash_begin(&hash);
    hone_hash_text(&hash, hone_verification_result_name(result));
    hone_hash_text(&hash, place->uri);
    hone_hash_part(&hash, line, length);
    hone_hash_text(&hash, result->found.buffer);
    hone_hash_end(&hash, place->fingerprint);
}

enum hone_status hone_source_place_find(struct hone_source_place *out,
                                        const struct hone_verification *v,
                                        const struct hone_verification_result *result,
                                        const struct hone_found *found,
                                        struct hone_error *err)
{
    const struct hone_kernel *kernel = v->bench.kernel;
    const enum access access = found == &result->other ? OTHER_ACCESS : OWN_ACCESS;
    struct hone_found at = *found;
    char *text = NULL, *path = source_path(kernel, result, access, &at);
    *out = (struct hone_source_place){.uri = path ? uri_of(path) : NULL, .line = at.line};
    if (path) hone_file_read(&text, NULL, path, NULL);
    if (!out->line) out->line = line_of_entry(text, hone_kernel_get_def(kernel)->entry);
    make_fingerprint(out, result, text);
    free(text);
    free(path);
    return out->uri ? HONE_OK : hone_no_memory(err, "for a place in the sources");
}

void hone_source_place_fini(struct hone_source_place *place)
{
    free(place->uri);
    *place = (struct hone_source_place){0};
}
