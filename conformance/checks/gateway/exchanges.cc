#include "conformance/checks/gateway/exchanges.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/checks/gateway/mirror_content.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/opening.h"

namespace plumbline::conformance {

namespace {

constexpr int kGatewayPagesMax = 8;
constexpr std::size_t kExchangeEvidenceMax = 20;

// What a gateway that speaks another revision with the server has to say for itself.
constexpr std::string_view kOwn =
    "/result/resultType /result/_meta/io.modelcontextprotocol~1serverInfo "
    "/params/_meta/progressToken /params/_meta/io.modelcontextprotocol~1protocolVersion "
    "/params/_meta/io.modelcontextprotocol~1clientCapabilities "
    "/params/_meta/io.modelcontextprotocol~1clientInfo";

// is_own returns whether a gateway may differ so: in what is its own, and by _meta of its own.
bool is_own(const Difference& difference) {
  if (is_within(difference.pointer, kOwn)) return true;
  const bool added_default = difference.after && *difference.after == Json(false) &&
                             difference.pointer == "/result/isError";
  if (added_default) return true;
  return !difference.before && difference.pointer.find("/_meta") != std::string::npos;
}

// is_renamed returns whether the page of a tool, as hosts of MCP Apps open it, has another uri that
// holds its own.
bool is_renamed(const Difference& one) {
  if (!one.pointer.ends_with("/_meta/ui/resourceUri") || !one.before || !one.after) return false;
  if (!one.before->is_string() || !one.after->is_string()) return false;
  return one.after->get_ref<const std::string&>().find(one.before->get<std::string>()) !=
         std::string::npos;
}

std::vector<Difference> differences_of(const Json& before, const Json& after) {
  std::vector<Difference> all = differences(before, after);
  std::erase_if(all, is_own);
  return all;
}

// members_of returns those members of `value` that it has.
Json members_of(const Json& value, std::initializer_list<const char*> names) {
  Json members(Json::value_t::object);
  for (const char* const name : names) {
    if (const Json* const member = find(value, name)) members[name] = *member;
  }
  return members;
}

std::vector<std::string> keys_of(const Json& items, std::string_view key) {
  std::vector<std::string> keys;
  for (const Json& item : items) keys.push_back(string_or(item, key, ""));
  return keys;
}

// is_call_of returns whether these params, which the server got, are of the call of a row called
// `name`: arguments may be lost on the way, and the call is the same.
bool is_call_of(const Json& params, std::string_view name) {
  const Json* const mark = at_pointer(params, "/arguments/mark");
  if (mark == nullptr) return string_or(params, "name", "") == name;
  return *mark == Json(std::string(name));
}

}  // namespace

struct Exchanges::Row {
  Ask ask;
  std::string_view method;
  std::string_view capability;  // Empty: nobody declares it.
  std::string_view name;        // Of the tool.
};

const Exchanges::Row Exchanges::kRows[] = {
    {Ask::kOpening, "initialize", "", ""},
    {Ask::kTools, "tools/list", "tools", ""},
    {Ask::kPrompts, "prompts/list", "prompts", ""},
    {Ask::kResources, "resources/list", "resources", ""},
    {Ask::kTemplates, "resources/templates/list", "resources", ""},
    {Ask::kRich, "tools/call", "tools", "rich"},
    {Ask::kRefuse, "tools/call", "tools", "refuse"},
    {Ask::kStream, "tools/call", "tools", "stream"},
    {Ask::kBare, "tools/call", "tools", "bare"},
    {Ask::kPlain, "tools/call", "tools", "plain"},
    {Ask::kStrict, "tools/call", "tools", "strict"},
    {Ask::kPrompt, "prompts/get", "prompts", ""},
    {Ask::kBarePrompt, "prompts/get", "prompts", ""},
    {Ask::kText, "resources/read", "resources", ""},
    {Ask::kBlob, "resources/read", "resources", ""},
    {Ask::kMissing, "resources/read", "resources", ""},
    {Ask::kCompletion, "completion/complete", "completions", ""},
    {Ask::kLogLevel, "logging/setLevel", "logging", ""},
    {Ask::kSubscribe, "resources/subscribe", "resources", ""},
};

Task<const Exchanged*> Exchanges::of(Ask ask, std::uint32_t check) {
  const auto found = made_.find(ask);
  if (found != made_.end()) co_return &found->second;
  const Row* const row = std::ranges::find(kRows, ask, &Row::ask);
  Exchanged made = co_await make(row, check);
  co_return &made_.emplace(ask, std::move(made)).first->second;
}

Task<Session*> Exchanges::enter(std::uint32_t check) {
  if (session_ != nullptr && session_->usable()) co_return session_.get();
  if (session_ != nullptr) given_up_.push_back(std::move(session_));
  SessionOptions options;
  options.revision = revision_;
  options.capabilities = all_capabilities(revision_);
  Result<std::unique_ptr<Session>> opened =
      co_await open_session(subject_, std::move(options), check);
  if (!opened.ok()) {
    why_ = opened.error().message;
    co_return nullptr;
  }
  session_ = std::move(opened).value();
  if (session_->usable()) co_return session_.get();
  why_ = "initialize through the gateway was answered by " + session_->opening().describe();
  co_return nullptr;
}

Task<Exchanged> Exchanges::make(const Row* row, std::uint32_t check) {
  Exchanged none;
  Session* const session = co_await enter(check);
  if (session == nullptr) {
    none.why = why_;
    co_return none;
  }
  if (row->ask == Ask::kOpening) co_return co_await open(check);
  if (offered_.is_null()) co_await of(Ask::kOpening, check);
  if (!offers(row->capability)) {
    none.lacks = "it declares no " + std::string(row->capability) + " to its clients";
    co_return none;
  }
  if (mirror_list_of(row->method) != nullptr) co_return co_await list(row, check);
  // What it is called here is known from its list.
  if (row->method == "tools/call") co_await of(Ask::kTools, check);
  if (row->method == "prompts/get" || row->ask == Ask::kCompletion) {
    co_await of(Ask::kPrompts, check);
  }
  // What points to resources is compared by how those are called here.
  if (row->capability == "resources" || row->ask == Ask::kRich || row->ask == Ask::kPrompt) {
    co_await of(Ask::kResources, check);
  }
  co_return co_await ask(row, check);
}

Task<Exchanged> Exchanges::open(std::uint32_t check) {
  Exchanged made;
  if (is_stateless(revision_)) {
    Client client(*session_, check);
    made.reply = co_await client.request("server/discover");
  } else {
    made.reply = session_->opening();
  }
  offered_ = Json::object();
  if (made.reply.result() == nullptr) {
    made.why = "it answered the opening with " + made.reply.describe();
    co_return made;
  }
  made.reached = true;
  const std::string behind = revision_behind();
  Json before(Json::value_t::object);
  before["capabilities"] = mirror_part("capabilities", behind);
  before["instructions"] = mirror_part("instructions", behind);
  const Json after = members_of(*made.reply.result(), {"capabilities", "instructions"});
  made.back = differences_of(before, after);
  std::erase_if(made.back, [this](const Difference& one) {
    return (manner_.merges && !one.before) || (manner_.filters && !one.after);
  });
  if (const Json* const offered = find(after, "capabilities")) offered_ = *offered;
  add_evidence(made, check);
  co_return made;
}

// read_pages gathers the items of a list, and what its first page says besides.
Task<Exchanged> Exchanges::read_pages(const Row* row, std::uint32_t check, Json* items,
                                      Json* first) {
  Exchanged made;
  Client client(*session_, check);
  const MirrorList listing = *mirror_list_of(row->method);
  Json cursor;
  for (int page = 1; page <= kGatewayPagesMax; ++page) {
    Json params(Json::value_t::object);
    Json message = client.request_of(std::string(row->method), std::move(params));
    if (!cursor.is_null()) message["params"]["cursor"] = cursor;
    made.reply = co_await client.exchange(std::move(message));
    const Json* const result = made.reply.result();
    const Json* const listed = result == nullptr ? nullptr : find(*result, listing.member);
    if (listed == nullptr || !listed->is_array()) {
      made.why = "page " + std::to_string(page) + " of " + std::string(row->method) + " came to " +
                 made.reply.describe();
      co_return made;
    }
    items->insert(items->end(), listed->begin(), listed->end());
    if (page == 1) *first = members_of(*result, {"ttlMs", "cacheScope"});
    const Json* const next = find(*result, "nextCursor");
    if (next == nullptr || *next == cursor) co_return made;
    cursor = *next;
  }
  co_return made;
}

Task<Exchanged> Exchanges::list(const Row* row, std::uint32_t check) {
  const MirrorList listing = *mirror_list_of(row->method);
  Json items = Json::array();
  Json after(Json::value_t::object);
  Exchanged made = co_await read_pages(row, check, &items, &after);
  if (!made.why.empty()) co_return made;
  made.reached = true;
  const std::string behind = revision_behind();
  Json before(Json::value_t::object);
  if (is_stateless(behind)) add_cache_hints(before);
  if (is_stateless(behind) != is_stateless(revision_)) before = after = Json::object();
  const std::string member(listing.member);
  Json& there = before[member] = Json::object();
  for (Json& item : mirror_items(listing, behind)) {
    there[string_or(item, listing.key, "")] = item;
  }
  Json& here = after[member] = named_as_here(listing, there, items, &made.twice);
  for (const std::string& key : keys_of(mirror_items(listing, behind), listing.key)) {
    if (manner_.filters && find(here, key) == nullptr) there.erase(key);
  }
  made.back = differences_of(before, after);
  std::erase_if(made.back, is_renamed);
  add_evidence(made, check);
  co_return made;
}

// named_as_here returns the items by the names that the mirror knows them by, and finds out how
// they were renamed. What others serve is left out of a gateway that merges.
Json Exchanges::named_as_here(const MirrorList& listing, const Json& there, const Json& items,
                              std::string* twice) {
  std::vector<std::string> names;
  for (const auto& [name, item] : there.items()) names.push_back(name);
  Renaming& renaming = names_[std::string(listing.member)];
  const bool declared = !manner_.renames.empty() && listing.key == "name";
  if (declared) {
    renaming = read_renaming(manner_.renames).value();
  } else {
    renaming = find_renaming(names, keys_of(items, listing.key), names_of("tools"));
  }
  Json here(Json::value_t::object);
  for (const Json& item : items) {
    const std::string name = string_or(item, listing.key, "");
    const auto known = std::ranges::find_if(
        names, [&](const std::string& one) { return renaming.of(one) == name; });
    if (known == names.end()) {
      if (!manner_.merges) here[name] = item;
      continue;
    }
    if (here.contains(*known)) *twice = name;
    Json& kept = here[*known] = item;
    kept[std::string(listing.key)] = *known;
  }
  return here;
}

Json Exchanges::params_of(Ask ask) const {
  Json params(Json::value_t::object);
  const auto uri = [&](std::string_view plain) { return names_of("resources").of(plain); };
  if (ask == Ask::kPrompt) {
    params["name"] = names_of("prompts").of(kMirrorPrompt);
    params["arguments"]["who"] = "Zoë – “日本”";
    params["arguments"]["tone"] = "";
  } else if (ask == Ask::kBarePrompt) {
    params["name"] = names_of("prompts").of(kMirrorPrompt);
    params["arguments"] = Json::object();
  } else if (ask == Ask::kCompletion) {
    params["ref"]["type"] = "ref/prompt";
    params["ref"]["name"] = names_of("prompts").of(kMirrorPrompt);
    params["argument"]["name"] = "who";
    params["argument"]["value"] = "wö";
    if (revision_ >= "2025-06-18") params["context"]["arguments"]["tone"] = "";
  } else if (ask == Ask::kLogLevel) {
    params["level"] = "debug";
  } else if (ask == Ask::kText || ask == Ask::kSubscribe) {
    params["uri"] = uri(kMirrorText);
  } else if (ask == Ask::kBlob) {
    params["uri"] = uri(kMirrorBlob);
  } else if (ask == Ask::kMissing) {
    params["uri"] = uri("mirror://missing");
  }
  return params;
}

Task<Exchanged> Exchanges::ask(const Row* row, std::uint32_t check) {
  Exchanged made;
  Client client(*session_, check);
  Json params = params_of(row->ask);
  if (!row->name.empty()) {
    params["name"] = tool(row->name);
    params["arguments"]["mark"] = row->name;
    params["arguments"]["null"] = nullptr;
  }
  Json message = client.request_of(std::string(row->method), std::move(params));
  message["params"]["_meta"]["plumbline.dev/asked"] = Json::array({1, nullptr, "ü"});
  const Json sent = message;
  mirror_.forget_said();
  made.reply = co_await client.exchange(std::move(message));
  const auto answers = [&](const MirrorServer::Said& one) {
    const bool same = row->name.empty() || is_call_of(one.request.params, row->name);
    return one.request.method == row->method && same;
  };
  const auto said = std::ranges::find_if(mirror_.said(), answers);
  made.reached = said != mirror_.said().end();
  add_evidence(made, check);
  if (!made.reached) {
    made.why = std::string(row->method) + " never reached the server, and came to " +
               made.reply.describe();
    co_return made;
  }
  Json asked(Json::value_t::object);
  Json heard(Json::value_t::object);
  asked["params"] = sent["params"];
  heard["params"] = said->request.params;
  for (const char* const name : {"/params/name", "/params/uri", "/params/ref/name"}) {
    const Json::json_pointer at(name);
    if (asked.contains(at) && heard.contains(at)) asked[at] = heard[at];
  }
  made.there = differences_of(asked, heard);
  if (!made.reply.answered()) {
    made.why = "the server answered " + std::string(row->method) + ", and the client got " +
               made.reply.describe();
    co_return made;
  }
  if ((find(said->response, "result") == nullptr) != (made.reply.result() == nullptr)) {
    made.why = "the server answered " + std::string(row->method) + " with " +
               shortened(dump_json(said->response)) + ", and the client got " +
               made.reply.describe();
    const Json* const failed = at_pointer(said->response, "/result/isError");
    made.turned = failed != nullptr && *failed == Json(true) && made.reply.error() != nullptr;
    co_return made;
  }
  made.back = differences_of(members_of(said->response, {"result", "error"}),
                             members_of(*made.reply.message, {"result", "error"}));
  // A resource that is not there has another code in either era.
  if (is_stateless(revision_) != said->request.stateless) {
    std::erase_if(made.back, [](const Difference& one) { return one.pointer == "/error/code"; });
  }
  // Who renames a resource does so wherever it stands.
  if (names_of("resources").of("") != "") {
    std::erase_if(made.back, [](const Difference& one) { return one.pointer.ends_with("/uri"); });
  }
  co_return made;
}

void Exchanges::add_evidence(Exchanged& exchanged, std::uint32_t check) const {
  const Reply& reply = exchanged.reply;
  std::vector<Evidence>& lines = exchanged.evidence;
  lines = subject_.log().evidence_of(check, kExchangeEvidenceMax, reply.places);
  if (lines.empty() || mirror_.said().empty()) return;
  Json shown(Json::value_t::object);
  shown["server sent"] = excerpt(mirror_.said().back().response);
  subject_.log().redactor().redact(shown);
  lines.insert(lines.end() - 1, Evidence{lines.back().at_ms, "--", std::move(shown)});
}

const Renaming& Exchanges::names_of(std::string_view member) const {
  static const Renaming kNone;
  const auto found = names_.find(member);
  return found == names_.end() ? kNone : found->second;
}

bool Exchanges::offers(std::string_view capability) const {
  // Before 2025-03-26 nobody declares that arguments are completed.
  if (capability == "completions" && !knows_completions_capability(revision_)) return true;
  return capability.empty() || find(offered_, capability) != nullptr;
}

// revision_behind returns what the gateway speaks with the server.
std::string Exchanges::revision_behind() const {
  const auto& heard = mirror_.heard();
  return heard.empty() || heard.back().revision.empty() ? revision_ : heard.back().revision;
}

Task<void> Exchanges::close() {
  if (session_ != nullptr) co_await session_->close();
  for (const std::unique_ptr<Session>& session : given_up_) co_await session->close();
}

}  // namespace plumbline::conformance
