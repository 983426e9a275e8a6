The whole list by nvbandwidth 0.9's policy for two GPUs, field by field beside what nvbandwidth itself wrote on two H200s: with
figures blanked, nothing differs but the versions.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ export FAKE_CUDA_MACHINE=$TESTDIR/../fake/machines/2gpu.machine
  $ real=$TESTDIR/../../bench/log/nvbandwidth_h200/nvbandwidth.1.json.gz
  $ blank() { sed -E 's/"[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?"/"FIGURE"/g; s/: -?[0-9.]+(e[+-]?[0-9]+)?(,?)$/: FIGURE\2/; s/wirespeed-[0-9.]*/GIT/; s/4a49bda/GIT/; s/"(Driver Version)" : ".*"/"\1" : FIGURE/'; }
  $ gunzip -c "$real" | blank >real
  $ wc -l <real
  569
  $ wirespeed as nvbandwidth@0.9 -j 2>err | blank | diff real - && cat err
  SIMULATED: cuda is a fake, no figure of it is real
