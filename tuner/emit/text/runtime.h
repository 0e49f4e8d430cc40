/* Configurations that are forced, and texts of misses (payload.h says how it is read).
 */
#ifndef HONE_EMIT_TEXT_RUNTIME_H
#define HONE_EMIT_TEXT_RUNTIME_H

/* text */
/* Under the lock; line: how many have been read. */
static inline int kernel_add_forced(char *line)
{
    kernel_forced forced, *more;
    int words = 0;
    memset(&forced, 0, sizeof forced);
    forced.config = kernel_configs[KERNEL_DEFAULT_CONFIG];
    line[strcspn(line, "#")] = 0;
    for (;;) {
        char *name = line + strspn(line, " \t\r,;"), *value;
        if (!*name) break;
        line = name + strcspn(name, " \t\r,;");
        if (*line) *line++ = 0;
        value = strchr(name, '=');
        kernel_runtime.wrong = name;
        if (!value) {
            char *end;
            const long number = strtol(name, &end, 10);
            if (*end || number < 0 || number >= KERNEL_CONFIGS) return -1;
            forced.config = kernel_configs[number];
        } else {
            *value = 0;
            if (!kernel_set(&forced, name, value + 1)) {
                *value = '=';
                return -1;
            }
        }
        kernel_runtime.wrong = 0;
        words++;
    }
    if (!words) return 0;
    more = (kernel_forced *)realloc(kernel_runtime.forced,
                                    ((size_t)kernel_runtime.count + 1) * sizeof *more);
    if (!more) return -1;
    kernel_runtime.forced = more;
    more[kernel_runtime.count++] = forced;
    return 0;
}

static inline char *kernel_read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = 0;
    long size = -1;
    if (!file) return 0;
    if (!fseek(file, 0, SEEK_END)) size = ftell(file);
    if (size >= 0 && !fseek(file, 0, SEEK_SET)) text = (char *)malloc((size_t)size + 1);
    if (text) text[fread(text, 1, (size_t)size, file)] = 0;
    fclose(file);
    return text;
}

static inline int kernel_force_locked(const char *text)
{
    char *own, *line, *next;
    int number = 0;
    free(kernel_runtime.forced);
    free(kernel_runtime.text);
    kernel_runtime.forced = 0;
    kernel_runtime.text = 0;
    kernel_runtime.wrong = 0;
    kernel_runtime.count = 0;
    kernel_runtime.ready = 1;
    if (!text || !*text) return 0;
    if (*text == '@') {
        own = kernel_read_text(text + 1);
    } else {
        own = (char *)malloc(strlen(text) + 1);
        if (own) strcpy(own, text);
    }
    if (!own) return -1;
    kernel_runtime.text = own;
    for (line = own; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        number++;
        if (kernel_add_forced(line)) return number;
    }
    return 0;
}

/* Under the lock: the environment's wishes, the first time. */
static inline void kernel_start(void)
{
    const char *text = getenv("KERNEL_CONFIG");
    int status;
    if (kernel_runtime.ready) return;
    status = kernel_force_locked(text);
    if (status) {
        fprintf(stderr, "KERNEL_CONFIG=%s: line %d is no configuration", text, status);
        if (kernel_runtime.wrong) fprintf(stderr, ": %s", kernel_runtime.wrong);
        fputc('\n', stderr);
    }
    if (!kernel_runtime.misses) kernel_runtime.misses = getenv("KERNEL_MISSES");
}

/* Force configurations: "3" (a number of the table), "BM=64 BN=32" (over the default's
 * values), "@FILE" with such lines, which may name sizes: the first line whose sizes are
 * the problem's counts. A null pointer forces none. 0, the number of a line that is wrong
 * (those before it hold), or -1: no such file, or no memory. Without a call, the
 * environment's KERNEL_CONFIG is taken. Not while another thread uses what was forced
 * before. */
static inline int kernel_force(const char *text)
{
    int status;
    kernel_enter();
    kernel_start();
    status = kernel_force_locked(text);
    kernel_leave();
    return status;
}

/* Append missed problems to this file, a list for hone tune --problems. Without a call,
 * the environment's KERNEL_MISSES is taken. The text is borrowed. */
static inline void kernel_note_misses(const char *path)
{
    kernel_enter();
    kernel_start();
    kernel_runtime.misses = path;
    kernel_leave();
}
/* end of text */

#endif
