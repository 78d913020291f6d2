# Installs the build into a separate folder, then configures, builds and runs two projects against it: the example and
# the README's code. Neither sets a C++ standard: the package must.
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
run(${CMAKE_COMMAND} -E chdir ${WORK_DIR}/readme ./readme)
