/* A library made from dl_sample.def as the fakes are: its functions must agree with the rows to compile. */
#include "base/dl.h"

#define WS_DL WS_DL_PROTOTYPE
#include "dl_sample.def"

int fake_add(int a, int b)
{
	return a + b;
}

const char *fake_version(void)
{
	return "sample 2";
}
