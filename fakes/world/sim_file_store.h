// SimFileStore is a FileStore in memory, whose disk goes wrong when it is told to.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/doors/file_store.h"
#include "fakes/world/store_faults.h"

namespace plumbline::fakes {

class SimFileStore final : public FileStore {
 public:
  struct File {
    std::string bytes;
    unsigned mode = 0644;
  };

  SimFileStore() = default;
  explicit SimFileStore(StoreTroubles troubles) : troubles_(std::move(troubles)) {}

  // files are what a reader sees. A call takes no time: of a trouble only the fault counts.
  std::map<std::string, File>& files() { return files_; }

  // crash leaves what is on the disk: all but what was told as done and is lost.
  void crash() { files_ = disk_; }

  // implements FileStore ---
  Result<std::string> read_file(const std::string& path) override;
  Result<std::string> read_below(const std::string& root, const std::string& path) override;
  Status write_file(const std::string& path, std::string_view bytes) override;
  Result<bool> create_file(const std::string& path, std::string_view bytes) override;
  Status append_file(const std::string& path, std::string_view bytes) override;
  Status remove_file(const std::string& path) override;
  Status rename_file(const std::string& from, const std::string& to) override;
  Result<unsigned> mode_of(const std::string& path) override;
  Status set_mode(const std::string& path, unsigned mode) override;
  Result<std::vector<std::string>> list_files(const std::string& path,
                                              std::string_view extension) override;

 private:
  StoreFault fault_of(std::string_view operation, const std::string& path) const;
  template <typename Change>
  Status change(StoreFault fault, const std::string& path, Change change);

  StoreTroubles troubles_;
  std::map<std::string, File> files_;
  std::map<std::string, File> disk_;
};

}  // namespace plumbline::fakes
