#include "tuning/workers.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/subprocess.h"

enum { LOCAL_WORDS = 11 };

// The commands of the pool: a worker of the program for each device, then the user's.
struct commands {
    struct hone_worker_command *items;
    size_t count;
    char ***split; // owned words of the user's commands
    size_t split_count;
    char threads[32];
    char *names; // of the devices, separated by NUL
    const char *(*local)[LOCAL_WORDS];
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

static void add_local(struct commands *c, const struct hone_workers_options *o,
                      const char *device)
{
    const char **argv = c->local[c->count];
    size_t n = 0;
    argv[n++] = o->program;
    argv[n++] = "worker";
    argv[n++] = "--local";
    argv[n++] = "--device";
    argv[n++] = device;
    argv[n++] = c->threads;
    if (o->clock) {
        argv[n++] = "--clock";
        argv[n++] = hone_clock_name(o->clock);
    }
    if (o->builder->cache_folder) {
        argv[n++] = "--cache";
        argv[n++] = o->builder->cache_folder;
    }
    argv[n] = NULL;
    c->items[c->count++] =
        (struct hone_worker_command){.argv = argv, .name = device, .local = true};
}

static enum hone_status add_commands(struct commands *c,
                                     const struct hone_workers_options *o,
                                     struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < o->command_count; i++) {
        status = hone_command_split(&c->split[i], o->commands[i], err);
        if (status != HONE_OK) break;
        c->split_count++;
        const char *const *argv; // the words are only read
        memcpy(&argv, &c->split[i], sizeof argv);
        c->items[c->count++] =
            (struct hone_worker_command){.argv = argv, .name = o->commands[i]};
    }
    return status;
}

// Each name of a list; an empty one stands for nothing.
static enum hone_status add_devices(struct commands *c,
                                    const struct hone_workers_options *o,
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
                             o->device, name);
        add_local(c, o, name);
    }
    return HONE_OK;
}

// The user's commands alone mean those and no worker here.
static enum hone_status make_commands(struct commands *c,
                                      const struct hone_workers_options *o,
                                      struct hone_error *err)
{
    const size_t workers = o->command_count;
    const bool here = !workers || strcmp(o->device, "auto") != 0;
    size_t devices = 1;
    for (const char *p = o->device; *p; p++)
        devices += *p == ',';
    c->names = strdup(o->device);
    c->items = calloc(devices + workers, sizeof *c->items);
    c->local = calloc(devices, sizeof *c->local);
    c->split = calloc(workers + 1, sizeof *c->split);
    if (!c->names || !c->items || !c->local || !c->split)
        return hone_no_memory(err, "for workers");
    if (here && !o->program)
        return hone_fail(err, HONE_EUSAGE,
                         "no program is named that could measure on '%s'", o->device);
    snprintf(c->threads, sizeof c->threads, "--threads=%llu",
             (unsigned long long)o->builder->threads);
    const enum hone_status status = here ? add_devices(c, o, err) : HONE_OK;
    return status == HONE_OK ? add_commands(c, o, err) : status;
}

// A worker elsewhere was told its clock by whoever wrote its command.
static enum hone_status check_clock(const struct hone_pool *pool, enum hone_clock wish,
                                    struct hone_error *err)
{
    const enum hone_clock clock = hone_pool_facts(pool).clock;
    if (!wish || clock == wish) return HONE_OK;
    return hone_fail(err, HONE_EUSAGE,
                     "the workers time by '%s': start them with 'hone worker --clock %s'",
                     hone_clock_name(clock), hone_clock_name(wish));
}

enum hone_status hone_workers_open(struct hone_pool **out,
                                   const struct hone_workers_options *o,
                                   struct hone_error *err)
{
    struct commands commands = {0};
    assert(o->device && o->builder);
    enum hone_status status = make_commands(&commands, o, err);
    const struct hone_pool_options options = {.commands = commands.items,
                                              .count = commands.count,
                                              .no_wait = o->no_wait,
                                              .unlocked = o->unlocked,
                                              .deadlines = o->deadlines,
                                              .cancel = o->cancel};
    if (status == HONE_OK) status = hone_pool_open(out, &options, err);
    commands_fini(&commands);
    return status == HONE_OK ? check_clock(*out, o->clock, err) : status;
}
