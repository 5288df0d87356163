#include "fakes/shell/sim_remote.h"

#include <algorithm>
#include <utility>

#include "core/base/wait.h"
#include "fakes/shell/shell_words.h"

namespace plumbline::fakes {

namespace {

// Heard is one program that runs there, and what it has said.
class Heard final : private net::PipeReader {
 public:
  Heard(std::unique_ptr<net::Child> child, std::size_t output_bytes_max)
      : output_bytes_max_(output_bytes_max), child_(std::move(child)) {
    child_->stdio().start(*this);
    child_->stdio().close_write();
    child_->on_exit([this] { over_.set(); });
  }
  Heard(const Heard&) = delete;
  Heard& operator=(const Heard&) = delete;

  Event& over() { return over_; }
  net::Child& child() { return *child_; }

  net::RemoteEnd end() const {
    net::RemoteEnd out;
    out.out = out_;
    out.err = child_->stderr_tail().substr(0, output_bytes_max_);
    out.truncated = cut_ || child_->stderr_bytes() > out.err.size();
    const std::optional<net::ExitStatus> status = child_->exit_status();
    if (status && status->signal == 0) out.return_code = status->code;
    return out;
  }

 private:
  void on_bytes(std::string_view bytes) override {
    const std::size_t fits = std::min(bytes.size(), output_bytes_max_ - out_.size());
    out_ += bytes.substr(0, fits);
    cut_ = cut_ || fits < bytes.size();
  }
  void on_end(const Error* /*error*/) override {}

  std::size_t output_bytes_max_;
  std::string out_;
  bool cut_ = false;
  Event over_;
  std::unique_ptr<net::Child> child_;  // Last: it calls the rest.
};

Error refused_key(const std::string& host, HostKey key) {
  if (key == HostKey::kUnknown) {
    return {ErrorCode::kInvalidInput, "the key of \"" + host + "\" is not known"};
  }
  return {ErrorCode::kInvalidInput,
          "the key of \"" + host + "\" is ANOTHER than the known one: nobody is let in"};
}

}  // namespace

struct SimRemote::Machine {
  Machine(Loop& loop, Rng rng, EventSink& events, HostBehaviour its_behaviour)
      : behaviour(its_behaviour), spawner(loop, rng, events), shell(loop, spawner) {}

  HostBehaviour behaviour;
  SimSpawner spawner;
  FakeShell shell;
  std::deque<std::unique_ptr<Heard>> left;  // What runs, heard or not.
};

// What it starts belongs to the machine, and not to the connection.
class SimRemote::Connection final : public net::RemoteHost {
 public:
  Connection(Loop& loop, Machine& machine) : loop_(loop), machine_(machine) {}

  // implements RemoteHost ---
  Task<Result<net::RemoteEnd>> run(std::string line, Instant deadline,
                                   std::size_t output_bytes_max) override {
    const HostBehaviour& behaves = machine_.behaviour;
    const Instant sent = loop_.now();
    co_await Sleep(loop_, after(sent, behaves.latency));
    const std::optional<std::vector<std::string>> words = shell_words(line);
    net::RemoteEnd none;
    none.return_code = kNotFound;
    if (!words || words->empty()) co_return none;
    net::Command command(*words);
    Result<std::unique_ptr<net::Child>> child = machine_.spawner.spawn(command);
    none.err = words->front() + ": command not found\n";
    if (!child.ok()) co_return none;
    Heard& heard = *machine_.left.emplace_back(
        std::make_unique<Heard>(std::move(child).value(), output_bytes_max));
    const Instant drops = behaves.drops ? after(sent, *behaves.drops) : kNever;
    const bool ended = co_await heard.over().wait(loop_, std::min(drops, deadline));
    if (ended) co_await Sleep(loop_, after(loop_.now(), behaves.latency));
    net::RemoteEnd end = heard.end();
    if (!ended) end.return_code.reset();
    if (!ended && drops <= deadline) {
      end.unknown = Error{ErrorCode::kDisconnected, "the connection was lost"};
    } else if (!ended) {
      heard.child().signal(net::Signal::kTerminate);
      end.unknown = Error{ErrorCode::kDeadlineExceeded, "it did not end in time"};
    }
    co_return end;
  }

 private:
  static constexpr int kNotFound = 127;  // As a shell has it.

  Loop& loop_;
  Machine& machine_;
};

SimRemote::SimRemote(Loop& loop, Rng rng, EventSink& events)
    : loop_(loop), rng_(rng), events_(events) {}

SimRemote::~SimRemote() = default;

FakeShell& SimRemote::add(const std::string& host, HostBehaviour behaviour) {
  auto& machine = machines_[host];
  machine = std::make_unique<Machine>(loop_, rng_.fork(host), events_, behaviour);
  return machine->shell;
}

void SimRemote::switch_off() {
  for (auto& [host, machine] : machines_) machine->left.clear();
}

Result<net::RemoteAccess> SimRemote::resolve(net::RemoteAccess access) {
  const auto alias = aliases_.find(access.host);
  if (alias != aliases_.end()) access.host = alias->second;
  return access;
}

Task<Result<std::unique_ptr<net::RemoteHost>>> SimRemote::connect(net::RemoteAccess access,
                                                                  Instant deadline) {
  const auto found = machines_.find(access.host);
  const bool there = found != machines_.end() && !found->second->behaviour.unreachable;
  if (!there) {
    co_return Error{ErrorCode::kDisconnected, "\"" + access.host + "\" cannot be reached"};
  }
  Machine& machine = *found->second;
  const HostBehaviour& behaves = machine.behaviour;
  const Instant greeted = after(loop_.now(), 2 * behaves.latency);
  co_await Sleep(loop_, std::min(greeted, deadline));
  if (greeted > deadline) {
    co_return Error{ErrorCode::kDeadlineExceeded, "\"" + access.host + "\" did not answer in time"};
  }
  if (behaves.key != HostKey::kKnown) co_return refused_key(access.host, behaves.key);
  std::unique_ptr<net::RemoteHost> host = std::make_unique<Connection>(loop_, machine);
  co_return std::move(host);
}

}  // namespace plumbline::fakes
