// The headers are C, and C++ reads them.
extern "C" {
#include <hone/hone.h>
}
#include <cstdio>

int main()
{
    std::printf("%s %s\n", HONE_VERSION, hone_status_text(HONE_OK));
    return hone_strategy_find("random") == nullptr;
}
