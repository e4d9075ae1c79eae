/* The subcommands. Each reads its own arguments and returns scorer-host's exit status (scorer-host(1)). */
#ifndef PROCTOR_COMMAND_COMMAND_H
#define PROCTOR_COMMAND_COMMAND_H

/* argv[0] is the subcommand's name; argv is NULL-terminated. */
int command_run(int argc, char **argv);
int command_score(int argc, char **argv);
int command_check(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_keygen(int argc, char **argv);
int command_runs(int argc, char **argv);
int command_show(int argc, char **argv);

#endif
