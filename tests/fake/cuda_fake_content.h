/* A fake libcuda: what memory holds. Addresses may also be of memory that the fake does not know. */
#ifndef WS_FAKE_CUDA_FAKE_CONTENT_H
#define WS_FAKE_CUDA_FAKE_CONTENT_H

#include "fake/cuda_fake.h"

/* Device memory of this size and more has extents instead of bytes. */
#define FAKE_EXTENTS_FROM (UINT64_C(1) << 20)

/* The bytes of a pattern (kernel/host_pattern.h), or of a value over and over. */
void fake_content_pattern(uint64_t address, uint64_t size, uint64_t seed);
void fake_content_value(uint64_t address, uint64_t size, uint64_t value);
/* Source and destination do not overlap. */
void fake_content_copy(uint64_t to, uint64_t from, uint64_t size);
/* Changes a bit. */
void fake_content_flip(uint64_t address);
/* The bytes themselves, to be read and written until memory is changed in another way. */
void *fake_content_bytes(uint64_t address, uint64_t size);
/* How many 4-byte words are not of a pattern or value; first is the offset of the first, if there is one. */
uint64_t fake_content_wrong(uint64_t address, uint64_t size, enum fake_content kind, uint64_t number, uint64_t *first);
/* The sum of all 8-byte words. */
uint64_t fake_content_sum(uint64_t address, uint64_t size);

#endif
