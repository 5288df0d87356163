# What others link: plumbline::engines, plumbline::os and plumbline::simulation, by find_package or by
# FetchContent. docs/packages.md says which headers of theirs are promised.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# plumbline_public(<name> <room>...): the rooms as one target of that name.
function(plumbline_public name)
  add_library(plumbline_${name} INTERFACE)
  target_link_libraries(plumbline_${name} INTERFACE ${ARGN})
  set_target_properties(plumbline_${name} PROPERTIES EXPORT_NAME ${name})
  add_library(plumbline::${name} ALIAS plumbline_${name})
endfunction()
plumbline_public(engines core_mcp core_auth)
plumbline_public(os core_os)
plumbline_public(simulation scenarios)

set(rooms
  core_base core_json core_schema core_match core_events core_rpc core_wire core_net core_metrics core_trace core_model core_mcp
  core_auth core_connector core_graph core_store core_agents core_os fakes reference conformance scenarios)
install(TARGETS plumbline_options plumbline_engines plumbline_os plumbline_simulation ${rooms}
  EXPORT plumbline COMPONENT development ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/plumbline)
install(DIRECTORY core fakes reference conformance scenarios
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/plumbline COMPONENT development
  FILES_MATCHING PATTERN "*.h" PATTERN "*_fixture.h" EXCLUDE PATTERN "broken" EXCLUDE PATTERN "library" EXCLUDE)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/plumbline)
install(EXPORT plumbline NAMESPACE plumbline:: FILE plumblineTargets.cmake
  DESTINATION ${package} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/plumblineConfig.cmake.in
  ${PROJECT_BINARY_DIR}/plumblineConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/plumblineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/plumblineConfig.cmake ${PROJECT_BINARY_DIR}/plumblineConfigVersion.cmake
  DESTINATION ${package} COMPONENT development)
