#include "dump.h"

#include "predict/steer.h"

static const char *space_name(enum ptx_space space)
{
    static const char *const names[] = {"-",      "generic", "global", "const",
                                        "shared", "local",   "param"};
    _Static_assert(sizeof names / sizeof *names == PTX_PARAM + 1, "a name a space");
    return names[space];
}

// ---- statements ----

static void add_operand(struct hone_strbuf *out, const struct ptx_operand *operand);

static void add_items(struct hone_strbuf *out, const struct ptx_operand *operand,
                      const char *between)
{
    for (size_t i = 0; i < operand->count; i++) {
        if (i) hone_strbuf_add(out, between);
        add_operand(out, &operand->items[i]);
    }
}

static void add_address(struct hone_strbuf *out, const struct ptx_operand *operand)
{
    hone_strbuf_add(out, "[");
    add_items(out, operand, " ");
    if (operand->bits) hone_strbuf_printf(out, "%+lld", (long long)operand->bits);
    hone_strbuf_add(out, "]");
}

static void add_operand(struct hone_strbuf *out, const struct ptx_operand *operand)
{
    if (operand->negated) hone_strbuf_add(out, "!");
    switch (operand->kind) {
    case PTX_REG:
        hone_strbuf_printf(out, "r%u", operand->reg);
        break;
    case PTX_IMM:
        hone_strbuf_printf(out, "%lld", (long long)operand->bits);
        break;
    case PTX_FIMM:
        hone_strbuf_printf(out, "0%c%llx", operand->single ? 'f' : 'd',
                           (unsigned long long)operand->bits);
        break;
    case PTX_VAR:
        hone_strbuf_add(out, operand->var->name);
        break;
    case PTX_NAME:
    case PTX_SPECIAL:
        hone_strbuf_add(out, operand->name);
        break;
    case PTX_SINK:
        hone_strbuf_add(out, "_");
        break;
    case PTX_VECTOR:
        hone_strbuf_add(out, "{");
        add_items(out, operand, ", ");
        hone_strbuf_add(out, "}");
        break;
    case PTX_PAIR:
        add_items(out, operand, "|");
        break;
    case PTX_ADDRESS:
        add_address(out, operand);
        break;
    }
}

static void add_labels(struct hone_strbuf *out, const struct ptx_kernel *kernel,
                       size_t position, size_t *next)
{
    for (; *next < kernel->label_count && kernel->labels[*next].position <= position;
         ++*next)
        hone_strbuf_printf(out, "%s:\n", kernel->labels[*next].name);
}

static const char *file_of(const struct ptx_file *files, uint32_t number)
{
    while (files && files->number != number)
        files = files->next;
    return files ? files->name : "?";
}

static void add_statement(struct hone_strbuf *out, const struct ptx_module *ptx,
                          const struct ptx_statement *s)
{
    hone_strbuf_printf(out, "%6u ", s->line);
    if (s->place.line)
        hone_strbuf_printf(out, "%s:%u ", file_of(ptx->files, s->place.file),
                           s->place.line);
    if (s->guard >= 0)
        hone_strbuf_printf(out, "@%sr%d ", s->guard_negated ? "!" : "", s->guard);
    hone_strbuf_add(out, s->opcode);
    for (size_t i = 0; i < s->count; i++) {
        hone_strbuf_add(out, i ? ", " : " ");
        add_operand(out, &s->operands[i]);
    }
    hone_strbuf_add(out, "\n");
}

void hone_emu_dump_statements(struct hone_strbuf *out, const struct hone_module *module)
{
    const struct ptx_kernel *kernel = module->ptx.kernel;
    size_t next = 0;
    hone_strbuf_printf(out, "%s: %zu statements, %zu registers\n", kernel->name,
                       kernel->statement_count, kernel->reg_count);
    for (size_t i = 0; i < kernel->statement_count; i++) {
        add_labels(out, kernel, i, &next);
        add_statement(out, &module->ptx, &kernel->statements[i]);
    }
    add_labels(out, kernel, kernel->statement_count, &next);
}

// ---- variables ----

static void add_variables(struct hone_strbuf *out, const struct ptx_variable *v)
{
    for (; v; v = v->next)
        hone_strbuf_printf(out, "%-7s 0x%-12llx %8llu bytes, aligned to %u  %s\n",
                           space_name(v->space), (unsigned long long)v->address,
                           (unsigned long long)v->bytes, v->align, v->name);
}

void hone_emu_dump_variables(struct hone_strbuf *out, const struct hone_module *module)
{
    const struct ptx_kernel *kernel = module->ptx.kernel;
    add_variables(out, kernel->params);
    add_variables(out, kernel->variables);
    add_variables(out, module->ptx.variables);
    hone_strbuf_printf(out,
                       "%llu bytes of static shared memory, %llu of local memory a "
                       "thread\n",
                       (unsigned long long)module->code.static_shared_bytes,
                       (unsigned long long)module->code.local_bytes);
}

// ---- instructions ----

static void add_registers(struct hone_strbuf *out, const uint32_t *registers,
                          unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        hone_strbuf_printf(out, " %u", registers[i]);
}

static void add_instruction(struct hone_strbuf *out, const struct hone_emu_code *code,
                            size_t site)
{
    const struct hone_emu_insn *insn = &code->insns[site];
    const struct hone_emu_form *form = &hone_emu_forms[insn->form];
    char place[HONE_EMU_PLACE_TEXT];
    hone_emu_print_place(place, code, site);
    hone_strbuf_printf(out, "%5zu %s: ", site, place);
    if (insn->guard != HONE_EMU_NO_GUARD)
        hone_strbuf_printf(out, "@%s%u ", insn->guard_negated ? "!" : "", insn->guard);
    hone_strbuf_add(out, form->name);
    if (insn->type) hone_strbuf_printf(out, ".%s", hone_ptx_type_name(insn->type));
    hone_strbuf_printf(out, " (%s)", hone_emu_class_name(form->class));
    add_registers(out, insn->dst, insn->dst_count);
    hone_strbuf_add(out, " <-");
    add_registers(out, insn->src, insn->src_count);
    if (insn->op == EMU_BRA) hone_strbuf_printf(out, " to %u", insn->target);
    if (insn->offset) hone_strbuf_printf(out, " at %+lld", (long long)insn->offset);
    hone_strbuf_add(out, "\n");
}

void hone_emu_dump_code(struct hone_strbuf *out, const struct hone_module *module)
{
    const struct hone_emu_code *code = &module->code;
    hone_strbuf_printf(out, "%s: %zu instructions, %zu registers", code->name,
                       code->count, code->reg_count);
    if (code->register_bytes)
        hone_strbuf_printf(out, " in %u bytes a warp", code->register_bytes);
    hone_strbuf_add(out, "\n");
    for (size_t i = 0; i < code->constant_count; i++)
        hone_strbuf_printf(out, "  constant %u = 0x%llx\n", code->constants[i].reg,
                           (unsigned long long)code->constants[i].value);
    for (size_t i = 0; i < code->count; i++)
        add_instruction(out, code, i);
}

void hone_emu_dump_steering(struct hone_strbuf *out, const struct hone_module *module)
{
    size_t i = 0;
    for (const struct ptx_variable *p = module->ptx.kernel->params; p; p = p->next, i++) {
        const size_t bit = i < HONE_EMU_STEER_MAX ? i : HONE_EMU_STEER_MAX;
        hone_strbuf_printf(out, "%s: its data %s\n", p->name,
                           module->steering >> bit & 1 ? "steer" : "do not steer");
    }
}
