// What the parts of `doors` say things by.

#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace plumbline {

// say prints a line: what was done, and what came of it.
inline void say(std::string_view what, std::string_view came) {
  std::printf("%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
              static_cast<int>(came.size()), came.data());
}

// shown leaves out the folder, whose name is another each time.
inline std::string shown(std::string text, const std::string& folder) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
    text.replace(at, folder.size(), "FOLDER");
  }
  return text;
}

inline std::string code_of(const Error& error) {
  return "error " + std::to_string(static_cast<int>(error.code)) + ", " + error.message;
}

// do_files does with files in `folder`, which is empty, what there is to do.
void do_files(const std::string& folder);

}  // namespace plumbline
