/* Parse, open, plan, measure, report; nothing else. */
#include <stdio.h>

int main(void)
{
	printf("wirespeed %s\n", WS_VERSION);
	return 0;
}
