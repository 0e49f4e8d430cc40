/* Uses an emitted header: picks the configuration for a GPU and a problem and prints how
 * to launch the kernel. Compiles as C99 and as C++ with nothing but the header. */
#include <stdio.h>

#include "sgemm_tuned.h"

static void print_launch(int cc_major, int cc_minor, int sm_count, long long n)
{
    unsigned grid[3], block[3];
    int tier;
    const sgemm_config *config =
        sgemm_select(cc_major, cc_minor, sm_count, n, n, n, &tier);
    printf("%d.%d, %d SMs, n = %lld: ", cc_major, cc_minor, sm_count, n);
    if (!config) { /* tier is SGEMM_NONE */
        printf("no configuration of this header may run\n");
        return;
    }
    sgemm_grid(config, n, n, n, grid);
    sgemm_block(config, n, n, n, block);
    printf("%s, grid %ux%ux%u, block %ux%ux%u, %u bytes of shared memory\n",
           tier == SGEMM_EXACT     ? "tuned for it"
           : tier == SGEMM_DEFAULT ? "the default, not tuned"
                                   : "tuned for another GPU or size",
           grid[0], grid[1], grid[2], block[0], block[1], block[2],
           sgemm_shared_bytes(config, n, n, n));
}

int main(void)
{
    print_launch(9, 0, 132, 1024); /* H200 */
    print_launch(9, 0, 132, 5000);
    print_launch(8, 0, 108, 1024); /* A100 */
    return 0;
}
