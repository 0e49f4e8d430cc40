// From statements to instructions: looks each spelling up in the table (optab.def) and
// has its operands taken apart as the row says.
#include "ptx_decoder.h"

#include <stdarg.h>
#include <string.h>

#include "base/c_text.h"

void hone_ptx_decode_fail(struct ptx_decoder *decoder, enum hone_status status,
                          const char *format, ...)
{
    if (decoder->status != HONE_OK) return;
    char text[256];
    va_list args;
    va_start(args, format);
    hone_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int line = decoder->statement ? (int)decoder->statement->line : 0;
    decoder->status = status;
    hone_fail_at(decoder->err, status, "ptx", line, "%s", text);
}

void hone_ptx_misuse(struct ptx_decoder *decoder, const char *what)
{
    hone_ptx_decode_fail(decoder, HONE_EINPUT, "%s in operand %zu of %.60s", what,
                         decoder->next, decoder->statement->opcode);
}

// ---- a statement ----

// The same spelling is the same form: it is looked for once. False: there is none.
static bool take_form(struct ptx_decoder *decoder)
{
    const struct ptx_statement *statement = decoder->statement;
    const char *opcode = statement->opcode;
    const size_t len = strlen(opcode);
    const struct hone_emu_insn *known =
        hone_ptx_names_get(&decoder->forms, 0, opcode, len);
    if (known) {
        *decoder->insn = *known;
        decoder->insn->line = statement->line;
        return true;
    }
    if (!hone_emu_find_form(statement, decoder->insn)) return false;
    struct hone_emu_insn *kept = hone_arena_array(decoder->arena, 1, sizeof *kept);
    if (!kept) return true;
    *kept = *decoder->insn;
    hone_ptx_names_put(&decoder->forms, decoder->arena, 0, opcode, len, kept);
    return true;
}

static void decode_statement(struct ptx_decoder *decoder)
{
    const struct ptx_statement *statement = decoder->statement;
    struct hone_emu_insn *insn = decoder->insn;
    decoder->next = 0;
    if (!take_form(decoder)) {
        hone_ptx_lacks(decoder);
        return;
    }
    if (statement->guard >= 0 &&
        insn->op == EMU_BRA) { // a branch handles its guard itself
        insn->negate = statement->guard_negated;
        hone_ptx_add_source(decoder, (uint32_t)statement->guard);
    } else if (statement->guard >= 0) {
        insn->guard = (uint32_t)statement->guard;
        insn->guard_negated = statement->guard_negated;
    }
    if (insn->op == EMU_MMA && !hone_ptx_mma_exists(insn)) {
        hone_ptx_lacks(decoder);
        return;
    }
    hone_ptx_take_operands(decoder, hone_emu_forms[insn->form].operands);
    const char *wrong = decoder->status == HONE_OK ? hone_ptx_inconsistency(insn) : NULL;
    if (wrong) hone_ptx_misuse(decoder, wrong);
    if (insn->space == PTX_SPACE_NONE) insn->space = PTX_GENERIC;
    insn->run = decoder->handlers[insn->op][insn->type];
    if (!insn->run) insn->run = decoder->handlers[insn->op][PTX_NONE];
    if (!insn->run) hone_ptx_lacks(decoder);
}

// ---- a kernel ----

static void declare_registers(struct ptx_decoder *decoder)
{
    const struct ptx_kernel *kernel = decoder->kernel;
    for (size_t i = 0; i < kernel->reg_count; i++) {
        const uint32_t bits = hone_ptx_class_of(kernel->regs[i]);
        hone_ptx_new_register(decoder, bits > 64 ? 64 : bits); // .b128 has no form
    }
}

// A kernel that runs off its end exits.
static void end_with_exit(struct ptx_decoder *decoder, struct hone_emu_insn *insn)
{
    static const struct ptx_statement exit_statement = {.opcode = "exit", .guard = -1};
    decoder->statement = &exit_statement;
    decoder->insn = insn;
    decode_statement(decoder);
    decoder->code->count++;
}

enum hone_status hone_emu_decode(struct hone_emu_code *out, struct ptx_module *module,
                                 hone_emu_handler *const (*handlers)[PTX_TYPE_COUNT],
                                 struct hone_error *err)
{
    const struct ptx_kernel *kernel = module->kernel;
    struct ptx_decoder decoder = {.code = out,
                                  .module = module,
                                  .kernel = kernel,
                                  .arena = &module->arena,
                                  .handlers = handlers,
                                  .err = err};
    out->arena = &module->arena;
    out->name = kernel->name;
    out->bounds = kernel->bounds;
    out->insns =
        hone_arena_array(&module->arena, kernel->statement_count + 1, sizeof *out->insns);
    out->places = hone_arena_array(&module->arena, kernel->statement_count + 1,
                                   sizeof *out->places);
    out->files = module->files;
    if (!out->insns || !out->places) return hone_no_memory(err, "decoding PTX");
    declare_registers(&decoder);
    for (size_t i = 0; i < kernel->statement_count && decoder.status == HONE_OK; i++) {
        decoder.statement = &kernel->statements[i];
        decoder.insn = &out->insns[i];
        out->places[i] = kernel->statements[i].place;
        decode_statement(&decoder);
        out->count++;
    }
    for (size_t i = 0; i < out->count; i++)
        out->maps |= out->insns[i].op == EMU_MAPA;
    if (decoder.status == HONE_OK) end_with_exit(&decoder, &out->insns[out->count]);
    return decoder.status;
}
