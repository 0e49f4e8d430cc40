// Reads NVRTC's program log. Lines look like
//   ptxas info    : Compiling entry function 'sgemm' for 'sm_90a'
//   ptxas info    : Function properties for sgemm
//   ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 143 registers, used 1 barriers, 33280 bytes smem
// and, when something is wrong,
//   sgemm.cu(42): error: identifier "y" is undefined
//   ptxas application ptx input, line 23; error   : Unknown modifier '.bar'
#include "ptxas.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arch.h"
#include "base/ascii.h"

enum { LINE_MAX_BYTES = 1024 };

// Copies the next line, cut to fit; false at the end of the text.
static bool next_line(const char **text, char line[LINE_MAX_BYTES])
{
    if (!**text) return false;
    size_t length = strcspn(*text, "\n");
    size_t kept = length < LINE_MAX_BYTES - 1 ? length : LINE_MAX_BYTES - 1;
    memcpy(line, *text, kept);
    line[kept] = '\0';
    *text += length + ((*text)[length] == '\n');
    return true;
}

// The number that stands before what, as 33280 in "33280 bytes smem".
static bool number_before(int32_t *out, const char *line, const char *what)
{
    const char *end = strstr(line, what);
    if (!end) return false;
    const char *start = end;
    while (start > line && hone_is_digit(start[-1]))
        start--;
    if (start == end) return false;
    *out = (int32_t)strtol(start, NULL, 10);
    return true;
}

// Whether line holds what followed by name and then nothing of a longer name.
static bool names(const char *line, const char *what, const char *name)
{
    const char *found = strstr(line, what);
    if (!found) return false;
    found += strlen(what);
    size_t length = strlen(name);
    return strncmp(found, name, length) == 0 && (!found[length] || found[length] == '\'');
}

void hone_ptxas_resources(struct hone_resources *resources, const char *log,
                          const char *entry)
{
    char line[LINE_MAX_BYTES];
    bool in_entry = false;    // lines about this kernel and what it calls
    bool in_function = false; // the kernel itself, not a function it calls
    while (next_line(&log, line)) {
        if (strstr(line, "Compiling entry function '"))
            in_entry = names(line, "Compiling entry function '", entry);
        if (!in_entry) continue;
        if (strstr(line, "Function properties for "))
            in_function = names(line, "Function properties for ", entry);
        if (in_function &&
            number_before(&resources->stack_bytes, line, " bytes stack frame")) {
            number_before(&resources->spill_store_bytes, line, " bytes spill stores");
            number_before(&resources->spill_load_bytes, line, " bytes spill loads");
        }
        if (number_before(&resources->registers, line, " registers")) {
            resources->static_shared_bytes = 0; // not mentioned when there is none
            number_before(&resources->static_shared_bytes, line, " bytes smem");
        }
    }
}

static const char *skip_spaces(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

// "name(42): error: text" of the front end; also "catastrophic error:".
static bool front_end_error(char reason[HONE_REASON_MAX], const char *line)
{
    const char *mark = strstr(line, "error: ");
    const char *close = strstr(line, "): ");
    if (!mark || !close || close > mark) return false;
    const char *open = close;
    while (open > line && *open != '(')
        open--;
    if (open == line) return false;
    snprintf(reason, HONE_REASON_MAX, "%.*s:%.*s: %s", (int)(open - line), line,
             (int)(close - open - 1), open + 1, mark + strlen("error: "));
    return true;
}

static bool ptxas_error(char reason[HONE_REASON_MAX], const char *line)
{
    if (strncmp(line, "ptxas ", 6) != 0) return false;
    int at = 0;
    const char *place = strstr(line, "input, line ");
    if (place) at = atoi(place + strlen("input, line "));
    const char *mark = strstr(line, "error   : ");
    if (!mark) mark = strstr(line, "fatal   : ");
    if (!mark) return false;
    const char *text = skip_spaces(mark + strlen("error   : "));
    if (at)
        snprintf(reason, HONE_REASON_MAX, "ptx:%d: %s", at, text);
    else
        snprintf(reason, HONE_REASON_MAX, "ptxas: %s", text);
    return true;
}

static bool option_error(char reason[HONE_REASON_MAX], const char *line)
{
    if (strncmp(line, "nvrtc: error: ", 14) != 0) return false;
    snprintf(reason, HONE_REASON_MAX, "nvrtc: %.180s", line + 14);
    return true;
}

// The largest static shared memory that the log mentions; -1 when it mentions none.
static int32_t largest_shared(const char *log)
{
    char line[LINE_MAX_BYTES];
    int32_t largest = -1, bytes;
    while (next_line(&log, line))
        if (number_before(&bytes, line, " bytes smem") && bytes > largest)
            largest = bytes;
    return largest;
}

void hone_ptxas_reason(char reason[HONE_REASON_MAX], const char *log, const char *arch)
{
    char line[LINE_MAX_BYTES];
    for (const char *rest = log; next_line(&rest, line);)
        if (front_end_error(reason, line) || ptxas_error(reason, line) ||
            option_error(reason, line))
            return;
    // NVRTC 13.0 drops ptxas' own message for this one: all lines read as a success.
    int32_t bytes = largest_shared(log);
    if (bytes > HONE_SHARED_ALWAYS)
        snprintf(reason, HONE_REASON_MAX,
                 "needs %d bytes of static shared memory, %s allows %d: make it dynamic, "
                 "extern __shared__ and shared in launch",
                 bytes, arch, HONE_SHARED_ALWAYS);
    else
        snprintf(reason, HONE_REASON_MAX, "the compiler failed without an error message");
}
