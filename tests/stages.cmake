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

# Each call of a driver fails in turn, alone (once) or with all that follow (dead), under the address sanitizer.
function(ws_fault_sweep name mode plan)
	add_test(NAME fault.${name} COMMAND ${WS_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/fault/sweep.py ${mode}
		${PROJECT_SOURCE_DIR}/build-asan/wirespeed ${PROJECT_SOURCE_DIR}/build-asan/tests/libopencl_fake.so
		${CMAKE_CURRENT_SOURCE_DIR}/fault/${plan}.plan ${ARGN})
	set_tests_properties(fault.${name} PROPERTIES LABELS slow TIMEOUT 600 FIXTURES_REQUIRED asan)
endfunction()

ws_fault_sweep(large once large)
ws_fault_sweep(dead_small dead small)
ws_fault_sweep(dead_large dead large 7)
