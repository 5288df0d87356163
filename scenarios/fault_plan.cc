#include "scenarios/fault_plan.h"

#include <utility>

#include "core/base/check.h"

namespace plumbline::scenarios {

namespace {

// WatchedChild is a child whose stream a plan knows as long as it lives.
class WatchedChild final : public transport::Child, private Breakable {
 public:
  WatchedChild(std::unique_ptr<transport::Child> child, std::string server, fakes::SimPipe& pipe,
               FaultPlan& plan)
      : child_(std::move(child)), server_(std::move(server)), pipe_(pipe), plan_(plan) {
    plan_.opened(server_, *this);
  }
  ~WatchedChild() override { plan_.closed(server_, *this); }

  // implements Child ---
  transport::Pipe& stdio() override { return child_->stdio(); }
  std::string stderr_tail() const override { return child_->stderr_tail(); }
  std::optional<transport::ExitStatus> exit_status() const override {
    return child_->exit_status();
  }
  void on_exit(std::function<void()> done) override { child_->on_exit(std::move(done)); }
  void signal(transport::Signal which) override { child_->signal(which); }

 private:
  // implements Breakable ---
  void stall_until(Instant when) override { pipe_.stall_until(when); }
  void reset() override { pipe_.reset(); }
  void reset_after(std::size_t bytes) override { pipe_.reset_after(bytes); }

  std::unique_ptr<transport::Child> child_;
  std::string server_;
  fakes::SimPipe& pipe_;
  FaultPlan& plan_;
};

}  // namespace

FaultPlan::FaultPlan(Loop& loop, EventSink& events, const std::vector<Fault>& faults)
    : loop_(loop), events_(events), faults_(faults) {
  for (const Fault& fault : faults_) {
    if (fault.after_bytes) continue;
    alarms_.push_back(std::make_unique<Alarm>([this, &fault] { strike(fault); }));
    loop_.arm(*alarms_.back(), after(Instant{}, fault.at));
  }
}

void FaultPlan::opened(const std::string& server, Breakable& link) {
  links_[server].push_back(&link);
  for (const Fault& fault : faults_) {
    if (fault.server == server && fault.after_bytes) link.reset_after(*fault.after_bytes);
  }
}

void FaultPlan::closed(const std::string& server, const Breakable& link) {
  std::erase(links_[server], &link);
}

void FaultPlan::reset(const std::string& server) {
  for (Breakable* const link : links_[server]) link->reset();
}

void FaultPlan::strike(const Fault& fault) {
  switch (fault.verb) {
    case Fault::Verb::kStall:
      note(fault, "stall");
      for (Breakable* const link : links_[fault.server]) {
        link->stall_until(after(loop_.now(), fault.lasts));
      }
      return;
    case Fault::Verb::kReset:
      note(fault, "reset");
      return reset(fault.server);
  }
  check(false, "unknown Verb");
}

void FaultPlan::note(const Fault& fault, std::string_view name) {
  Json detail = Json::object();
  detail["fault"] = name;
  detail["met_a_connection"] = !links_[fault.server].empty();
  events_.on_event(TraceEvent{loop_.now(), EventKind::kFault, fault.server, detail});
}

FaultySpawner::FaultySpawner(fakes::SimSpawner& spawner, FaultPlan& plan)
    : spawner_(spawner), plan_(plan) {
  spawner_.on_link(
      [this](const std::string&, fakes::SimPipe& ours, fakes::SimPipe&) { newest_ = &ours; });
}

Result<std::unique_ptr<transport::Child>> FaultySpawner::spawn(const transport::Command& command) {
  Result<std::unique_ptr<transport::Child>> child = spawner_.spawn(command);
  if (!child.ok()) return child;
  check(newest_ != nullptr, "a spawned child has a link");
  return std::unique_ptr<transport::Child>(std::make_unique<WatchedChild>(
      std::move(child).value(), command.argv.front(), *std::exchange(newest_, nullptr), plan_));
}

}  // namespace plumbline::scenarios
