// The compile pool. A submit makes a ticket for a task; requests with the same key share
// one task while it is in flight. Tasks are queued in order, compiled by threads that
// live as long as the builder, each with a helper process of its own, and freed when
// their last ticket has been taken.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/c_text.h"
#include "base/compiler_options.h"
#include "base/thread.h"
#include "build/cache.h"
#include "compile_helper.h"
#include "image.h"

// NVRTC recurses deeply on large sources, and the default stack of a thread may be small.
enum { STACK_BYTES = 32 << 20, MAX_THREADS = 1024 };

// Half of the tenth of a second in which a cancel is answered.
enum { LOOK_MS = 50 };

struct task {
    char key[HONE_HASH_TEXT];
    struct hone_arena arena; // the request's texts
    struct hone_build_request request;
    size_t tickets; // not taken yet
    bool done;
    enum hone_status status; // when done
    struct hone_error error;
    struct hone_build *build; // when done and OK
    struct task *next;        // all tasks
    struct task *next_queued;
};

struct ticket {
    uint64_t id;
    struct task *task;
    struct ticket *next;
};

struct hone_builder {
    struct hone_compiler *compiler;
    struct hone_compile_way way;
    struct hone_cache cache;
    atomic_bool stopping;
    const volatile sig_atomic_t *cancel; // NULL: takes wait to the end
    pthread_t *threads;
    size_t thread_count;

    pthread_mutex_t lock; // guards all below
    pthread_cond_t queued, finished;
    struct task *tasks;
    struct task *queue_head, **queue_tail;
    struct ticket *tickets, **tickets_tail; // in order of their ids
    uint64_t last_ticket;
    size_t takers; // that are in take: freeing waits for them
};

static void task_free(struct task *task)
{
    if (!task) return;
    hone_build_release(task->build);
    hone_arena_fini(&task->arena);
    free(task);
}

static bool copy_headers(struct task *task, const struct hone_build_request *from)
{
    struct hone_arena *arena = &task->arena;
    struct hone_build_header *headers =
        hone_arena_array(arena, from->header_count, sizeof *headers);
    if (!headers) return false;
    for (size_t i = 0; i < from->header_count; i++) {
        headers[i].name = hone_arena_strdup(arena, from->headers[i].name);
        headers[i].text = hone_arena_strdup(arena, from->headers[i].text);
        if (!headers[i].name || !headers[i].text) return false;
    }
    task->request.headers = headers;
    task->request.header_count = from->header_count;
    return true;
}

// A request with texts of its own; false when out of memory.
static bool copy_request(struct task *task, const struct hone_build_request *from)
{
    struct hone_arena *arena = &task->arena;
    struct hone_build_request *to = &task->request;
    const char **options = hone_arena_array(arena, from->option_count, sizeof *options);
    to->source = hone_arena_strdup(arena, from->source);
    to->source_name =
        hone_arena_strdup(arena, from->source_name ? from->source_name : "kernel.cu");
    to->entry = hone_arena_strdup(arena, from->entry);
    to->arch = hone_arena_strdup(arena, from->arch);
    if (!options || !to->source || !to->source_name || !to->entry || !to->arch)
        return false;
    for (size_t i = 0; i < from->option_count; i++) {
        options[i] = hone_arena_strdup(arena, from->options[i]);
        if (!options[i]) return false;
    }
    to->options = options;
    to->option_count = from->option_count;
    return copy_headers(task, from);
}

static struct task *task_new(const struct hone_build_request *request,
                             const char *identity)
{
    struct task *task = calloc(1, sizeof *task);
    if (task && copy_request(task, request))
        hone_cache_key(task->key, &task->request, identity);
    if (task && task->key[0]) return task;
    task_free(task);
    return NULL;
}

static enum hone_status compile(struct hone_builder *b,
                                struct hone_compile_helper *helper,
                                struct hone_output *output, struct task *task)
{
    if (b->way.program)
        return hone_compile_helper_run(helper, output, &task->request, &b->stopping,
                                       &task->error);
    return hone_compiler_run(b->compiler, output, &task->request, &b->stopping,
                             &task->error);
}

static enum hone_status builder_build(struct hone_builder *b,
                                      struct hone_compile_helper *helper,
                                      struct task *task)
{
    struct hone_output output = {0};
    bool cached = hone_cache_get(&b->cache, &output, task->key);
    if (!cached) {
        enum hone_status status = compile(b, helper, &output, task);
        if (status != HONE_OK) return status;
        if (!output.failure[0]) hone_cache_put(&b->cache, task->key, &output);
    }
    return hone_image_new(&task->build, &output, &task->request, cached, &task->error);
}

// The next task, waiting for one; NULL when the builder stops. Called with the lock held.
static struct task *next_task(struct hone_builder *b)
{
    while (!b->queue_head && !atomic_load(&b->stopping))
        pthread_cond_wait(&b->queued, &b->lock);
    if (atomic_load(&b->stopping)) return NULL;
    struct task *task = b->queue_head;
    b->queue_head = task->next_queued;
    if (!b->queue_head) b->queue_tail = &b->queue_head;
    return task;
}

static void *builder_work(void *argument)
{
    struct hone_builder *b = argument;
    struct hone_compile_helper helper = {.way = &b->way};
    pthread_mutex_lock(&b->lock);
    for (struct task *task; (task = next_task(b));) {
        pthread_mutex_unlock(&b->lock);
        enum hone_status status = builder_build(b, &helper, task);
        pthread_mutex_lock(&b->lock);
        task->status = status;
        task->done = true;
        pthread_cond_broadcast(&b->finished);
    }
    pthread_mutex_unlock(&b->lock);
    hone_compile_helper_fini(&helper);
    return NULL;
}

// Signals stay with the thread that the program expects them in.
static enum hone_status start_threads(struct hone_builder *b, size_t count,
                                      struct hone_error *err)
{
    b->threads = calloc(count, sizeof *b->threads);
    if (!b->threads) return hone_no_memory(err, "starting compile threads");
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = 0;
    for (; b->thread_count < count && !failed; b->thread_count += !failed)
        failed =
            pthread_create(&b->threads[b->thread_count], &attributes, builder_work, b);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (b->thread_count) return HONE_OK; // fewer than asked for still work
    return hone_fail(err, HONE_ELIMIT, "cannot start a compile thread: %s",
                     hone_errno_text(failed));
}

static size_t thread_target(size_t wanted)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    size_t count = wanted ? wanted : online > 0 ? (size_t)online : 1;
    return count < MAX_THREADS ? count : MAX_THREADS;
}

enum hone_status hone_builder_new(struct hone_builder **out,
                                  const struct hone_builder_options *options,
                                  struct hone_error *err)
{
    static const struct hone_builder_options defaults;
    if (!options) options = &defaults;
    struct hone_builder *b = calloc(1, sizeof *b);
    if (!b) return hone_no_memory(err, "opening the builder");
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->queued, NULL);
    hone_condition_init(&b->finished);
    atomic_init(&b->stopping, false);
    b->cancel = options->cancel;
    b->queue_tail = &b->queue_head;
    b->tickets_tail = &b->tickets;
    enum hone_status status =
        hone_compiler_new(&b->compiler, options->nvrtc_path, options->for_driver, err);
    if (status == HONE_OK)
        status = hone_compile_way_init(&b->way, hone_compiler_library(b->compiler),
                                       options->boxed, err);
    if (status == HONE_OK)
        status =
            hone_cache_init(&b->cache, options->cache_folder, options->memory_bytes, err);
    if (status == HONE_OK)
        status = start_threads(b, thread_target(options->threads), err);
    if (status != HONE_OK) {
        hone_builder_free(b);
        return status;
    }
    *out = b;
    return HONE_OK;
}

static void stop_threads(struct hone_builder *b)
{
    pthread_mutex_lock(&b->lock);
    atomic_store(&b->stopping, true);
    pthread_cond_broadcast(&b->queued);
    pthread_cond_broadcast(&b->finished);
    while (b->takers)
        pthread_cond_wait(&b->finished, &b->lock);
    pthread_mutex_unlock(&b->lock);
    for (size_t i = 0; i < b->thread_count; i++)
        pthread_join(b->threads[i], NULL);
    free(b->threads);
}

void hone_builder_free(struct hone_builder *builder)
{
    if (!builder) return;
    stop_threads(builder);
    for (struct task *task = builder->tasks, *next; task; task = next) {
        next = task->next;
        task_free(task);
    }
    for (struct ticket *ticket = builder->tickets, *next; ticket; ticket = next) {
        next = ticket->next;
        free(ticket);
    }
    hone_cache_fini(&builder->cache);
    hone_compile_way_fini(&builder->way);
    hone_compiler_free(builder->compiler);
    pthread_cond_destroy(&builder->finished);
    pthread_cond_destroy(&builder->queued);
    pthread_mutex_destroy(&builder->lock);
    free(builder);
}

const char *hone_builder_version(const struct hone_builder *builder)
{
    return hone_compiler_version(builder->compiler);
}

const char *hone_builder_library(const struct hone_builder *builder)
{
    return hone_compiler_library(builder->compiler);
}

size_t hone_builder_threads(const struct hone_builder *builder)
{
    return builder->thread_count;
}

// A task of this key that is not taken by all yet.
static struct task *find_task(const struct hone_builder *b, const char *key)
{
    struct task *task = b->tasks;
    while (task && strcmp(task->key, key) != 0)
        task = task->next;
    return task;
}

// Queue fresh, or use the task that does the same already. Called with the lock held.
static struct task *builder_join(struct hone_builder *b, struct task *fresh)
{
    struct task *known = find_task(b, fresh->key);
    if (known) {
        task_free(fresh);
        return known;
    }
    fresh->next = b->tasks;
    b->tasks = fresh;
    *b->queue_tail = fresh;
    b->queue_tail = &fresh->next_queued;
    pthread_cond_signal(&b->queued);
    return fresh;
}

enum hone_status hone_builder_submit(struct hone_builder *builder,
                                     const struct hone_build_request *request,
                                     uint64_t *ticket, struct hone_error *err)
{
    assert(request->source && ticket);
    for (size_t i = 0; i < request->option_count; i++) {
        const enum hone_status status =
            hone_compiler_option_check(request->options[i], err);
        if (status != HONE_OK) return status;
    }
    struct ticket *entry = calloc(1, sizeof *entry);
    struct task *fresh = task_new(request, hone_compiler_identity(builder->compiler));
    if (!entry || !fresh) {
        free(entry);
        task_free(fresh);
        return hone_no_memory(err, "queueing a build");
    }
    pthread_mutex_lock(&builder->lock);
    entry->task = builder_join(builder, fresh);
    entry->task->tickets++;
    entry->id = ++builder->last_ticket;
    *builder->tickets_tail = entry;
    builder->tickets_tail = &entry->next;
    *ticket = entry->id;
    pthread_mutex_unlock(&builder->lock);
    return HONE_OK;
}

// Unlink the ticket and return its task, NULL when it is unknown or already taken.
static struct task *redeem(struct hone_builder *b, uint64_t id)
{
    struct ticket **link = &b->tickets;
    while (*link && (*link)->id != id)
        link = &(*link)->next;
    struct ticket *ticket = *link;
    if (!ticket) return NULL;
    *link = ticket->next;
    if (!*link) b->tickets_tail = link;
    struct task *task = ticket->task;
    free(ticket);
    return task;
}

// Give up one ticket of a task that is done; the last one frees it.
static void leave(struct hone_builder *b, struct task *task)
{
    if (--task->tickets) return;
    struct task **link = &b->tasks;
    while (*link != task)
        link = &(*link)->next;
    *link = task->next;
    task_free(task);
}

// Nobody signals a cancel: it is looked for.
static void wait_for_news(struct hone_builder *b)
{
    if (b->cancel)
        hone_condition_wait(&b->finished, &b->lock, LOOK_MS);
    else
        pthread_cond_wait(&b->finished, &b->lock);
}

// Wait until the task is done; false when that was given up. Called with the lock held,
// which is given away meanwhile.
static bool wait_for(struct hone_builder *b, const struct task *task)
{
    while (!task->done && !atomic_load(&b->stopping) && !(b->cancel && *b->cancel))
        wait_for_news(b);
    return task->done;
}

// Called with the lock held.
static enum hone_status take_build(struct hone_builder *b, uint64_t ticket,
                                   const struct hone_build **out, struct hone_error *err)
{
    struct task *task = redeem(b, ticket);
    if (!task)
        return hone_fail(err, HONE_EUSAGE, "no build is waiting for ticket %llu",
                         (unsigned long long)ticket);
    if (!wait_for(b, task)) // the task is freed with the builder
        return hone_fail(err, HONE_ECANCELLED, "the build was cancelled");
    enum hone_status status = task->status;
    if (status == HONE_OK) {
        hone_image_retain(task->build);
        *out = task->build;
    } else {
        hone_error_pass(err, status, &task->error);
    }
    leave(b, task);
    return status;
}

enum hone_status hone_builder_take(struct hone_builder *builder, uint64_t ticket,
                                   const struct hone_build **out, struct hone_error *err)
{
    pthread_mutex_lock(&builder->lock);
    builder->takers++;
    const enum hone_status status = take_build(builder, ticket, out, err);
    if (--builder->takers == 0 && atomic_load(&builder->stopping))
        pthread_cond_broadcast(&builder->finished);
    pthread_mutex_unlock(&builder->lock);
    return status;
}
