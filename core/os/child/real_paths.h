// RealPaths are the Paths of the file system.

#pragma once

#include <string>

#include "core/base/doors/paths.h"

namespace plumbline::os {

class RealPaths final : public Paths {
 public:
  // implements Paths ---
  Result<std::string> real_path(const std::string& path) override;
  bool is_folder(const std::string& path) override;
  bool is_program(const std::string& path) override;
  Result<std::string> text_of(const std::string& path) override;
  Result<OpenProgram> open_program(const std::string& path) override;
  Result<OpenFolder> open_folder(const std::string& path) override;
};

}  // namespace plumbline::os
