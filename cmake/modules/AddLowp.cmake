# Helpers to declare Lowp's libraries, tools and tests.

# Most of the time of a compilation goes into MLIR's headers. With Clang they
# are compiled once and shared by all libraries, which makes a build more than
# twice as fast; GCC's form of them is too large to pay.
option(LOWP_PRECOMPILE_HEADERS "Share precompiled MLIR headers (Clang only)" ON)

# add_lowp_precompiled_headers()
#
# Adds LowpPrecompiled, which holds the headers. Only headers that come with
# MLIR are in it, so that no change to Lowp makes everything compile again.
function(add_lowp_precompiled_headers)
  if(NOT LOWP_PRECOMPILE_HEADERS OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/Precompiled.cpp CONTENT "")
  add_library(LowpPrecompiled OBJECT ${CMAKE_CURRENT_BINARY_DIR}/Precompiled.cpp)
  llvm_update_compile_flags(LowpPrecompiled)
  # Without it the compiler's time stamp would defeat ccache.
  target_compile_options(LowpPrecompiled PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  target_precompile_headers(LowpPrecompiled PRIVATE
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/Linalg/IR/Linalg.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/Pass/Pass.h>
    <mlir/Transforms/DialectConversion.h>)
endfunction()

# lowp_use_precompiled_headers(TARGET)
function(lowp_use_precompiled_headers target)
  if(TARGET LowpPrecompiled)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    target_precompile_headers(${target} REUSE_FROM LowpPrecompiled)
  endif()
endfunction()

# add_lowp_library(NAME SOURCE...
#   [NO_MLIR]            plain C++: needs neither LLVM nor MLIR
#   [DEPENDS TARGET...]  targets to build first (lowp-headers always is)
#   [LINK_LIBS LIB...]   libraries of Lowp and others, linked PUBLIC
#   [MLIR_LIBS LIB...])  MLIR's libraries, linked through libMLIR.so
#
# MLIR's libraries must come by MLIR_LIBS: named in LINK_LIBS they would bring
# a second, static copy of MLIR into the process.
function(add_lowp_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "DEPENDS;LINK_LIBS;MLIR_LIBS" ${ARGN})
  if(ARG_NO_MLIR)
    add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
    llvm_update_compile_flags(${name})
    if(ARG_DEPENDS)
      add_dependencies(${name} ${ARG_DEPENDS})
    endif()
  else()
    add_mlir_library(${name} ${ARG_UNPARSED_ARGUMENTS}
      EXCLUDE_FROM_LIBMLIR
      DISABLE_INSTALL
      DEPENDS lowp-headers ${ARG_DEPENDS})
    mlir_target_link_libraries(${name} PUBLIC MLIRIR ${ARG_MLIR_LIBS})
    lowp_use_precompiled_headers(${name})
  endif()
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(ARG_LINK_LIBS)
    target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  endif()
  set_target_properties(${name} PROPERTIES FOLDER "Lowp")
  set_property(GLOBAL APPEND PROPERTY LOWP_LIBS ${name})
  install(TARGETS ${name} EXPORT LowpTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

# add_lowp_tool(NAME SOURCE... [LINK_LIBS LIB...] [MLIR_LIBS LIB...])
function(add_lowp_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS;MLIR_LIBS" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS} DEPENDS lowp-headers)
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PRIVATE MLIRIR ${ARG_MLIR_LIBS})
  set_property(GLOBAL APPEND PROPERTY LOWP_TOOLS ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# add_lowp_unittest(NAME SOURCE... [LINK_LIBS LIB...] [MLIR_LIBS LIB...])
#
# A GoogleTest program. NAME ends in "Tests": lit finds it by that.
function(add_lowp_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS;MLIR_LIBS" ${ARGN})
  if(NOT name MATCHES "Tests$")
    message(FATAL_ERROR "the name of a unit test ends in 'Tests': ${name}")
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  add_dependencies(${name} lowp-headers)
  target_link_libraries(${name} PRIVATE
    ${ARG_LINK_LIBS} GTest::gmock GTest::gtest_main)
  if(ARG_MLIR_LIBS)
    mlir_target_link_libraries(${name} PRIVATE ${ARG_MLIR_LIBS})
  endif()
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  add_dependencies(LowpUnitTests ${name})
endfunction()

# add_lowp_doc(TD FILE.md GENERATOR...)
#
# A page of the reference, generated into docs/reference of the build folder by
# the target mlir-doc.
function(add_lowp_doc td page)
  get_filename_component(name ${page} NAME_WE)
  set(LLVM_TARGET_DEFINITIONS ${td})
  tablegen(MLIR ${page} ${ARGN})
  set(output ${PROJECT_BINARY_DIR}/docs/reference/${page})
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_BINARY_DIR}/${page} ${output}
    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${page})
  add_custom_target(lowp-doc-${name} DEPENDS ${output})
  add_dependencies(mlir-doc lowp-doc-${name})
endfunction()
