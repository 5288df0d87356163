// Names of files, as text.

#pragma once

#include <cctype>
#include <string_view>

namespace plumbline::os {

// The WebAssembly module may run on Windows, and does not know it when it is compiled.
#ifdef __wasi__
inline constexpr bool kDrives = true;
#else
inline constexpr bool kDrives = false;
#endif

// names_drive returns whether `path` starts at a drive ("C:/") or at another machine ("//host/",
// also with backslashes).
inline bool names_drive(std::string_view path) {
  if (path.starts_with("\\\\")) return true;
  return path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 &&
         path[1] == ':' && (path[2] == '/' || path[2] == '\\');
}

// is_absolute_path returns whether `path` means the same in every folder.
inline bool is_absolute_path(std::string_view path) {
  return path.starts_with('/') || (kDrives && names_drive(path));
}

}  // namespace plumbline::os
