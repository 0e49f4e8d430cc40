/* Independent components: parameters that checks tie together, directly or through other
 * parameters. What holds in one component does not depend on the values in another, so
 * the combinations that pass are the product of those of the components. */
#ifndef HONE_SPACE_COMPONENTS_H
#define HONE_SPACE_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>

struct hone_check;
struct hone_space;

struct hone_component {
    size_t *params; /* ascending */
    size_t param_count;
    const struct hone_check **checks; /* in the order given */
    size_t check_count;
    double cartesian;
};

/* Every parameter is in one component; components by their first parameter. */
struct hone_components {
    struct hone_component *items;
    size_t count;
    size_t *params;                   /* of all items */
    const struct hone_check **checks; /* of all items */
};

/* Checks without parameters are in no component. False: out of memory, nothing to
 * release. */
bool hone_components_init(struct hone_components *components,
                          const struct hone_space *space, const struct hone_check *checks,
                          size_t check_count);
void hone_components_fini(struct hone_components *components);

#endif
