// Must not compile: the base floor sees no header of the floors above.
#include "hone/session.h"

int main(void)
{
    return 0;
}
