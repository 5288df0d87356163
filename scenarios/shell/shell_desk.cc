#include "scenarios/shell/shell_desk.h"

#include <utility>

namespace plumbline::scenarios {

namespace {

// NeverPipe is silent: it belongs to a command that whoever died has not started.
class NeverPipe final : public net::Pipe {
 public:
  // implements Pipe ---
  void start(net::PipeReader& /*reader*/) override {}
  void write(std::string /*bytes*/) override {}
  void close_write() override {}
  void close() override {}
};

class NeverChild final : public net::Child {
 public:
  // implements Child ---
  net::Pipe& stdio() override { return pipe_; }
  std::string stderr_tail() const override { return {}; }
  std::uint64_t stderr_bytes() const override { return 0; }
  std::optional<net::ExitStatus> exit_status() const override { return std::nullopt; }
  void on_exit(std::function<void()> /*done*/) override {}
  void signal(net::Signal /*which*/) override {}

 private:
  NeverPipe pipe_;
};

// MortalChild may take whoever waits for it along when it ends.
class MortalChild final : public net::ForwardingChild {
 public:
  MortalChild(std::unique_ptr<net::Child> child, CrashPlan& crashes)
      : ForwardingChild(std::move(child)), crashes_(crashes) {}

  // implements Child ---
  void on_exit(std::function<void()> done) override {
    ForwardingChild::on_exit([this, done = std::move(done)] {
      if (!crashes_.reach(CrashPoint::kAfterResult)) done();
    });
  }

 private:
  CrashPlan& crashes_;
};

}  // namespace

Result<std::unique_ptr<net::Child>> MortalSpawner::spawn(const net::Command& command) {
  if (crashes_.reach(CrashPoint::kBeforeCall)) {
    return std::unique_ptr<net::Child>(std::make_unique<NeverChild>());
  }
  Result<std::unique_ptr<net::Child>> child = world_.spawner().spawn(command);
  if (!child.ok()) return child;
  watch_.started(command);
  crashes_.reach(CrashPoint::kAfterCall);
  return std::unique_ptr<net::Child>(
      std::make_unique<MortalChild>(std::move(child).value(), crashes_));
}

// Host is another machine as a mortal reaches it.
class MortalSpawner::Host final : public net::RemoteHost {
 public:
  Host(std::unique_ptr<net::RemoteHost> host, std::string name, MortalSpawner& spawner)
      : host_(std::move(host)), name_(std::move(name)), spawner_(spawner) {}

  // implements RemoteHost ---
  Task<Result<net::RemoteEnd>> run(std::string line, Instant deadline,
                                   std::size_t output_bytes_max) override {
    CrashPlan& crashes = spawner_.crashes_;
    if (crashes.reach(CrashPoint::kBeforeCall)) co_await CrashPlan::end();
    spawner_.watch_.started_there(name_, line);
    crashes.reach(CrashPoint::kAfterCall);
    Result<net::RemoteEnd> end = co_await host_->run(std::move(line), deadline, output_bytes_max);
    if (crashes.reach(CrashPoint::kAfterResult)) co_await CrashPlan::end();
    co_return std::move(end);
  }

 private:
  std::unique_ptr<net::RemoteHost> host_;
  std::string name_;
  MortalSpawner& spawner_;
};

Task<Result<std::unique_ptr<net::RemoteHost>>> MortalSpawner::connect(net::RemoteAccess access,
                                                                      Instant deadline) {
  std::string name = access.host;
  Result<std::unique_ptr<net::RemoteHost>> host =
      co_await world_.dialer().connect(std::move(access), deadline);
  if (!host.ok()) co_return host.error();
  std::unique_ptr<net::RemoteHost> mortal =
      std::make_unique<Host>(std::move(host).value(), std::move(name), *this);
  co_return std::move(mortal);
}

ShellDesk::ShellDesk(Loop& loop, ShellWorld& world, Operations& operations, CrashPlan& crashes,
                     CommandWatch& watch, agents::supervisor::ModelShelf& models)
    : mortal_(world, crashes, watch),
      failing_(mortal_, operations),
      runner_(loop, operations.on() ? static_cast<net::Spawner&>(failing_) : mortal_,
              world.spec().data().settings.limits),
      audit_(world.files(), world.clock(), kAuditPath, "desk"),
      desk_(world.spec().policy(), runner_, &audit_),
      remote_(world.spec().remote_policy(), loop, &audit_),
      services_{.models = models,
                .desk = &desk_,
                .remote = {.dialer = &mortal_,
                           .desk = &remote_,
                           .timeout = world.spec().data().settings.remote.timeout},
                .files = &world.files(),
                .paths = &world.spec().paths(),
                .roots = world.spec().data().settings.rules.roots} {}

}  // namespace plumbline::scenarios
