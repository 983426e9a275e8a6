"""Holds generated results to the JSON Schema, and the schema to refusing broken ones: schema.py SCHEMA PRINT_SAMPLE"""
import copy
import json
import subprocess
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError as error:
    print(f"SKIP: python3-jsonschema is not installed ({error})")
    sys.exit(77)

SAMPLES = ["empty", "matrix", "gaps", "both_ways", "sizes", "pages", "latency", "records", "everything"]
STATUSES = {"measured", "not_applicable", "failed", "wrong_data", "interrupted"}
FLAGS = {"unconverged", "drift", "two_modes", "stalls", "unverified"}

# A place in the sample "records", and a value that must not stand there; ABSENT takes the member away.
ABSENT = object()
BROKEN = [
    ("schema", "other"),
    ("version", 2),
    ("version", ABSENT),
    ("novelty", 1),
    ("simulated", None),
    ("elapsed_s", -1),
    ("settings.samples", 0),
    ("settings.seed", 12),
    ("settings.verify", "maybe"),
    ("machine", []),
    ("tables.0.quantities", []),
    ("tables.0.quantities.0.better", "larger"),
    ("tables.0.cells.0.status", "fine"),
    ("tables.0.cells.0.status", "failed"),  # its reason is taken away below
    ("tables.0.cells.0.kept", 1.5),
    ("tables.0.cells.0.flags", ["odd"]),
    ("tables.0.cells.0.flags", ["drift", "drift"]),
    ("tables.0.cells.0.quantities.time.value", "2"),
    ("tables.0.cells.0.quantities.time.value", None),  # without a reason
    ("tables.0.cells.0.limit.reason", None),  # without a value
    ("tables.0.cells.0.method", "guess"),
    ("tables.0.cells.0.step", -1),
    ("steps.0.ending", "tired"),
    ("steps.0.items.0.verb", "teleport"),
    ("steps.0.items.0.source", "nowhere"),
    ("steps.0.items.0.size_bytes", [1, 2, 3]),
    ("steps.0.items.0.loops", 0),
    ("steps.0.samples.size_index.0", 2),
    ("steps.0.samples.wrong.2.found", 5),
    ("steps.0.samples.counters.x", ["many"]),
    ("steps.0.lanes.bytes.0", -1),
    ("steps.0.lanes.values.1", [1, "2"]),
    ("steps.0.lanes.clock", ABSENT),
]


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def generate(program, name):
    text = subprocess.run([program, name], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")
    return json.loads(text, parse_constant=refuse_constant)


def break_at(document, place, value):
    broken = copy.deepcopy(document)
    parent = broken
    *path, last = place.split(".")
    for key in path:
        parent = parent[int(key) if isinstance(parent, list) else key]
    if value is ABSENT:
        del parent[last]
    else:
        parent[int(last) if isinstance(parent, list) else last] = value
    if value == "failed":
        parent["reason"] = None
    return broken


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    faults = 0
    documents = {name: generate(sys.argv[2], name) for name in SAMPLES}
    for name, document in documents.items():
        for error in validator.iter_errors(document):
            print(f"{name}: {error.json_path}: {error.message}")
            faults += 1
    cells = [cell for document in documents.values() for table in document["tables"] for cell in table["cells"]]
    missing = STATUSES - {cell["status"] for cell in cells} | FLAGS - {flag for cell in cells for flag in cell["flags"]}
    if missing:
        print("no sample has", *sorted(missing))
        faults += 1
    for place, value in BROKEN:
        if validator.is_valid(break_at(documents["records"], place, value)):
            print(f"let through: {place} = {'(absent)' if value is ABSENT else json.dumps(value)}")
            faults += 1
    print(f"{len(documents)} documents, {len(BROKEN)} broken ones, {faults} faults")
    return faults > 0


sys.exit(main())
