/* Forms of inline PTX that ptxas has taken. Any number of threads may use one set. */
#ifndef HONE_BUILD_INLINE_FORMS_H
#define HONE_BUILD_INLINE_FORMS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone_inline_forms {
    pthread_mutex_t lock;
    uint64_t *hashes; /* sorted, of architecture and form */
    size_t count, cap;
};

void hone_inline_forms_init(struct hone_inline_forms *forms);
void hone_inline_forms_fini(struct hone_inline_forms *forms);

/* Are all forms of the text, PTX as NVRTC writes it for arch, among them? True of a text
 * without any; false where an asm declares a label or a register outside of braces, since
 * ptxas judges it by what else there is. */
bool hone_inline_forms_have(struct hone_inline_forms *forms, const char *ptx,
                            const char *arch);
/* Add those of the text. Out of memory some are missing. */
void hone_inline_forms_add(struct hone_inline_forms *forms, const char *ptx,
                           const char *arch);

#endif
