#include "conformance/peer/opening.h"

#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/peer/client.h"

namespace plumbline::conformance {

namespace {

Json client_info() {
  Json info(Json::value_t::object);
  info["name"] = kClientName;
  info["version"] = "1";
  return info;
}

// Starting counts one start until it is dropped.
class Starting {
 public:
  explicit Starting(const Subject& subject)
      : starts_(subject.starts()), changes_(subject.changes()) {
    ++starts_.now;
    changes_.tell();
  }
  Starting(const Starting&) = delete;
  Starting& operator=(const Starting&) = delete;
  ~Starting() {
    --starts_.now;
    changes_.tell();
  }

 private:
  Starts& starts_;
  Changes& changes_;
};

Task<void> shake_hands(Session& session, std::uint32_t check) {
  Client client(session, check);
  Json params = initialize_params(session.options());
  Client::Begun begun = client.begin(client.request_of("initialize", std::move(params)));
  const Duration patience = client.pace().opening();
  Reply opening = co_await client.finish(std::move(begun), patience);
  session.opened_by(std::move(opening));
  if (session.opening().result() == nullptr || !session.options().initialized) co_return;
  co_await say_initialized(session, check);
}

}  // namespace

std::size_t ask_for_stream(Session& session, std::uint32_t check, std::string after) {
  wire::HttpRequest request;
  request.method = "GET";
  request.headers = session.headers_for(nullptr);
  request.headers.set("Accept", "text/event-stream");
  if (!after.empty()) request.headers.set("Last-Event-ID", std::move(after));
  return session.wire().request(std::move(request), check);
}

Json initialize_params(const SessionOptions& options) {
  Json params(Json::value_t::object);
  if (!options.revision.empty()) params["protocolVersion"] = options.revision;
  params["capabilities"] = options.capabilities;
  params["clientInfo"] = client_info();
  if (options.more.is_object()) params.merge_patch(options.more);
  return params;
}

Task<void> say_initialized(Session& session, std::uint32_t check) {
  Client client(session, check);
  co_await client.notify("notifications/initialized");
  session.note_initialized();
  if (session.wire().http() && session.options().listen) ask_for_stream(session, 0);
}

namespace {

Task<Result<std::unique_ptr<Session>>> start_session(Subject& subject, SessionOptions options,
                                                     std::uint32_t check) {
  const auto may_start = [&subject] { return subject.starts().may(); };
  co_await subject.changes().wait(after(subject.loop().now(), kStartsMax), may_start);
  options.capabilities = subject.withheld().without_them(std::move(options.capabilities));
  const Starting starting(subject);
  Result<std::unique_ptr<Wire>> wire = co_await subject.open(options.second_user, options.apart);
  if (!wire.ok()) co_return std::move(wire).error();
  auto session = std::make_unique<Session>(subject, std::move(wire).value(), std::move(options));
  session->begin_answering();
  if (session->options().handshake && !is_stateless(session->revision())) {
    co_await shake_hands(*session, check);
  }
  co_return std::move(session);
}

// start_and_greet returns a session on which the first words were said.
Task<Result<std::unique_ptr<Session>>> start_and_greet(Subject& subject, SessionOptions options,
                                                       std::uint32_t check, Greeting greet) {
  Result<std::unique_ptr<Session>> started =
      co_await start_session(subject, std::move(options), check);
  if (started.ok() && greet) co_await greet(*started.value());
  co_return started;
}

}  // namespace

bool may_be_lost(const Session& session) {
  const Subject& subject = session.subject();
  const Inbox& inbox = session.wire().inbox();
  return subject.spec().transport == Transport::kStdio && inbox.frames.empty() && !inbox.closed &&
         subject.starts().first_answer > Duration{} && !subject.starts().silent_again;
}

Task<Result<std::unique_ptr<Session>>> open_session(Subject& subject, SessionOptions options,
                                                    std::uint32_t check, Greeting greet) {
  const bool shakes = options.handshake && !is_stateless(options.revision);
  Result<std::unique_ptr<Session>> first = co_await start_and_greet(subject, options, check, greet);
  const bool spoken = shakes || greet;
  if (!first.ok() || !spoken || !first.value()->wire().inbox().frames.empty()) co_return first;
  Starts& starts = subject.starts();
  const auto is_alone = [&starts] { return starts.now == 0; };
  co_await subject.changes().wait(after(subject.loop().now(), kStartsMax), is_alone);
  if (!may_be_lost(*first.value())) co_return first;
  co_await first.value()->close();
  Result<std::unique_ptr<Session>> second =
      co_await start_and_greet(subject, std::move(options), check, std::move(greet));
  if (!second.ok()) co_return first;
  starts.silent_again = starts.silent_again || may_be_lost(*second.value());
  co_return second;
}

Task<void> find_transport(Subject& subject) {
  SessionOptions options;
  options.revision = kNewestStateful;
  // It is the first that a peer sees of us, and as able as those that follow.
  options.capabilities = all_capabilities(options.revision);
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject, std::move(options), 0);
  if (!opened.ok()) co_return;
  std::unique_ptr<Session> session = std::move(opened).value();
  const int status = session->opening().status;
  subject.served_once() = session->usable();
  co_await session->close();
  if (status != 400 && status != 404 && status != 405) co_return;
  subject.speak_over(Transport::kSse);
  Result<std::unique_ptr<Wire>> wire = co_await subject.open();
  const bool astray = !wire.ok() && wire.error().code == ErrorCode::kUnsupported;
  if (!wire.ok() && !astray) subject.speak_over(Transport::kHttp);
}

}  // namespace plumbline::conformance
