#include "core/service/chat/chat_turns.h"

#include <algorithm>
#include <utility>

#include "core/agents/graph_spans.h"
#include "core/base/turns.h"
#include "core/connector/traced_client.h"
#include "core/model/tracing/traced_model.h"

namespace plumbline::service {

namespace {

using agents::chat::ChatState;

constexpr std::size_t kNameBytes = 9;

Error busy(const ChatSession& session) {
  const bool waits = session.state == ChatSession::State::kWaiting;
  return {ErrorCode::kConflict,
          waits ? "the session waits for an approval" : "a turn of the session is under way"};
}

// token returns letters and digits that nobody else has.
std::string token(const RandomBytes& random) {
  std::string out;
  for (const char byte : random(kNameBytes)) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz012345";
    out += kLetters[static_cast<unsigned char>(byte) & 31U];
  }
  return out;
}

}  // namespace

// Running is a turn that this process works on.
struct ChatTurns::Running {
  explicit Running(Loop& loop) : writes(loop) {}

  ChatSession session;
  Turns writes;                // Of the session's record.
  std::optional<Json> answer;  // To what it waits for.
  OnEnd on_end;
  std::vector<Held> charges;
  EventFeed* feed = nullptr;
  bool over = false;
};

// Teller passes on what a turn tells while it works.
class ChatTurns::Teller final : public graph::GraphObserver {
 public:
  explicit Teller(EventFeed& feed) : feed_(feed) {}
  ~Teller() = default;

  // implements GraphObserver ---
  void node_started(std::string_view, std::int64_t, int) override {}
  void node_ended(std::string_view, std::int64_t, graph::StepResult, const Error*) override {}
  void edge_taken(std::string_view, std::string_view) override {}
  void interrupted(std::string_view, const Json&) override {}
  bool streams(graph::Stream stream) const override {
    return stream == graph::Stream::kMessages || stream == graph::Stream::kCustom;
  }
  void streamed(const graph::StreamPart& part) override {
    if (part.stream == graph::Stream::kMessages) return feed_.send("message.delta", part.what);
    Json what = part.what;
    const std::string event = "tool." + string_or(what, "tool", "");
    what.erase("tool");
    feed_.send(event, what);
  }

 private:
  EventFeed& feed_;
};

ChatTurns::ChatTurns(Loop& loop, ChatBook& book, store::ThreadStore& threads, UserServers& servers,
                     model::Model& model, const agents::Policy& policy, RandomBytes random,
                     ChatTurnsOptions options)
    : loop_(loop),
      book_(book),
      threads_(threads),
      servers_(servers),
      model_(model),
      policy_(policy),
      random_(std::move(random)),
      options_(std::move(options)),
      holder_(token(random_)) {}

ChatTurns::~ChatTurns() = default;

Task<Status> ChatTurns::begin(ChatSession& session, model::Message said, std::vector<Held> charges,
                              OnEnd on_end) {
  if (session.state != ChatSession::State::kIdle) co_return busy(session);
  if (running_.size() >= options_.running_max) {
    co_return Error{ErrorCode::kLimitReached, "too many turns are under way"};
  }
  std::vector<ChatMessage> added;
  added.push_back(book_.message(std::move(said)));
  std::string past = session.thread();
  if (session.turns > 0) {
    const Status erased = co_await threads_.erase(std::move(past));
    if (!erased.ok()) co_return erased;
  }
  ++session.turns;
  const Status started = co_await start(session, std::move(added), std::nullopt, std::move(on_end));
  const auto working = running_.find(session.id);
  if (started.ok() && working != running_.end()) working->second->charges = std::move(charges);
  co_return started;
}

Task<Status> ChatTurns::decide(ChatSession& session, std::string approval_id, Json answer,
                               OnEnd on_end) {
  const bool waits = session.state == ChatSession::State::kWaiting &&
                     string_or(session.review, "approval_id", "") == approval_id;
  if (!waits) {
    co_return Error{ErrorCode::kInvalidInput,
                    "the session does not wait for an approval \"" + approval_id + "\""};
  }
  const bool late = book_.now() - session.updated > options_.approval_max;
  if (late && bool_or(answer, "approve", false)) {
    answer = {{"approve", false},
              {"reason", "the approval came too late, the question had expired"}};
  }
  std::vector<ChatMessage> none;
  std::optional<Json> given(std::move(answer));
  co_return co_await start(session, std::move(none), std::move(given), std::move(on_end));
}

// start takes the session for this process and works on its turn.
Task<Status> ChatTurns::start(ChatSession& session, std::vector<ChatMessage> added,
                              std::optional<Json> answer, OnEnd on_end) {
  session.state = ChatSession::State::kRunning;
  session.holder = holder_;
  session.held_until = book_.now() + options_.hold;
  session.review = nullptr;
  const Result<bool> put = co_await book_.put(session, std::move(added));
  if (!put.ok()) co_return put.error();
  if (!put.value()) co_return busy(session);
  auto turn = std::make_unique<Running>(loop_);
  turn->session = session;
  turn->answer = std::move(answer);
  turn->on_end = std::move(on_end);
  turn->feed = &open_feed(session.id);
  Running& working = *turn;
  running_[session.id] = std::move(turn);
  work_.spawn(work(working));
  co_return Done{};
}

// initial returns what the turn started from.
Task<Result<ChatState>> ChatTurns::initial(ChatSession session) {
  Result<std::vector<ChatMessage>> kept =
      co_await book_.messages(session, options_.history_messages_max);
  if (!kept.ok()) co_return kept.error();
  std::vector<ChatMessage>& messages = kept.value();
  if (messages.empty()) co_return Error{ErrorCode::kInvalidInput, "the session has no messages"};
  model::Message said = std::move(messages.back().message);
  messages.pop_back();
  // What is cut off at its beginning begins with a user's message.
  const auto begin = std::ranges::find_if(
      messages, [](const ChatMessage& one) { return one.message.role == model::Role::kUser; });
  std::vector<model::Message> history;
  for (auto one = begin; one != messages.end(); ++one) history.push_back(std::move(one->message));
  co_return agents::chat::chat_turn_state(std::move(history), std::move(said));
}

Task<void> ChatTurns::work(Running& turn) {
  co_await Sleep(loop_, loop_.now());  // Whoever has begun it hears of that first.
  const UserServers::Use links = servers_.of(turn.session.user);
  TurnEnd end;
  end.session = turn.session;
  // A turn that goes on has read its links in another process.
  Status linked = co_await links->refresh();
  Result<ChatState> begins = co_await initial(turn.session);
  if (!linked.ok()) begins = linked.error();
  if (begins.ok()) {
    model::TracedModel model(model_, options_.tracer);
    connector::TracedClient hub(links->hub(), options_.tracer);
    agents::chat::ChatServices services{model, hub, policy_, &*links};
    services.samples = &links->samples();
    services.instructions = options_.instructions;
    services.settings = options_.settings;
    services.limits = options_.limits;
    services.window_tokens = options_.window_tokens;
    services.summarizes = options_.summarizes;
    services.shelf = &shelf_;
    graph::SavedCheckpoints<ChatState> checkpoints(threads_);
    agents::chat::ChatThread thread(checkpoints, turn.session.thread(), loop_);
    Teller teller(*turn.feed);
    graph::RunOptions bounds;
    bounds.deadline = after(loop_.now(), options_.turn_max);
    agents::GraphSpans spans(options_.tracer, &teller);
    spans.begin("chat", turn.session.id, "");
    agents::chat::ChatTurn chat(services, loop_, &spans, &thread, bounds);
    ChatState state = std::move(begins).value();
    co_await chat.start(std::move(state));
    if (turn.answer && chat.review() != nullptr) co_await chat.resume(*std::move(turn.answer));
    spans.end(chat.review() == nullptr ? chat.state().error.value_or("") : "");
    end = co_await finish(turn, chat);
  } else {
    end.lost = begins.error();
    turn.over = true;
    tell_end(turn, end, {});
  }
  over_.push_back(std::move(running_.extract(turn.session.id).mapped()));
  if (turn.on_end) turn.on_end(end);
}

// finish keeps what the turn has come to.
Task<TurnEnd> ChatTurns::finish(Running& turn, agents::chat::ChatTurn& chat) {
  const Turns::Turn mine = co_await turn.writes.take();
  turn.over = true;
  TurnEnd end;
  std::vector<ChatMessage> added;
  if (const Json* const review = chat.review()) {
    turn.session.state = ChatSession::State::kWaiting;
    turn.session.review = *review;
  } else if (chat.superseded()) {
    end.session = turn.session;
    end.lost = Error{ErrorCode::kConflict, *chat.state().error};
    tell_end(turn, end, added);
    co_return end;
  } else {
    turn.session.state = ChatSession::State::kIdle;
    end.failed = chat.state().error.has_value();
    const auto begins = static_cast<std::size_t>(chat.state().turn_begins) + 1;
    std::vector<model::Message>& all = chat.state().messages;
    for (std::size_t at = begins; at < all.size(); ++at) {
      added.push_back(book_.message(std::move(all[at])));
    }
    if (end.failed && !added.empty()) added.back().message.is_error = true;
  }
  std::vector<ChatMessage> copy = added;
  const Result<bool> put = co_await book_.put(turn.session, std::move(copy));
  if (!put.ok()) end.lost = put.error();
  if (put.ok() && !put.value()) end.lost = busy(turn.session);
  end.session = turn.session;
  tell_end(turn, end, added);
  co_return end;
}

// renew says of every turn here that this process is alive.
Task<void> ChatTurns::renew() {
  std::vector<Running*> all;
  for (const auto& [id, turn] : running_) all.push_back(turn.get());
  for (Running* const turn : all) {
    const Turns::Turn mine = co_await turn->writes.take();
    if (turn->over) continue;
    turn->session.held_until = book_.now() + options_.hold;
    // Who cannot say that he lives is taken for dead, and finds out when he is done.
    std::vector<ChatMessage> none;
    [[maybe_unused]] const Result<bool> put = co_await book_.put(turn->session, std::move(none));
  }
  over_.clear();
}

Task<Status> ChatTurns::take_up() {
  const Result<std::vector<std::string>> ids = co_await book_.unfinished();
  if (!ids.ok()) co_return ids.error();
  for (const std::string& id : ids.value()) {
    if (running_.contains(id)) continue;
    std::string wanted = id;
    Result<std::optional<ChatSession>> found = co_await book_.find(std::move(wanted));
    if (!found.ok()) co_return found.error();
    if (!found.value()) continue;
    ChatSession& session = *found.value();
    const bool dead = session.state == ChatSession::State::kRunning &&
                      session.held_until <= book_.now() && !running_.contains(id);
    if (!dead) continue;
    // One that somebody else takes up first is his.
    std::vector<ChatMessage> none;
    const Status taken = co_await start(session, std::move(none), std::nullopt, nullptr);
    if (!taken.ok() && taken.error().code != ErrorCode::kConflict) co_return taken;
  }
  co_return Done{};
}

Task<void> ChatTurns::keep_up_once() {
  co_await renew();
  // A store that fails now is asked again next time.
  [[maybe_unused]] const Status taken = co_await take_up();
  forget_old_feeds();
  keep_up();
}

void ChatTurns::keep_up() {
  again_.emplace([this] { upkeep_.spawn(keep_up_once()); });
  loop_.arm(*again_, after(loop_.now(), options_.hold / 3));
}

EventFeed* ChatTurns::feed(const std::string& session_id) {
  const auto found = feeds_.find(session_id);
  return found == feeds_.end() ? nullptr : found->second.feed.get();
}

EventFeed& ChatTurns::open_feed(const std::string& session_id) {
  if (feeds_.size() >= options_.feeds_max) forget_old_feeds();
  Fed& fed = feeds_[session_id];
  fed.ended.reset();
  fed.feed = std::make_unique<EventFeed>(loop_, token(random_), options_.feed, [] {});
  return *fed.feed;
}

void ChatTurns::forget_old_feeds() {
  std::erase_if(feeds_, [this](const auto& one) {
    const std::optional<Instant>& ended = one.second.ended;
    return ended && after(*ended, options_.feed_kept) <= loop_.now();
  });
}

void ChatTurns::tell_end(Running& turn, const TurnEnd& end, const std::vector<ChatMessage>& added) {
  EventFeed& feed = *turn.feed;
  if (end.lost) {
    if (options_.on_failure) options_.on_failure(end.lost->message);
    feed.send("error", {{"error", "agent_execution_failed"}, {"message", end.lost->message}});
  } else if (end.session.state == ChatSession::State::kWaiting) {
    feed.send("approval.needed", end.session.review);
  } else if (end.failed) {
    const std::string why = added.empty() ? "" : added.back().message.text;
    if (options_.on_failure) options_.on_failure(why);
    feed.send("error", {{"error", "agent_execution_failed"}, {"message", why}});
  } else if (!added.empty()) {
    feed.send("message", shown(added.back()));
  }
  feed.send("done", {{"state", name_of(end.session.state)}});
  feed.end();
  feeds_[turn.session.id].ended = loop_.now();
}

Task<void> ChatTurns::drain(Duration at_most) {
  again_.reset();
  Task<bool> ended = all_ended();
  const Instant until = after(loop_.now(), at_most);
  [[maybe_unused]] const Result<bool> in_time =
      co_await with_deadline(loop_, until, "the turns", std::move(ended));
}

Task<bool> ChatTurns::all_ended() {
  co_await work_.join(loop_);
  co_return true;
}

}  // namespace plumbline::service
