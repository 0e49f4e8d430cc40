/* Uses an emitted header: picks the configuration for a GPU and a problem and prints how
 * to launch the kernel. Compiles as C99 and as C++ with nothing but the header. */
#include <stdio.h>

#include "sgemm_tuned.h"

static void print_launch(int cc_major, int cc_minor, int sm_count, long long n)
{
    static const char *const tiers[] = {"exact", "same architecture", "default"};
    unsigned grid[3], block[3];
    int tier;
    const sgemm_config *config =
        sgemm_select(cc_major, cc_minor, sm_count, n, n, n, &tier);
    sgemm_grid(config, n, n, n, grid);
    sgemm_block(config, n, n, n, block);
    printf("%d.%d, %d SMs, n = %lld (%s): grid %ux%ux%u, block %ux%ux%u, "
           "%u bytes of shared memory\n",
           cc_major, cc_minor, sm_count, n, tiers[tier], grid[0], grid[1], grid[2],
           block[0], block[1], block[2], sgemm_shared_bytes(config, n, n, n));
}

int main(void)
{
    print_launch(9, 0, 132, 1024); /* H200 */
    print_launch(9, 0, 132, 5000);
    print_launch(8, 0, 108, 1024); /* A100 */
    return 0;
}
