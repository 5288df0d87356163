#include "conformance/fuzz/player.h"

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/peer/opening.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kFramesMax = 12'000;  // Of one connection: the wire bears some more.
constexpr std::size_t kGarbageMax = 500;
constexpr std::size_t kLogEntriesMax = 60'000;
constexpr std::size_t kSentBytesMax = 24U << 20U;
constexpr std::size_t kSaidStepsMax = 5'000;
constexpr Duration kCutAfter = std::chrono::milliseconds(3);
constexpr Duration kStragglers = std::chrono::milliseconds(5);
constexpr Duration kDeathThroes = std::chrono::seconds(1);

std::string shape_of(const Json& value) {
  if (!value.is_object()) return value.type_name();
  std::string names;
  for (const auto& [name, unused] : value.items()) names += name + ",";
  return names;
}

std::size_t items_of(const Json& result) {
  for (const char* const list : {"tools", "resources", "resourceTemplates", "prompts"}) {
    const Json* const items = find(result, list);
    if (items != nullptr && items->is_array()) return items->size();
  }
  return 0;
}

FuzzAnswer read_answer(const Json& message) {
  FuzzAnswer answer;
  if (const Json* const error = find(message, "error")) {
    answer.how = FuzzAnswer::How::kError;
    answer.code = int_or(*error, "code", 0);
    answer.shape = shape_of(*error);
  } else if (const Json* const result = find(message, "result")) {
    answer.how =
        bool_or(*result, "isError", false) ? FuzzAnswer::How::kToolError : FuzzAnswer::How::kResult;
    answer.shape = shape_of(*result);
    answer.items = items_of(*result);
  }
  return answer;
}

bool answers_something(const Json& message) {
  return message.is_object() && !message.contains("method") &&
         (message.contains("result") || message.contains("error"));
}

// until_honest returns where the answer to what was asked behind a session stands; 0: there is
// none.
std::size_t until_honest(const Played& played) {
  return played.honest.frame == FuzzAnswer::kNoFrame ? 0 : played.honest.frame;
}

// are_cut returns the exchanges whose answers were not waited for.
std::set<std::size_t> are_cut(const FuzzCase& session, const std::vector<std::size_t>& exchanges) {
  std::set<std::size_t> cut;
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    if (session.steps[i].cut) cut.insert(exchanges[i]);
  }
  return cut;
}

// ids_in returns the ids that a session has given out, and that of answers to what has none.
std::set<Json> ids_in(const FuzzCase& session) {
  std::set<Json> ids = {Json()};
  for (const FuzzStep& step : session.steps) {
    const Result<Json> message = parse_json(step.text);
    if (!message.ok()) continue;
    const Json all = message.value().is_array() ? message.value() : Json::array({message.value()});
    for (const Json& one : all) {
      if (const Json* const id = find(one, "id")) ids.insert(*id);
    }
  }
  return ids;
}

}  // namespace

Player::Player(Subject& like, std::string revision, const SessionMaker& maker, Duration patience)
    : like_(like), revision_(std::move(revision)), maker_(maker), patience_(patience) {}

Task<std::unique_ptr<Session>> Player::fresh_session() {
  SessionOptions options;
  options.revision = revision_;
  options.capabilities = all_capabilities(revision_);
  options.listen = false;
  Result<std::unique_ptr<Session>> session =
      co_await open_session(*subject_, std::move(options), 0);
  if (!session.ok()) co_return nullptr;
  co_return std::move(session).value();
}

Task<Status> Player::open() {
  co_await close();
  log_ = std::make_unique<WireLog>(like_.log().redactor(), like_.loop().now());
  subject_ = std::make_unique<Subject>(like_, *log_);
  SessionOptions options;
  options.revision = revision_;
  options.capabilities = all_capabilities(revision_);
  options.listen = false;
  Result<std::unique_ptr<Session>> session =
      co_await open_session(*subject_, std::move(options), 0);
  if (!session.ok()) co_return session.error();
  session_ = std::move(session).value();
  garbage_ = sent_bytes_ = steps_ = 0;
  if (!is_stateless(revision_) && session_->opening().result() == nullptr) {
    co_return Error{ErrorCode::kDisconnected,
                    "initialize was answered with " + session_->opening().describe()};
  }
  co_return Done{};
}

Task<void> Player::close() {
  if (other_) co_await other_->close();
  other_.reset();
  if (session_) co_await session_->close();
  session_.reset();
  subject_.reset();
  log_.reset();
}

bool Player::worn() const {
  if (!session_) return true;
  const Inbox& inbox = session_->wire().inbox();
  return inbox.closed || inbox.frames.size() > kFramesMax || garbage_ > kGarbageMax ||
         sent_bytes_ > kSentBytesMax || steps_ > kSaidStepsMax || log_->full() ||
         log_->entries().size() > kLogEntriesMax;
}

std::size_t Player::send(Session& session, const FuzzStep& step) {
  const Result<Json> message = parse_json(step.text);
  wire::HttpHeaders headers = session.headers_for(message.ok() ? message.value() : Json());
  return session.wire().send(step.text, std::move(headers), 0);
}

// say_lines says everything at once; what is answered is looked at behind it.
Task<void> Player::say_lines(FuzzCase session) {
  for (const FuzzStep& step : session.steps) {
    AskedOf life = maker_.asked().front();
    if (step.apart) (void)co_await ask(std::move(life), patience_);
    send(*session_, step);
  }
}

// say_posts posts one step after the other, each once the one before it is answered or cut.
Task<void> Player::say_posts(FuzzCase session, std::vector<std::size_t>& exchanges) {
  for (const FuzzStep& step : session.steps) {
    if (step.other && !other_) other_ = co_await fresh_session();
    Session& speaker = step.other && other_ ? *other_ : *session_;
    const std::size_t exchange = send(speaker, step);
    exchanges.push_back(exchange);
    Inbox& inbox = speaker.wire().inbox();
    const Instant deadline = after(subject_->loop().now(), step.cut ? kCutAfter : patience_);
    while (!inbox.exchanges[exchange].ended && !inbox.closed) {
      const bool more = co_await inbox.change(deadline);
      if (!more) break;
    }
    if (!inbox.exchanges[exchange].ended) speaker.wire().drop(exchange);
  }
}

bool Player::answered(const Json& id, std::size_t frames_before) const {
  const std::vector<Frame>& frames = session_->wire().inbox().frames;
  for (std::size_t i = frames.size(); i > frames_before; --i) {
    const Json& message = *frames[i - 1].message;
    const Json* const its = find(message, "id");
    if (its != nullptr && *its == id && answers_something(message)) return true;
  }
  return false;
}

FuzzAnswer Player::answer_to(const Json& id, std::size_t frames_before) const {
  const std::vector<Frame>& frames = session_->wire().inbox().frames;
  for (std::size_t i = frames_before; i < frames.size(); ++i) {
    const Json& message = *frames[i].message;
    const Json* const its = find(message, "id");
    if (its == nullptr || *its != id || !answers_something(message)) continue;
    FuzzAnswer answer = read_answer(message);
    answer.frame = i;
    return answer;
  }
  return {};
}

// await_answer waits until request `id` is answered, or nothing can come any more.
Task<bool> Player::await_answer(Json id, std::size_t frames_before, std::size_t exchange,
                                Duration patience) {
  Inbox& inbox = session_->wire().inbox();
  const Instant deadline = after(subject_->loop().now(), patience);
  while (!answered(id, frames_before)) {
    if (inbox.closed || (exchange > 0 && inbox.exchanges[exchange].ended)) break;
    const bool more = co_await inbox.change(deadline);
    if (!more) break;
  }
  co_return answered(id, frames_before);
}

Task<FuzzAnswer> Player::ask(AskedOf asked, Duration patience) {
  FuzzStep step;
  step.id = "plumbline-asks-" + std::to_string(++asked_);
  step.text = dump_json(maker_.message_of(asked, step.id));
  const std::size_t frames_before = session_->wire().inbox().frames.size();
  const std::size_t exchange = send(*session_, step);
  Json id = step.id;
  co_await await_answer(std::move(id), frames_before, exchange, patience);
  FuzzAnswer answer = answer_to(step.id, frames_before);
  if (exchange > 0) answer.status = session_->wire().inbox().exchanges[exchange].status;
  co_return answer;
}

Task<void> Player::wait_for_stragglers(FuzzCase session, std::size_t frames_before) {
  Inbox& inbox = session_->wire().inbox();
  const auto all_answered = [&] {
    return std::ranges::all_of(session.steps, [&](const FuzzStep& step) {
      return step.id.is_null() || answered(step.id, frames_before);
    });
  };
  const Instant deadline = after(subject_->loop().now(), kStragglers);
  while (!inbox.closed && !all_answered()) {
    const bool more = co_await inbox.change(deadline);
    if (!more) break;
  }
}

Task<Played> Player::play(FuzzCase session, const Honest* honest) {
  Played played;
  played.log_begin = log_->entries().size();
  const std::size_t frames_before = session_->wire().inbox().frames.size();
  for (const FuzzStep& step : session.steps) sent_bytes_ += step.text.size();
  steps_ += session.steps.size();
  std::vector<std::size_t> exchanges;
  if (session_->wire().http()) {
    co_await say_posts(session, exchanges);
  } else {
    co_await say_lines(session);
  }
  AskedOf asked = maker_.asked().front();
  if (honest != nullptr) asked = honest->asked;
  played.honest = co_await ask(std::move(asked), patience_);
  if (played.honest.how == FuzzAnswer::How::kNone && !session_->wire().inbox().closed) {
    AskedOf life = maker_.asked().front();
    const FuzzAnswer alive = co_await ask(std::move(life), patience_);
    played.hangs = alive.how == FuzzAnswer::How::kNone && alive.status == 0;
  }
  if (!session_->wire().http() && !played.hangs) {
    co_await wait_for_stragglers(session, frames_before);
  }
  for (std::size_t i = 0; i < session.steps.size(); ++i) {
    const FuzzStep& step = session.steps[i];
    const bool here = !step.other || !other_;
    FuzzAnswer answer;
    if (here && !step.id.is_null()) answer = answer_to(step.id, frames_before);
    answer.prompt = answer.frame < until_honest(played);
    if (!exchanges.empty()) {
      Session& speaker = here ? *session_ : *other_;
      answer.status = speaker.wire().inbox().exchanges[exchanges[i]].status;
    }
    played.answers.push_back(std::move(answer));
  }
  look_at_frames(played, session, are_cut(session, exchanges), frames_before);
  co_await look_after(played);
  co_return played;
}

void Player::look_at_frames(Played& played, const FuzzCase& session,
                            const std::set<std::size_t>& cut, std::size_t frames_before) {
  const std::vector<Frame>& frames = session_->wire().inbox().frames;
  const std::set<Json> ids = ids_in(session);
  for (std::size_t i = frames_before; i < frames.size(); ++i) {
    const Frame& frame = frames[i];
    if (!frame.garbage.empty()) {
      ++garbage_;
      played.garbage.push_back(frame.garbage);
    }
    if (frame.message->is_object() && answers_something(*frame.message)) {
      FuzzAnswer answer = read_answer(*frame.message);
      const Json* const id = find(*frame.message, "id");
      answer.prompt = i < until_honest(played) && !cut.contains(frame.exchange) &&
                      (id == nullptr || ids.contains(*id));
      if (answer.how == FuzzAnswer::How::kError || answer.how == FuzzAnswer::How::kToolError) {
        played.errors.push_back(*frame.message);
      }
      played.met.push_back(answer);
    }
  }
}

// look_after tells how the process fares.
Task<void> Player::look_after(Played& played) {
  Wire& wire = session_->wire();
  if (wire.inbox().closed && !wire.http()) {
    // Who has closed its stdout is about to end.
    const Instant deadline = after(subject_->loop().now(), kDeathThroes);
    while (!wire.has_exited()) {
      if (subject_->loop().now() >= deadline) break;
      const Instant again = after(subject_->loop().now(), std::chrono::milliseconds(5));
      co_await Sleep(subject_->loop(), again);
    }
    played.died = wire.has_exited() ? wire.diagnosis() : "";
    played.crashed = wire.has_exited() && !wire.exit_code();
  }
  if (wire.http() && played.honest.how == FuzzAnswer::How::kNone && played.honest.status == 0) {
    const Exchange& last = wire.inbox().exchanges.back();
    if (last.failed) played.gone = last.failed->message;
  }
  played.memory_bytes = wire.memory_bytes();
}

}  // namespace plumbline::conformance
