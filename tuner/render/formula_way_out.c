// What a script may have meant by a formula whose value cannot be: a quotient that is
// rounded down, or not at all, gives too few blocks, or a fraction of one.
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/identifier.h"
#include "base/one_of.h"
#include "render_internal.h"

struct span {
    const char *begin, *end;
};

// The formula of a derived value that this one only names; each may name another.
static const char *written_as(const struct hone_kernel *kernel,
                              const struct hone_formula *formula)
{
    const struct hone_space_def *space = &kernel->def.space;
    const char *text = hone_expr_text(formula->expr);
    for (size_t depth = 0; depth < space->derived_count; depth++) {
        size_t i = 0;
        while (i < space->derived_count && strcmp(space->derived[i].name, text) != 0)
            i++;
        if (i == space->derived_count) break;
        text = space->derived[i].text;
    }
    return text;
}

void hone_formula_origin(char *out, size_t size, const struct hone_kernel *kernel,
                         const struct hone_formula *formula)
{
    const char *text = written_as(kernel, formula);
    out[0] = '\0';
    if (strcmp(text, hone_expr_text(formula->expr)) != 0)
        snprintf(out, size, ", derived as '%.96s',", text);
}

static struct span trim(struct span span)
{
    while (span.begin < span.end && hone_is_space(*span.begin))
        span.begin++;
    while (span.end > span.begin && hone_is_space(span.end[-1]))
        span.end--;
    return span;
}

// Whether the span is one name, one number, or one thing in parentheses.
static bool is_single(struct span span)
{
    int depth = 0;
    for (const char *p = span.begin; p < span.end; p++) {
        depth += *p == '(';
        depth -= *p == ')';
        if (depth < 0 || (depth == 0 && p + 1 < span.end && *p == ')')) return false;
        if (depth == 0 && *p != ')' && !hone_is_name_part(*p) && *p != '.') return false;
    }
    return span.begin < span.end && depth == 0;
}

// Products may stand on the left, as 'M * K // ROWS' divides both.
static bool is_product(struct span span)
{
    int depth = 0;
    for (const char *p = span.begin; p < span.end; p++) {
        depth += *p == '(';
        depth -= *p == ')';
        if (depth < 0) return false;
        const bool plain = hone_is_name_part(*p) || hone_one_of(*p, ".*() ");
        if (depth == 0 && !plain) return false;
    }
    const bool words = strstr(span.begin, " and ") || strstr(span.begin, " or ") ||
                       strstr(span.begin, "not ");
    return span.begin < span.end && depth == 0 && !words;
}

static struct span unwrap(struct span span)
{
    const bool wrapped = *span.begin == '(';
    return wrapped ? trim((struct span){span.begin + 1, span.end - 1}) : span;
}

void hone_formula_way_out(char *out, size_t size, const struct hone_kernel *kernel,
                          const struct hone_formula *formula)
{
    const char *text = written_as(kernel, formula), *slash = strchr(text, '/');
    out[0] = '\0';
    if (!slash) return;
    const char *after = slash + (slash[1] == '/' ? 2 : 1);
    const struct span above = trim((struct span){text, slash});
    const struct span below = trim((struct span){after, text + strlen(text)});
    if (!is_product(above) || !is_single(below)) {
        snprintf(out, size,
                 ": ceil_div(a, b) rounds up, a // b down, a / b has fractions");
        return;
    }
    const struct span a = is_single(above) ? unwrap(above) : above, b = unwrap(below);
    snprintf(out, size,
             ": ceil_div(%.*s, %.*s), which is (%.*s + %.*s - 1) // %.*s, rounds up",
             (int)(a.end - a.begin), a.begin, (int)(b.end - b.begin), b.begin,
             (int)(above.end - above.begin), above.begin, (int)(below.end - below.begin),
             below.begin, (int)(below.end - below.begin), below.begin);
}
