#include "fakes/world/sim_spawner.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/limits.h"
#include "fakes/world/actor.h"

namespace plumbline::fakes {

namespace {

// SimChild is both faces of one process: Child to who spawned it, Process to the program.
class SimChild final : public net::Child, public Process {
 public:
  SimChild(Loop& loop, EventSink& events, std::string name, bool drains_stderr, SimPipePair streams)
      : loop_(loop),
        events_(events),
        name_(std::move(name)),
        drains_stderr_(drains_stderr),
        ours_(std::move(streams.near)),
        theirs_(std::move(streams.far)) {}

  SimPipe& ours() { return *ours_; }
  SimPipe& theirs() { return *theirs_; }

  // run puts `program` into the process, which may have exited already while it was being made.
  void run(std::unique_ptr<Program> program) {
    program_ = std::move(program);
    emit("started", {});
  }

  // implements Child ---
  net::Pipe& stdio() override { return *ours_; }
  std::string stderr_tail() const override { return stderr_; }
  std::uint64_t stderr_bytes() const override { return stderr_bytes_; }
  std::optional<net::ExitStatus> exit_status() const override { return status_; }
  void on_exit(std::function<void()> done) override { on_exit_ = std::move(done); }

  void signal(net::Signal which) override {
    if (status_ && !left_) return;
    kill_ = kill_ || which == net::Signal::kKill;
    if (!signalled_.armed()) loop_.arm(signalled_, loop_.now());
  }

  // implements Process ---
  void write_stderr(std::string_view text) override {
    if (status_) return;
    unwritten_ += text;
    fill_stderr();
  }
  bool stderr_full() const override { return !unwritten_.empty(); }
  void on_stderr_room(std::function<void()> go_on) override { on_room_ = std::move(go_on); }

  void exit(net::ExitStatus status) override {
    if (status_) return;
    status_ = status;
    unwritten_.clear();
    drained_.cancel();
    if (drains_stderr_) read_stderr();
    theirs_->close();
    loop_.arm(reaped_, loop_.now());
  }

  void leave(net::ExitStatus status) override {
    if (status_) return;
    status_ = status;
    left_ = true;
    loop_.arm(reaped_, loop_.now());
  }

 private:
  // Reaping tells the parent, whoever made the process exit.
  struct Reaping final : Owned {
    explicit Reaping(SimChild& its_child) : child(its_child) {}
    ~Reaping() = default;
    void fire() override { child.reap(); }
    SimChild& child;
  };

  // fill_stderr writes as much as the pipe holds. What fits is read at once; more is, bit by bit.
  void fill_stderr() {
    const std::size_t fits = std::min(unwritten_.size(), kStderrPipeBytes - in_pipe_.size());
    in_pipe_ += unwritten_.substr(0, fits);
    unwritten_.erase(0, fits);
    if (!drains_stderr_) return;
    if (unwritten_.empty()) return read_stderr();
    if (!drained_.armed()) loop_.arm(drained_, loop_.now());
  }

  void read_stderr() {
    stderr_bytes_ += in_pipe_.size();
    stderr_ += std::exchange(in_pipe_, {});
    if (stderr_.size() <= limits::kStderrBytesMax) return;
    stderr_.erase(0, stderr_.size() - limits::kStderrBytesMax);
  }

  void drain_stderr() {
    read_stderr();
    fill_stderr();
    if (unwritten_.empty() && on_room_) on_room_();
  }

  void take_signal() {
    const bool killed = std::exchange(kill_, false);
    if (!killed && program_ != nullptr && program_->ignores_terminate()) return;
    if (!left_) return exit({0, killed ? 9 : 15});
    left_ = false;
    program_.reset();
    theirs_->close();
  }

  void reap() {
    if (!left_) program_.reset();
    emit("exited", net::describe(*status_));
    if (on_exit_) std::exchange(on_exit_, nullptr)();  // May destroy this.
  }

  void emit(std::string_view state, const std::string& why) {
    Json detail = {{"state", state}};
    if (!why.empty()) detail["why"] = why;
    events_.on_event({loop_.now(), EventKind::kConnection, name_, detail});
  }

  Loop& loop_;
  EventSink& events_;
  std::string name_;
  const bool drains_stderr_;
  std::unique_ptr<SimPipe> ours_;
  std::unique_ptr<SimPipe> theirs_;
  std::string stderr_;  // What the parent has read, the end of it.
  std::uint64_t stderr_bytes_ = 0;
  std::string in_pipe_;    // At most kStderrPipeBytes.
  std::string unwritten_;  // What the program stands still for.
  std::function<void()> on_room_;
  std::optional<net::ExitStatus> status_;
  std::function<void()> on_exit_;
  bool kill_ = false;
  bool left_ = false;  // It has ended, and a child of it has not.
  Alarm drained_{[this] { drain_stderr(); }};
  Alarm signalled_{[this] { take_signal(); }};
  Reaping reaped_{*this};
  std::unique_ptr<Program> program_;  // Last: it borrows the rest.
};

}  // namespace

void SimSpawner::add(std::string argv0, const PipeOptions& options, ProgramFactory factory) {
  programs_.insert_or_assign(std::move(argv0), Entry{options, std::move(factory)});
}

Result<std::unique_ptr<net::Child>> SimSpawner::spawn(const net::Command& command) {
  if (command.argv.empty()) return Error{ErrorCode::kInvalidInput, "the command is empty"};
  const std::string& name = command.argv.front();
  const auto entry = programs_.find(name);
  if (entry == programs_.end()) {
    return Error{ErrorCode::kInvalidInput, "no program \"" + name + "\" in PATH"};
  }
  const Rng rng = rng_.fork(name).fork(std::to_string(spawned_));
  auto child = std::make_unique<SimChild>(loop_, events_, name, drains_stderr_,
                                          make_sim_pipe(loop_, entry->second.options, rng));
  std::unique_ptr<Program> program = entry->second.factory(command, child->theirs(), *child);
  if (program == nullptr) {
    return Error{ErrorCode::kInvalidInput, "\"" + name + "\" cannot be executed"};
  }
  ++spawned_;
  child->run(std::move(program));
  if (on_link_) on_link_(name, child->ours(), child->theirs());
  return std::unique_ptr<net::Child>(std::move(child));
}

}  // namespace plumbline::fakes
