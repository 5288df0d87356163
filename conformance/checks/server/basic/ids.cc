// The ids of requests, and what comes back as theirs: spec, basic, Responses.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kUnknownMethod = "plumbline/no-such-method";
constexpr std::int64_t kBeyond32Bits = std::int64_t{1} << 31;
constexpr std::int64_t kSafeMax = (std::int64_t{1} << 53) - 1;

// ids_of_all_kinds returns ids that careless code takes for others: each is a string or an integer
// that JSON can carry everywhere. They are new to the session, but for 0 and "".
std::vector<Json> ids_of_all_kinds(Session& session) {
  const std::int64_t number = session.next_id();
  const std::string text = std::to_string(number);
  return {number,
          -number,
          kBeyond32Bits + number,
          kSafeMax - number,
          "5000" + text,
          "007" + text,
          "Plumbline-" + text,
          "plumbline-\u00e9-\U0001F600-" + text,
          "plumbline-" + std::string(100, '-') + text};
}

struct Asked {
  Json id;
  Client::Begun begun;
};

std::vector<Asked> ask(Client& client, std::string_view method, const std::vector<Json>& ids) {
  std::vector<Asked> asked;
  for (const Json& id : ids) {
    Json request = client.request_of(std::string(method), Json::object());
    request["id"] = id;
    asked.push_back(Asked{id, client.begin(std::move(request))});
  }
  return asked;
}

// stray_of returns the id of a response that answers none of what was asked; null when all do.
const Json* stray_of(const Reply& reply, const std::vector<Asked>& asked) {
  for (const KeptJson& along : reply.along) {
    if (!along->is_object() || along->contains("method")) continue;
    if (!along->contains("result") && !along->contains("error")) continue;
    static const Json kNone = "none";
    const Json* const id = find(*along, "id");
    if (id == nullptr) return &kNone;
    if (std::ranges::none_of(asked, [&](const Asked& each) { return each.id == *id; })) return id;
  }
  return nullptr;
}

// hear waits for all that was asked, and says what is wrong with the first that was not answered
// under its id.
Task<Finding> hear(Client& client, std::vector<Asked> asked) {
  Finding finding = passes();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    Client::Begun begun = asked[i].begun;
    const Reply reply = co_await client.finish(std::move(begun));
    if (reply.answered() || finding.verdict != Verdict::kPass) continue;
    const Json* const stray = stray_of(reply, asked);
    // An id that has lost its type shows best whose response that is.
    const auto same = std::ranges::find_if(asked, [stray](const Asked& each) {
      return stray != nullptr && each.id.is_string() && each.id == dump_json(*stray);
    });
    const Json& id = same == asked.end() ? asked[i].id : same->id;
    finding = about(broken("a request had the id " + dump_json(id) + ", " +
                           (stray == nullptr ? "and got " + reply.describe()
                                             : "the response has " + dump_json(*stray)) +
                           ", expected the same id"),
                    reply);
  }
  co_return std::move(finding);
}

// judge_ids asks `method` under every kind of id.
Task<Finding> judge_ids(Client& client, std::string method, std::vector<Json> ids) {
  const std::size_t count = ids.size();
  std::vector<Asked> asked = ask(client, method, ids);
  Finding finding = co_await hear(client, std::move(asked));
  if (finding.verdict != Verdict::kPass && !co_await client.alive()) {
    const std::vector<Asked> none;
    const Reply reply = co_await client.request(std::string(client.harmless_method()));
    if (!reply.answered() && stray_of(reply, none) == nullptr) {
      co_return undecided(finding.message + ", and it no longer answers");
    }
  }
  finding.observed = static_cast<std::int64_t>(count);
  co_return std::move(finding);
}

// answers_unknown returns whether what nobody knows gets any response: bare HTTP has no id to
// repeat.
Task<bool> answers_unknown(Client& client) {
  const std::vector<Asked> none;
  const Reply reply = co_await client.request(kUnknownMethod);
  co_return reply.answered() || stray_of(reply, none) != nullptr;
}

// ends_over returns whether a request of that id is the end of a process that answers others.
Task<bool> ends_over(Probe& probe, Json id) {
  SessionOptions options = probe.usual();
  Client client = co_await probe.open(std::move(options));
  if (!client.session().usable() || !co_await client.alive()) co_return false;
  Json request = client.request_of(std::string(client.harmless_method()), Json::object());
  request["id"] = std::move(id);
  const Reply reply = co_await client.exchange(std::move(request));
  co_return reply.how == Reply::How::kClosed;
}

// or_the_end says so where a text for an id ends the subject, each time.
Task<Finding> or_the_end(Probe& probe, Finding finding) {
  constexpr const char* kText = "plumbline-text";
  if (finding.verdict != Verdict::kInconclusive || !probe.over_stdio()) co_return finding;
  for (int time = 0; time < 2; ++time) {
    if (!co_await ends_over(probe, kText)) co_return finding;
  }
  co_return broken(
      "a request with the id \"" + std::string(kText) +
      "\" ended it, twice, and it answers requests whose ids are numbers: an id may be a text");
}

Task<Finding> repeats_ids(Probe& probe) {
  Client client = probe.client();
  std::vector<Json> ids = ids_of_all_kinds(client.session());
  ids.insert(ids.begin() + 1, {Json(0), Json("")});
  Finding of_results = co_await judge_ids(client, std::string(client.harmless_method()), ids);
  if (of_results.verdict != Verdict::kPass) {
    co_return co_await or_the_end(probe, std::move(of_results));
  }
  if (probe.stateless()) co_return std::move(of_results);
  if (!co_await answers_unknown(client)) co_return std::move(of_results);
  Finding of_errors =
      co_await judge_ids(client, kUnknownMethod, ids_of_all_kinds(client.session()));
  of_errors.observed += of_results.observed;
  co_return std::move(of_errors);
}

Task<Finding> repeats_ids_in_errors(Probe& probe) {
  Client client = probe.client();
  if (!co_await answers_unknown(client))
    co_return not_for_it("it answers an unknown method without a response");
  std::vector<Json> ids = ids_of_all_kinds(client.session());
  Finding finding = co_await judge_ids(client, kUnknownMethod, std::move(ids));
  co_return std::move(finding);
}

constexpr std::string_view kLettersId = "plumbline-letters-";

// garbled returns the response since the frame `from` whose id is the one of letters with U+FFFD in
// it; null: none. Ids that are cut short, or are others at all, are another fault.
Json garbled(Client& client, std::size_t from, std::size_t length) {
  const std::vector<Frame>& frames = client.session().wire().inbox().frames;
  for (std::size_t i = from; i < frames.size(); ++i) {
    const std::string other = string_or(*frames[i].message, "id", "");
    const bool whole = other.starts_with(kLettersId) && other.size() > length / 2;
    if (whole && mentions(other, "\ufffd")) return *frames[i].message;
  }
  return nullptr;
}

// joins_letters: a long message comes in pieces, and a piece may end within a letter. The id comes
// back as it was, if the letters were put together again.
//
// Pieces end where pages do, each 4096 bytes, and what was written before may be in the first of
// them. With letters of three bytes no two ends in a row are between letters, however that falls.
Task<Finding> joins_letters(Probe& probe) {
  constexpr int kLetters = 70'000;  // Of three bytes each: no pipe brings them at once.
  if (!probe.over_stdio()) co_return not_for_it("only a pipe is cut where it may");
  Client client = probe.client();
  std::string id(kLettersId);
  for (int i = 0; i < kLetters; ++i) id += "\u65e5";
  Json request = client.request_of(std::string(client.harmless_method()), Json::object());
  request["id"] = id;
  const std::size_t from = client.session().wire().inbox().frames.size();
  const Reply reply = co_await client.exchange(std::move(request));
  if (reply.answered()) co_return passes();
  // What came behind the fence came too late alone.
  const bool alive = reply.how != Reply::How::kClosed && co_await client.alive();
  const Json wrong = garbled(client, from, id.size());
  if (!wrong.is_null()) {
    co_return showing(
        broken("a request with an id of 210 KB, all letters beyond ASCII, was answered under "
               "another id, with U+FFFD in it: each piece of what was sent was decoded by itself, "
               "and a letter between two is lost"),
        wrong);
  }
  if (alive) co_return not_for_it("it does not answer an id of 210 KB by that id");
  co_return undecided("got " + reply.describe() + " to a request of 210 KB");
}

constexpr ServerCheck kIdChecks[] = {
    {"base.split-letters-read", Eras::kBoth, SessionUse::kAlone, joins_letters},
    {"jsonrpc.response-id-matches", Eras::kBoth, SessionUse::kAlone, repeats_ids},
    {"jsonrpc.error-id-matches", Eras::kStateless, SessionUse::kAlone, repeats_ids_in_errors},
};

}  // namespace

ServerChecks id_checks() { return kIdChecks; }

}  // namespace plumbline::conformance
