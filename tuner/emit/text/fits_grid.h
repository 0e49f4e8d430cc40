/* Where a configuration may run, as its grid alone decides (payload.h says how it is
 * read). */
#ifndef HONE_EMIT_TEXT_FITS_GRID_H
#define HONE_EMIT_TEXT_FITS_GRID_H

/* text */
/* Whether a configuration may run on a problem it was not measured on. */
static inline int kernel_fits(int number, PROBLEM_PARAMS)
{
    unsigned grid[3];
    CONSTRAINTS;
    kernel_grid(&kernel_configs[number], PROBLEM_ARGS, grid);
    return grid[0] != 0;
}
/* end of text */

#endif
