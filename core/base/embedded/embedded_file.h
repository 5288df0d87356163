// Files of the source tree that cmake/embed.cmake put into the program, packed.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

struct EmbeddedFile {
  std::string_view path;  // From the root of the source tree.
  std::string_view text;
};

// EmbeddedFiles are the files that one call of embed.cmake packed, in the order of their paths.
class EmbeddedFiles {
 public:
  // `packed` is a raw deflate stream of, for each file, its path, a line's end, the number of its
  // bytes, a line's end, and its text; then come eight bytes, the last four of which are the length
  // of all that, lowest first. A stream of any other shape ends the program.
  explicit EmbeddedFiles(std::string_view packed);
  EmbeddedFiles(const EmbeddedFiles&) = delete;
  EmbeddedFiles& operator=(const EmbeddedFiles&) = delete;
  ~EmbeddedFiles() = default;

  std::span<const EmbeddedFile> all() const { return files_; }

 private:
  std::string text_;
  std::vector<EmbeddedFile> files_;
};

// embedded_text returns the text of the file of that name, whatever its folder; the program ends
// when none of `files` has it.
std::string_view embedded_text(std::span<const EmbeddedFile> files, std::string_view name);

}  // namespace plumbline
