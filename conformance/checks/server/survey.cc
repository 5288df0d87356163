#include "conformance/checks/server/survey.h"

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/peer/client.h"
#include "core/base/task_group.h"
#include "core/wire/uri_template.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kPagesMax = 50;
constexpr std::size_t kCursorBytesMax = 1U << 20U;  // Of all cursors of a list.
constexpr std::size_t kCompletedMax = 20;

}  // namespace

bool Survey::declares(std::string_view pointer) const {
  const Json* const value = at_pointer(capabilities, pointer);
  return value != nullptr && !value->is_null() && *value != Json(false);
}

std::string Survey::answered_method() const {
  for (const auto& [listing, method] :
       {std::pair(&tools, "tools/list"), std::pair(&resources, "resources/list"),
        std::pair(&prompts, "prompts/list")}) {
    if (!listing->pages.empty() && listing->pages.front().answered()) return method;
  }
  return is_stateless(revision) ? "server/discover" : "ping";
}

const Json* Survey::item(const Listing& listing, std::string_view key, std::string_view value) {
  for (const Json& item : listing.items) {
    if (find_string(item, key) == value) return &item;
  }
  return nullptr;
}

Task<Listing> list_all(Session& session, std::uint32_t check, std::string method, std::string key) {
  Client client(session, check);
  Listing listing;
  Json params = Json::object();
  std::size_t cursor_bytes = 0;
  while (listing.pages.size() < kPagesMax && cursor_bytes < kCursorBytesMax) {
    Reply page = co_await client.request(method, params);
    const Json* const result = page.result();
    const Json* const items = result == nullptr ? nullptr : find(*result, key);
    if (items != nullptr && items->is_array()) {
      listing.items.insert(listing.items.end(), items->begin(), items->end());
    }
    const Json* const cursor = result == nullptr ? nullptr : find(*result, "nextCursor");
    listing.whole = result != nullptr && (cursor == nullptr || cursor->is_null());
    // What is no string is no place in the list, and its rule says so.
    const bool more = cursor != nullptr && cursor->is_string();
    if (more) {
      params["cursor"] = *cursor;
      cursor_bytes += memory_of(*cursor);
    }
    listing.pages.push_back(std::move(page));
    if (!more) break;
  }
  co_return listing;
}

namespace {

bool is_answered(const Listing& listing) {
  return !listing.pages.empty() && listing.pages.front().answered();
}

Task<void> list_into(Listing& listing, Session& session, std::uint32_t check, std::string method,
                     std::string key) {
  listing = co_await list_all(session, check, std::move(method), std::move(key));
}

// AskedList is a list that the survey asks for.
struct AskedList {
  Listing* listing;
  const char* method;
  const char* key;
};

std::vector<AskedList> lists_to_ask(Survey& survey) {
  std::vector<AskedList> lists;
  if (survey.declares("/tools")) lists.push_back({&survey.tools, "tools/list", "tools"});
  if (survey.declares("/resources")) {
    lists.push_back({&survey.resources, "resources/list", "resources"});
    lists.push_back({&survey.templates, "resources/templates/list", "resourceTemplates"});
  }
  if (survey.declares("/prompts")) lists.push_back({&survey.prompts, "prompts/list", "prompts"});
  return lists;
}

// list_in_turn asks for all lists again, one after the other, where of those that were asked for at
// once some were lost: who mixes requests up that come together answers them one by one.
Task<void> list_in_turn(Survey& survey, std::vector<AskedList> lists, Session& session,
                        std::uint32_t check) {
  const auto answered =
      std::ranges::count_if(lists, [](const AskedList& one) { return is_answered(*one.listing); });
  if (answered == 0 || answered == std::ssize(lists)) co_return;
  for (const AskedList& one : lists) {
    if (!session.usable()) co_return;
    const bool lost = !is_answered(*one.listing);
    Listing again = co_await list_all(session, check, one.method, one.key);
    if (!is_answered(again)) co_return;
    survey.one_at_a_time = survey.one_at_a_time || lost;
    *one.listing = std::move(again);
  }
}

}  // namespace

Task<Survey> take_survey(Session& session, std::uint32_t check) {
  Survey survey;
  survey.revision = session.revision();
  survey.opening = session.opening();
  if (is_stateless(survey.revision)) {
    Client client(session, check);
    survey.opening = co_await client.request("server/discover");
  }
  survey.capabilities = survey.server_info = Json::object();
  if (const Json* const result = survey.opening.result()) {
    if (const Json* const declared = find(*result, "capabilities");
        declared && declared->is_object()) {
      survey.capabilities = *declared;
    }
    const Json* info = find(*result, "serverInfo");
    if (is_stateless(survey.revision)) {
      info = at_pointer(*result, "/_meta/io.modelcontextprotocol~1serverInfo");
    }
    if (info != nullptr && info->is_object()) survey.server_info = *info;
  }
  const std::vector<AskedList> wanted = lists_to_ask(survey);
  TaskGroup lists;
  for (const AskedList& one : wanted) {
    lists.spawn(list_into(*one.listing, session, check, one.method, one.key));
  }
  co_await lists.join(session.subject().loop());
  co_await list_in_turn(survey, wanted, session, check);
  session.mirror_parameters(survey.tools.items);
  co_return survey;
}

std::vector<Json> completable(const Survey& survey) {
  std::vector<Json> all;
  const auto add = [&all](const char* type, const char* key, std::string what, std::string name) {
    if (all.size() == kCompletedMax) return;
    Json params = Json::object();
    params["ref"]["type"] = type;
    params["ref"][key] = std::move(what);
    params["argument"]["name"] = std::move(name);
    params["argument"]["value"] = "";
    all.push_back(std::move(params));
  };
  for (const Json& prompt : survey.prompts.items) {
    const Json* const arguments = find(prompt, "arguments");
    if (arguments == nullptr || !arguments->is_array()) continue;
    for (const Json& argument : *arguments) {
      add("ref/prompt", "name", string_or(prompt, "name", ""), string_or(argument, "name", ""));
    }
  }
  for (const Json& item : survey.templates.items) {
    const std::string uri = string_or(item, "uriTemplate", "");
    const std::size_t begin = uri.find('{');
    const std::size_t end = uri.find('}', begin);
    if (begin == std::string::npos || end == std::string::npos) continue;
    const std::string variable = uri.substr(begin + 1, end - begin - 1);
    if (!wire::is_plain_expression(variable)) continue;
    add("ref/resource", "uri", uri, variable);
  }
  return all;
}

}  // namespace plumbline::conformance
