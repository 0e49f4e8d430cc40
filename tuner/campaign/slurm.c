// What Slurm's programs say.
#include "campaign/slurm.h"

#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/grow.h"
#include "base/log.h"
#include "base/subprocess.h"
#include "slurm_program.h"

// A controller that is busy or restarting makes its programs wait.
static const double answer_s = 120;

enum hone_status hone_slurm_ask(const char *const *argv, hone_slurm_line_fn *line,
                                void *context, struct hone_error *err)
{
    struct hone_subprocess *program = NULL;
    const char *text;
    size_t size;
    const double deadline = hone_clock_seconds() + answer_s;
    enum hone_status status = hone_subprocess_start(&program, argv, err), read;
    if (status != HONE_OK)
        return hone_fail(err, HONE_EUNSUPPORTED,
                         "there is no '%s' here: is this a login node of Slurm?",
                         argv[0]);
    while ((read = hone_subprocess_read_line(program, &text, &size, deadline, NULL)) ==
           HONE_OK)
        if (line && status == HONE_OK) status = line(context, text, err);
    if (read == HONE_ELIMIT && status == HONE_OK)
        status = hone_fail(err, HONE_EUNSUPPORTED, "'%s' has not answered for %g s",
                           argv[0], answer_s);
    const struct hone_exit how = hone_subprocess_stop(program, deadline);
    hone_subprocess_free(program);
    if (status == HONE_OK && (how.signalled || how.code)) {
        char text_of[64];
        hone_exit_text(text_of, sizeof text_of, how);
        status = hone_fail(err, HONE_EUNSUPPORTED, "'%s' %s", argv[0], text_of);
    }
    return status;
}

bool hone_slurm_is_job(const char *text)
{
    static const char digits[] = "0123456789";
    const size_t job = strspn(text, digits);
    const char *element = text + job;
    if (!job || strlen(text) >= HONE_SLURM_JOB) return false;
    if (*element != '_') return !*element;
    return element[1] && !element[1 + strspn(element + 1, digits)];
}

static enum hone_status take_job(void *context, const char *line, struct hone_error *err)
{
    struct hone_slurm_queue *queue = context;
    char *job = strdup(line);
    if (!job || !HONE_GROW(&queue->items, &queue->cap, queue->count + 1, 64)) {
        free(job);
        return hone_no_memory(err, "for jobs of Slurm");
    }
    job[strcspn(job, " \t\r")] = '\0';
    queue->items[queue->count++] = job;
    return HONE_OK;
}

static int by_job(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum hone_status hone_slurm_queue_read(struct hone_slurm_queue *out,
                                       struct hone_error *err)
{
    const struct passwd *user = getpwuid(geteuid());
    const char *const argv[] = {
        "squeue", "-h", "-r", "-o", "%i", "-u", user ? user->pw_name : "root", NULL};
    enum hone_status status = hone_slurm_ask(argv, take_job, out, err);
    if (status == HONE_OK && out->count)
        qsort(out->items, out->count, sizeof *out->items, by_job);
    return status;
}

bool hone_slurm_has(const struct hone_slurm_queue *queue, const char *job)
{
    return queue->count &&
           bsearch(&job, queue->items, queue->count, sizeof *queue->items, by_job);
}

void hone_slurm_queue_fini(struct hone_slurm_queue *queue)
{
    for (size_t i = 0; i < queue->count; i++)
        free(queue->items[i]);
    free(queue->items);
    *queue = (struct hone_slurm_queue){0};
}

void hone_slurm_cancel(const char *const *jobs, size_t count)
{
    enum { AT_ONCE = 200 };
    const char *argv[AT_ONCE + 2] = {"scancel"};
    for (size_t i = 0; i < count;) {
        size_t n = 0;
        while (n < AT_ONCE && i < count)
            argv[1 + n++] = jobs[i++];
        argv[1 + n] = NULL;
        struct hone_error why = {0};
        if (hone_slurm_ask(argv, NULL, NULL, &why) != HONE_OK)
            hone_log(HONE_LOG_WARNING,
                     "%s: %zu jobs may stay in the queue, where they end at once "
                     "when they begin",
                     why.text, n);
    }
}
