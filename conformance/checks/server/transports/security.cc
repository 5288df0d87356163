// What attackers try: spec, basic/transports, Security Warning; the Security Considerations of the
// features; the security best practices.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "conformance/wire/entropy.h"
#include "conformance/wire/header_names.h"

namespace plumbline::conformance {

namespace {

constexpr int kDepth = 10'000;
constexpr std::size_t kLargeInputBytes = 1U << 20U;
constexpr const char* kRebound = "plumbline-rebinding.example";

Task<Finding> draws_its_session_ids(Probe& probe) {
  const auto first = probe.survey().opening.headers.get(kSessionHeader);
  if (!first) co_return not_for_it("it gives no session ids");
  std::vector<std::string> ids{std::string(*first)};
  for (int i = 0; i < 3; ++i) {
    Client client = co_await open_quietly(probe);
    if (!client.session().usable()) co_return undecided("it could not be opened again");
    ids.push_back(client.session().session_id());
  }
  const std::string weak = weakness_of(ids);
  co_return weak.empty()
      ? passes()
      : about(broken("its session ids can be foretold: " + weak), probe.survey().opening);
}

// still_serves asks again: over stdio the same process, elsewhere on a new connection.
Task<bool> still_serves(Probe& probe, Client client) {
  if (!probe.over_stdio()) client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return false;
  const bool lives = co_await client.alive();
  co_return lives;
}

Task<Finding> survives_deep_input(Probe& probe) {
  Client client = probe.client();
  const std::string text =
      R"({"jsonrpc":"2.0","method":"notifications/plumbline","params":{"deep":)" +
      std::string(kDepth, '[') + std::string(kDepth, ']') + "}}";
  const Reaction reaction = co_await client.provoke(text);
  const bool lives = co_await still_serves(probe, client);
  if (lives) co_return passes();
  co_return about(broken("after JSON of 10000 levels, answered by " + reaction.describe() +
                         ", it no longer answers"),
                  reaction);
}

// The size is in blanks: nothing that is kept of the message is large. It is an ordinary request,
// so that a server which chooses its era by what comes first chooses right.
Task<Finding> survives_large_input(Probe& probe) {
  Client client = probe.client();
  std::string text =
      dump_json(client.request_of(std::string(client.harmless_method()), Json::object()));
  text.insert(1, kLargeInputBytes, ' ');
  const Reaction reaction = co_await client.provoke(text);
  const bool lives = co_await still_serves(probe, client);
  if (lives) co_return passes();
  co_return about(broken("after a message of a megabyte, answered by " + reaction.describe() +
                         ", it no longer answers"),
                  reaction);
}

// A page whose name was bound anew to a local address asks with that name as Host and in Origin: a
// server that compares the two takes it for its own.
Task<Finding> withstands_rebinding(Probe& probe) {
  if (!probe.over_http()) co_return not_for_it("it is not asked over Streamable HTTP");
  const wire::Url& url = probe.subject().spec().url;
  if (!is_loopback(url.host)) co_return not_for_it("it is not called by a loopback address");
  if (probe.user_headers().count("Authorization") > 0) {
    co_return not_for_it("a page of somebody else has no token");
  }
  Client client = co_await open_quietly(probe);
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const std::string host = std::string(kRebound) + ":" + std::to_string(url.port);
  const wire::HttpHeaders from_there = {{"Host", host}, {"Origin", "http://" + host}};
  const Reply reply = co_await ask_harmlessly(client, from_there);
  if (reply.status == 0) co_return undecided("it was not answered");
  if (refused_by_status(reply)) co_return passes();
  co_return about(broken("POST with " + host + " as Host and in Origin got " + reply.describe() +
                         ", expected it to be refused"),
                  reply);
}

// invisible returns whether `text` holds characters that a model reads and a person does not see:
// tags, zero-width characters other than joiners, and changes of direction.
bool invisible(std::string_view text) {
  for (const char* const hidden :
       {"\xf3\xa0\x80", "\xf3\xa0\x81", "\xe2\x80\x8b", "\xe2\x81\xa0", "\xe2\x80\xaa",
        "\xe2\x80\xab", "\xe2\x80\xad", "\xe2\x80\xae"}) {
    if (text.find(hidden) != std::string_view::npos) return true;
  }
  return false;
}

std::string hidden_in(std::string text) {
  if (invisible(text)) return "characters that cannot be seen";
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  });
  for (const char* const phrase :
       {"ignore previous instructions", "ignore all previous instructions", "do not tell the user",
        "do not mention this to the user", "<important>", "<!--"}) {
    if (text.find(phrase) != std::string::npos) return "\"" + std::string(phrase) + "\"";
  }
  return {};
}

Task<Finding> hides_no_instructions(Probe& probe) {
  const Survey& survey = probe.survey();
  bool seen = false;
  for (const Listing* const list : {&survey.tools, &survey.prompts, &survey.resources}) {
    for (const Json& item : list->items) {
      seen = true;
      const std::string found = hidden_in(dump_json(item));
      if (found.empty()) continue;
      co_return showing(risky("the definition of \"" + string_or(item, "name", "") + "\" holds " +
                              found + ": it may be meant for a model alone"),
                        item);
    }
  }
  co_return seen ? passes() : not_for_it("it lists nothing");
}

Task<Finding> keeps_its_tools(Probe& probe) {
  if (!probe.survey().tools.whole) co_return not_for_it("it lists no tools");
  Client client = probe.client();
  const Listing again = co_await list_all(client.session(), client.check(), "tools/list", "tools");
  for (const Json& tool : again.items) {
    const std::string name = string_or(tool, "name", "");
    const Json* const before = probe.survey().tool(name);
    if (before == nullptr || *before == tool) continue;
    co_return showing(
        risky("the definition of the tool \"" + name +
              "\" is another one than a moment ago: what a user agreed to has changed"),
        tool);
  }
  co_return passes();
}

// disclosed says what an error text gives away; empty: nothing.
std::string disclosed(const std::string& text) {
  for (const char* const sign : {"\n    at ", "\\n    at ", "Traceback (most recent call last)",
                                 "/home/", "/usr/", "/var/lib/", "node_modules", "C:\\\\"}) {
    if (text.find(sign) != std::string::npos) return sign;
  }
  return {};
}

Task<Finding> gives_nothing_away(Probe& probe) {
  Client client = probe.client();
  std::vector<Json> params(3, Json::object());
  params[0]["name"] = "plumbline-no-such-tool";
  params[1]["uri"] = "plumbline://no/such/resource";
  params[2]["name"] = 7;
  const char* const methods[] = {"tools/call", "resources/read", "prompts/get"};
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Reply reply = co_await client.request(methods[i], std::move(params[i]));
    const std::string found = disclosed(dump_json(*reply.message));
    if (found.empty()) continue;
    co_return risky("an error of " + std::string(methods[i]) + " shows its insides: \"" + found +
                    "\"");
  }
  co_return passes();
}

bool reads_files(const Survey& survey) {
  for (const Listing* const list : {&survey.resources, &survey.templates}) {
    for (const Json& item : list->items) {
      const std::string uri = string_or(item, "uri", string_or(item, "uriTemplate", ""));
      if (uri.starts_with("file:")) return true;
    }
  }
  return false;
}

Task<Finding> stays_in_its_folder(Probe& probe) {
  if (!reads_files(probe.survey())) co_return not_for_it("it offers no files");
  Client client = probe.client();
  for (const char* const uri : {"file:///../../../../etc/passwd",
                                "file:///%2e%2e/%2e%2e/etc/passwd", "file:///etc/passwd"}) {
    Json params(Json::value_t::object);
    params["uri"] = uri;
    const Reply reply = co_await client.request("resources/read", std::move(params));
    if (dump_json(*reply.message).find("root:") == std::string::npos) continue;
    co_return broken("it reads " + std::string(uri) + " to whoever asks");
  }
  co_return passes();
}

constexpr ServerCheck kSecurityChecks[] = {
    {"security.session-ids-non-deterministic", Eras::kStateful, SessionUse::kOpens,
     draws_its_session_ids},
    {"security.deep-input-survived", Eras::kBoth, SessionUse::kAlone, survives_deep_input},
    {"security.large-input-survived", Eras::kBoth, SessionUse::kAlone, survives_large_input},
    {"security.rebinding-refused", Eras::kBoth, SessionUse::kOpens, withstands_rebinding},
    {"security.no-hidden-instructions", Eras::kBoth, SessionUse::kOpens, hides_no_instructions},
    {"security.tools-stable", Eras::kBoth, SessionUse::kAlone, keeps_its_tools},
    {"security.errors-disclose-nothing", Eras::kBoth, SessionUse::kShared, gives_nothing_away},
    {"security.files-confined", Eras::kBoth, SessionUse::kShared, stays_in_its_folder},
};

}  // namespace

ServerChecks security_checks() { return kSecurityChecks; }

}  // namespace plumbline::conformance
