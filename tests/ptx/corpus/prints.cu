// printf and assert.
#include <assert.h>
#include <stdio.h>

extern "C" __global__ void prints(float *data, int n)
{
    int t = threadIdx.x;
    if (t < 3) {
        int count = printf("%d|%5.2f|%-4s|%c|%lld\n", t, data[t], "ab", 'x' + t, 1LL << 40);
        data[t] = count;
    }
    assert(t < n);
}
