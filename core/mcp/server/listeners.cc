#include "core/mcp/server/listeners.h"

#include <array>
#include <optional>
#include <utility>

#include "core/base/limits.h"
#include "core/mcp/protocol/meta_keys.h"

namespace plumbline::mcp {

namespace {

struct ListFlag {
  std::string_view member;
  std::string_view area;
};

constexpr std::array kListFlags = {
    ListFlag{"toolsListChanged", "tools"},
    ListFlag{"promptsListChanged", "prompts"},
    ListFlag{"resourcesListChanged", "resources"},
};

bool declares(const Json& capabilities, std::string_view area, std::string_view flag) {
  const Json* const declared = find(capabilities, area);
  return declared != nullptr && bool_or(*declared, flag, false);
}

// strings_of returns the strings of an array member; nothing when it is something else.
std::optional<std::vector<std::string>> strings_of(const Json& wanted, std::string_view member) {
  std::vector<std::string> out;
  const Json* const list = find(wanted, member);
  if (list == nullptr) return out;
  if (!list->is_array()) return std::nullopt;
  for (const Json& item : *list) {
    if (!item.is_string()) return std::nullopt;
    out.push_back(item.get_ref<const std::string&>());
  }
  return out;
}

Failure bad_filter(std::string_view what) {
  return Failure(rpc::kInvalidParams, "subscriptions/listen: " + std::string(what));
}

}  // namespace

Reply<Json> Listeners::open(const rpc::RpcId& id, Revision revision, const Json* wanted,
                            const Json& capabilities) {
  if (wanted == nullptr || !wanted->is_object()) return bad_filter("no object notifications");
  const auto uris = strings_of(*wanted, "resourceSubscriptions");
  const auto tasks = strings_of(*wanted, "taskIds");
  if (!uris) return bad_filter("resourceSubscriptions is no list of strings");
  if (!tasks) return bad_filter("taskIds is no list of strings");
  if (uris->size() + tasks->size() > limits::kListItemsMax) return bad_filter("too many entries");
  Filter filter;
  filter.revision = revision;
  Json honoured(Json::value_t::object);
  for (const ListFlag& flag : kListFlags) {
    if (!bool_or(*wanted, flag.member, false)) continue;
    if (!declares(capabilities, flag.area, "listChanged")) continue;
    honoured[std::string(flag.member)] = true;
    filter.lists.emplace(flag.area);
  }
  if (!uris->empty() && declares(capabilities, "resources", "subscribe")) {
    honoured["resourceSubscriptions"] = *uris;
    filter.resources.insert(uris->begin(), uris->end());
  }
  const Json* const extensions = find(capabilities, "extensions");
  if (!tasks->empty() && extensions != nullptr && find(*extensions, kTaskExtension) != nullptr) {
    honoured["taskIds"] = *tasks;
    filter.tasks.insert(tasks->begin(), tasks->end());
  }
  open_[id] = std::move(filter);
  return honoured;
}

template <typename Wanted>
std::vector<rpc::RpcId> Listeners::who(Wanted wanted) const {
  std::vector<rpc::RpcId> out;
  for (const auto& [id, filter] : open_) {
    if (wanted(filter)) out.push_back(id);
  }
  return out;
}

std::vector<rpc::RpcId> Listeners::to_list(std::string_view area) const {
  return who([&](const Filter& filter) { return filter.lists.find(area) != filter.lists.end(); });
}

std::vector<rpc::RpcId> Listeners::to_resource(const std::string& uri) const {
  return who([&](const Filter& filter) { return filter.resources.contains(uri); });
}

std::vector<rpc::RpcId> Listeners::to_task(const std::string& task_id) const {
  return who([&](const Filter& filter) { return filter.tasks.contains(task_id); });
}

std::vector<rpc::RpcId> Listeners::all() const {
  return who([](const Filter&) { return true; });
}

}  // namespace plumbline::mcp
