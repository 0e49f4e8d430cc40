#define _GNU_SOURCE // fstatat, dirfd, O_NOFOLLOW
#include "build/cache_clean.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/grow.h"
#include "base/temporary.h"
#include "build/cache.h"

struct entry {
    char name[HONE_HASH_TEXT + 2]; // "ab/cdef..."
    time_t built;
    uint64_t bytes;
};

struct list {
    struct entry *items;
    size_t count, room;
};

static bool is_hex(const char *text, size_t len)
{
    return strlen(text) == len && strspn(text, "0123456789abcdef") == len;
}

static bool cache_clean_add(struct list *list, const char *part, const char *name,
                            const struct stat *info)
{
    if (!HONE_GROW(&list->items, &list->room, list->count + 1, 256)) return false;
    struct entry *entry = &list->items[list->count++];
    snprintf(entry->name, sizeof entry->name, "%.2s/%.30s", part, name);
    entry->built = info->st_mtime;
    entry->bytes = (uint64_t)info->st_size;
    return true;
}

// NULL for a link: what it leads to is no part of the cache.
static DIR *open_part(const char *path)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    if (!entries && fd >= 0) close(fd);
    return entries;
}

static bool list_part(struct list *list, const char *folder, const char *part)
{
    bool fine = true;
    char *path = hone_path_join(folder, part);
    DIR *entries = path ? open_part(path) : NULL;
    const struct dirent *entry;
    while (entries && fine && (entry = readdir(entries))) {
        struct stat info;
        if (is_hex(entry->d_name, HONE_HASH_TEXT - 3) &&
            fstatat(dirfd(entries), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(info.st_mode))
            fine = cache_clean_add(list, part, entry->d_name, &info);
    }
    if (entries) closedir(entries);
    fine = fine && path;
    free(path);
    return fine;
}

static enum hone_status list_all(struct list *list, const char *folder,
                                 struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    if (!entries && errno == ENOENT) return HONE_OK;
    if (!entries)
        return hone_fail(err, HONE_EIO, "cannot read the cache '%s': %s", folder,
                         hone_errno_text(errno));
    while (status == HONE_OK && (entry = readdir(entries)))
        if (is_hex(entry->d_name, 2) && !list_part(list, folder, entry->d_name))
            status = hone_no_memory(err, "reading the cache");
    closedir(entries);
    return status;
}

static int by_age(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->built != y->built) return x->built < y->built ? -1 : 1;
    return strcmp(x->name, y->name);
}

static enum hone_status remove_one(const char *folder, const char *name,
                                   struct hone_error *err)
{
    char *path = hone_path_join(folder, name);
    enum hone_status status = HONE_OK;
    if (!path) return hone_no_memory(err, "cleaning the build cache");
    if (unlink(path) != 0 && errno != ENOENT)
        status = hone_fail(err, HONE_EIO, "cannot remove '%s': %s", path,
                           hone_errno_text(errno));
    free(path);
    return status;
}

// Times of files are of the clock of the wall.
static time_t oldest_kept(double age)
{
    time_t now;
    return age > 0 && time(&now) != (time_t)-1 ? now - (time_t)age : 0;
}

// The oldest first: what is left is the newest.
static enum hone_status apply(struct hone_cache_facts *facts, const struct list *list,
                              const char *folder, const struct hone_cache_cut *cut,
                              struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    const time_t oldest = oldest_kept(cut->age);
    for (size_t i = 0; i < list->count; i++) {
        const struct entry *entry = &list->items[i];
        if (entry->built >= oldest && facts->bytes <= cut->most_bytes) break;
        const enum hone_status removed =
            remove_one(folder, entry->name, status == HONE_OK ? err : NULL);
        if (removed != HONE_OK) {
            status = removed;
            continue;
        }
        facts->entries--;
        facts->bytes -= entry->bytes;
        facts->removed_entries++;
        facts->removed_bytes += entry->bytes;
    }
    return status;
}

enum hone_status hone_cache_clean(struct hone_cache_facts *facts, const char *folder,
                                  const struct hone_cache_cut *cut,
                                  struct hone_error *err)
{
    static const struct hone_cache_cut nothing = {.most_bytes = UINT64_MAX};
    struct list list = {0};
    *facts = (struct hone_cache_facts){0};
    enum hone_status status =
        hone_file_exists(folder) ? hone_cache_check_folder(folder, err) : HONE_OK;
    if (status == HONE_OK) status = list_all(&list, folder, err);
    if (list.count) qsort(list.items, list.count, sizeof *list.items, by_age);
    for (size_t i = 0; i < list.count; i++)
        facts->bytes += list.items[i].bytes;
    facts->entries = list.count;
    if (status == HONE_OK)
        status = apply(facts, &list, folder, cut ? cut : &nothing, err);
    if (facts->entries) {
        facts->oldest = list.items[list.count - facts->entries].built;
        facts->newest = list.items[list.count - 1].built;
    }
    free(list.items);
    return status;
}
