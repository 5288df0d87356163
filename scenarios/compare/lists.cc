#include "scenarios/compare/lists.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "scenarios/compare/schema_changes.h"
#include "scenarios/record/likeness.h"

namespace plumbline::scenarios {

namespace {

constexpr auto kLists = std::to_array<ListKind>(
    {{"tools/list", "tools", "name", "tool"},
     {"resources/list", "resources", "uri", "resource"},
     {"resources/templates/list", "resourceTemplates", "uriTemplate", "resource"},
     {"prompts/list", "prompts", "name", "prompt"}});

// Listing is what was listed, by name, and whether any answer was a list.
struct Listing {
  std::map<std::string, Json> items;
  bool asked = false;
  bool whole = false;  // The last page was among them.
};

Listing listing_of(const Conversation& conversation, const ListKind& list) {
  Listing listing;
  for (const Conversation::Exchange& exchange : conversation.exchanges) {
    if (string_or(exchange.request, "method", "") != list.method) continue;
    const Json* const result = find(exchange.answer, "result");
    const Json* const items = result == nullptr ? nullptr : find(*result, list.member);
    if (items == nullptr || !items->is_array()) continue;
    listing.asked = true;
    listing.whole = listing.whole || find(*result, "nextCursor") == nullptr;
    for (const Json& item : *items) {
      if (const auto name = find_string(item, list.name)) listing.items[*name] = item;
    }
  }
  return listing;
}

// remarks_of returns what an item says of itself beside its schemas and arguments.
Json remarks_of(Json item) {
  for (const char* key : {"inputSchema", "outputSchema", "arguments", "_meta"}) item.erase(key);
  return item;
}

// arguments_of returns the arguments of a prompt as a schema.
Json arguments_of(const Json& prompt) {
  Json schema = Json::object();
  schema["properties"] = Json::object();
  schema["required"] = Json::array();
  const Json* const arguments = find(prompt, "arguments");
  if (arguments == nullptr || !arguments->is_array()) return schema;
  for (const Json& argument : *arguments) {
    const std::string name = string_or(argument, "name", "");
    schema["properties"][name] = Json::object();
    if (bool_or(argument, "required", false)) schema["required"].push_back(name);
  }
  return schema;
}

void compare_items(const ListKind& list, const std::string& name, const Json& then, const Json& now,
                   std::vector<Difference>& out) {
  if (list.what == "tool") {
    input_changes(member_of(then, "inputSchema"), member_of(now, "inputSchema"), name, out);
    const Json was = member_of(then, "outputSchema");
    const Json is = member_of(now, "outputSchema");
    if (was.is_object() && is.is_object()) output_changes(was, is, name, out);
    if (was.is_object() && !is.is_object()) {
      out.push_back(difference("diff.output-lost", name, "an outputSchema", ""));
    }
    if (!was.is_object() && is.is_object()) {
      out.push_back(difference("diff.output-added", name, "", "an outputSchema"));
    }
  } else if (list.what == "prompt") {
    input_changes(arguments_of(then), arguments_of(now), name, out);
  }
  const Json was = remarks_of(then);
  const Json is = remarks_of(now);
  for (const auto& [key, value] : was.items()) {
    const Json other = member_of(is, key);
    if (other == value) continue;
    out.push_back(difference("diff." + std::string(list.what) + "-changed", name + "/" + key,
                             shown_value(value), other.is_null() ? "" : shown_value(other)));
  }
  for (const auto& [key, value] : is.items()) {
    if (was.contains(key)) continue;
    out.push_back(difference("diff." + std::string(list.what) + "-changed", name + "/" + key, "",
                             shown_value(value)));
  }
}

std::size_t exchange_that_lists(const Conversation& conversation, const ListKind& list) {
  const auto found =
      std::ranges::find_if(conversation.exchanges, [&list](const Conversation::Exchange& exchange) {
        return string_or(exchange.request, "method", "") == list.method;
      });
  return static_cast<std::size_t>(found - conversation.exchanges.begin());
}

void compare_list(const ListKind& list, const Conversation& then, const Conversation& now,
                  std::vector<Difference>& out) {
  const Listing was = listing_of(then, list);
  const Listing is = listing_of(now, list);
  if (!was.asked || !is.asked) return;
  const std::size_t before = out.size();
  const std::string kind = "diff." + std::string(list.what);
  for (const auto& [name, item] : was.items) {
    const auto other = is.items.find(name);
    if (other != is.items.end()) {
      compare_items(list, name, item, other->second, out);
    } else if (is.whole) {
      out.push_back(difference(kind + "-lost", name, "listed", ""));
    }
  }
  for (const auto& [name, item] : is.items) {
    if (was.items.contains(name) || !was.whole) continue;
    out.push_back(difference(kind + "-added", name, "", "listed"));
  }
  for (std::size_t at = before; at < out.size(); ++at) {
    out[at].exchange = exchange_that_lists(then, list);
  }
}

}  // namespace

const ListKind* listed_by(std::string_view method) {
  const auto found = std::ranges::find(kLists, method, &ListKind::method);
  return found == kLists.end() ? nullptr : &*found;
}

void compare_lists(const Conversation& then, const Conversation& now,
                   std::vector<Difference>& out) {
  for (const ListKind& list : kLists) compare_list(list, then, now, out);
}

void capability_changes(const Json& then, const Json& now, std::vector<Difference>& out) {
  const auto flat = [](const Json& capabilities) {
    std::map<std::string, Json> all;
    if (!capabilities.is_object()) return all;
    for (const auto& [name, what] : capabilities.items()) {
      all[name] = true;
      if (!what.is_object() || name == "experimental" || name == "extensions") continue;
      for (const auto& [key, value] : what.items()) {
        if (value != Json(false)) all[name + "/" + key] = value;
      }
    }
    return all;
  };
  const std::map<std::string, Json> was = flat(then);
  const std::map<std::string, Json> is = flat(now);
  for (const auto& [name, value] : was) {
    if (is.contains(name)) continue;
    out.push_back(difference("diff.capability-lost", name, shown_value(value), ""));
  }
  for (const auto& [name, value] : is) {
    if (was.contains(name)) continue;
    out.push_back(difference("diff.capability-added", name, "", shown_value(value)));
  }
}

}  // namespace plumbline::scenarios
