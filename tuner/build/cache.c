// An entry is a fixed header and three texts: PTX, cubin, log. Everything else about a
// build is derived from them, so the format seldom changes; when it does, FORMAT changes
// every key.
#define _XOPEN_SOURCE 700 // S_ISVTX
#include "build/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/log.h"
#include "hone/strbuf.h"

enum { ENTRY_BYTES = 256 << 20 };

#define FORMAT "hone build 3\n"

struct header {
    char format[sizeof FORMAT];
    char compiled;
    char padding[1];
    uint64_t checksum; // of the header with 0 here, and of the texts
    uint64_t ptx_size, cubin_size, log_size;
    double build_ms;
};

_Static_assert(sizeof(struct header) == 56, "no padding that could hold random bytes");

// A relative one is ignored, as the XDG base directory specification says: the cache
// would be wherever hone is started.
static char *folder_below(const char *variable, const char *below)
{
    const char *root = getenv(variable);
    return root && root[0] == '/' ? hone_path_join(root, below) : NULL;
}

char *hone_cache_folder(void)
{
    const char *named = getenv("HONE_CACHE");
    if (named && named[0]) return strdup(named);
    char *folder = folder_below("XDG_CACHE_HOME", "hone");
    if (!folder) folder = folder_below("HOME", ".cache/hone");
    return folder;
}

enum hone_status hone_cache_init(struct hone_cache *cache, const char *folder,
                                 size_t memory_bytes, struct hone_error *err)
{
    hone_memory_init(&cache->memory, memory_bytes);
    atomic_init(&cache->warned, false);
    atomic_init(&cache->trust, 0);
    cache->folder = NULL;
    if (folder && !folder[0]) return HONE_OK;
    cache->folder = folder ? strdup(folder) : hone_cache_folder();
    if (folder && !cache->folder) return hone_no_memory(err, "opening the build cache");
    return HONE_OK;
}

void hone_cache_fini(struct hone_cache *cache)
{
    hone_memory_fini(&cache->memory);
    free(cache->folder);
    cache->folder = NULL;
}

void hone_cache_key(char out[HONE_HASH_TEXT], const struct hone_build_request *request,
                    const char *compiler_identity)
{
    struct hone_hash hash;
    hone_hash_begin(&hash);
    hone_hash_text(&hash, FORMAT);
    hone_hash_text(&hash, compiler_identity);
    hone_hash_text(&hash, request->arch);
    hone_hash_text(&hash, request->entry);
    hone_hash_text(&hash, request->source_name);
    const uint64_t counts[] = {request->option_count, request->header_count};
    hone_hash_part(&hash, counts, sizeof counts);
    for (size_t i = 0; i < request->option_count; i++)
        hone_hash_text(&hash, request->options[i]);
    for (size_t i = 0; i < request->header_count; i++) {
        hone_hash_text(&hash, request->headers[i].name);
        hone_hash_text(&hash, request->headers[i].text);
    }
    hone_hash_text(&hash, request->source);
    hone_hash_end(&hash, out);
}

// FOLDER/ab/cdef...: at most 256 folders, so that none grows too large.
static char *entry_path(const struct hone_cache *cache, const char *key)
{
    char name[HONE_HASH_TEXT + 8];
    snprintf(name, sizeof name, "%.2s/%s", key, key + 2);
    return hone_path_join(cache->folder, name);
}

// The state of an entry whose header's checksum field is 0.
static uint64_t checksum(const struct header *header, const void *texts, size_t size)
{
    uint64_t parts[2] = {hone_hash64(header, sizeof *header), hone_hash64(texts, size)};
    return hone_hash64(parts, sizeof parts);
}

// Whether data is an entry whose sizes and checksum hold.
static bool cache_check(struct header *header, const char *data, size_t size)
{
    if (size < sizeof *header) return false;
    memcpy(header, data, sizeof *header);
    if (memcmp(header->format, FORMAT, sizeof FORMAT) != 0) return false;
    size_t left = size - sizeof *header;
    const uint64_t sizes[] = {header->ptx_size, header->cubin_size, header->log_size};
    for (size_t i = 0; i < 3; i++) {
        if (sizes[i] > left) return false;
        left -= (size_t)sizes[i];
    }
    uint64_t expected = header->checksum;
    header->checksum = 0;
    return left == 0 &&
           checksum(header, data + sizeof *header, size - sizeof *header) == expected;
}

// size bytes at *at and a NUL; moves *at on.
static char *take_text(const char **at, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return NULL;
    memcpy(text, *at, size);
    text[size] = '\0';
    *at += size;
    return text;
}

static bool unpack(struct hone_output *out, const char *data, size_t size)
{
    struct header header;
    if (!cache_check(&header, data, size)) return false;
    *out = (struct hone_output){
        .compiled = header.compiled != 0,
        .ptx_size = (size_t)header.ptx_size,
        .cubin_size = (size_t)header.cubin_size,
        .log_size = (size_t)header.log_size,
        .build_ms = header.build_ms,
    };
    const char *at = data + sizeof header;
    if ((out->ptx = take_text(&at, out->ptx_size)) &&
        (out->cubin = take_text(&at, out->cubin_size)) &&
        (out->log = take_text(&at, out->log_size)))
        return true;
    hone_output_fini(out);
    return false;
}

enum hone_status hone_cache_check_folder(const char *folder, struct hone_error *err)
{
    struct stat info;
    if (stat(folder, &info) != 0)
        return hone_fail(err,
                         errno == ENOENT || errno == ENOTDIR ? HONE_ENOTFOUND : HONE_EIO,
                         "cannot use the cache '%s': %s", folder, hone_errno_text(errno));
    if (!S_ISDIR(info.st_mode))
        return hone_fail(err, HONE_EINPUT, "the cache '%s' is no folder", folder);
    if (info.st_uid != geteuid() && info.st_uid != 0)
        return hone_fail(err, HONE_EINPUT,
                         "the cache '%s' belongs to user %ld, whose builds would run "
                         "here: name a folder of your own by --cache or HONE_CACHE",
                         folder, (long)info.st_uid);
    if (hone_file_others_write(info.st_mode, info.st_gid) && !(info.st_mode & S_ISVTX))
        return hone_fail(err, HONE_EINPUT,
                         "the cache '%s' may be written by others, whose builds would "
                         "run here: chmod go-w it, or name another by --cache or "
                         "HONE_CACHE",
                         folder);
    return HONE_OK;
}

// One that is not there yet is made for this user alone.
static enum hone_status trust(struct hone_cache *cache, struct hone_error *err)
{
    if (atomic_load(&cache->trust) > 0) return HONE_OK;
    enum hone_status status = hone_cache_check_folder(cache->folder, err);
    if (status != HONE_ENOTFOUND) atomic_store(&cache->trust, status == HONE_OK ? 1 : -1);
    return status;
}

static void warn(struct hone_cache *cache, const struct hone_error *err)
{
    if (!atomic_exchange(&cache->warned, true))
        hone_log(HONE_LOG_WARNING, "builds are not kept: %s", err->text);
}

// A part of the folder may have been made by a run with another umask.
static bool is_part_own(const char *path)
{
    char *part = hone_path_folder(path);
    const bool own = part && hone_cache_check_folder(part, NULL) == HONE_OK;
    free(part);
    return own;
}

static bool read_entry(struct hone_cache *cache, char **data, size_t *size,
                       const char *key)
{
    static const struct hone_file_want want = {.most = ENTRY_BYTES, .own = true};
    struct hone_error err = {0};
    if (!cache->folder) return false;
    const enum hone_status status = trust(cache, &err);
    if (status != HONE_OK) {
        if (status != HONE_ENOTFOUND) warn(cache, &err);
        return false;
    }
    char *path = entry_path(cache, key);
    const bool found = path && is_part_own(path) &&
                       hone_file_read_as(data, size, path, &want, NULL) == HONE_OK;
    free(path);
    return found;
}

bool hone_cache_get(struct hone_cache *cache, struct hone_output *out, const char *key)
{
    char *data = NULL;
    size_t size = 0;
    bool found = hone_memory_get(&cache->memory, &data, &size, key) ||
                 read_entry(cache, &data, &size, key);
    found = found && unpack(out, data, size);
    free(data);
    return found;
}

static enum hone_status write_entry(const char *path, const struct hone_strbuf *entry,
                                    struct hone_error *err)
{
    char *folder = hone_path_folder(path);
    if (!folder || entry->failed) {
        free(folder);
        return hone_no_memory(err, "for the build cache");
    }
    enum hone_status status = hone_file_mkdirs_as(folder, 0700, err);
    if (status == HONE_OK) status = hone_cache_check_folder(folder, err);
    if (status == HONE_OK)
        status = hone_file_write_private(path, entry->data, entry->len, err);
    free(folder);
    return status;
}

static void publish(struct hone_cache *cache, const char *key,
                    const struct hone_strbuf *entry)
{
    struct hone_error err = {0};
    if (!cache->folder) return;
    enum hone_status status = trust(cache, &err);
    if (status == HONE_ENOTFOUND) {
        err = (struct hone_error){0};
        status = HONE_OK;
    }
    char *path = status == HONE_OK ? entry_path(cache, key) : NULL;
    if (path) status = write_entry(path, entry, &err);
    if (status != HONE_OK) warn(cache, &err);
    free(path);
}

void hone_cache_put(struct hone_cache *cache, const char *key,
                    const struct hone_output *output)
{
    if ((!cache->folder && !cache->memory.most) || !key[0]) return;
    struct header header = {
        .format = FORMAT,
        .compiled = output->compiled,
        .ptx_size = output->ptx_size,
        .cubin_size = output->cubin_size,
        .log_size = output->log_size,
        .build_ms = output->build_ms,
    };
    struct hone_strbuf entry = HONE_STRBUF_INIT;
    hone_strbuf_add_bytes(&entry, &header, sizeof header);
    hone_strbuf_add_bytes(&entry, output->ptx, output->ptx_size);
    hone_strbuf_add_bytes(&entry, output->cubin, output->cubin_size);
    hone_strbuf_add_bytes(&entry, output->log, output->log_size);
    if (!entry.failed) {
        header.checksum =
            checksum(&header, entry.data + sizeof header, entry.len - sizeof header);
        memcpy(entry.data, &header, sizeof header);
        hone_memory_put(&cache->memory, key, entry.data, entry.len);
        publish(cache, key, &entry);
    }
    hone_strbuf_fini(&entry);
}
