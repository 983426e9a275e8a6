/* Bytes from another rank: frames in any pieces, then orders and answers with all that they can carry. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "activity/wire.h"
#include "activity/wire_record.h"
#include "base/place.h"
#include "base/record.h"
#include "ranks/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LIMIT 65536
#define ITEMS 3

static void demand(int holds)
{
	if (!holds)
		abort();
}

static void read_sample(const json_t *value)
{
	static const bool mine[ITEMS] = {true, false, true};
	struct ws_sample sample = {0}, again = {0};
	json_t *copy;

	if (ws_wire_read_sample(value, ITEMS, mine, &sample, NULL) != WS_OK) {
		demand(sample.lane_count == 0 && sample.counter_count == 0);
		ws_sample_release(&sample);
		return;
	}
	for (int i = 0; i < sample.lane_count; i++)
		demand(mine[sample.lanes[i].item] && sample.lanes[i].host_end_ns == 0);
	copy = ws_wire_sample(&sample);
	demand(copy && ws_wire_read_sample(copy, ITEMS, mine, &again, NULL) == WS_OK);
	demand(again.lane_count == sample.lane_count && again.counter_count == sample.counter_count);
	for (int i = 0; i < sample.lane_count; i++) {
		const struct ws_lane *a = &sample.lanes[i], *b = &again.lanes[i];

		demand(a->bytes == b->bytes && a->start_ns == b->start_ns && a->value_count == b->value_count);
		demand(a->value_count == 0 ||
		       memcmp(a->values, b->values, (size_t)a->value_count * sizeof(*a->values)) == 0);
	}
	json_decref(copy);
	ws_sample_release(&sample);
	ws_sample_release(&again);
}

static void read_places(const json_t *value)
{
	struct ws_places places = {0};

	if (ws_wire_read_places(value, 7, &places, NULL) != WS_OK)
		demand(places.count == 0);
	for (int i = 0; i < places.count; i++)
		demand(places.at[i].place.rank == 7 && memchr(places.at[i].name, 0, sizeof(places.at[i].name)));
	ws_places_release(&places);
}

/* Every reader looks at every member: what an order carries is not known before. */
static void read_data(const json_t *data)
{
	static const bool mine[ITEMS] = {true, false, true};
	struct ws_check check = {0};
	bool items[ITEMS] = {false};
	uint32_t loops[2 * ITEMS];
	struct ws_shot shot;
	uint64_t number;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)data, key, value) {
		read_sample(value);
		read_places(value);
		if (ws_wire_read_shot(value, ITEMS, loops, &shot, NULL) == WS_OK)
			demand(shot.loops == loops && shot.size_index >= 0 && shot.size_index <= 1);
		if (ws_wire_read_check(value, ITEMS, 7, &check, NULL) == WS_OK)
			demand(check.wrong_count == 0 || (check.item >= 0 && check.item < ITEMS && check.rank == 7));
		ws_wire_read_items(value, ITEMS, mine, items, NULL);
		demand(!items[1]);
		ws_wire_read_number(value, "number", &number, NULL);
	}
}

static void read_order(const char *text, size_t size)
{
	struct ws_order order = {0}, again = {0};
	char *copy = NULL;
	size_t copy_size = 0;

	if (ws_order_parse(text, size, &order, NULL) != WS_OK)
		return;
	demand(ws_order_print(&order, &copy, &copy_size, NULL) == WS_OK);
	demand(ws_order_parse(copy, copy_size, &again, NULL) == WS_OK);
	demand(again.id == order.id && again.kind == order.kind && again.step == order.step &&
	       again.within_ns == order.within_ns && json_equal(again.data, order.data) == (order.data != NULL));
	read_data(order.data);
	free(copy);
	ws_order_release(&order);
	ws_order_release(&again);
}

static void read_answer(const char *text, size_t size)
{
	struct ws_answer answer = {0}, again = {0};
	char *copy = NULL;
	size_t copy_size = 0;

	if (ws_answer_parse(text, size, &answer, NULL) != WS_OK)
		return;
	demand(ws_answer_print(&answer, &copy, &copy_size, NULL) == WS_OK);
	demand(ws_answer_parse(copy, copy_size, &again, NULL) == WS_OK);
	demand(again.id == answer.id && again.status == answer.status && strcmp(again.text, answer.text) == 0);
	read_data(answer.data);
	free(copy);
	ws_answer_release(&answer);
	ws_answer_release(&again);
}

/* The first byte says how long the pieces are in which the rest arrives. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t piece = size ? (size_t)data[0] + 1 : 1;
	struct ws_frame_reader reader = {0};
	size_t at = 1;

	while (at < size) {
		size_t space = 0, count, message_size;
		void *to = NULL;
		char *message;

		demand(ws_frame_reader_space(&reader, &to, &space, NULL) == WS_OK && space > 0);
		count = space < piece ? space : piece;
		count = count < size - at ? count : size - at;
		memcpy(to, data + at, count);
		at += count;
		if (ws_frame_reader_advance(&reader, count, LIMIT, NULL) != WS_OK)
			break;
		if (!reader.complete)
			continue;
		message = ws_frame_reader_take(&reader, &message_size);
		demand(message_size <= LIMIT && message[message_size] == '\0');
		read_order(message, message_size);
		read_answer(message, message_size);
		free(message);
	}
	ws_frame_reader_release(&reader);
	return 0;
}
