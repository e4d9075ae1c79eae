/* A loop device over an image file. */
#include "sys/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { TRIES = 64 };

int loop_attach(int image, char name[32])
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), r = -EBUSY;

	if (control < 0)
		return -errno;
	/* Between GET_FREE and CONFIGURE somebody else may have taken it. */
	for (int i = 0; i < TRIES && r == -EBUSY; i++) {
		struct loop_config config;
		int number = ioctl(control, LOOP_CTL_GET_FREE), device;
		if (number < 0) {
			r = -errno;
			break;
		}
		(void)snprintf(name, 32, "/dev/loop%d", number);
		device = open(name, O_RDWR | O_CLOEXEC);
		if (device < 0) {
			r = -errno;
			break;
		}
		memset(&config, 0, sizeof config);
		config.fd = (uint32_t)image;
		config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
		(void)snprintf((char *)config.info.lo_file_name, LO_NAME_SIZE, "proctor output");
		r = ioctl(device, LOOP_CONFIGURE, &config) < 0 ? -errno : device;
		if (r < 0)
			(void)close(device);
	}
	(void)close(control);
	return r;
}
