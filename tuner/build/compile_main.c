// The program of a compile helper, where a program that uses libhone is not its own.
#include <stdio.h>

#include "hone/build.h"

int main(int argc, char **argv)
{
    hone_compile_helper_main(argc, argv);
    fputs("hone-compile compiles for a program that uses libhone, which starts it\n",
          stderr);
    return 2;
}
