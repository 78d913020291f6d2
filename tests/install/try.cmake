# Installs the build into a separate folder, then configures, builds and runs two projects against it: the examples,
# which include every public header, and the README's code. Neither sets a C++ standard: the package must.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed (${status}): ${ARGN}")
  endif()
endfunction()
file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix)
foreach(project examples/cpp tests/install/readme)
  get_filename_component(name ${project} NAME)
  run(${CMAKE_COMMAND} -S ${SOURCE_DIR}/${project} -B ${WORK_DIR}/${name} -G Ninja
      -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS}
      -D README=${SOURCE_DIR}/README.md --no-warn-unused-cli)
  run(${CMAKE_COMMAND} --build ${WORK_DIR}/${name})
endforeach()
run(${CMAKE_COMMAND} -E chdir ${WORK_DIR}/cpp ./example)
file(WRITE ${WORK_DIR}/cpp/rows.csv "0.5,0.5\n-0.5,0.5\n")
execute_process(COMMAND ./predict example.model WORKING_DIRECTORY ${WORK_DIR}/cpp INPUT_FILE ${WORK_DIR}/cpp/rows.csv
                OUTPUT_VARIABLE predicted COMMAND_ERROR_IS_FATAL ANY)
if(NOT predicted MATCHES "^0 [01]\\.[0-9]+, 1 [01]\\.[0-9]+\n0 [01]\\.[0-9]+, 1 [01]\\.[0-9]+\n$")
  message(FATAL_ERROR "predict printed: ${predicted}")
endif()
run(${CMAKE_COMMAND} -E chdir ${WORK_DIR}/cpp ./share)
file(GLOB headers RELATIVE ${SOURCE_DIR}/include ${SOURCE_DIR}/include/induce/*.hpp)
list(REMOVE_ITEM headers induce/api.hpp)  # in all others
foreach(header IN LISTS headers)
  execute_process(COMMAND grep -lF "<${header}>" -r ${SOURCE_DIR}/examples/cpp OUTPUT_QUIET
                  RESULT_VARIABLE missing)
  if(missing)
    message(SEND_ERROR "no example includes ${header}")
  endif()
endforeach()
run(${CMAKE_COMMAND} -E chdir ${WORK_DIR}/readme ./readme)
