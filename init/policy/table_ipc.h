/*
 * System V and POSIX objects, private to the container's IPC namespace (data loaders, MPI, data bases).
 * Columns as in table.h.
 */
/* clang-format off */
CALL(shmget,                   ANY,   ML_UP,    EPERM,      "shared memory, counted as memory")
CALL(shmat,                    ANY,   ML_UP,    EPERM,      "shared memory, counted as memory")
CALL(shmdt,                    ANY,   ML_UP,    EPERM,      "shared memory, counted as memory")
CALL(shmctl,                   ANY,   ML_UP,    EPERM,      "shared memory, counted as memory")
CALL(semget,                   ANY,   ML_UP,    EPERM,      "semaphores")
CALL(semop,                    ANY,   ML_UP,    EPERM,      "semaphores")
CALL(semtimedop,               ANY,   ML_UP,    EPERM,      "semaphores")
CALL(semctl,                   ANY,   ML_UP,    EPERM,      "semaphores")
CALL(msgget,                   ANY,   ML_UP,    EPERM,      "message queues")
CALL(msgsnd,                   ANY,   ML_UP,    EPERM,      "message queues")
CALL(msgrcv,                   ANY,   ML_UP,    EPERM,      "message queues")
CALL(msgctl,                   ANY,   ML_UP,    EPERM,      "message queues")
CALL(mq_open,                  ANY,   ML_UP,    EPERM,      "message queues, within RLIMIT_MSGQUEUE")
CALL(mq_unlink,                ANY,   ML_UP,    EPERM,      "message queues, within RLIMIT_MSGQUEUE")
CALL(mq_timedsend,             ANY,   ML_UP,    EPERM,      "message queues, within RLIMIT_MSGQUEUE")
CALL(mq_timedreceive,          ANY,   ML_UP,    EPERM,      "message queues, within RLIMIT_MSGQUEUE")
CALL(mq_notify,                ANY,   ML_UP,    EPERM,      "message queues, within RLIMIT_MSGQUEUE")
CALL(mq_getsetattr,            ANY,   ML_UP,    EPERM,      "message queues, within RLIMIT_MSGQUEUE")
/* clang-format on */
