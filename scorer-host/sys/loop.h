/* A loop device over an image file (loop(4)); it frees itself when its last user goes. */
#ifndef PROCTOR_HOST_SYS_LOOP_H
#define PROCTOR_HOST_SYS_LOOP_H

/* Attaches an open image to a free device and opens it; its path goes into name. The descriptor or -errno. */
int loop_attach(int image, char name[32]);

#endif
