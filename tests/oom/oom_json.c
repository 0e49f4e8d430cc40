#define _DEFAULT_SOURCE // memory of no file
#include "oom_json.h"

#include <assert.h>
#include <sys/mman.h>

#include <jansson.h>

#include "hone_test.h"

// Each block has pages of its own in a room of addresses that are used once a run.
enum { PAGE = 4096, ROOM = 1 << 30 };

static struct {
    char *base;
    size_t used, live;
} room;

struct block {
    size_t bytes; // of its pages
    max_align_t data[];
};

static void *json_block_new(size_t size)
{
    if (oom_refuse()) return NULL;
    if (!room.live) room.used = 0;
    const size_t bytes = (sizeof(struct block) + size + PAGE - 1) / PAGE * PAGE;
    struct block *block = (struct block *)(void *)(room.base + room.used);
    room.used += bytes;
    if (room.used > ROOM || mprotect(block, bytes, PROT_READ | PROT_WRITE) != 0) abort();
    block->bytes = bytes;
    room.live++;
    oom_count(1);
    return block->data;
}

static void json_block_free(void *data)
{
    if (!data) return;
    struct block *block =
        (struct block *)(void *)((char *)data - offsetof(struct block, data));
    const size_t bytes = block->bytes;
    if (madvise(block, bytes, MADV_DONTNEED) != 0) abort();
    if (mprotect(block, bytes, PROT_NONE) != 0) abort();
    room.live--;
    oom_count(-1);
}

void oom_check_json(oom_work *work, void *context)
{
    json_malloc_t make;
    json_free_t release;
    room.base =
        mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(room.base, MAP_FAILED);
    json_get_alloc_funcs(&make, &release);
    json_set_alloc_funcs(json_block_new, json_block_free);
    oom_check(work, context);
    json_set_alloc_funcs(make, release);
    munmap(room.base, ROOM);
}
