// Why a form is not there, for families of instructions that the emulator leaves out.
#include <string.h>

#include "ptx_decoder.h"

static const struct {
    const char *family, *reason; // the opcode's first words
} families[] = {
    {"multimem", "memory of several GPUs is not emulated"},
    {"tex", "textures are not emulated"},
    {"tld4", "textures are not emulated"},
    {"txq", "textures are not emulated"},
    {"suld", "surfaces are not emulated"},
    {"sust", "surfaces are not emulated"},
    {"sured", "surfaces are not emulated"},
    {"suq", "surfaces are not emulated"},
    {"istypep", "textures and surfaces are not emulated"},
    {"tcgen05", "tensor memory is not emulated"},
    {"clusterlaunchcontrol", "clusters that take over others' work are not emulated"},
    {"alloca", "stacks are not emulated"},
    {"stacksave", "stacks are not emulated"},
    {"stackrestore", "stacks are not emulated"},
    {"ldmatrix", "of matrices, those of 8 x 8 elements of 16 bits are loaded"},
    {"stmatrix", "of matrices, those of 8 x 8 elements of 16 bits are stored"},
};

static const char *reason_of(const char *opcode)
{
    for (size_t k = 0; k < sizeof families / sizeof *families; k++)
        if (hone_ptx_begins_with(opcode, families[k].family)) return families[k].reason;
    if (strstr(opcode, ".b128")) return "registers of 128 bits are not emulated";
    if (strstr(opcode, ".kind::")) return "products with a kind are not emulated";
    return NULL;
}

void hone_ptx_lacks(struct ptx_decoder *decoder)
{
    const struct ptx_statement *statement = decoder->statement;
    const char *reason = reason_of(statement->opcode);
    hone_ptx_decode_fail(decoder, HONE_EUNSUPPORTED, "%.100s at PTX line %u%s%s",
                         statement->opcode, statement->line, reason ? ": " : "",
                         reason ? reason : "");
}
