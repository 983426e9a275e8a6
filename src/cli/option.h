/* The options of every command as one table, from which parser, help and manual page are made. */
#ifndef WS_CLI_OPTION_H
#define WS_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of the commands an option belongs to; the rows of commands are in cli/command.h. */
enum ws_command_bit {
	WS_RUN = 1,
	WS_LIST = 2,
	WS_MACHINE = 4,
	WS_LAUNCH = 8,
	WS_HELP = 16,
	WS_AS = 32,
	WS_LATER = 64, /* commands that are not in this build */
	WS_ALL = 127
};

/* What an argument must look like, and the type of its destination in struct ws_arguments. */
enum ws_cli_kind {
	WS_CLI_FLAG,     /* none; bool */
	WS_CLI_SIZE,     /* SIZE or SIZE/SIZE; struct ws_cli_sizes */
	WS_CLI_RANGE,    /* SIZE..SIZE; struct ws_cli_sizes */
	WS_CLI_COUNT,    /* decimal; uint64_t */
	WS_CLI_DURATION, /* int64_t, nanoseconds */
	WS_CLI_WORD,     /* one of `words`; const char * */
	WS_CLI_WORDS,    /* some of `words`, by commas; const char * */
	WS_CLI_PLACES,   /* devices by commas, at least `minimum`, at most `maximum`; const char * */
	WS_CLI_MEMORY,   /* memory kind, page size or both by a colon; const char * */
	WS_CLI_PATH      /* a file, not empty; const char * */
};

enum ws_cli_group { WS_GROUP_SELECT, WS_GROUP_MEASURE, WS_GROUP_OUTPUT, WS_GROUP_GENERAL, WS_GROUP_COUNT };

struct ws_cli_sizes {
	uint64_t bytes[2];
	int count;
};

struct ws_cli_option {
	const char *name;
	char letter;               /* 0 = none */
	const char *argument;      /* its name in help; NULL for a flag */
	enum ws_cli_kind kind;
	enum ws_cli_group group;
	uint64_t minimum, maximum; /* of counts, sizes and durations (in ns), and of the number of places */
	const char *words;         /* allowed words, by spaces; NULL: another table has them, read by list_words */
	const char *(*list_words)(char *text, size_t size);
	const char *planned_words; /* words that are understood but not in this build; NULL = none */
	unsigned commands;         /* enum ws_command_bit */
	const char *contradicts;   /* names of options that cannot be given with it, by spaces; NULL = none */
	bool probe;                /* goes to probes: one of those selected must list it in `honours` */
	bool planned;              /* understood but not in this build: in no help and no manual; has no destination */
	bool hidden;               /* works, but is in no help and no manual */
	const char *help;          /* one line, no full stop */
	size_t offset;             /* of its destination in struct ws_arguments */
};

/* All rows in the order of the help; the number in *count. */
const struct ws_cli_option *ws_cli_options(size_t *count);
#define WS_CLI_OPTION_MAX 40

/* Rows by name or by letter, NULL if there is none. */
const struct ws_cli_option *ws_cli_option_find(const char *name, size_t length);
const struct ws_cli_option *ws_cli_option_letter(char letter);

/* The allowed words of an option, by spaces. text is where they are put together, if that is needed. */
#define WS_CLI_WORDS_TEXT 100
const char *ws_cli_option_words(const struct ws_cli_option *option, char text[WS_CLI_WORDS_TEXT]);

/* What may stand as the option's argument, for help and messages: "1 to 1T", "auto, always or never". Returns text. */
const char *ws_cli_option_allowed(const struct ws_cli_option *option, char *text, size_t size);

/* The heading of a group of options. */
const char *ws_cli_group_title(enum ws_cli_group group);

#endif
