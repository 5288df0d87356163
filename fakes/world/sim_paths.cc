#include "fakes/world/sim_paths.h"

#include <algorithm>
#include <deque>

namespace plumbline::fakes {

namespace {

constexpr int kLinksMax = 40;  // As Linux has it.

// put_before makes the steps of `path` the first of those that are to go.
void put_before(std::deque<std::string>& steps, const std::string& path) {
  std::deque<std::string> first;
  for (std::size_t start = 0; start < path.size();) {
    const std::size_t slash = std::min(path.find('/', start), path.size());
    if (slash > start) first.push_back(path.substr(start, slash - start));
    start = slash + 1;
  }
  steps.insert(steps.begin(), first.begin(), first.end());
}

}  // namespace

void SimPaths::add(const std::string& path, Entry entry) {
  for (std::size_t at = path.rfind('/'); at != std::string::npos && at > 0;
       at = path.rfind('/', at - 1)) {
    entries_.try_emplace(path.substr(0, at));
  }
  entries_.insert_or_assign(path, std::move(entry));
}

Result<std::string> SimPaths::real_path(const std::string& path) {
  const Error missing{ErrorCode::kInvalidInput,
                      "cannot find \"" + path + "\": No such file or directory"};
  std::deque<std::string> steps;
  put_before(steps, path);
  std::string at;
  for (int links = 0; !steps.empty();) {
    const std::string step = steps.front();
    steps.pop_front();
    if (entries_.at(at).kind != Kind::kFolder) return missing;
    if (step == ".") continue;
    if (step == "..") {
      at.resize(at.empty() ? 0 : at.rfind('/'));
      continue;
    }
    const auto entry = entries_.find(at + "/" + step);
    if (entry == entries_.end()) return missing;
    if (entry->second.kind != Kind::kLink) {
      at = entry->first;
      continue;
    }
    if (++links > kLinksMax) return missing;
    if (entry->second.target.starts_with('/')) at.clear();
    put_before(steps, entry->second.target);
  }
  return at.empty() ? "/" : at;
}

Result<std::string> SimPaths::text_of(const std::string& path) {
  const Result<std::string> real = real_path(path);
  if (!real.ok() || !is(path, Kind::kFile)) {
    return Error{ErrorCode::kInvalidInput, "cannot read \"" + path + '"'};
  }
  return entries_.at(real.value()).target;
}

Result<OpenProgram> SimPaths::open_program(const std::string& path) {
  const Result<std::string> real = real_path(path);
  if (!real.ok() || !is_program(path)) {
    return Error{ErrorCode::kInvalidInput, "cannot read the program \"" + path + '"'};
  }
  return OpenProgram{real.value() + entries_.at(real.value()).target, path, nullptr};
}

Result<OpenFolder> SimPaths::open_folder(const std::string& path) {
  const Result<std::string> real = real_path(path);
  if (!real.ok() || !is_folder(path)) {
    return Error{ErrorCode::kInvalidInput, "cannot read the folder \"" + path + '"'};
  }
  const Entry& entry = entries_.at(real.value() == "/" ? "" : real.value());
  return OpenFolder{real.value() + entry.target, path, nullptr};
}

bool SimPaths::is(const std::string& path, Kind kind) {
  const Result<std::string> real = real_path(path);
  if (!real.ok()) return false;
  return entries_.at(real.value() == "/" ? "" : real.value()).kind == kind;
}

}  // namespace plumbline::fakes
