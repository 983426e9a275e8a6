/* Command lines as the CUDA samples and the SDK's OpenCL samples read them: --name=value, each in its own lax way. */
#ifndef WS_DIALECT_SAMPLE_WORDS_H
#define WS_DIALECT_SAMPLE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * CUDA: any number of dashes, any case; the value of a longer name that begins alike counts, too; the last one counts.
 * SDK: one or two dashes and the exact name; a word without a dash ends the options. Neither knows an unknown word.
 */
enum ws_words_style { WS_WORDS_CUDA, WS_WORDS_SDK };

struct ws_words {
	enum ws_words_style style;
	char **at; /* without the program's name */
	int count; /* that are read as options */
	int total;
	bool cut; /* SDK: a word without a dash, and all behind it, were left out */
};

/* argv[0] is the program. */
void ws_words_init(struct ws_words *words, enum ws_words_style style, int argc, char **argv);

bool ws_words_flag(const struct ws_words *words, const char *name);

/* What stands behind the "="; "" if nothing does, NULL if there is no such word. */
const char *ws_words_value(const struct ws_words *words, const char *name);

/* What the CUDA samples say at their end. */
#define WS_WORDS_CUDA_NOTE                                                                                             \
	"NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is "       \
	"enabled.\n"

enum ws_words_number {
	WS_NUMBER_ABSENT, /* SDK: also if it is no number */
	WS_NUMBER_READ,
	WS_NUMBER_REST /* CUDA: something stands behind the number */
};
/* A whole number of up to 64 bits; one that does not fit is the nearest that does. CUDA: 0 if it is no number. */
enum ws_words_number ws_words_number(const struct ws_words *words, const char *name, int64_t *number);

/* The SDK's words for its test harness: any number of dashes, any case, the whole word. Where the last is; -1 =
 * nowhere. */
int ws_words_last(const struct ws_words *words, const char *name);

#endif
