// SimPaths are the Paths of a world: a table of folders, programs, other files and symbolic links.

#pragma once

#include <map>
#include <string>
#include <utility>

#include "core/base/doors/paths.h"

namespace plumbline::fakes {

class SimPaths final : public Paths {
 public:
  // Each adds one thing at an absolute path, and the folders above it. link replaces what is there.
  void folder(const std::string& path) { add(path, {Kind::kFolder, ""}); }
  void program(const std::string& path) { add(path, {Kind::kProgram, ""}); }
  void file(const std::string& path, std::string text = "") {
    add(path, {Kind::kFile, std::move(text)});
  }
  void link(const std::string& path, std::string target) {
    add(path, {Kind::kLink, std::move(target)});
  }

  // replace has the program or the folder at `path` be another one, of the same name.
  void replace(const std::string& path) { entries_.at(path).target += '+'; }

  // implements Paths --- A relative path starts at "/".
  Result<std::string> real_path(const std::string& path) override;
  bool is_folder(const std::string& path) override { return is(path, Kind::kFolder); }
  bool is_program(const std::string& path) override { return is(path, Kind::kProgram); }
  Result<std::string> text_of(const std::string& path) override;
  Result<OpenProgram> open_program(const std::string& path) override;
  Result<OpenFolder> open_folder(const std::string& path) override;

 private:
  enum class Kind { kFolder, kProgram, kFile, kLink };
  struct Entry {
    Kind kind = Kind::kFolder;
    std::string target;  // Of a link; the text of a file; of others a sign for each time that it
                         // was replaced.
  };

  void add(const std::string& path, Entry entry);
  bool is(const std::string& path, Kind kind);

  std::map<std::string, Entry> entries_ = {{"", {}}};  // By the absolute path; "" is the root.
};

}  // namespace plumbline::fakes
