#include "scenarios/world/value_connector.h"

#include <utility>

namespace plumbline::scenarios {

namespace {

class ValueConnection final : public transport::Connection, private Link {
 public:
  ValueConnection(const fakes::ServerScript& script, const fakes::ServerWorld& world,
                  fakes::ValueChannelPair channels, FaultPlan& plan)
      : name_(world.memory.name),
        plan_(plan),
        near_(std::move(channels.near)),
        far_(std::move(channels.far)),
        server_(script, world, fakes::make_server_port(*far_)) {
    plan_.opened(name_, *this);
    server_.start();
  }
  ~ValueConnection() override { plan_.closed(name_, *this); }

  // implements Connection ---
  transport::Place place() const override { return {name_, name_}; }
  transport::MessageChannel& channel() override { return *near_; }
  std::string diagnosis() const override { return {}; }
  Task<void> close() override {
    near_->close();
    co_return;
  }

 private:
  // implements Link ---
  fakes::Breakable& end() override { return *near_; }
  bool kill() override {
    const bool alive = near_->ending() != fakes::Ending::kHeard;
    near_->reset();
    return alive;
  }

  std::string name_;
  FaultPlan& plan_;
  std::unique_ptr<fakes::ValueChannel> near_;
  std::unique_ptr<fakes::ValueChannel> far_;
  fakes::ScriptedServer server_;
};

}  // namespace

Task<Result<std::unique_ptr<transport::Connection>>> ValueConnector::connect(std::string server) {
  const auto entry = servers_.find(server);
  if (entry == servers_.end()) {
    co_return Error{ErrorCode::kInvalidInput, "no program \"" + server + "\" in PATH"};
  }
  if (plan_.refuses(server)) {
    co_return Error{ErrorCode::kDisconnected, '"' + server + "\" refuses connections"};
  }
  const Rng rng = rng_.fork(server).fork(std::to_string(connections_++));
  const Json detail = Json::object({{"state", "started"}});
  events_.on_event(TraceEvent{loop_.now(), EventKind::kConnection, server, detail});
  fakes::ValueChannelPair channels = fakes::make_value_channel(loop_, options_, rng);
  channels.far->belongs_to(entry->second.actor);
  std::unique_ptr<transport::Connection> connection = std::make_unique<ValueConnection>(
      entry->second.script, entry->second.world, std::move(channels), plan_);
  co_return connection;
}

}  // namespace plumbline::scenarios
