// Must not compile: what a floor keeps beside its sources is no header of other floors.
#include "relaunch.h"

int main(void)
{
    return 0;
}
