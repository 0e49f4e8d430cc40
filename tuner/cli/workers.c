#include "workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "interrupt.h"

enum { LOCAL_WORDS = 10 };

// The commands of the pool: a worker of this program for each device, then --worker's.
struct commands {
    struct hone_worker_command *items;
    size_t count;
    char ***split; // owned words of --worker, as many as the list has
    size_t split_count;
    char threads[32];
    char *names; // of the devices, separated by NUL
    const char *(*local)[LOCAL_WORDS];
    char self[4096];
};

static void commands_fini(struct commands *c)
{
    for (size_t i = 0; i < c->split_count; i++)
        free(c->split[i]);
    free(c->split);
    free(c->items);
    free(c->names);
    free(c->local);
}

static void add_local(struct commands *c, const struct cli_worker_args *a,
                      const char *device)
{
    const char **argv = c->local[c->count];
    size_t n = 0;
    argv[n++] = c->self;
    argv[n++] = "worker";
    argv[n++] = "--device";
    argv[n++] = device;
    argv[n++] = c->threads;
    if (a->clock) {
        argv[n++] = "--clock";
        argv[n++] = hone_clock_name(a->clock);
    }
    if (a->build->cache) {
        argv[n++] = "--cache";
        argv[n++] = a->build->cache;
    }
    argv[n] = NULL;
    c->items[c->count++] =
        (struct hone_worker_command){.argv = argv, .name = device, .local = true};
}

static enum hone_status add_workers(struct commands *c, const struct cli_list *workers,
                                    struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < workers->count; i++) {
        status = hone_command_split(&c->split[i], workers->items[i], err);
        if (status != HONE_OK) break;
        c->split_count++;
        const char *const *argv; // the words are only read
        memcpy(&argv, &c->split[i], sizeof argv);
        c->items[c->count++] =
            (struct hone_worker_command){.argv = argv, .name = workers->items[i]};
    }
    return status;
}

// Each name of a list; an empty one stands for nothing.
static enum hone_status add_devices(struct commands *c, const struct cli_worker_args *a,
                                    struct hone_error *err)
{
    char *next = c->names;
    while (next) {
        char *name = next;
        next = strchr(name, ',');
        if (next) *next++ = '\0';
        if (!*name || strpbrk(name, " \t\r\n"))
            return hone_fail(err, HONE_EUSAGE,
                             "--device '%s' holds '%s': device names stand between "
                             "commas, as in cuda:0,cuda:1",
                             a->device, name);
        add_local(c, a, name);
    }
    return HONE_OK;
}

// --worker alone means those and no worker here.
static enum hone_status make_commands(struct commands *c, const struct cli_worker_args *a,
                                      struct hone_error *err)
{
    const size_t workers = a->workers->count;
    const bool here = !workers || strcmp(a->device, "auto") != 0;
    size_t devices = 1;
    for (const char *p = a->device; *p; p++)
        devices += *p == ',';
    c->names = strdup(a->device);
    c->items = calloc(devices + workers, sizeof *c->items);
    c->local = calloc(devices, sizeof *c->local);
    c->split = calloc(workers + 1, sizeof *c->split);
    if (!c->names || !c->items || !c->local || !c->split)
        return hone_fail(err, HONE_ENOMEM, "out of memory for workers");
    const ssize_t n = readlink("/proc/self/exe", c->self, sizeof c->self - 1);
    if (n < 0) return hone_fail(err, HONE_EIO, "cannot find this program's file");
    snprintf(c->threads, sizeof c->threads, "--threads=%llu",
             (unsigned long long)a->build->threads);
    const enum hone_status status = here ? add_devices(c, a, err) : HONE_OK;
    return status == HONE_OK ? add_workers(c, a->workers, err) : status;
}

// A worker elsewhere was told its clock by whoever wrote its command.
static enum hone_status check_clock(const struct hone_pool *pool,
                                    const struct cli_worker_args *args,
                                    struct hone_error *err)
{
    const enum hone_clock clock = hone_pool_facts(pool).clock;
    if (!args->clock || clock == args->clock) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "the workers time by '%s': start them with 'hone worker --clock %s'",
                     hone_clock_name(clock), hone_clock_name(args->clock));
}

enum hone_status cli_workers_open(struct hone_pool **out,
                                  const struct cli_worker_args *args,
                                  struct hone_error *err)
{
    struct commands commands = {0};
    enum hone_status status = make_commands(&commands, args, err);
    const struct hone_pool_options options = {.commands = commands.items,
                                              .count = commands.count,
                                              .no_wait = args->no_wait,
                                              .deadlines = args->deadlines,
                                              .cancel = cli_interrupt_flag()};
    if (status == HONE_OK) status = hone_pool_open(out, &options, err);
    commands_fini(&commands);
    return status == HONE_OK ? check_clock(*out, args, err) : status;
}

enum hone_status cli_parse_clock(enum hone_clock *out, const char *text,
                                 struct hone_error *err)
{
    if (hone_clock_parse(out, text) == HONE_OK) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "--clock wants auto, cupti, event or graph, got '%s'", text);
}
