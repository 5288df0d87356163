#include "core/os/real_file_store.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "core/base/limits.h"
#include "core/os/node/host.h"

namespace plumbline::os {

namespace {

Json about(std::string_view op, const std::string& path) {
  Json what = host::request(op);
  what["path"] = path;
  return what;
}

bool says_yes(std::string_view op, const std::string& path) {
  const host::Answer answer = host::ask(about(op, path));
  return answer.ok() && answer.value() == "yes";
}

Error refused(const std::string& what, const host::Refusal& why, std::string_view id) {
  if (why.code == "LIMIT") return {ErrorCode::kLimitReached, why.text};
  return {ErrorCode::kInvalidInput, what + ": " + why.text, id};
}

Status done(const host::Answer& answer, const std::string& what, std::string_view id = {}) {
  if (!answer.ok()) return refused(what, answer.error(), id);
  return Done{};
}

Result<std::string> read_by(Json what, const std::string& whole) {
  what["most"] = limits::kFileBytesMax;
  host::Answer answer = host::ask(what);
  if (answer.ok()) return std::move(answer).value();
  if (answer.error().code == "LIMIT") {
    return Error{ErrorCode::kLimitReached,
                 whole + " has more than " + std::to_string(limits::kFileBytesMax) + " bytes"};
  }
  return refused("cannot read " + whole, answer.error(), "file.cannot-read");
}

}  // namespace

RealFileStore::RealFileStore() = default;

Result<std::string> RealFileStore::read_file(const std::string& path) {
  return read_by(about("read_file", path), path);
}

Result<std::string> RealFileStore::read_below(const std::string& root, const std::string& path) {
  Json what = about("read_below", path);
  what["root"] = root;
  return read_by(std::move(what), root.ends_with('/') ? root + path : root + "/" + path);
}

Status RealFileStore::write_file(const std::string& path, std::string_view bytes) {
  return done(host::ask(about("write_file", path), bytes), "cannot write " + path);
}

Result<bool> RealFileStore::create_file(const std::string& path, std::string_view bytes) {
  const host::Answer made = host::ask(about("create_file", path), bytes);
  if (!made.ok()) return refused("cannot write " + path, made.error(), "file.cannot-write");
  return made.value() == "yes";
}

Status RealFileStore::append_file(const std::string& path, std::string_view bytes) {
  return done(host::ask(about("append_file", path), bytes), "cannot write " + path);
}

Status RealFileStore::remove_file(const std::string& path) {
  return done(host::ask(about("remove_file", path)), "cannot remove " + path);
}

Status RealFileStore::rename_file(const std::string& from, const std::string& to) {
  Json what = about("rename_file", from);
  what["to"] = to;
  return done(host::ask(what), "cannot rename " + from + " to " + to);
}

Result<unsigned> RealFileStore::mode_of(const std::string& path) {
  const host::Answer mode = host::ask(about("mode_of", path));
  if (!mode.ok()) return refused("cannot read " + path, mode.error(), "file.cannot-read");
  return static_cast<unsigned>(std::strtoul(mode.value().c_str(), nullptr, 10));
}

Status RealFileStore::set_mode(const std::string& path, unsigned mode) {
  Json what = about("set_mode", path);
  what["mode"] = mode;
  return done(host::ask(what), "cannot set the mode of " + path);
}

Result<std::vector<std::string>> RealFileStore::list_files(const std::string& path,
                                                           std::string_view extension) {
  Json what = about("list_files", path);
  what["extension"] = std::string(extension);
  what["most"] = limits::kFilesListedMax;
  const host::Answer listed = host::ask(what);
  if (!listed.ok() && listed.error().code == "LIMIT") {
    return Error{ErrorCode::kLimitReached,
                 path + " holds more than " + std::to_string(limits::kFilesListedMax) + " files"};
  }
  if (!listed.ok()) return refused("cannot read " + path, listed.error(), "file.cannot-read");
  std::vector<std::string> found;
  const std::string_view names = listed.value();  // Each with a NUL byte behind it.
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = names.find('\0', at);
    found.emplace_back(names.substr(at, end - at));
    at = end + 1;
  }
  std::ranges::sort(found);
  return found;
}

Status check_writable(const std::string& path) {
  return done(host::ask(about("check_writable", path)), "cannot write " + path);
}

Status make_folder(const std::string& path) {
  if (says_yes("make_folder", path)) return Done{};
  return Error{ErrorCode::kInvalidInput, path + ": cannot be made a folder"};
}

bool make_private_folder_of(const std::string& path) {
  const bool made = says_yes("make_private_folder_of", path);
  if (!made) errno = EACCES;
  return made;
}

std::string absolute_path(const std::string& path) {
  const host::Answer absolute = host::ask(about("absolute_path", path));
  return absolute.ok() ? absolute.value() : path;
}

bool is_folder(const std::string& path) { return says_yes("is_folder", path); }

bool is_there(const std::string& path) { return says_yes("is_there", path); }

}  // namespace plumbline::os
