#include "cli/commands/record/web_replay.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/commands/record/agenda.h"
#include "core/mcp/protocol/revision.h"
#include "core/mcp/transport/message_channel.h"
#include "core/os/fd.h"
#include "scenarios/compare/client_half.h"
#include "scenarios/record/likeness.h"

namespace plumbline::cli {

namespace {

// speaks_without_sessions returns whether clients of a recording speak without sessions.
bool speaks_without_sessions(const scenarios::RecordedSession& session) {
  const auto revision = mcp::parse_revision(scenarios::revision_of(session));
  return revision && mcp::is_stateless(*revision);
}

}  // namespace

// Client is one that has connected, and the recorded server to it.
struct WebReplay::Client final : public transport::MessageReceiver {
 public:
  Client(scenarios::Replayer& replayer, bool fast,
         std::unique_ptr<transport::MessageChannel> channel, os::RealLoop& loop,
         std::function<void()> on_over)
      : replayer_(replayer),
        channel_(std::move(channel)),
        on_over_(std::move(on_over)),
        agenda_(loop, fast, [this](const ReplayedOutput& output) { say(output); }) {
    channel_->start(*this);
  }

  bool over() const { return over_; }

  // implements MessageReceiver ---
  void on_message(Json message) override {
    if (const Json* const id = scenarios::is_request(message) ? find(message, "id") : nullptr) {
      about_ = rpc::read_id(*id);
    }
    agenda_.add(replayer_.take(message));
  }
  void on_garbage(std::string_view, const Error&) override {}
  void on_closed(const Error*) override {
    over_ = true;
    on_over_();
  }

 private:
  void say(const ReplayedOutput& output) {
    if (output.exit) {
      channel_->close();
      return on_closed(nullptr);
    }
    Result<Json> message = parse_json(*output.line);
    if (!message.ok()) return;  // Only standard streams carry what is no message.
    if (scenarios::is_answer(message.value()) || !about_) {
      return channel_->send(std::move(message).value());
    }
    channel_->send_about(std::move(message).value(), *about_);
  }

  scenarios::Replayer& replayer_;
  std::unique_ptr<transport::MessageChannel> channel_;
  std::function<void()> on_over_;
  std::optional<rpc::RpcId> about_;  // The request that came last.
  bool over_ = false;
  Agenda agenda_;
};

WebReplay::WebReplay(WebReplayOptions options, std::vector<scenarios::RecordedSession> sessions,
                     Host& host)
    : options_(std::move(options)),
      sessions_(std::move(sessions)),
      host_(host),
      loop_(host.world().loop()),
      shares_(speaks_without_sessions(sessions_.back())),
      sweep_(
          [this] { std::erase_if(clients_, [](const auto& client) { return client->over(); }); }) {}

WebReplay::~WebReplay() = default;

Result<std::string> WebReplay::listen() {
  os::raise_descriptor_limit();
  Result<std::unique_ptr<transport::WebServer>> web =
      transport::WebServer::listen(loop_, host_.world().network(), web_options(options_.place),
                                   [this](std::unique_ptr<transport::MessageChannel> channel,
                                          const std::string&) { take(std::move(channel)); });
  if (!web.ok()) return web.error();
  web_ = std::move(web).value();
  return web_->url();
}

scenarios::ReplayCounts WebReplay::counts() const {
  scenarios::ReplayCounts all;
  for (const scenarios::Replayer& replayer : replayers_) {
    const scenarios::ReplayCounts& one = replayer.counts();
    all.recorded = std::max(all.recorded, one.recorded);
    all.played = std::max(all.played, one.played);
    all.missed.insert(all.missed.end(), one.missed.begin(), one.missed.end());
  }
  return all;
}

std::vector<Json> WebReplay::unplayed() const {
  std::vector<Json> left;
  if (replayers_.empty()) return scenarios::Replayer(sessions_, options_.match).unplayed();
  left = replayers_.front().unplayed();
  for (const scenarios::Replayer& replayer : replayers_) {
    const std::vector<Json> of_one = replayer.unplayed();
    std::erase_if(left, [&of_one](const Json& request) {
      return std::ranges::find(of_one, request) == of_one.end();
    });
  }
  return left;
}

scenarios::Replayer& WebReplay::new_replayer() {
  if (shares_ && !replayers_.empty()) return replayers_.front();
  return replayers_.emplace_back(sessions_, options_.match);
}

void WebReplay::take(std::unique_ptr<transport::MessageChannel> channel) {
  clients_.push_back(std::make_unique<Client>(new_replayer(), options_.fast, std::move(channel),
                                              loop_, [this] { loop_.arm(sweep_, loop_.now()); }));
}

}  // namespace plumbline::cli
