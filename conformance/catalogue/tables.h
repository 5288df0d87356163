// The records of rules, and the tables of this folder and of quality/, inside the program
// (cmake/embed.cmake).

#pragma once

#include <span>
#include <string_view>

#include "core/base/embedded/embedded_file.h"

namespace plumbline::conformance {

// table_files returns the records of conformance/rules, the *.tsv of catalogue/ and quality/, and
// checks/gateway/mirror.json.
std::span<const EmbeddedFile> table_files();

// table_text returns the one of that name; the program ends when there is none.
inline std::string_view table_text(std::string_view name) {
  return embedded_text(table_files(), name);
}

}  // namespace plumbline::conformance
