// TemporaryFolder is a folder of its own below that of temporary files, which is gone with it.

#pragma once

#include <string>

#include "core/base/result.h"

namespace plumbline::os {

class TemporaryFolder {
 public:
  // make returns a new one that only its owner may enter. kInvalidInput: none can be made.
  static Result<TemporaryFolder> make();

  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  // fill copies into it what lies in the folder `from`, links as links. kInvalidInput: there is no
  // such folder, or not all of it can be read.
  Status fill(const std::string& from) const;

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;  // Empty: moved from.
};

}  // namespace plumbline::os
