/* The warnings of a run, each once: of the script, its arguments and templates, of
 * devices and files. Who prints them and who writes them as JSON have one list. */
#ifndef HONE_REPORT_WARNINGS_H
#define HONE_REPORT_WARNINGS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct json_t;

/* For any number of threads. */
struct hone_warnings {
    pthread_mutex_t lock;
    char **lines;
    size_t count, capacity;
};

#define HONE_WARNINGS_INIT                                                               \
    {                                                                                    \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                \
    }

void hone_warnings_fini(struct hone_warnings *warnings);

/* Keeps line; false where it is kept already. Without memory it is new each time. */
bool hone_warnings_add(struct hone_warnings *warnings, const char *line);

/* In the order in which they came; an array. */
struct json_t *hone_warnings_json(struct hone_warnings *warnings);

#endif
