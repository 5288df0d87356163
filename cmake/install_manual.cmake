# cmake -DPROGRAM=... -DDATA=... -P install_manual.cmake: writes the man pages and the completions
# that PROGRAM makes (--manual) below the folder DATA.

execute_process(COMMAND ${PROGRAM} --manual list OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" names "${names}")
list(FILTER names EXCLUDE REGEX "\\.md$")  # For the site.
foreach(name IN LISTS names)
  execute_process(COMMAND ${PROGRAM} --manual ${name} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  if(name STREQUAL "plumbline.bash")
    set(file bash-completion/completions/plumbline)
  elseif(name STREQUAL "_plumbline")
    set(file zsh/vendor-completions/_plumbline)
  elseif(name STREQUAL "plumbline.fish")
    set(file fish/vendor_completions.d/plumbline.fish)
  else()
    set(file man/man1/${name})
  endif()
  file(WRITE ${DATA}/${file} "${text}")
endforeach()
