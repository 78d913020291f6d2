# L-BFGS-B as one object file, INDUCE_LBFGSB_OBJECT, linked into the library. Its line search writes to standard output
# even with iprint = -1 (Debian's patch tests an iprint that is not defined in that routine). Its calls to the Fortran
# runtime are therefore renamed to stubs in src/optim/fortran_runtime.cpp that print nothing; other Fortran code in the
# process is not affected. All other symbols of the object are hidden.
find_library(INDUCE_LBFGSB_ARCHIVE NAMES liblbfgsb.a REQUIRED)
set(INDUCE_LBFGSB_OBJECT ${CMAKE_CURRENT_BINARY_DIR}/lbfgsb.o)
set(names --redefine-sym setulb_=induce_setulb)
foreach(name compare_string cpu_time_4 st_write st_write_done transfer_array_write transfer_character_write
             transfer_integer_write transfer_real_write)
  list(APPEND names --redefine-sym _gfortran_${name}=induce_gfortran_${name})
endforeach()
add_custom_command(OUTPUT ${INDUCE_LBFGSB_OBJECT} DEPENDS ${INDUCE_LBFGSB_ARCHIVE}
                   COMMAND ${CMAKE_LINKER} -r --whole-archive ${INDUCE_LBFGSB_ARCHIVE} -o ${INDUCE_LBFGSB_OBJECT}
                   COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=setulb_ ${INDUCE_LBFGSB_OBJECT}
                   COMMAND ${CMAKE_OBJCOPY} ${names} ${INDUCE_LBFGSB_OBJECT}
                   COMMENT "Building L-BFGS-B without output" VERBATIM)
set_source_files_properties(${INDUCE_LBFGSB_OBJECT} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
