#include <stdio.h>

int scaled_block(void);
int scaled_is_tuned(void);

int main(void)
{
    printf("BLOCK=%d %s\n", scaled_block(), scaled_is_tuned() ? "tuned" : "default");
    return 0;
}
