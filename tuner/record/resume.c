// Continuing a journal: the same question must be asked, then the file is made whole and
// opened at its end.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/c_text.h"
#include "header.h"
#include "journal.h"
#include "json.h"
#include "record/journal_file.h"
#include "recording.h"

// What makes two runs the same: other keys (strategy, seed, driver, ...) may differ. What
// tells most comes first: another device has another space_hash, too.
static const struct {
    const char *key, *means; // means: in words, where the values do not tell
} identity[] = {
    {"kernel", ""},
    {"device.name", ""},
    {"params", ""},
    {"problem", ""},
    {"problems", ""},
    {"clock", ""},
    {"l2", ""},
    {"objective", ""},
    {"template_hash", ": the template, or what it includes, is another one"},
    {"space_hash", ": the script's constraints, launch or arguments are others"},
    {"options_hash", ": compiler options, verification or --l2 are others"},
};

static const json_t *identity_of(const json_t *header, const char *key)
{
    if (strcmp(key, "device.name") == 0)
        return json_object_get(json_object_get(header, "device"), "name");
    return json_object_get(header, key);
}

static enum hone_status differ(const char *path, const char *key, const json_t *old,
                               const json_t *new, const char *means,
                               struct hone_error *err)
{
    struct hone_strbuf where = HONE_STRBUF_INIT;
    struct hone_json_pair parts = {0};
    hone_strbuf_add(&where, key);
    enum hone_status status = HONE_OK;
    if (hone_json_differ(old, new, &where, &parts)) {
        char was[80], is[80];
        status = hone_fail(err, HONE_EINPUT,
                           "journal '%s' is of another run: its %s is %s, now it is "
                           "%s%s",
                           path, where.data, hone_json_brief(was, sizeof was, parts.a),
                           hone_json_brief(is, sizeof is, parts.b), means);
    }
    hone_strbuf_fini(&where);
    return status;
}

// Trials of one journal were verified at the same sizes; another seed draws others, and
// so does a script that was changed.
static enum hone_status check_sizes(const char *path, const json_t *old,
                                    const json_t *new, struct hone_error *err)
{
    static const char *const keys[] = {"seed", "drawn_sizes"};
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < sizeof keys / sizeof *keys; i++)
        status = differ(path, keys[i], json_object_get(old, keys[i]),
                        json_object_get(new, keys[i]), "", err);
    return status;
}

static enum hone_status check_same(const struct hone_recording *done,
                                   const struct hone_record_info *info,
                                   struct hone_error *err)
{
    json_t *old = NULL, *new = NULL;
    const char *path = hone_recording_path(done);
    enum hone_status status = hone_header_write(&old, hone_recording_info(done), err);
    if (status == HONE_OK) status = hone_header_write(&new, info, err);
    for (size_t i = 0; i < sizeof identity / sizeof *identity && status == HONE_OK; i++)
        status = differ(path, identity[i].key, identity_of(old, identity[i].key),
                        identity_of(new, identity[i].key), identity[i].means, err);
    if (status == HONE_OK &&
        (hone_recording_info(done)->drawn_sizes || info->drawn_sizes))
        status = check_sizes(path, old, new, err);
    json_decref(old);
    json_decref(new);
    return status;
}

static enum hone_status drop_torn(int fd, const char *path, size_t whole_bytes,
                                  struct hone_error *err)
{
    if (ftruncate(fd, (off_t)whole_bytes) == 0) return HONE_OK;
    return hone_fail(err, HONE_EIO, "cannot continue journal '%s': %s", path,
                     hone_errno_text(errno));
}

// Takes fd. The file is as the recording says.
static enum hone_status go_on(struct hone_journal **out, int fd,
                              const struct hone_recording *recording,
                              const struct hone_record_info *info, unsigned flags,
                              struct hone_error *err)
{
    const char *path = hone_recording_path(recording);
    const size_t bytes = hone_recording_whole_bytes(recording);
    enum hone_status status = drop_torn(fd, path, bytes, err);
    if (status != HONE_OK) {
        close(fd);
        return status;
    }
    status = hone_journal_open_fd(out, fd, (off_t)bytes, path, info, flags, err);
    if (status == HONE_OK && hone_recording_lacks_newline(recording))
        status = hone_journal_add_bytes(*out, "\n", 1, err);
    return status;
}

enum hone_status hone_journal_resume(struct hone_journal **out,
                                     struct hone_recording **done, const char *path,
                                     const struct hone_record_info *info, unsigned flags,
                                     struct hone_error *err)
{
    int fd = -1;
    struct hone_recording *recording = NULL;
    *out = NULL;
    *done = NULL;
    enum hone_status status =
        hone_journal_file_open(&fd, path, flags & HONE_JOURNAL_HELD, err);
    if (status == HONE_OK) status = hone_recording_load_fd(&recording, fd, path, err);
    if (status == HONE_OK) status = check_same(recording, info, err);
    if (status == HONE_OK)
        status = go_on(out, fd, recording, info, flags, err);
    else if (fd >= 0)
        close(fd);
    if (status != HONE_OK) {
        hone_journal_close(*out, NULL);
        hone_recording_free(recording);
        *out = NULL;
        return status;
    }
    *done = recording;
    return HONE_OK;
}
