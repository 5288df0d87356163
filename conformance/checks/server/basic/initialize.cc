#include "conformance/checks/server/basic/initialize.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kEarly = std::chrono::milliseconds(200);

Task<Reply> ping(Probe&, Client& client) {
  Reply reply = co_await client.request("ping");
  co_return reply;
}

}  // namespace

Task<Opening> initialize(Probe& probe, std::string version) {
  if (version == kNoDate) {
    Opening strange = co_await open_as_stranger(probe);
    if (strange.reply.result() != nullptr) co_return strange;
  }
  SessionOptions options = probe.usual();
  options.capabilities = all_capabilities(kNewestStateful);
  options.revision = version;
  options.initialized = false;
  if (!probe.stateless()) {
    co_return co_await probe.open_once(std::move(version), std::move(options));
  }
  version += ", then ping";
  co_return co_await probe.open_once(std::move(version), std::move(options), ping);
}

SessionOptions with_strange_capabilities(SessionOptions options) {
  options.capabilities["plumblineUnknown"]["a"] = true;
  options.capabilities["experimental"]["com.example/plumbline"] = Json::object();
  options.initialized = false;
  return options;
}

std::vector<MaySay> may_say(std::string_view revision) {
  std::vector<MaySay> all;
  const auto add = [&all](std::string what, const char* params) {
    all.push_back({std::move(what), parse_json(params).value()});
  };
  add("_meta", R"({"_meta": {"com.example/plumbline": 1}})");
  add("capabilities.experimental",
      R"({"capabilities": {"experimental": {"com.example/plumbline": {}}}})");
  if (revision < since::kTitles) return all;
  add("clientInfo.title", R"({"clientInfo": {"title": "Plumbline"}})");
  if (revision < since::kIcons) return all;
  add("clientInfo.description", R"({"clientInfo": {"description": "Judges servers"}})");
  add("clientInfo.websiteUrl",
      R"({"clientInfo": {"websiteUrl": "https://example.com/plumbline"}})");
  add("clientInfo.icons", R"({"clientInfo": {"icons": [{"src": "https://example.com/icon.png",
    "mimeType": "image/png", "sizes": ["48x48"], "theme": "light"}]}})");
  add("capabilities.tasks", R"({"capabilities": {"tasks": {"list": {}, "cancel": {}, "requests":
    {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}}}}})");
  return all;
}

SessionOptions with_all_said(SessionOptions options) {
  options.more = Json::object();
  for (const MaySay& one : may_say(options.revision)) options.more.merge_patch(one.params);
  return options;
}

Task<Reply> ping_early(Probe& probe, Client& client) {
  Reply reply = co_await client.request("ping");
  // Whoever asks too early does so now.
  co_await client.listen(std::max(probe.pace().quiet(), kEarly));
  co_return reply;
}

Task<Opening> open_as_stranger(Probe& probe) {
  SessionOptions options = probe.usual();
  options.capabilities = all_capabilities(kNewestStateful);
  options.revision = kNoDate;
  options = with_all_said(with_strange_capabilities(std::move(options)));
  co_return co_await probe.open_once("a stranger", std::move(options), ping_early);
}

}  // namespace plumbline::conformance
