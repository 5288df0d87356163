#include "core/mcp/transport/stdio_connector.h"

#include <string_view>
#include <utility>

#include "core/base/flight.h"
#include "core/base/sha256.h"
#include "core/base/wait.h"
#include "core/base/words/text_end.h"
#include "core/mcp/transport/stdio_channel.h"

namespace plumbline::transport {

namespace {

constexpr std::size_t kDiagnosisBytesMax = 500;

// quoted returns `word` as a shell reads it as one.
std::string quoted(const std::string& word) {
  const std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// place_of returns where a child leads: of its variables the names are shown.
Place place_of(const net::Command& command) {
  Place place;
  Sha256 hash;
  const auto add = [&hash](std::string_view part) {
    hash.update(std::to_string(part.size()) + ":");
    hash.update(part);
  };
  add(command.program);
  add(command.cwd);
  add(command.inherits ? "inherits" : "");
  add(std::to_string(command.argv.size()));
  for (const std::string& word : command.argv) {
    add(word);
    place.text += (place.text.empty() ? "" : " ") + quoted(word);
  }
  std::string names;
  for (const auto& [name, value] : command.env) {
    add(name);
    add(value);
    names += (names.empty() ? "" : ", ") + name;
  }
  if (!command.cwd.empty()) place.text += ", in the folder " + quoted(command.cwd);
  if (!names.empty()) place.text += ", with " + names;
  place.digest = hash.finish_hex();
  return place;
}

class StdioConnection final : public Connection {
 public:
  StdioConnection(Loop& loop, std::unique_ptr<net::Child> child, Place place, Duration grace,
                  std::size_t line_bytes_max)
      : loop_(loop),
        end_(loop),
        child_(std::move(child)),
        place_(std::move(place)),
        channel_(child_->stdio(), line_bytes_max),
        grace_(grace) {
    end_.begin();
    child_->on_exit([this] { end_.land(); });
  }

  Place place() const override { return place_; }
  MessageChannel& channel() override { return channel_; }

  std::string diagnosis() const override {
    std::string text;
    if (const std::optional<net::ExitStatus> status = child_->exit_status()) {
      text = "the server ended with " + describe(*status);
    }
    std::string tail = child_->stderr_tail();
    while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r')) tail.pop_back();
    tail = std::string(end_of(tail, kDiagnosisBytesMax));
    if (!tail.empty()) text += std::string(text.empty() ? "" : "; ") + "its stderr ends: " + tail;
    return text;
  }

  Task<void> ended(Instant deadline) override {
    const Result<Done> known =
        co_await with_deadline(loop_, deadline, std::string("the end of a server"), landed());
    (void)known;  // Where it never is, nothing is told of it.
  }

  Task<void> close() override {
    end_.land();  // From here on it is told to stop().
    const Result<net::ExitStatus> ended = co_await stop(loop_, *child_, grace_);
    (void)ended;  // A child that survives SIGKILL is dropped with the Connection.
    channel_.close();
  }

 private:
  Task<Done> landed() {
    co_await end_.landed();
    co_return Done{};
  }

  Loop& loop_;
  Flight end_;  // Of the child, as long as it runs.
  std::unique_ptr<net::Child> child_;
  Place place_;
  StdioChannel channel_;
  Duration grace_;
};

}  // namespace

StdioConnector::StdioConnector(Loop& loop, net::Spawner& spawner,
                               std::map<std::string, net::Command> servers, Duration stop_grace,
                               std::size_t line_bytes_max)
    : loop_(loop),
      spawner_(spawner),
      servers_(std::move(servers)),
      stop_grace_(stop_grace),
      line_bytes_max_(line_bytes_max) {}

Task<Result<std::unique_ptr<Connection>>> StdioConnector::connect(std::string server) {
  const auto found = servers_.find(server);
  if (found == servers_.end()) {
    co_return Error{ErrorCode::kInvalidInput, "no server is called \"" + server + "\""};
  }
  Result<std::unique_ptr<net::Child>> child = spawner_.spawn(found->second);
  if (!child.ok()) co_return std::move(child).error();
  std::unique_ptr<Connection> connection = std::make_unique<StdioConnection>(
      loop_, std::move(child).value(), place_of(found->second), stop_grace_, line_bytes_max_);
  co_return connection;
}

}  // namespace plumbline::transport
