#include "conformance/judge/refused_opening.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revision_names.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/peer/client.h"
#include "conformance/peer/opening.h"
#include "core/base/task_group.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kAnswersInitialize = "lifecycle.server-answers-initialize";
constexpr std::string_view kNewlines = "stdio.newline-delimited";
constexpr std::string_view kCounterOffers = "versioning.server-counter-offers";
// Who has said nothing to initialize, and is there, answers a ping within that.
constexpr Duration kPingMax = std::chrono::milliseconds(400);

// Who wants frames has started, and answers, within that.
constexpr Duration kFramedMax = std::chrono::milliseconds(400);
constexpr std::string_view kFrameHeader = "content-length:";

// refusal_of returns the message that refuses; nullptr: there is none of JSON-RPC.
const Json* refusal_of(const Reply& opening) {
  return opening.error() != nullptr ? opening.message.get() : opening.error_of_another_id();
}

bool is_about_version(const std::string& text) {
  return text.find("version") != std::string::npos || text.find("revision") != std::string::npos;
}

// may_be_right returns whether a refusal may be no fault of the server's, by its status and words.
bool may_be_right(const Reply& opening, const std::string& words) {
  const int status = opening.status;
  if (status == 401 || status == 403 || status == 429 || status / 100 == 3) return true;
  if (status == 502 || status == 503 || status == 504) return true;  // Of a proxy before it.
  return is_for_users(words);
}

// is_own_doing returns whether the refusal alone shows that it is a server that knows initialize,
// or one of JSON-RPC over this transport, and fails.
bool is_own_doing(const Reply& opening, std::int64_t code) {
  const bool stream = opening.events && opening.status == 200 && !opening.resumable;
  if (opening.how == Reply::How::kEnded && stream) return true;
  if (code == 0) return false;
  const bool by_transport = opening.status == 406 || opening.status == 415;
  return by_transport || code == -32602 || code == -32603 || code == -32700;
}

// Manner is what a server does that nobody has initialized.
struct Manner {
  bool alive = false;    // It answers a ping, as it may,
  bool pings = false;    // by a result,
  bool lists = false;    // and tools/list, as if it had been initialized.
  bool refuses = false;  // It refuses initialize then, too.
};

// is_shown returns whether that proves that the refusal is the server's own doing.
bool is_shown(const Manner& manner, const Reply& opening, std::int64_t code) {
  if (manner.lists) return true;
  if (opening.how == Reply::How::kClosed) return manner.alive;
  const bool usual = code == 0 || code == -32601 || code == -32600;
  return manner.pings && usual;
}

// manner_of asks on a new connection.
Task<Manner> manner_of(Subject& subject, SessionOptions options, Duration patience) {
  Manner manner;
  const Json params = initialize_params(options);
  options.handshake = false;
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject, std::move(options), 0);
  if (!opened.ok()) co_return manner;
  const std::unique_ptr<Session> session = std::move(opened).value();
  Client client(*session, 0);
  Client::Begun begun = client.begin(client.request_of("ping", Json::object()));
  const Reply ping = co_await client.finish(std::move(begun), patience);
  manner.alive = ping.answered();
  manner.pings = ping.result() != nullptr;
  if (manner.alive) {
    const Reply list = co_await client.request("tools/list");
    const Json* const result = list.result();
    const Json* const tools = result == nullptr ? nullptr : find(*result, "tools");
    manner.lists = tools != nullptr && tools->is_array() && !find(*result, "resultType");
  }
  const bool silent = ping.how == Reply::How::kSilent;
  if (!silent) {
    const Reply again = co_await client.request("initialize", params);
    manner.refuses = again.result() == nullptr;
  }
  co_await session->close();
  co_return manner;
}

// framed returns a request as language servers get it. The wire adds the newline, which is counted.
std::string framed(std::int64_t id, const char* method, const Json& params) {
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["id"] = id;
  message["method"] = method;
  message["params"] = params;
  const std::string text = dump_json(message);
  return "Content-Length: " + std::to_string(text.size() + 1) + "\r\n\r\n" + text;
}

// ask_in_frames asks who answers no line whether it `wants` a Content-Length before initialize, by
// answering behind another. Who agrees on no version of MCP is a server of another protocol.
Task<void> ask_in_frames(Subject& subject, SessionOptions options, bool& wants) {
  if (subject.spec().transport != Transport::kStdio) co_return;
  const Json params = initialize_params(options);
  options.handshake = false;
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject, std::move(options), 0);
  if (!opened.ok()) co_return;
  const std::unique_ptr<Session> session = std::move(opened).value();
  Wire& wire = session->wire();
  wire.send(framed(1, "initialize", params), {}, 0);
  wire.send(framed(2, "ping", Json::object()), {}, 0);  // Its answer ends the line of the first.
  const auto is_frame = [](const Frame& frame) {
    return lower_case(frame.garbage).starts_with(kFrameHeader);
  };
  const auto agrees = [](const Frame& frame) {
    return at_pointer(*frame.message, "/result/protocolVersion") != nullptr ||
           frame.garbage.find("\"protocolVersion\"") != std::string::npos;
  };
  const std::vector<Frame>& frames = wire.inbox().frames;
  const auto both = [&frames, is_frame, agrees] {
    return std::ranges::any_of(frames, is_frame) && std::ranges::any_of(frames, agrees);
  };
  const Instant deadline = after(subject.loop().now(), kFramedMax);
  wants = co_await wire.inbox().wait(deadline, both);
  co_await session->close();
}

// is_stateless_server returns whether it speaks a revision without initialize, well or badly.
Task<bool> is_stateless_server(Subject& subject) {
  SessionOptions options;
  options.revision = std::string(kNewestStateless);
  Result<std::unique_ptr<Session>> opened = co_await open_session(subject, std::move(options), 0);
  if (!opened.ok()) co_return false;
  const std::unique_ptr<Session> session = std::move(opened).value();
  Client client(*session, 0);
  bool knows = false;
  for (const char* const method : {"server/discover", "tools/list"}) {
    Client::Begun begun = client.begin(client.request_of(method, Json::object()));
    const Reply reply = co_await client.finish(std::move(begun), subject.pace().answer());
    const Json* const result = reply.result();
    const bool modern = result != nullptr && (find(*result, "supportedVersions") != nullptr ||
                                              find(*result, "resultType") != nullptr);
    knows = knows || modern || reply.code() == -32022 || reply.code() == -32021;
    if (knows || reply.how == Reply::How::kSilent) break;
  }
  co_await session->close();
  co_return knows;
}

// strange_version judges a result with a version that cannot be spoken in a session.
Finding strange_version(const std::string& asked, const std::string& version) {
  return broken("asked for " + asked + " it answers with the version " +
                clipped(dump_json(Json(version))) + ", which is no revision of the protocol" +
                (is_stateless(version) ? " that has sessions" : ""));
}

// may_be_later returns whether a refusal names a version that is later than those we know.
bool may_be_later(const Json& error) {
  const Json* const named = at_pointer(error, "/data/supported");
  if (named == nullptr || !named->is_array()) return false;
  return std::ranges::any_of(*named, [](const Json& version) {
    return version.is_string() && version.get<std::string>() > kRevisions.back() &&
           !is_no_revision(version.get<std::string>());
  });
}

// unknown_version judges a refusal for the version: another one is to be offered.
Finding unknown_version(const std::string& asked, const Reply& opening) {
  return broken("asked for " + asked + ", and for each older revision, it answers " +
                opening.describe() + ", expected a result with a version that it supports");
}

Finding refusal(const Manner& manner, Reply opening) {
  if (opening.error() == nullptr && opening.error_of_another_id() != nullptr) {
    opening.how = Reply::How::kEnded;
  }
  const char* const otherwise = manner.lists   ? "; tools/list got a result without it"
                                : manner.pings ? "; ping got a result without it"
                                : manner.alive ? "; ping got an answer without it"
                                               : "";
  return broken("initialize got " + opening.describe() +
                ", expected a result with protocolVersion, capabilities and serverInfo" +
                otherwise);
}

Finding unframed(const Reply& opening) {
  return broken("initialize on a line got " + opening.describe() +
                ", and behind a Content-Length header, as language servers want it, a result with "
                "one of its own: messages of MCP are delimited by newlines alone");
}

}  // namespace

Task<OpeningFault> opening_fault(Subject& subject, SessionOptions usual, Reply opening, bool only) {
  const std::string asked = usual.revision;
  if (const Json* const result = opening.result()) {
    const std::string version = string_or(*result, "protocolVersion", asked);
    const bool strange = is_no_revision(version) || is_stateless(version);
    if (!strange || co_await is_stateless_server(subject)) co_return OpeningFault{};
    co_return OpeningFault{kCounterOffers, about(strange_version(asked, version), opening)};
  }
  const Json* const refused = refusal_of(opening);
  const std::string words =
      lower_case(refused == nullptr ? opening.body : dump_json(*find(*refused, "error")));
  const std::int64_t code =
      refused == nullptr ? 0 : find_int(*find(*refused, "error"), "code").value_or(0);
  const bool by_version = refused != nullptr && is_about_version(words);
  const bool other = by_version && (only || may_be_later(*find(*refused, "error")));
  if (code == -32022 || other) co_return OpeningFault{};
  if (!by_version && may_be_right(opening, words)) co_return OpeningFault{};
  const bool silent = opening.how == Reply::How::kSilent && refused == nullptr;
  bool framed = false;
  TaskGroup asking;
  if (silent) asking.spawn(ask_in_frames(subject, usual, framed));
  const Duration patience = silent ? kPingMax : subject.pace().opening();
  const Manner manner = co_await manner_of(subject, std::move(usual), patience);
  co_await asking.join(subject.loop());
  if (framed) co_return OpeningFault{kNewlines, about(unframed(opening), opening)};
  const bool own = is_own_doing(opening, code) || is_shown(manner, opening, code);
  if (!manner.refuses || !(own || by_version) || co_await is_stateless_server(subject)) {
    co_return OpeningFault{};
  }
  if (by_version)
    co_return OpeningFault{kCounterOffers, about(unknown_version(asked, opening), opening)};
  Finding finding = refusal(manner, opening);
  co_return OpeningFault{kAnswersInitialize, about(std::move(finding), opening)};
}

}  // namespace plumbline::conformance
