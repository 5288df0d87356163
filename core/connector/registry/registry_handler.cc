#include "core/connector/registry/registry_handler.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "core/base/percent.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/json/json.h"
#include "core/json/locate.h"
#include "core/wire/form.h"

namespace plumbline::registry {

namespace {

constexpr std::string_view kAgentsPath = "/agents";
constexpr std::string_view kServersPath = "/servers";
constexpr std::size_t kEtagDigits = 32;

Error wrong_file(const std::string& file, Position at, const std::string& why) {
  return Error{ErrorCode::kInvalidInput,
               file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + why,
               "file.where"};
}

std::string digest_of(std::string_view text) {
  Sha256 sha;
  sha.update(text);
  return '"' + sha.finish_hex().substr(0, kEtagDigits) + '"';
}

wire::HttpResponse json_answer(int status, const Json& body) {
  wire::HttpResponse out{status, {}, dump_json(body)};
  out.headers.set("Content-Type", "application/json");
  out.headers.set("Cache-Control", "no-cache");
  return out;
}

wire::HttpResponse refused(int status, const std::string& why) {
  Json body = Json::object();
  body["error"] = why;
  return json_answer(status, body);
}

const Json& tags_of(const AgentDescriptor& agent) {
  static const Json kNone = Json::array();
  const Json* const tags = find(agent.metadata, "tags");
  return tags != nullptr && tags->is_array() ? *tags : kNone;
}

// has_tags returns whether an agent has all of `wanted`, between commas.
bool has_tags(const AgentDescriptor& agent, std::string_view wanted) {
  while (!wanted.empty()) {
    const std::size_t end = std::min(wanted.find(','), wanted.size());
    const Json tag = wanted.substr(0, end);
    if (std::ranges::find(tags_of(agent), tag) == tags_of(agent).end()) return false;
    wanted.remove_prefix(std::min(end + 1, wanted.size()));
  }
  return true;
}

Json server_json(const AgentDescriptor& agent) {
  return {{"id", agent.id},
          {"name", agent.name},
          {"description", agent.description},
          {"tags", tags_of(agent)},
          {"url", agent.endpoint}};
}

// number_in returns the number in a query's field, `missing` without one; nothing: it is none.
std::optional<std::size_t> number_in(const wire::Form& query, std::string_view name,
                                     std::size_t missing) {
  const std::optional<std::string> text = query.get(name);
  if (!text) return missing;
  std::size_t number = 0;
  const char* const end = text->data() + text->size();
  const auto [at, error] = std::from_chars(text->data(), end, number);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

}  // namespace

Result<std::vector<AgentDescriptor>> read_registry_file(std::string_view text,
                                                        const std::string& file_name) {
  JsonLimits limits;
  limits.comments = true;
  limits.duplicate_keys = false;
  Position failed_at;
  const Result<Json> root = parse_json(text, limits, failed_at);
  if (!root.ok()) return wrong_file(file_name, failed_at, root.error().message);
  const bool bare = root.value().is_array();
  const Json* const entries = bare ? &root.value() : find(root.value(), "agents");
  if (entries == nullptr || !entries->is_array()) {
    return wrong_file(file_name, locate(text, ""),
                      "expected an array of agents, or an object with \"agents\"");
  }
  std::vector<AgentDescriptor> agents;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const std::string at = (bare ? "/" : "/agents/") + std::to_string(i);
    Result<AgentDescriptor, Problem> agent = read_descriptor((*entries)[i], at);
    if (!agent.ok()) {
      return wrong_file(file_name, locate(text, agent.error().pointer), agent.error().message);
    }
    if (!ids.insert(agent.value().id).second) {
      return wrong_file(file_name, locate(text, at + "/id"),
                        "the id \"" + agent.value().id + "\" stands here twice, expected another");
    }
    agents.push_back(std::move(agent).value());
  }
  return agents;
}

RegistryHandler::RegistryHandler(FileStore& files, std::string file, OnTrouble on_trouble,
                                 std::size_t page_agents_max)
    : files_(files),
      file_(std::move(file)),
      on_trouble_(std::move(on_trouble)),
      page_agents_max_(page_agents_max) {}

Status RegistryHandler::load() {
  Result<std::string> text = files_.read_file(file_);
  if (!text.ok()) return text.error();
  if (!etag_.empty() && text.value() == text_) return Done{};
  text_ = std::move(text).value();
  Result<std::vector<AgentDescriptor>> agents = read_registry_file(text_, file_);
  if (!agents.ok()) return agents.error();
  agents_ = std::move(agents).value();
  etag_ = digest_of(text_);
  return Done{};
}

void RegistryHandler::on_request(wire::HttpRequest request, net::HttpReply reply) {
  const Status loaded = load();
  const std::string trouble = loaded.ok() ? "" : loaded.error().message;
  if (!trouble.empty() && trouble != trouble_) on_trouble_(trouble);
  trouble_ = trouble;
  reply.respond(answer(request));
}

wire::HttpResponse RegistryHandler::answer(const wire::HttpRequest& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    wire::HttpResponse out = refused(405, "expected GET");
    out.headers.set("Allow", "GET, HEAD");
    return out;
  }
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == "/" || path == kAgentsPath) {
    if (request.headers.get("If-None-Match") == std::string_view(etag_)) {
      return wire::HttpResponse{304, {{"ETag", etag_}}, ""};
    }
    return page(target);
  }
  if (path == kServersPath) return servers(target);
  for (const std::string_view lead : {kAgentsPath, kServersPath}) {
    const std::string under = std::string(lead) + '/';
    if (!path.starts_with(under)) continue;
    return one(percent_decode(path.substr(under.size())), lead == kServersPath);
  }
  return refused(404, "expected /agents, /agents/ID, /servers or /servers/ID");
}

wire::HttpResponse RegistryHandler::page(std::string_view target) const {
  const wire::Form query = wire::query_of(target);
  const std::optional<std::size_t> from = number_in(query, "cursor", 0);
  const std::optional<std::size_t> limit = number_in(query, "limit", page_agents_max_);
  if (!from || *from > agents_.size()) return refused(400, "\"cursor\" is none of ours");
  if (!limit || *limit == 0) return refused(400, "\"limit\" is no number from 1 on");
  const std::size_t count =
      std::min({*limit, page_agents_max_, agents_.size() - std::min(*from, agents_.size())});
  Json body = Json::object();
  Json& listed = body["agents"] = Json::array();
  for (std::size_t i = *from; i < *from + count; ++i) listed.push_back(to_json(agents_[i]));
  if (*from + count < agents_.size()) body["nextCursor"] = std::to_string(*from + count);
  wire::HttpResponse out = json_answer(200, body);
  out.headers.set("ETag", etag_);
  return out;
}

wire::HttpResponse RegistryHandler::one(const std::string& id, bool as_server) const {
  const auto found = std::ranges::find(agents_, id, &AgentDescriptor::id);
  if (found == agents_.end()) return refused(404, "there is no such agent");
  return json_answer(200, as_server ? server_json(*found) : to_json(*found));
}

wire::HttpResponse RegistryHandler::servers(std::string_view target) const {
  const wire::Form query = wire::query_of(target);
  const std::optional<std::size_t> limit = number_in(query, "limit", page_agents_max_);
  if (!limit || *limit == 0) return refused(400, "\"limit\" is no number from 1 on");
  const std::string words = lower_case(query.get("query").value_or(""));
  Json items = Json::array();
  for (const AgentDescriptor& agent : agents_) {
    if (items.size() == std::min(*limit, page_agents_max_)) break;
    const std::string told = lower_case(agent.id + '\n' + agent.name + '\n' + agent.description);
    const bool fits =
        told.find(words) != std::string::npos && has_tags(agent, query.get("tags").value_or(""));
    if (fits) items.push_back(server_json(agent));
  }
  return json_answer(200, {{"items", std::move(items)}});
}

}  // namespace plumbline::registry
