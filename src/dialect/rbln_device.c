/* The devices that rblnBandwidthLatencyTest calls NPUs: which there are, and which the options leave. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/place.h"
#include "base/units.h"
#include "dialect/rbln.h"

/* A processor under OpenCL is a device only where nothing better is; what two back ends list counts once. */
static bool is_device(const struct ws_places *places, const struct ws_place_facts *facts)
{
	if (ws_place_is_host(&facts->place) || facts->place.peer || facts->same_as[0])
		return false;
	for (int i = 0; i < places->count && facts->on_cpu; i++)
		if (!ws_place_is_host(&places->at[i].place) && !places->at[i].on_cpu)
			return false;
	return true;
}

/* Devices of a driver that is there but fails are missing, though others are measured. */
static void say_broken_drivers(const struct rbln *rbln)
{
	const struct ws_session_backend *entry;

	for (size_t i = 0; (entry = ws_session_backend_at(rbln->stage.session, i)) != NULL; i++)
		if (entry->tried && !entry->open && entry->why.code != WS_EABSENT)
			rbln_say("without devices of %s: %s", entry->ops->name, entry->why.text);
}

void rbln_devices_find(struct rbln *rbln)
{
	const struct ws_places *places = ws_session_places(rbln->stage.session);

	for (int i = 0; i < places->count && rbln->all_count < RBLN_DEVICES_MAX; i++) {
		const struct ws_place_facts *facts = &places->at[i];
		struct rbln_device *device = &rbln->all[rbln->all_count];

		if (!is_device(places, facts))
			continue;
		device->facts = facts;
		device->id = rbln->all_count++;
		snprintf(device->label, sizeof(device->label), "%.7s%d", facts->place.family,
			 facts->place.index % 100000);
	}
	if (rbln->all_count)
		say_broken_drivers(rbln);
}

const char *rbln_label(const struct rbln *rbln, int device)
{
	return device == RBLN_HOST ? "HOST" : rbln->all[device].label;
}

bool rbln_honours(const struct rbln *rbln, int device, const char *option)
{
	const char *family = rbln->all[device].facts->place.family;

	return ws_word_in(ws_stage_backend(&rbln->stage, family)->ops->options, option, strlen(option));
}

static bool say_no_device(const struct rbln *rbln)
{
	const struct ws_session_backend *entry;
	char why[400] = "";

	for (size_t i = 0; (entry = ws_session_backend_at(rbln->stage.session, i)) != NULL; i++)
		if (entry->tried && !entry->open)
			snprintf(why + strlen(why), sizeof(why) - strlen(why), "; %s: %.150s", entry->ops->name,
				 entry->why.text);
	rbln_say("there is no NPU%s", why);
	return false;
}

static bool check_id(const struct rbln *rbln, const char *option, int64_t id)
{
	if (id < rbln->all_count)
		return true;
	rbln_say("%s: there is no NPU %" PRId64 "; allowed are 0 to %d", option, id, rbln->all_count - 1);
	return false;
}

static bool check_node(const struct rbln *rbln)
{
	const struct ws_places *places = ws_session_places(rbln->stage.session);
	const int64_t wanted = rbln->options.numa_node;
	char nodes[200] = "";

	for (int i = 0; i < places->count && wanted >= 0; i++) {
		const struct ws_place_facts *facts = &places->at[i];

		if (!ws_place_is_host_memory(facts) || facts->absent[0])
			continue;
		if (facts->place.index == (int)wanted)
			return true;
		snprintf(nodes + strlen(nodes), sizeof(nodes) - strlen(nodes), ", %d", facts->place.index);
	}
	if (wanted < 0)
		return true;
	rbln_say("--numa_node: node %" PRId64 " is not there or not to be used; allowed are -1%s", wanted, nodes);
	return false;
}

static bool check_size(const struct rbln *rbln)
{
	const int buffers = rbln_test_buffers(rbln);
	const uint64_t size_bytes = rbln->options.size_bytes;
	char text[WS_UNITS_TEXT];

	for (int i = 0; i < rbln->chosen_count && buffers > 0; i++) {
		const struct rbln_device *device = &rbln->all[rbln->chosen[i]];
		const uint64_t memory_bytes = device->facts->memory_bytes;

		if (memory_bytes == 0 || size_bytes <= memory_bytes / (uint64_t)buffers)
			continue;
		rbln_say("--test_size: %s is too much for %s, which has %" PRIu64 " MiB for %d buffer%s of it",
			 ws_size_format(size_bytes, text, sizeof(text)), device->label, memory_bytes >> 20, buffers,
			 buffers > 1 ? "s" : "");
		return false;
	}
	return true;
}

static void say_meaningless(const struct rbln *rbln)
{
	const struct rbln_options *options = &rbln->options;

	if (options->has_flags)
		rbln_say("--flags: not used, for no device here has contexts with such flags");
	if (options->has_group)
		rbln_say("-g: not used, for no device here has execution groups");
	if (options->priority != 1)
		for (int i = 0; i < rbln->chosen_count; i++)
			if (!rbln_honours(rbln, rbln->chosen[i], "priority")) {
				rbln_say("--priority: not used for %s, whose queues have none",
					 rbln->all[rbln->chosen[i]].label);
				break;
			}
	if (options->priority > 2)
		rbln_say("--priority: %" PRId64 " is taken as 2, beyond which no device here goes", options->priority);
}

bool rbln_devices_choose(struct rbln *rbln)
{
	const struct rbln_options *options = &rbln->options;
	const int count = options->id_count ? options->id_count : rbln->all_count;

	if (rbln->all_count == 0)
		return say_no_device(rbln);
	if (options->has_source && !check_id(rbln, "--device_name", options->source))
		return false;
	if (options->has_source)
		rbln->chosen[rbln->chosen_count++] = (int)options->source;
	for (int i = 0; i < count; i++) {
		const int id = options->id_count ? options->ids[i] : i;

		if (!check_id(rbln, "--npu_id_list", id))
			return false;
		if (!options->has_source || id != (int)options->source)
			rbln->chosen[rbln->chosen_count++] = id;
	}
	if (!check_node(rbln) || !check_size(rbln))
		return false;
	say_meaningless(rbln);
	return true;
}
