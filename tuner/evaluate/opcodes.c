// Statements of PTX end with ';', '{' or '}', and labels with ':'; a guard may stand
// before an opcode, and directives begin with '.'. Commas of lists and the rest of a
// statement are passed over.
#include "opcodes.h"

#include <string.h>

#include "base/ascii.h"

// The next byte of a statement behind space and comments.
static const char *skip_between(const char *at)
{
    for (;; at++) {
        if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*')
            at = strstr(at, "*/") ? strstr(at, "*/") + 1 : at + strlen(at);
        else if (!hone_is_space(*at) && *at != '{' && *at != '}' && *at != ';')
            return at;
        if (!*at) return at;
    }
}

void hone_hash_opcodes(struct hone_hash *hash, const char *ptx)
{
    for (const char *at = ptx; *(at = skip_between(at));) {
        if (*at == '.') { // .loc and .section have a line, others a statement
            const bool line = strncmp(at, ".loc", 4) == 0 || strncmp(at, ".file", 5) == 0;
            at += strcspn(at, line ? "\n" : ";{\n");
            continue;
        }
        if (*at == '@') {
            at += strcspn(at, " \t\n");
            continue;
        }
        const size_t len = strcspn(at, " \t\n;:{}");
        if (at[len] == ':') {
            at += len + 1;
            continue;
        }
        hone_hash_part(hash, at, len);
        at += len;
        at += strcspn(at, ";\n"); // its operands
    }
}
