/* Lines that the fakes write down for a test, in the file that an environment variable
 * names. It is mapped while the library is loaded, since the fakes may run where no file
 * can be opened and none grows; any number of processes share it. Behind the lines are
 * zeros. */
#ifndef FAKE_LOG_H
#define FAKE_LOG_H

/* Static memory, zeroed; one a file. */
struct fake_log {
    char *map;
};

/* Nothing happens where the variable is not set. */
void fake_log_open(struct fake_log *log, const char *variable);
void fake_log_add(const struct fake_log *log, const char *line);

#endif
