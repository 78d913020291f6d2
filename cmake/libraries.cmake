# induce fits, predicts, saves, loads and explains. induce_share writes pages, pictures and exports of a model.
set(pipeline ${CMAKE_CURRENT_SOURCE_DIR}/src/fit.cpp)

# Include path, dependencies and, of a shared library, what it shows: see exports.map.
function(induce_library name)
  add_library(${name} ${ARGN})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                     PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_compile_features(${name} PUBLIC cxx_std_20)  # required by the public headers
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:induce_warnings> $<BUILD_INTERFACE:Eigen3::Eigen>
                                PUBLIC induce::blas Threads::Threads ZLIB::ZLIB BZip2::BZip2 LibLZMA::LibLZMA)
  get_target_property(type ${name} TYPE)
  if(type STREQUAL SHARED_LIBRARY AND NOT APPLE)
    target_link_options(${name} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  endif()
  # Before 1.0 a minor version may change the interface.
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} LINKER_LANGUAGE CXX
                                           SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

induce_library(induce ${pipeline} ${engine_objects})
induce_library(induce_share ${share_objects})
add_library(induce::induce ALIAS induce)
add_library(induce::share ALIAS induce_share)
set_target_properties(induce_share PROPERTIES EXPORT_NAME share)
target_link_libraries(induce_share PUBLIC induce)

# What the programs and tests of this project link: they use more than the public interface, which is all that a shared
# library shows. So does induce_share, which then has its own copy of what it uses.
if(BUILD_SHARED_LIBS)
  induce_library(induce_internal STATIC ${pipeline} ${engine_objects} ${share_objects})
  target_link_libraries(induce_share PRIVATE $<BUILD_INTERFACE:induce_internal>)
  target_link_options(induce_share PRIVATE -Wl,--exclude-libs,libinduce_internal.a)
else()
  add_library(induce_internal INTERFACE)
  target_link_libraries(induce_internal INTERFACE induce_share)
endif()
