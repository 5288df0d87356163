#include "core/os/files/temporary_folder.h"

#include <utility>

#include "core/os/node/host.h"

namespace plumbline::os {

Result<TemporaryFolder> TemporaryFolder::make() {
  const host::Answer made = host::ask(host::request("make_temporary_folder"));
  if (made.ok()) return TemporaryFolder(made.value());
  return Error{ErrorCode::kInvalidInput, "cannot make a folder for a while: " + made.error().text};
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  Json what = host::request("remove_folder");
  what["path"] = path_;
  (void)host::ask(what);
}

Status TemporaryFolder::fill(const std::string& from) const {
  Json what = host::request("copy_folder");
  what["path"] = from;
  what["to"] = path_;
  const host::Answer copied = host::ask(what);
  if (copied.ok()) return Done{};
  return Error{ErrorCode::kInvalidInput, from + ": " + copied.error().text};
}

}  // namespace plumbline::os
