#include "fakes/shell/fake_shell.h"

#include <algorithm>
#include <chrono>
#include <memory>

namespace plumbline::fakes {

// Job is one program at work.
class FakeShell::Job final : public Program {
 public:
  Job(FakeShell& shell, ShellBehaviour behaviour, SimPipe& stdio, Process& process)
      : shell_(shell), behaviour_(std::move(behaviour)), stdio_(stdio), process_(process) {
    shell_.at_work_max_ = std::max(shell_.at_work_max_, ++shell_.at_work_);
    if (!behaviour_.out.empty()) stdio_.write(behaviour_.out);
    if (!behaviour_.err.empty()) process_.write_stderr(behaviour_.err);
    if (!behaviour_.hangs) shell_.loop_.arm(end_, after(shell_.loop_.now(), behaviour_.takes));
    if (behaviour_.flood_bytes > 0) flood();
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  ~Job() override { --shell_.at_work_; }

  bool ignores_terminate() const override { return behaviour_.ignores_terminate; }

 private:
  void flood() {
    stdio_.write(std::string(behaviour_.flood_bytes, 'y'));
    shell_.loop_.arm(flood_, after(shell_.loop_.now(), std::chrono::milliseconds(1)));
  }

  FakeShell& shell_;
  ShellBehaviour behaviour_;
  SimPipe& stdio_;
  Process& process_;
  void end() {
    flood_.cancel();
    if (behaviour_.forks) return process_.leave(behaviour_.ends_with);
    process_.exit(behaviour_.ends_with);
  }

  Alarm end_{[this] { end(); }};
  Alarm flood_{[this] { flood(); }};
};

void FakeShell::add(std::vector<std::string> words, ShellBehaviour behaviour) {
  spawner_.add(words.front(), pipes_,
               [this](const net::Command& command, SimPipe& stdio,
                      Process& process) -> std::unique_ptr<Program> {
                 const ShellBehaviour* const found = find(command.argv);
                 if (found == nullptr) return nullptr;
                 ran_.push_back(command);
                 return std::make_unique<Job>(*this, *found, stdio, process);
               });
  table_.emplace_back(std::move(words), std::move(behaviour));
}

const ShellBehaviour* FakeShell::find(const std::vector<std::string>& argv) const {
  const ShellBehaviour* best = nullptr;
  std::size_t best_words = 0;
  for (const auto& [words, behaviour] : table_) {
    const bool begins =
        words.size() <= argv.size() && std::equal(words.begin(), words.end(), argv.begin());
    if (!begins || words.size() < best_words) continue;
    best = &behaviour;
    best_words = words.size();
  }
  return best;
}

}  // namespace plumbline::fakes
