The places of this machine, what was loaded, and the surroundings; as text and as JSON, to a file or not.

  $ wirespeed machine --backend host >text; head -1 text; grep -c '^  host0  ' text; grep '^[A-Z]' text
  Places
  1
  Places
  Back ends
  Surroundings
  $ wirespeed machine --json >json; /usr/bin/python3 - <<'END'
  > import json
  > d = json.load(open("json"))
  > print(list(d), sorted(d["machine"]), sorted(d["environment"]))
  > print([b["name"] for b in d["machine"]["backends"] if b["open"] and not b["reason"]][:1])
  > print([p["engines"] for p in d["machine"]["places"] if p["place"] == "host0"])
  > END
  ['schema', 'version', 'machine', 'environment'] ['backends', 'counts', 'places'] ['facts', 'reasons', 'variables']
  ['host']
  ['cpu']
  $ wirespeed machine --json -o file; cmp file json

A back end that is not asked for is not opened:

  $ wirespeed machine --backend host | sed -n '/^Back ends/,/^$/p' | grep -c "open\$"
  1

A topology in XML has no surroundings; a file that is none, or is not there, is an error:

  $ cat >one.xml <<'END'
  > <?xml version="1.0" encoding="UTF-8"?>
  > <!DOCTYPE topology SYSTEM "hwloc2.dtd">
  > <topology version="2.0">
  >   <object type="Machine" os_index="0" cpuset="0x00000003" complete_cpuset="0x00000003" allowed_cpuset="0x00000003" nodeset="0x00000005" complete_nodeset="0x00000005" allowed_nodeset="0x00000005" gp_index="1">
  >     <object type="NUMANode" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="2" local_memory="1073741824"/>
  >     <object type="Package" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="3">
  >       <object type="PU" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="4"/>
  >     </object>
  >   </object>
  > </topology>
  > END
  $ wirespeed machine --machine one.xml
  Places
    host0       NUMA node 0, 1 core, 1 CPU, 1.0 GiB, engines: cpu
  
  Back ends
    host        open
    cuda        a recorded machine: this machine's driver says nothing of it
    opencl      a recorded machine: this machine's driver says nothing of it
  
  Surroundings
    (not recorded)
  $ echo nothing >none.xml; wirespeed machine --machine none.xml 2>&1 >/dev/null | cut -c1-70
  wirespeed: --machine: none.xml: not a complete hwloc XML topology, nor
  $ wirespeed machine --machine nowhere
  wirespeed: --machine: nowhere: No such file or directory
  [64]
  $ wirespeed --dry-run --machine nowhere
  wirespeed: --machine: nowhere: No such file or directory
  [64]
  $ wirespeed list --here --machine nowhere
  wirespeed: --machine: nowhere: No such file or directory
  [64]
