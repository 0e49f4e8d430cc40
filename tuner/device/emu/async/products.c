// The list of a warp's products in flight, and the registers that are hidden until these
// are made.
#include "products.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

// All ones: NaN in every float type, -1 in integers.
enum { POISON = 0xff };

void hone_emu_products_begin(struct hone_emu_products *products)
{
    products->count = products->hidden_count = 0;
    products->made = products->wanted = 0;
    products->committed = 0;
    products->waits = false;
}

void hone_emu_products_fini(struct hone_emu_products *products)
{
    free(products->items);
    free(products->hidden);
}

bool hone_emu_products_add(struct hone_emu_products *products,
                           const struct hone_emu_product *product)
{
    if (!HONE_GROW(&products->items, &products->cap, products->count + 1, 16))
        return false;
    products->items[products->count] = *product;
    products->items[products->count++].group = products->committed;
    return true;
}

uint64_t hone_emu_products_needed(const struct hone_emu_products *products,
                                  uint64_t in_flight)
{
    uint64_t needed = products->made;
    for (size_t k = 0; k < products->count; k++)
        needed += products->items[k].group + in_flight < products->committed;
    return needed;
}

void hone_emu_products_drop_first(struct hone_emu_products *products)
{
    memmove(products->items, products->items + 1,
            --products->count * sizeof *products->items);
    products->made++;
}

static bool is_hidden(const struct hone_emu_products *products, uint32_t offset)
{
    for (size_t k = 0; k < products->hidden_count; k++)
        if (products->hidden[k].offset == offset) return true;
    return false;
}

bool hone_emu_products_hide(struct hone_emu_products *products, uint8_t *regs,
                            uint32_t offset)
{
    if (is_hidden(products, offset)) return true;
    if (!HONE_GROW(&products->hidden, &products->hidden_cap, products->hidden_count + 1,
                   128))
        return false;
    struct hone_emu_hidden *hidden = &products->hidden[products->hidden_count++];
    hidden->offset = offset;
    memcpy(hidden->lanes, regs + offset, sizeof hidden->lanes);
    memset(regs + offset, POISON, sizeof hidden->lanes);
    return true;
}

void hone_emu_products_show(struct hone_emu_products *products, uint8_t *regs)
{
    for (size_t k = 0; k < products->hidden_count; k++)
        memcpy(regs + products->hidden[k].offset, products->hidden[k].lanes,
               sizeof products->hidden[k].lanes);
    products->hidden_count = 0;
}
