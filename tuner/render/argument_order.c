// Names are all that tells two arguments of one type from each other before a launch.
#include "render/argument_order.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "render/declaration.h"
#include "render_internal.h"

struct order {
    const struct hone_arg_def *args[HONE_DECLARED_MAX]; // those that are passed
    size_t count;
    struct hone_declaration declared;
};

static void list_passed(struct order *order, const struct hone_kernel_def *def)
{
    for (size_t i = 0; i < def->arg_count && order->count < HONE_DECLARED_MAX; i++)
        if (def->args[i].kind != HONE_ARG_SYMBOL)
            order->args[order->count++] = &def->args[i];
}

static bool same_name(const struct order *order, size_t arg, size_t param)
{
    return hone_same_letters(order->args[arg]->name, order->declared.params[param].name);
}

// The argument that the parameter has the name of; count: none.
static size_t named_as(const struct order *order, size_t param)
{
    size_t i = 0;
    while (i < order->count && !same_name(order, i, param))
        i++;
    return i;
}

static bool is_wanted_elsewhere(const struct order *order, size_t arg)
{
    for (size_t i = 0; i < order->count; i++)
        if (i != arg && same_name(order, arg, i)) return true;
    return false;
}

static void describe(struct hone_swap *out, const struct order *order, size_t a, size_t b,
                     const char *entry)
{
    out->line = order->args[a]->line;
    snprintf(
        out->text, sizeof out->text,
        "argument %zu '%.48s' is passed to parameter '%.48s' of '%.64s', and argument "
        "%zu '%.48s' to '%.48s': args have the kernel's order; where this one is "
        "meant, name them as the kernel does",
        a + 1, order->args[a]->name, order->declared.params[a].name, entry, b + 1,
        order->args[b]->name, order->declared.params[b].name);
}

bool hone_arguments_swapped(struct hone_swap *out, const struct hone_kernel *kernel,
                            bool reference)
{
    const struct hone_kernel_def *def = &kernel->def;
    const char *entry = reference ? def->reference.entry : def->entry;
    const char *text = (reference ? &kernel->reference : &kernel->template)->text;
    struct order order = {.count = 0};
    list_passed(&order, def);
    if (!hone_declaration_find(&order.declared, text, entry) ||
        order.declared.count != order.count)
        return false;
    for (size_t i = 0; i < order.count; i++) {
        const size_t other = named_as(&order, i);
        if (other == i || other == order.count || same_name(&order, i, i)) continue;
        if (!is_wanted_elsewhere(&order, i)) continue;
        describe(out, &order, i, other, entry);
        return true;
    }
    return false;
}
