#include "conformance/checks/gateway/mirror_content.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/catalogue/tables.h"
#include "conformance/checks/gateway/differences.h"
#include "core/base/check.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kSecondPage = "page 2 – ü/+=&?";

// Tools whose description is a manual are known in the field; some gateways leave them off.
constexpr std::string_view kLongDescribed = "plain";
constexpr std::size_t kLongDescriptionBytes = 5'000;

// What is known since (or, with a second date, until) a revision; elsewhere it is not said.
struct Since {
  std::string_view pattern;
  std::string_view since;
  std::string_view until = kNewestStateless;
};

constexpr Since kSince[] = {
    {"/capabilities/completions", since::kCompletionsCapability},
    {"/tools/*/title", "2025-06-18"},
    {"/tools/*/icons", since::kIcons},
    {"/tools/*/inputSchema/properties/*/x-mcp-header", since::kStateless},
    {"/tools/*/outputSchema", "2025-06-18"},
    {"/tools/*/annotations", "2025-03-26"},
    {"/tools/*/execution", since::kTasks, since::kTasks},
    {"/tools/*/_meta", "2025-06-18"},
    {"/prompts/*/title", "2025-06-18"},
    {"/prompts/*/icons", since::kIcons},
    {"/prompts/*/arguments/*/title", "2025-06-18"},
    {"/prompts/*/_meta", "2025-06-18"},
    {"/resources/*/title", "2025-06-18"},
    {"/resources/*/icons", since::kIcons},
    {"/resources/*/size", "2025-03-26"},
    {"/resources/*/annotations/lastModified", "2025-06-18"},
    {"/resources/*/_meta", "2025-06-18"},
    {"/resourceTemplates/*/title", "2025-06-18"},
    {"/resourceTemplates/*/icons", since::kIcons},
    {"/resourceTemplates/*/_meta", "2025-06-18"},
    {"/calls/*/structuredContent", "2025-06-18"},
    {"/calls/*/content/*/_meta", "2025-06-18"},
    {"/calls/*/content/*/annotations/lastModified", "2025-06-18"},
    {"/calls/*/content/*/resource/_meta", "2025-06-18"},
    {"/messages/messages/*/content/_meta", "2025-06-18"},
    {"/contents/*/contents/*/_meta", "2025-06-18"},
};

// strip removes from `value`, which stands at `pointer`, what `revision` does not know.
void strip(Json& value, const std::string& pointer, std::string_view revision) {
  if (!value.is_structured()) return;
  std::vector<std::string> unknown;
  for (const auto& [key, member] : value.items()) {
    const std::string at = pointer + "/" + pointer_token(key);
    const auto rule = std::ranges::find_if(
        kSince, [&](const Since& known) { return is_within(at, known.pattern); });
    const bool known =
        rule == std::end(kSince) || (revision >= rule->since && revision <= rule->until);
    if (!known) unknown.push_back(key);
  }
  for (const std::string& key : unknown) value.erase(key);
  for (auto& [key, member] : value.items()) {
    strip(member, pointer + "/" + pointer_token(key), revision);
  }
}

// is_content_of returns whether content of this type may be said in `revision`.
bool is_content_of(const Json& content, std::string_view revision) {
  const std::string type = string_or(content, "type", "");
  if (type == "audio") return revision >= since::kAudio;
  return type != "resource_link" || revision >= since::kResourceLinks;
}

// describe_at_length makes the description of one tool as long as a manual.
void describe_at_length(Json& all) {
  for (Json& tool : all["tools"].back()) {
    if (tool["name"] != kLongDescribed) continue;
    auto& text = tool["description"].get_ref<std::string&>();
    while (text.size() < kLongDescriptionBytes) text += "\nAnd this is one more line about it.";
  }
}

const Json& everything() {
  static const Json all = [] {
    Result<Json> parsed = parse_json(table_text("mirror.json"));
    check(parsed.ok(), "mirror.json is no JSON");
    describe_at_length(parsed.value());
    return std::move(parsed).value();
  }();
  return all;
}

Json call_result(std::string_view tool, std::string_view revision) {
  const Json calls = mirror_part("calls", revision);
  const Json* const found = find(calls, tool);
  if (found == nullptr) return nullptr;
  Json result = *found;
  Json content = Json::array();
  for (const Json& one : result["content"]) {
    if (is_content_of(one, revision)) content.push_back(one);
  }
  result["content"] = std::move(content);
  return result;
}

}  // namespace

const MirrorList* mirror_list_of(std::string_view method) {
  const auto found = std::ranges::find(kMirrorLists, method, &MirrorList::method);
  return found == std::end(kMirrorLists) ? nullptr : &*found;
}

Json mirror_part(std::string_view member, std::string_view revision) {
  const Json* const found = find(everything(), member);
  if (found == nullptr) return nullptr;
  Json whole(Json::value_t::object);
  Json& part = whole[std::string(member)] = *found;
  const bool is_list = part.is_array();
  if (is_list) {
    Json items = Json::array();
    for (const Json& page : *found) items.insert(items.end(), page.begin(), page.end());
    part = std::move(items);
  }
  strip(whole, "", revision);
  return std::move(whole[std::string(member)]);
}

Json mirror_items(const MirrorList& listing, std::string_view revision) {
  return mirror_part(listing.member, revision);
}

Json mirror_page(const MirrorList& listing, std::string_view revision, const Json* cursor,
                 bool paged) {
  const bool second = cursor != nullptr;
  if (second && (!paged || *cursor != Json(kSecondPage))) return nullptr;
  const Json items = mirror_items(listing, revision);
  const std::size_t first_page = find(everything(), listing.member)->front().size();
  Json result(Json::value_t::object);
  Json& page = result[std::string(listing.member)] = Json::array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!paged || (i >= first_page) == second) page.push_back(items[i]);
  }
  if (paged && !second) result["nextCursor"] = kSecondPage;
  if (is_stateless(revision)) add_cache_hints(result);
  return result;
}

Json mirror_answer(std::string_view method, const Json& params, std::string_view revision) {
  if (method == "tools/call") return call_result(string_or(params, "name", ""), revision);
  if (method == "completion/complete") {
    const Json* const prompt = at_pointer(params, "/ref/name");
    if (prompt != nullptr && *prompt != Json(std::string(kMirrorPrompt))) return nullptr;
    return mirror_part("completion", revision);
  }
  if (method == "prompts/get" && string_or(params, "name", "") == kMirrorPrompt) {
    return mirror_part("messages", revision);
  }
  const bool acknowledged = method == "ping" || method == "logging/setLevel" ||
                            method == "resources/subscribe" || method == "resources/unsubscribe";
  if (acknowledged) return Json::object();
  if (method != "resources/read") return nullptr;
  const std::string uri = string_or(params, "uri", "");
  Json contents = mirror_part("contents", revision);
  if (uri.starts_with(kMirrorRow) || uri.starts_with(kMirrorPage)) {
    Json& row = contents[uri]["contents"][0];
    row["uri"] = uri;
    row["mimeType"] = "text/plain";
    row["text"] = row_text(uri);
  }
  const Json* const found = find(contents, uri);
  if (found == nullptr) return nullptr;
  Json result = *found;
  if (is_stateless(revision)) add_cache_hints(result);
  return result;
}

std::string row_text(const std::string& uri) { return "The row – ü of " + uri; }

Json mirror_notification(const std::string& method) {
  Json message(Json::value_t::object);
  message["jsonrpc"] = "2.0";
  message["method"] = method;
  return message;
}

void add_cache_hints(Json& result) {
  result["ttlMs"] = 0;
  result["cacheScope"] = "private";
}

}  // namespace plumbline::conformance
