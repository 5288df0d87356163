#include "core/service/sessions/session.h"

#include <algorithm>
#include <utility>

#include "core/base/doors/wall_clock.h"
#include "core/service/sessions/codap_tools.h"
#include "core/service/sessions/tool_result.h"

namespace plumbline::service {

namespace {

constexpr std::size_t kFormerFeedsMax = 16;
constexpr std::size_t kQueuedMax = 512;  // Calls whose outcome may be asked for.

}  // namespace

// Seat is the place of a caller that waits; leaving it early takes the call back.
class Session::Seat {
 public:
  Seat(Session& session, std::string id, Caller& caller) : session_(session), id_(std::move(id)) {
    session_.callers_[id_] = &caller;
  }
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;
  ~Seat() {
    session_.callers_.erase(id_);
    session_.desk_.cancel(id_);
    session_.pump();
  }

 private:
  Session& session_;
  std::string id_;
};

Session::Session(SessionParts& parts, SessionRecord record, Opener opener)
    : parts_(parts),
      record_(std::move(record)),
      opener_(std::move(opener)),
      opened_(opener_.guest.has_value()),
      desk_(parts.desk),
      forget_([this] { forget_outcomes(); }),
      tick_([this] {
        desk_.tick(parts_.loop.now());
        pump();
      }) {}

Session::~Session() { door_.reset(); }

void Session::adopt(const std::string& guest, Share share) {
  if (opener_.guest) return;
  opener_.guest = guest;
  opener_.share = std::move(share);
}

void Session::set_tools(std::optional<ToolSet> tools, std::int64_t version, Held charge) {
  tools_charge_ = std::move(charge);
  record_.tools = std::move(tools);
  record_.version = version;
  if (door_) door_->tools_changed();
}

std::string Session::new_id(std::string_view prefix) const {
  return std::string(prefix) + new_code(parts_.random) + new_code(parts_.random);
}

bool Session::is_former(std::string_view event_id) const {
  return std::ranges::any_of(former_feeds_, [event_id](const std::string& name) {
    return event_id.starts_with(name + "-");
  });
}

void Session::listen(net::HttpReply reply, std::optional<std::string_view> last_event_id) {
  used_ = true;
  if (last_event_id && feed_ && feed_->knows(*last_event_id)) {
    desk_.worker_came(feed_->attach(std::move(reply), last_event_id));
    return pump();
  }
  if (last_event_id && is_former(*last_event_id)) {
    return reply.respond(wire::HttpResponse{204, {}, ""});
  }
  begin_feed(std::move(reply));
  desk_.worker_came(false);
  pump();
}

void Session::begin_feed(net::HttpReply reply) {
  if (feed_) {
    feed_->send("taken_over", {{"type", "taken_over"}, {"sessionCode", code()}});
    feed_->end();
    former_feeds_.push_back(feed_->name());
    if (former_feeds_.size() > kFormerFeedsMax) former_feeds_.pop_front();
  }
  feed_ = std::make_unique<EventFeed>(
      parts_.loop, new_id(""), parts_.feed,
      [this] {
        desk_.worker_left(parts_.loop.now());
        pump();
      },
      opener_.share);
  feed_->send(
      "connection",
      {{"type", "connection"}, {"sessionCode", code()}, {"expiresAt", rfc3339(record_.expires)}});
  feed_->attach(std::move(reply), std::nullopt);
}

WorkerDesk::Heard Session::answer(const std::string& id, WorkerOutcome outcome) {
  const WorkerDesk::Heard heard = desk_.answer(id, std::move(outcome));
  pump();
  return heard;
}

WorkerDesk::Heard Session::progress(WorkerDesk::Progressed report) {
  const WorkerDesk::Heard heard = desk_.progress(std::move(report));
  pump();
  return heard;
}

WorkerDesk::Heard Session::log(WorkerDesk::Logged line) {
  const WorkerDesk::Heard heard = desk_.log(std::move(line));
  pump();
  return heard;
}

// made_call adds the data to a call of our own create_codap_dataset; a tool of that name that the
// worker has registered is its own affair.
WorkerDesk::Call Session::made_call(std::string id, std::string tool, Json params,
                                    Held charge) const {
  WorkerDesk::Call call{std::move(id), std::move(tool), std::move(params), nullptr,
                        std::move(charge)};
  const Tool* const ours = parts_.global.find(std::string(kCreateDataset));
  const Tool* const asked = tools().find(call.tool);
  if (call.tool == kCreateDataset && ours != nullptr && asked != nullptr &&
      asked->description == ours->description) {
    call.dataset = make_dataset(call.params);
  }
  return call;
}

Task<WorkerOutcome> Session::call(std::string tool, Json params, Listener listener) {
  used_ = true;
  Caller caller;
  caller.listener = std::move(listener);
  std::string id = new_id("mcp-");
  const std::optional<WorkerDesk::Refusal> refused =
      desk_.start(made_call(id, std::move(tool), std::move(params), Held()), parts_.loop.now());
  if (refused) {
    WorkerOutcome outcome;
    outcome.end = *refused == WorkerDesk::Refusal::kSessionOver ? WorkerOutcome::End::kSessionOver
                                                                : WorkerOutcome::End::kFailed;
    outcome.error = refusal_text(*refused);
    co_return std::move(outcome);
  }
  const Seat seat(*this, std::move(id), caller);
  pump();
  // The desk ends every call in time; the deadline is for a desk that does not.
  const Instant late = after(parts_.loop.now(), parts_.desk.call_max + parts_.desk.grace);
  co_await caller.done.wait(parts_.loop, late);
  co_return std::move(caller.outcome);
}

std::optional<WorkerDesk::Refusal> Session::queue(std::string id, std::string tool, Json params,
                                                  std::string principal, Held charge) {
  used_ = true;
  const std::optional<WorkerDesk::Refusal> refused = desk_.start(
      made_call(id, std::move(tool), std::move(params), std::move(charge)), parts_.loop.now());
  if (refused) return refused;
  queued_[id] = Queued{std::move(principal), std::nullopt};
  queued_order_.push_back(std::move(id));
  if (queued_order_.size() > kQueuedMax) {
    queued_.erase(queued_order_.front());
    queued_order_.pop_front();
  }
  pump();
  return std::nullopt;
}

const Session::Queued* Session::queued(const std::string& id) const {
  const auto found = queued_.find(id);
  return found == queued_.end() ? nullptr : &found->second;
}

McpDoor& Session::door() {
  if (!door_) {
    door_ = std::make_unique<McpDoor>(
        parts_.loop, parts_.random, parts_.door, [this]() -> const ToolSet& { return tools(); },
        [this](mcp::ServerCall call) { return parts_.execute(*this, std::move(call)); });
  }
  return *door_;
}

void Session::end(std::string_view why) {
  if (feed_) {
    feed_->send("session_expired",
                {{"type", "session_expired"}, {"sessionCode", code()}, {"reason", why}});
  }
  leave();
}

void Session::leave() {
  desk_.close();
  pump();
  if (feed_) feed_->end();
  if (door_) door_->close();
}

// pump carries out what the desk wants. A caller that wakes up may come back here.
void Session::pump() {
  if (pumping_) return;
  pumping_ = true;
  for (;;) {
    std::vector<WorkerDesk::Action> actions = desk_.take_actions();
    if (actions.empty()) break;
    for (WorkerDesk::Action& action : actions) act(action);
  }
  pumping_ = false;
  const Instant next = desk_.next_deadline();
  if (next == kNever) {
    tick_.cancel();
  } else if (!tick_.armed() || tick_.due() != next) {
    parts_.loop.arm(tick_, next);
  }
}

void Session::act(WorkerDesk::Action& action) {
  if (const auto* const tell = std::get_if<WorkerDesk::Tell>(&action)) {
    if (feed_) feed_->send(tell->event, tell->data);
  } else if (const auto* const report = std::get_if<WorkerDesk::Progressed>(&action)) {
    const auto caller = callers_.find(report->id);
    if (caller == callers_.end() || !caller->second->listener.progress) return;
    caller->second->listener.progress(*report);
  } else if (const auto* const line = std::get_if<WorkerDesk::Logged>(&action)) {
    const auto caller = callers_.find(line->id);
    if (caller == callers_.end() || !caller->second->listener.log) return;
    caller->second->listener.log(*line);
  } else if (auto* const ended = std::get_if<WorkerDesk::Ended>(&action)) {
    on_ended(*ended);
    if (parts_.call_ended) parts_.call_ended();
  }
}

void Session::on_ended(WorkerDesk::Ended& ended) {
  if (const auto caller = callers_.find(ended.id); caller != callers_.end()) {
    caller->second->outcome = std::move(ended.outcome);
    return caller->second->done.set();
  }
  const auto queued = queued_.find(ended.id);
  if (queued == queued_.end()) return;
  queued->second.outcome = std::move(ended.outcome);
  const Instant until = after(parts_.loop.now(), parts_.desk.outcome_kept);
  outcomes_.emplace_back(until, ended.id);
  if (!forget_.armed()) parts_.loop.arm(forget_, until);
}

void Session::forget_outcomes() {
  const Instant now = parts_.loop.now();
  while (!outcomes_.empty() && outcomes_.front().first <= now) {
    queued_.erase(outcomes_.front().second);
    std::erase(queued_order_, outcomes_.front().second);
    outcomes_.pop_front();
  }
  if (!outcomes_.empty()) parts_.loop.arm(forget_, outcomes_.front().first);
}

}  // namespace plumbline::service
