#include "core/os/terminal.h"

#include <cstdlib>
#include <memory>

#include "core/base/wait.h"
#include "core/os/node/host.h"
#include "core/os/standard_streams.h"

namespace plumbline::os {

namespace {

constexpr std::size_t kTypedMax = 256;

std::string asked(std::string_view op, int fd) {
  Json what = host::request(op);
  what["fd"] = fd;
  const host::Answer answer = host::ask(what);
  return answer.ok() ? answer.value() : "";
}

// TypedLine reads what is typed until a line ends.
class TypedLine final : public net::PipeReader {
 public:
  void on_bytes(std::string_view bytes) override {
    for (const char c : bytes) {
      if (ended.is_set()) return;
      if (c == '\n' || c == '\r' || text.size() == kTypedMax) return ended.set();
      text += c;
    }
  }
  void on_end(const Error* /*error*/) override {
    if (!ended.is_set()) ended.set();
  }

  std::string text;
  Event ended;
};

}  // namespace

bool is_terminal(int fd) { return asked("is_terminal", fd) == "yes"; }

std::optional<std::size_t> terminal_columns(int fd) {
  const int columns = std::atoi(asked("columns", fd).c_str());
  if (columns <= 0) return std::nullopt;
  return static_cast<std::size_t>(columns);
}

// The host reads nothing before it is asked for: there is nothing to forget but in the system.
void drop_typed(int /*fd*/) {}

HiddenTyping::HiddenTyping(int fd) : fd_(fd) { show(false); }
HiddenTyping::~HiddenTyping() { show(true); }

void HiddenTyping::show(bool shown) const {
  Json what = host::request("echo");
  what["fd"] = fd_;
  what["shown"] = shown;
  host::tell(what);
}

Task<std::string> typed_line(RealLoop& loop, int /*fd*/) {
  const std::unique_ptr<net::Pipe> typed = standard_streams(loop);
  TypedLine line;
  typed->start(line);
  co_await line.ended.wait(loop, kNever);
  typed->close();
  co_return std::move(line.text);
}

}  // namespace plumbline::os
