// Which blocks of a grid are watched.
#include "watched.h"

// All of a small grid. Of a large one those at corners, at the middle of edges and in the
// middle, and beside that one, which see the edges of the data and its inside; a line of
// blocks may walk a plane, or be a chain, so it is sampled at equal steps, too, and
// beside its ends.
enum { WATCH_ALL = 16, LINE_STEPS = 8 };

static bool is_sampled_on(uint32_t n, uint32_t i)
{
    return i == 0 || i == n - 1 || i == n / 2 || i == n / 2 + 1;
}

bool hone_emu_samples_all(const uint32_t *grid)
{
    return (uint64_t)grid[0] * grid[1] * grid[2] <= WATCH_ALL;
}

bool hone_emu_is_sampled(const uint32_t *grid, const uint32_t *id)
{
    if (hone_emu_samples_all(grid)) return true;
    if (grid[1] == 1 && grid[2] == 1 &&
        (id[0] % (grid[0] / LINE_STEPS) == 0 || id[0] == 1 || id[0] == grid[0] - 2))
        return true;
    for (int i = 0; i < 3; i++)
        if (!is_sampled_on(grid[i], id[i])) return false;
    return true;
}
