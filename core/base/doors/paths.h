// Paths tells what names in the file system stand for, without reading what is there.
//
// os::RealPaths asks the file system; fakes::SimPaths keeps a table.

#pragma once

#include <string>

#include "core/base/result.h"

namespace plumbline {

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

 protected:
  ~Paths() = default;
};

}  // namespace plumbline
