#include "fakes/world/sim_file_store.h"

namespace plumbline::fakes {

namespace {

Error missing(const std::string& path) {
  return {ErrorCode::kInvalidInput, "cannot read " + path + ": No such file or directory"};
}

Error broken_disk(const std::string& path) {
  return {ErrorCode::kInvalidInput, "cannot write " + path + ": Input/output error"};
}

}  // namespace

StoreFault SimFileStore::fault_of(std::string_view operation, const std::string& path) const {
  return troubles_ ? troubles_(operation, path).fault : StoreFault::kNone;
}

// change makes a change as `fault` lets it. What a file system does as a whole is never torn: then
// a torn one is not done.
template <typename Change>
Status SimFileStore::change(StoreFault fault, const std::string& path, Change change) {
  if (fault == StoreFault::kFail || fault == StoreFault::kConflict || fault == StoreFault::kTear) {
    return broken_disk(path);
  }
  change();
  if (fault != StoreFault::kLose) disk_ = files_;
  if (fault == StoreFault::kFailAfter) return broken_disk(path);
  return Done{};
}

Result<std::string> SimFileStore::read_file(const std::string& path) {
  const auto found = files_.find(path);
  if (found == files_.end()) return missing(path);
  if (fault_of("read", path) != StoreFault::kNone) {
    return Error{ErrorCode::kInvalidInput, "cannot read " + path + ": Input/output error"};
  }
  return found->second.bytes;
}

// There are no links here.
Result<std::string> SimFileStore::read_below(const std::string& root, const std::string& path) {
  return read_file(root.ends_with('/') ? root + path : root + "/" + path);
}

Status SimFileStore::write_file(const std::string& path, std::string_view bytes) {
  return change(fault_of("write", path), path, [&] { files_[path].bytes = bytes; });
}

Result<bool> SimFileStore::create_file(const std::string& path, std::string_view bytes) {
  const StoreFault fault = fault_of("create", path);
  if (files_.contains(path) || fault == StoreFault::kConflict) return false;
  const Status created = change(fault, path, [&] { files_[path] = {std::string(bytes), 0600}; });
  if (!created.ok()) return created.error();
  return true;
}

Status SimFileStore::append_file(const std::string& path, std::string_view bytes) {
  const StoreFault fault = fault_of("append", path);
  const auto append = [&](std::string_view part) {
    files_.try_emplace(path, File{"", 0600}).first->second.bytes += part;
  };
  if (fault == StoreFault::kTear) {
    append(bytes.substr(0, bytes.size() / 2));
    disk_ = files_;
    return broken_disk(path);
  }
  return change(fault, path, [&] { append(bytes); });
}

Status SimFileStore::remove_file(const std::string& path) {
  return change(fault_of("remove", path), path, [&] { files_.erase(path); });
}

Status SimFileStore::rename_file(const std::string& from, const std::string& to) {
  if (!files_.contains(from)) return missing(from);
  return change(fault_of("rename", from), to, [&] {
    File moved = std::move(files_[from]);
    files_.erase(from);
    files_[to] = std::move(moved);
  });
}

Result<unsigned> SimFileStore::mode_of(const std::string& path) {
  const auto found = files_.find(path);
  if (found == files_.end()) return missing(path);
  return found->second.mode;
}

Status SimFileStore::set_mode(const std::string& path, unsigned mode) {
  if (!files_.contains(path)) return missing(path);
  return change(fault_of("mode", path), path, [&] { files_[path].mode = mode; });
}

Result<std::vector<std::string>> SimFileStore::list_files(const std::string& path,
                                                          std::string_view extension) {
  if (files_.contains(path)) return std::vector<std::string>{path};
  const std::string folder = path.ends_with('/') ? path : path + '/';
  std::vector<std::string> found;
  bool exists = false;
  for (const auto& [name, file] : files_) {
    if (!name.starts_with(folder)) continue;
    exists = true;
    if (name.ends_with(extension)) found.push_back(name);
  }
  if (!exists) return missing(path);
  return found;
}

}  // namespace plumbline::fakes
