#include "progress.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "print.h"
#include "terminal.h"
#include "terminal/status_line.h"
#include "tuning/result_facts.h"

// The one line there is: a terminal has one cursor. The log ends it on any thread.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of line
static struct {
    bool known, terminal; /* whether stderr is a terminal, asked once */
    bool open;            /* a line without its end stands there */
    struct hone_status_pace pace;
    int length; /* of what was drawn there */
} line;

static bool on_terminal(void)
{
    if (!line.known) {
        line.known = true;
        line.terminal = isatty(STDERR_FILENO);
    }
    return line.terminal;
}

// One line that leaves the last column free, or terminals would begin the next one.
static void draw(struct hone_status_line *status)
{
    struct hone_styled text = HONE_STYLED_INIT;
    const int room = cli_terminal_size(stderr).columns - 1;
    const int length = (int)hone_status_line_fit(&text, status, (size_t)room);
    const int blanks =
        line.length > length && line.length <= room ? line.length - length : 0;
    fputc('\r', stderr);
    cli_print_text(stderr, &text);
    fprintf(stderr, "%*s", blanks, "");
    fflush(stderr);
    line.length = length;
    line.open = true;
}

// The line in a log, with what follows it.
static void print_plain(const struct hone_status_line *status, const char *config)
{
    struct hone_styled text = HONE_STYLED_INIT;
    hone_status_line_plain(&text, status);
    fprintf(stderr, "%s%s%s\n", text.text.data, *config ? "  " : "", config);
    hone_styled_fini(&text);
}

void cli_progress_count(void *none, size_t done, size_t count, double seconds)
{
    (void)none;
    struct hone_status_line status = {.fraction =
                                          count ? (double)done / (double)count : 1};
    hone_status_line_add(&status, 0, HONE_STYLE_PLAIN, "%zu/%zu", done, count);
    hone_status_line_add(&status, 2, HONE_STYLE_PLAIN, "%.1f/s",
                         seconds > 0 ? (double)done / seconds : 0);
    hone_status_line_add_left(&status, 1, seconds);
    pthread_mutex_lock(&lock);
    if (!on_terminal()) {
        if (hone_status_tenth(&line.pace, status.fraction)) print_plain(&status, "");
    } else if (hone_status_due(&line.pace, !line.open || done == count)) {
        draw(&status);
    }
    pthread_mutex_unlock(&lock);
}

static struct hone_status_line tune_line(const struct hone_progress *p)
{
    struct hone_status_line status = {.fraction = hone_progress_fraction(p)};
    char budget[32] = "";
    const size_t failed = hone_progress_failed(p);
    if (p->budget != UINT64_MAX)
        snprintf(budget, sizeof budget, "/%llu", (unsigned long long)p->budget);
    hone_status_line_add(&status, 1, HONE_STYLE_PLAIN, "%zu%s", p->done, budget);
    hone_status_line_add(&status, 0, p->best ? HONE_STYLE_GOOD : HONE_STYLE_PLAIN,
                         "best %.40s",
                         p->best ? hone_cost_text(p->best).text : "none valid yet");
    if (failed) hone_status_line_add(&status, 3, HONE_STYLE_BAD, "%zu failed", failed);
    hone_status_line_add(&status, 4, HONE_STYLE_PLAIN, "%.3g/s",
                         p->seconds > 0 ? (double)p->done / p->seconds : 0);
    hone_status_line_add_left(&status, 2, p->seconds);
    return status;
}

static void show_tune(struct hone_status_line *status, const struct hone_progress *p,
                      const struct hone_space *space, bool improved)
{
    if (on_terminal()) {
        if (hone_status_due(&line.pace, !line.open || improved || status->fraction >= 1))
            draw(status);
        return;
    }
    if (!improved && !hone_status_tenth(&line.pace, status->fraction)) return;
    struct hone_strbuf config = HONE_STRBUF_INIT;
    if (improved) hone_config_text(&config, space, p->trial->index);
    print_plain(status, config.data);
    hone_strbuf_fini(&config);
}

void cli_progress_tune(const struct hone_progress *p, const struct hone_space *space,
                       size_t waiting)
{
    const bool improved =
        p->best && p->best->index == p->trial->index && p->trial->outcome == HONE_VALID;
    struct hone_status_line status = tune_line(p);
    if (waiting)
        hone_status_line_add(&status, 3, HONE_STYLE_WARNING, "%zu waiting", waiting);
    pthread_mutex_lock(&lock);
    show_tune(&status, p, space, improved);
    pthread_mutex_unlock(&lock);
}

void cli_progress_pause(void)
{
    pthread_mutex_lock(&lock);
    if (line.open) fputc('\n', stderr);
    line.open = false;
    line.length = 0;
}

void cli_progress_resume(void)
{
    pthread_mutex_unlock(&lock);
}

void cli_progress_end(void)
{
    cli_progress_pause();
    cli_progress_resume();
}
