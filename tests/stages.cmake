# The slow rest: each preset built, and its tests run, as one test. They run one at a time: each has use for all cores.
function(ws_stage name)
	add_test(NAME stage.${name} COMMAND ${PROJECT_SOURCE_DIR}/scripts/stage ${name} ${ARGN})
	set_tests_properties(stage.${name} PROPERTIES LABELS slow TIMEOUT 1200 SKIP_RETURN_CODE 77 RUN_SERIAL ON)
endfunction()

ws_stage(gcc)
ws_stage(clang)
ws_stage(asan fast)
set_tests_properties(stage.asan PROPERTIES FIXTURES_SETUP asan)
ws_stage(tsan threads)
ws_stage(fuzz)
set_tests_properties(stage.fuzz PROPERTIES FIXTURES_SETUP fuzzers)
add_test(NAME stage.analyze COMMAND ${PROJECT_SOURCE_DIR}/scripts/analyze)
set_tests_properties(stage.analyze PROPERTIES LABELS slow TIMEOUT 1200 SKIP_RETURN_CODE 77 RUN_SERIAL ON)

# 20 s of each fuzzer, on top of its committed corpus.
file(GLOB fuzzers CONFIGURE_DEPENDS fuzz/fuzz_*.c)
foreach(fuzzer ${fuzzers})
	get_filename_component(name ${fuzzer} NAME_WE)
	string(REGEX REPLACE "^fuzz_" "" name ${name})
	add_test(NAME fuzz.${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/run ${name} 20)
	set_tests_properties(fuzz.${name} PROPERTIES
		LABELS slow TIMEOUT 120 SKIP_RETURN_CODE 77 FIXTURES_REQUIRED fuzzers)
endforeach()

# Each call of a driver, and each allocation, fails in turn under the address sanitizer: tests/fault/sweep.py.
function(ws_fault_sweep name mode what)
	add_test(NAME fault.${name} COMMAND ${WS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/fault/sweep.py ${mode}
		${PROJECT_SOURCE_DIR}/build-asan/wirespeed ${PROJECT_SOURCE_DIR}/build-asan/tests/libopencl_fake.so
		${what} ${ARGN})
	set_tests_properties(fault.${name} PROPERTIES LABELS slow TIMEOUT 600 FIXTURES_REQUIRED asan)
endfunction()

set(plans ${CMAKE_CURRENT_SOURCE_DIR}/fault)
ws_fault_sweep(large once ${plans}/large.plan)
ws_fault_sweep(dead_small dead ${plans}/small.plan)
ws_fault_sweep(dead_large dead ${plans}/large.plan 7)
ws_fault_sweep(kinds_all once ${plans}/kinds.plan)
ws_fault_sweep(dead_kinds dead ${plans}/kinds.plan 17)
ws_fault_sweep(memory_kinds memory ${plans}/kinds.plan 9)
ws_fault_sweep(memory_plan memory ${plans}/small.plan)
ws_fault_sweep(memory_probes memory "host_to_device_memcpy_ce host_latency --samples 6 --size 64K" 3)
ws_fault_sweep(full_plan full ${plans}/large.plan 5)

# The same with the CUDA driver: tests/fault/cuda_sweep.py.
function(ws_fault_cuda_sweep name mode what)
	add_test(NAME fault.${name} COMMAND ${WS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/fault/cuda_sweep.py ${mode}
		${PROJECT_SOURCE_DIR}/build-asan/wirespeed ${PROJECT_SOURCE_DIR}/build-asan/tests/libcuda_fake.so
		${PROJECT_SOURCE_DIR}/build-asan/tests/libnvml_fake.so ${what} ${ARGN})
	set_tests_properties(fault.${name} PROPERTIES LABELS slow TIMEOUT 600 FIXTURES_REQUIRED asan)
endfunction()

set(probes "device_* host_to_device* host_to_all* all_to_* one_to_all* host_device_*")
ws_fault_cuda_sweep(cuda_plan once ${plans}/cuda.plan)
ws_fault_cuda_sweep(cuda_dead dead ${plans}/cuda.plan 8)
ws_fault_cuda_sweep(cuda_probes once "--backend host,cuda --size 64K ${probes}" 4)
