// Paths tells what names in the file system stand for.
//
// os::RealPaths asks the file system; fakes::SimPaths keeps a table.

#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"

namespace plumbline {

// OpenProgram is a program that was opened: whatever is put in its place, it stays the one.
struct OpenProgram {
  std::string digest;  // SHA-256 of its bytes, of a script with its interpreter's; hex digits.
  // path is what starts these very bytes, as long as `open` is kept. Of a script it is the path
  // that was asked for: its interpreter reads it by that.
  std::string path;
  struct Held {
    virtual ~Held() = default;
  };
  std::unique_ptr<Held> open{};
};

// OpenFolder is a folder that was opened: whatever is put in its place, it stays the one.
struct OpenFolder {
  std::string number;  // Another folder, of whatever name, has another one.
  std::string path;    // Leads to this very folder, as long as `open` is kept.
  std::unique_ptr<OpenProgram::Held> open{};
};

class Paths {
 public:
  // real_path returns the absolute path of what `path` leads to: no symbolic link, no "." and no
  // ".." is left in it. A relative one starts at the current folder. kInvalidInput: there is
  // nothing, or we may not look; the message names the path.
  virtual Result<std::string> real_path(const std::string& path) = 0;

  // is_folder and is_program follow symbolic links. A program is a regular file that we may
  // execute.
  virtual bool is_folder(const std::string& path) = 0;
  virtual bool is_program(const std::string& path) = 0;

  // text_of returns the bytes of a regular file; symbolic links are followed, nothing is waited
  // for. kInvalidInput: there is none, or we may not read it. kLimitReached: it has more than
  // limits::kFileBytesMax bytes.
  virtual Result<std::string> text_of(const std::string& path) = 0;

  // open_program opens a program and reads it. kInvalidInput: it is none, or we may not read it.
  virtual Result<OpenProgram> open_program(const std::string& path) = 0;

  // open_folder opens a folder. kInvalidInput: it is none, or we may not look.
  virtual Result<OpenFolder> open_folder(const std::string& path) = 0;

 protected:
  ~Paths() = default;
};

}  // namespace plumbline
