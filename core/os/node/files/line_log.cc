#include "core/os/files/line_log.h"

#include <cstdlib>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/os/node/host.h"

namespace plumbline::os {

namespace {

Error cannot_write(ErrorCode code, const std::string& path, const host::Refusal& why) {
  return the_error_as(code, "file.cannot-write", path, why.text);
}

// The answer is the descriptor, whether the last line has no end, and the path: "12 0 log.jsonl".
host::Answer open_by(std::string_view op, const std::string& path) {
  Json what = host::request(op);
  what["path"] = path;
  return host::ask(what);
}

}  // namespace

Result<LineLog> LineLog::open(const std::string& path) {
  const host::Answer opened = open_by("open_log", path);
  if (!opened.ok()) return cannot_write(ErrorCode::kInvalidInput, path, opened.error());
  const std::string& text = opened.value();
  const std::size_t space = text.find(' ');
  return LineLog(text.substr(space + 3), Fd(std::atoi(text.c_str())), text[space + 1] == '1');
}

Result<LineLog> LineLog::share(const std::string& path) {
  const host::Answer opened = open_by("share_log", path);
  if (!opened.ok()) return cannot_write(ErrorCode::kInvalidInput, path, opened.error());
  return LineLog(path, Fd(std::atoi(opened.value().c_str())), false);
}

Status LineLog::append(std::string_view line) {
  // What was torn is ended together with the line behind it: nobody dies between the two.
  std::string ended;
  if (torn_) line = ended = "\n" + std::string(line);
  Json what = host::request("write_log");
  what["fd"] = fd_.number();
  const host::Answer written = host::ask(what, line);
  torn_ = !written.ok();
  if (!written.ok()) return cannot_write(ErrorCode::kLimitReached, path_, written.error());
  return Done{};
}

}  // namespace plumbline::os
