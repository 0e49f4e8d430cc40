// Blocks of one launch that wait for each other. They start in any order, so a block's
// number is a ticket: who holds a lower one runs already, and to wait for it ends. Blocks
// with n neighbouring tickets may wait for each other where n blocks run at once.
#pragma once

__device__ inline bool is_first_thread()
{
    return threadIdx.x == 0 && threadIdx.y == 0;
}

// How many blocks of the launch came before. Afterwards tickets is 0 again.
__device__ inline unsigned take_ticket(unsigned *tickets)
{
    __shared__ unsigned ticket;
    if (is_first_thread()) ticket = atomicInc(tickets, gridDim.x - 1);
    __syncthreads();
    return ticket;
}

// By one thread, until counter is count or more: then it sees what those that counted
// wrote before a fence.
__device__ inline void wait_for_count(const unsigned *counter, unsigned count)
{
    unsigned seen;
    do
        asm volatile("ld.acquire.gpu.u32 %0, [%1];"
                     : "=r"(seen)
                     : "l"(counter)
                     : "memory");
    while (seen < count);
}

// Until count blocks have come here with one counter: then all threads see what the first
// thread of each wrote before (past L1, which is not kept coherent). The last to leave
// makes it 0 again.
__device__ inline void meet(unsigned *counter, unsigned count)
{
    if (is_first_thread()) {
        __threadfence();
        atomicInc(counter, 2 * count - 1); // comes
        wait_for_count(counter, count);
        atomicInc(counter, 2 * count - 1); // leaves
    }
    __syncthreads();
}
