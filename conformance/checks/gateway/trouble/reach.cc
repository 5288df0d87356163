// Servers that are elsewhere than they seem, that pack what they say, and that have much:
// redirects, an address with a query, answers in gzip, long pages, and many calls at once.

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "core/base/text.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kNoHeaders = "its clients send no headers";
constexpr const char* kLocation = "Location";
constexpr const char* kMirrorPlace = "/mcp?";  // In front of its query.

// No clause says so; but who stands before a server of its own choice is told where that has gone.
Task<Finding> follows_redirects(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::string usual = probe.new_mark();
  const Reply before = co_await probe.call(*session, "echo", GatewayProbe::marked(usual));
  const std::vector<MirrorServer::Heard> heard = probe.heard(usual);
  if (before.result() == nullptr || heard.empty()) co_return undecided("no call goes through");
  if (!heard.front().streamable) co_return not_for_it("it speaks HTTP+SSE with the server");
  probe.mirror().set_redirect(Redirect::kHere);
  const Reply reply = co_await probe.call(*session, "echo", GatewayProbe::marked(probe.new_mark()));
  probe.mirror().set_redirect(Redirect::kNone);
  if (reply.result() != nullptr) co_return passes();
  const std::string to(reply.headers.get(kLocation).value_or(""));
  const std::string own =
      session->wire().http() ? session->subject().spec().url.origin() : std::string();
  // What leads back to the gateway is for its client to follow.
  if (reply.status == 307 && (to.starts_with("/") || to.starts_with(own + "/"))) co_return passes();
  co_return about(
      risky("the server answered a call with 307 and another path of its own, as servers do whose "
            "address has or lacks a slash, and the client got " +
            (to.empty() ? reply.describe()
                        : "307 with Location: " + clipped(to) + ", past the gateway") +
            ": expected that the gateway asks there itself, or names its own address"),
      reply);
}

// RFC 6750, section 5.3.
Task<Finding> keeps_tokens_from_others(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  if (!session->wire().http()) co_return not_for_it(kNoHeaders);
  const auto given = session->subject().spec().headers.get("Authorization");
  const std::string mark = probe.new_mark();
  const std::string shown = given ? std::string(*given) : "Bearer plumbline-" + mark;
  wire::HttpHeaders headers;
  headers.set("Authorization", shown);
  Client client(*session, probe.check());
  Json params(Json::value_t::object);
  params["name"] = probe.exchanges().tool("echo");
  params["arguments"] = GatewayProbe::marked(mark);
  Json message = client.request_of("tools/call", std::move(params));
  probe.mirror().set_redirect(Redirect::kAway);
  const Reply reply = co_await client.exchange(std::move(message), std::move(headers));
  // Who hands the redirect back may go there as well, a moment later.
  co_await Sleep(probe.loop(), after(probe.loop().now(), probe.pace().quiet()));
  const std::vector<wire::HttpRequest> strayed = probe.mirror().strayed();
  probe.mirror().set_redirect(Redirect::kNone);
  const std::string token = shown.substr(shown.find(' ') + 1);
  for (const wire::HttpRequest& one : strayed) {
    for (const auto& [name, value] : one.headers.fields()) {
      if (value.find(token) == std::string::npos) continue;
      co_return about(broken("the server answered a call with 307 to another origin, and the "
                             "gateway went there with the token of its client, in " +
                             name + ": a redirect to another host is followed without it"),
                      reply);
    }
  }
  co_return passes();
}

// came_of says what comes of it that `target` is asked for instead.
std::string came_of(const std::string& target) {
  const std::string path = target.substr(0, target.find('?')) + "?";
  if (path == kMirrorPlace) return ": keys, tenants and sets of tools stand there";
  return ": most servers have nothing at another path, and answer 404 to everything";
}

Task<Finding> keeps_server_address(GatewayProbe& probe) {
  const std::string& query = probe.mirror().query();
  if (query.empty()) co_return not_for_it("it was told the address of the server by somebody else");
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  const std::size_t before = probe.mirror().requests().size();
  const Reply reply = co_await probe.call(*session, "echo", GatewayProbe::marked(probe.new_mark()));
  const std::vector<wire::HttpRequest>& all = probe.mirror().requests();
  if (all.size() <= before) co_return undecided(kNeverReached);
  for (std::size_t i = before; i < all.size(); ++i) {
    const std::string& target = all[i].target;
    if (target.find("/sse") != std::string::npos) co_return not_for_it("it speaks HTTP+SSE");
    if (all[i].method != "POST" || target == kMirrorPlace + query) continue;
    co_return about(broken("it was told that the server is at " + std::string(kMirrorPlace) +
                           query + ", and asked for " + clipped(target) + came_of(target)),
                    reply);
  }
  co_return passes();
}

// RFC 9110, 8.4: Content-Encoding says how content is coded when it arrives.
Task<Finding> reads_compressed(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  probe.mirror().set_packs(true);
  Reply reply;
  const std::vector<MirrorServer::Heard> heard = co_await probe.heard_of_a_call(session, &reply);
  if (heard.empty()) co_return undecided(kNeverReached);
  const auto accepted = heard.front().headers.get("Accept-Encoding");
  if (!accepted) co_return not_for_it("it does not say that it accepts gzip");
  const std::string coding(reply.headers.get("Content-Encoding").value_or(""));
  if (reply.result() != nullptr && (coding.empty() || coding == "identity")) co_return passes();
  co_return about(broken("it told the server Accept-Encoding: " + clipped(*accepted) +
                         ", and its client, which accepts no encoding, got " +
                         (coding.empty() ? reply.describe() : "Content-Encoding: " + coding) +
                         ": what comes in gzip is unpacked, and no longer called so"),
                  reply);
}

// note_many notes which of the many tools a page lists.
void note_many(const Json& page, std::set<int>* found) {
  const Json* const tools = find(page, "tools");
  if (tools == nullptr || !tools->is_array()) return;
  const std::string begin = kMirrorManyTool;
  for (const Json& tool : *tools) {
    const std::string name = string_or(tool, "name", "");
    const std::size_t at = name.find(begin);
    if (at == std::string::npos) continue;
    found->insert(std::atoi(name.c_str() + at + begin.size()));
  }
}

Task<Finding> lists_long_pages(GatewayProbe& probe) {
  constexpr int kPagesMax = 200;
  probe.mirror().set_many(true);
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  std::set<int> found;
  Json params(Json::value_t::object);
  Reply reply;
  for (int page = 0; page < kPagesMax; ++page) {
    reply = co_await client.request("tools/list", params);
    if (reply.result() == nullptr) break;
    note_many(*reply.result(), &found);
    const std::string next = string_or(*reply.result(), "nextCursor", "");
    if (next.empty()) break;
    params["cursor"] = next;
  }
  if (reply.result() == nullptr) {
    co_return about(broken("a server has a page of more than " + std::to_string(kMirrorMany) +
                           " tools, and the client's tools/list came to " + reply.describe()),
                    reply);
  }
  if (found.empty()) co_return not_for_it("it lists what it had listed before, or hides new tools");
  if (static_cast<int>(found.size()) == kMirrorMany) co_return passes();
  co_return about(broken("a server has a page with " + std::to_string(kMirrorMany) +
                         " tools of one kind, and its client can list " +
                         std::to_string(found.size()) + " of them: expected each tool"),
                  reply);
}

constexpr int kManyCalls = 8;

// No clause says how many; hosts call what a model wants at once.
Task<Finding> serves_many_calls(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  Client client(*session, probe.check());
  std::vector<std::string> marks;
  std::vector<Client::Begun> begun;
  for (int i = 0; i < kManyCalls; ++i) {
    marks.push_back(probe.new_mark());
    begun.push_back(probe.begin_call(*session, "hold", GatewayProbe::marked(marks.back())));
  }
  const auto count_held = [&] {
    return std::ranges::count_if(
        marks, [&](const std::string& mark) { return probe.mirror().held(mark) != nullptr; });
  };
  const Instant deadline = after(probe.loop().now(), probe.pace().answer());
  const auto all_held = [&] { return count_held() == kManyCalls; };
  co_await probe.mirror().changes().wait(deadline, all_held);
  const std::ptrdiff_t held = count_held();
  for (const std::string& mark : marks) probe.mirror().release(mark);
  if (held == 0) co_return undecided("no call reached the server");
  bool lost = false;
  Reply last;
  for (Client::Begun& one : begun) {
    Reply reply = co_await client.finish(std::move(one));
    if (reply.result() != nullptr) continue;
    last = std::move(reply);
    lost = true;
    break;
  }
  if (!lost) co_return passes();
  co_return about(risky("of " + std::to_string(kManyCalls) + " calls that a client made at once " +
                        std::to_string(held) + " were at the server together, and one came to " +
                        last.describe() + ": hosts call at once what a model asks for at once"),
                  last);
}

constexpr GatewayCheck kReachChecks[] = {
    {"gateway.keeps-server-address", keeps_server_address},
    {"gateway.reads-compressed", reads_compressed},
    {"gateway.lists-long-pages", lists_long_pages},
    {"gateway.follows-redirects", follows_redirects},
    {"gateway.keeps-tokens-from-others", keeps_tokens_from_others},
    {"gateway.serves-many-calls", serves_many_calls},
};

}  // namespace

GatewayChecks reach_checks() { return kReachChecks; }

}  // namespace plumbline::conformance
