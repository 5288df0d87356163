#include "core/os/child/real_paths.h"

#include "core/os/node/host.h"
#include "core/os/real_file_store.h"

namespace plumbline::os {

namespace {

host::Answer ask_of(std::string_view op, const std::string& path) {
  Json what = host::request(op);
  what["path"] = path;
  return host::ask(what);
}

Error refused(std::string_view what, const std::string& path, const host::Refusal& why) {
  return {ErrorCode::kInvalidInput, std::string(what) + " \"" + path + "\": " + why.text};
}

}  // namespace

Result<std::string> RealPaths::real_path(const std::string& path) {
  const host::Answer found = ask_of("real_path", path);
  if (!found.ok()) return refused("cannot find", path, found.error());
  return found.value();
}

bool RealPaths::is_folder(const std::string& path) { return os::is_folder(path); }

bool RealPaths::is_program(const std::string& path) {
  const host::Answer answer = ask_of("is_program", path);
  return answer.ok() && answer.value() == "yes";
}

Result<std::string> RealPaths::text_of(const std::string& path) {
  const Result<std::string> real = real_path(path);
  if (!real.ok()) return real.error();
  return RealFileStore().read_file(real.value());
}

// The host cannot start bytes that it has open: what is put in the place of a program afterwards is
// started.
Result<OpenProgram> RealPaths::open_program(const std::string& path) {
  const host::Answer digest = ask_of("digest_of_program", path);
  if (!digest.ok()) return refused("cannot read the program", path, digest.error());
  OpenProgram out;
  out.digest = digest.value();
  out.path = path;
  return out;
}

Result<OpenFolder> RealPaths::open_folder(const std::string& path) {
  const host::Answer number = ask_of("number_of_folder", path);
  if (!number.ok()) return refused("cannot read the folder", path, number.error());
  OpenFolder out;
  out.number = number.value();
  out.path = path;
  return out;
}

}  // namespace plumbline::os
