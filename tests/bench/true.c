/*
 * The cheapest program there is: returns at once, so that what is measured is the init in front of it. With an
 * argument it waits to be killed, so that the memory of that init can be read in the meantime.
 */
#include <unistd.h>

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		pause();
	return 0;
}
