// The fake libcuda: the clock of a GPU whose power is capped. It begins at its boost
// (1965 MHz on an H100), falls while a kernel runs that draws more than the cap, towards
// where it draws just so much, and comes back while none runs.
#include <math.h>

#include "fake_state.h"

static void come_closer(double target, double us)
{
    if (fake_state.cap > 0)
        fake_state.slowdown +=
            (target - fake_state.slowdown) * (1 - exp(-us / (1e3 * fake_state.fall_ms)));
}

// The control steps between two clocks, one of which draws too much: up or down for 60 ms
// each, at random (the finaliser of splitmix64).
static double dither(void)
{
    uint64_t x = (uint64_t)(fake_state.now_us / 6e4) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x >> 63 ? fake_state.dither : 0;
}

// Power goes with the cube of the clock, since voltage falls with it.
double fake_clock_run(double boost_us, double watts)
{
    const double took_us = boost_us * (1 + fake_state.slowdown);
    if (fake_state.cap > 0 && watts > fake_state.cap)
        come_closer(cbrt(watts / fake_state.cap) - 1, took_us);
    else
        come_closer(0, took_us);
    if (fake_state.cap > 0 && watts > fake_state.cap) return took_us * (1 + dither());
    return took_us;
}

void fake_clock_rest(double us)
{
    come_closer(0, us);
}
