#include "core/agents/chat/directory_tools.h"

#include <array>
#include <optional>
#include <utility>

#include "core/json/object_reader.h"

namespace plumbline::agents::chat {

namespace {

constexpr std::int64_t kFoundMax = 100;
constexpr std::string_view kSearch = "search_mcp_servers";
constexpr std::string_view kAdd = "add_mcp_server";
constexpr std::string_view kList = "list_my_mcp_servers";
constexpr std::string_view kRemove = "remove_mcp_server";

Json property(std::string_view type, std::string_view what) {
  return {{"type", type}, {"description", what}};
}

Json object_schema(Json properties, Json required = Json::array()) {
  Json out = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) out["required"] = std::move(required);
  out["additionalProperties"] = false;
  return out;
}

DirectoryTool tool(std::string_view name, std::string_view what, Json schema, bool changes_links) {
  return {{std::string(name), std::string(what), std::move(schema)}, changes_links};
}

std::array<DirectoryTool, 4> make_tools() {
  Json tags = property("array", "Only servers with all of these tags");
  tags["items"] = {{"type", "string"}};
  Json limit = property("integer", "At most so many, 20 where nothing is said");
  limit["minimum"] = 1;
  limit["maximum"] = kFoundMax;
  return {
      tool(kSearch, "Finds MCP servers that could be linked",
           object_schema({{"query", property("string", "Words to look for")},
                          {"tags", std::move(tags)},
                          {"limit", std::move(limit)}}),
           false),
      tool(kAdd, "Links an MCP server, so that its tools can be used",
           object_schema({{"mcpServerId", property("string", "The id that was found")},
                          {"config", property("object", "Settings that the search says it takes")}},
                         {"mcpServerId"}),
           true),
      tool(kList, "Lists the MCP servers that are linked",
           object_schema({{"includeDisabled", property("boolean", "Those turned off, too")}}),
           false),
      tool(kRemove, "Turns a link to an MCP server off, or deletes it",
           object_schema({{"linkId", property("string", "The id of the link")},
                          {"hardDelete", property("boolean", "Delete it")}},
                         {"linkId"}),
           true),
  };
}

// Arguments are those of one call. The model reads what is wrong with them.
class Arguments {
 public:
  explicit Arguments(const Json& given) : reader_(given, "", "the arguments", problem_) {}

  ObjectReader& reader() { return reader_; }

  // wrong returns what is wrong with them, once all were read.
  std::optional<Error> wrong() {
    reader_.finish();
    if (!problem_) return std::nullopt;
    return Error{ErrorCode::kInvalidInput, problem_->pointer + ": " + problem_->message};
  }

 private:
  std::optional<Problem> problem_;
  ObjectReader reader_;
};

Task<Result<Json>> search(ServerDirectory& directory, Json given) {
  Arguments arguments(given);
  ServerQuery query;
  query.text = arguments.reader().text("query").value_or("");
  query.tags = arguments.reader().strings("tags");
  if (const auto limit = arguments.reader().integer("limit", 1, kFoundMax)) {
    query.limit = static_cast<std::size_t>(*limit);
  }
  if (std::optional<Error> wrong = arguments.wrong()) co_return *std::move(wrong);
  Result<std::vector<Json>> found = co_await directory.search(std::move(query));
  if (!found.ok()) co_return found.error();
  Json items = Json::array();
  for (const Json& server : found.value()) {
    Json item = {{"id", string_or(server, "id", "")},
                 {"name", string_or(server, "name", "")},
                 {"description", string_or(server, "description", "")}};
    if (const Json* const config = find(server, "config"); config && config->is_object()) {
      Json& takes = item["config"] = Json::object();
      for (const auto& [name, said] : config->items()) {
        takes[name] = string_or(said, "description", "");
      }
    }
    items.push_back(std::move(item));
  }
  co_return Json{{"items", std::move(items)}};
}

Task<Result<Json>> add(ServerDirectory& directory, Json given, Json server) {
  Arguments arguments(given);
  std::string id = arguments.reader().required_string("mcpServerId");
  const Json* const config = arguments.reader().object("config");
  Json chosen = config != nullptr ? *config : Json(nullptr);
  if (std::optional<Error> wrong = arguments.wrong()) co_return *std::move(wrong);
  if (server.is_null()) {
    Result<Json> found = co_await server_of(directory, std::move(id));
    if (!found.ok()) co_return found;
    server = std::move(found).value();
  }
  const Result<ServerLink> link = co_await directory.add(std::move(server), std::move(chosen));
  if (!link.ok()) co_return link.error();
  co_return Json{{"linkId", link.value().id}, {"message", "MCP server successfully added"}};
}

Task<Result<Json>> list(ServerDirectory& directory, Json given) {
  Arguments arguments(given);
  const bool all = arguments.reader().boolean("includeDisabled").value_or(false);
  if (std::optional<Error> wrong = arguments.wrong()) co_return *std::move(wrong);
  const Result<std::vector<ServerLink>> links = co_await directory.links();
  if (!links.ok()) co_return links.error();
  Json items = Json::array();
  for (const ServerLink& link : links.value()) {
    if (!link.enabled && !all) continue;
    items.push_back({{"linkId", link.id},
                     {"mcpServerId", link.server_id},
                     {"enabled", link.enabled},
                     {"server", link.server}});
  }
  co_return Json{{"items", std::move(items)}};
}

Task<Result<Json>> remove(ServerDirectory& directory, Json given) {
  Arguments arguments(given);
  std::string id = arguments.reader().required_string("linkId");
  const bool hard = arguments.reader().boolean("hardDelete").value_or(false);
  if (std::optional<Error> wrong = arguments.wrong()) co_return *std::move(wrong);
  const Status removed = co_await directory.remove(std::move(id), hard);
  if (!removed.ok()) co_return removed.error();
  co_return Json{{"ok", true}, {"message", hard ? "MCP server deleted" : "MCP server disabled"}};
}

}  // namespace

std::span<const DirectoryTool> directory_tools() {
  static const std::array<DirectoryTool, 4> kTools = make_tools();
  return kTools;
}

std::string server_to_link(std::string_view name, const Json& arguments) {
  return name == kAdd ? string_or(arguments, "mcpServerId", "") : std::string();
}

Task<Result<Json>> server_of(ServerDirectory& directory, std::string id) {
  const Error unknown{ErrorCode::kInvalidInput, "there is no MCP server \"" + id + "\""};
  const Result<std::optional<Json>> found = co_await directory.find(std::move(id));
  if (!found.ok()) co_return found.error();
  if (!found.value()) co_return unknown;
  co_return *found.value();
}

Task<Result<Json>> run_directory_tool(ServerDirectory& directory, std::string name, Json arguments,
                                      Json server) {
  if (name == kSearch) return search(directory, std::move(arguments));
  if (name == kAdd) return add(directory, std::move(arguments), std::move(server));
  if (name == kList) return list(directory, std::move(arguments));
  return remove(directory, std::move(arguments));
}

}  // namespace plumbline::agents::chat
