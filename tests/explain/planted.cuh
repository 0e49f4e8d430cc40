// What PLANT says is wrong with a kernel; test_explain.c has the same numbers.
#ifndef PLANT
#define PLANT 0 // nothing
#endif
#define BANK_CONFLICTS 1
#define UNCOALESCED 2
#define SPILLS 3        // 32 registers a thread are too few
#define LOW_OCCUPANCY 4 // shared memory that nobody needs leaves room for one block
#define TAIL_WAVE 5     // a few blocks more than run at once

#if PLANT == SPILLS
#define PLANTED_BOUNDS __launch_bounds__(256, 8)
#else
#define PLANTED_BOUNDS __launch_bounds__(256)
#endif
