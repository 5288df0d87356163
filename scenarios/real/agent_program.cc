#include "scenarios/real/agent_program.h"

#include <algorithm>
#include <utility>

#include "core/base/limits.h"

namespace plumbline::scenarios {

namespace {

// How long what it has printed may still be on its way once it has ended.
constexpr Duration kLastWordsMax = std::chrono::seconds(1);

}  // namespace

std::vector<std::string> filled(const std::vector<std::string>& words, const Placeholders& values) {
  std::vector<std::string> out;
  for (std::string word : words) {
    for (const auto& [name, value] : values) {
      for (std::size_t at = word.find(name); at != std::string::npos;
           at = word.find(name, at + value.size())) {
        word.replace(at, name.size(), value);
      }
    }
    out.push_back(std::move(word));
  }
  return out;
}

bool has_placeholder(const std::vector<std::string>& words, const std::string& name) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return word.find(name) != std::string::npos; });
}

net::Command filled_command(const std::vector<std::string>& words,
                            const std::map<std::string, std::string>& env,
                            const Placeholders& values) {
  net::Command command(filled(words, values));
  for (const auto& [name, value] : env) command.env[name] = filled({value}, values).front();
  return command;
}

AgentProgram::AgentProgram(Loop& loop, std::unique_ptr<net::Child> child)
    : loop_(loop), child_(std::move(child)) {
  child_->on_exit([this] { gone_.set(); });
  child_->stdio().start(*this);
}

Result<std::unique_ptr<AgentProgram>> AgentProgram::start(Loop& loop, net::Spawner& spawner,
                                                          const net::Command& command) {
  Result<std::unique_ptr<net::Child>> child = spawner.spawn(command);
  if (!child.ok()) return std::move(child).error();
  return std::make_unique<AgentProgram>(loop, std::move(child).value());
}

Task<ProgramEnd> AgentProgram::finish(std::string input, Instant deadline) {
  if (!input.empty()) child_->stdio().write(std::move(input));
  child_->stdio().close_write();
  const bool ended = co_await gone_.wait(loop_, deadline);
  if (ended) {
    const Instant last = after(loop_.now(), kLastWordsMax);
    co_await silent_.wait(loop_, last);
  }
  ProgramEnd end;
  end.printed = printed_;
  end.told = child_->stderr_tail();
  if (ended) end.status = child_->exit_status();
  co_return end;
}

void AgentProgram::on_bytes(std::string_view bytes) {
  const std::size_t room =
      limits::kMessageBytesMax - std::min(printed_.size(), limits::kMessageBytesMax);
  printed_ += bytes.substr(0, room);
}

void AgentProgram::on_end(const Error*) { silent_.set(); }

}  // namespace plumbline::scenarios
