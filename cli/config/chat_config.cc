#include "cli/config/chat_config.h"

#include "cli/config/document.h"

#include <algorithm>
#include <utility>

#include "cli/config/callers.h"
#include "cli/config/json_text.h"
#include "core/json/object_reader.h"

namespace plumbline::cli {

namespace {

constexpr std::int64_t kRoundsMax = 64;

// ChatReader reads the member "chat". The first thing that is wrong is the problem.
class ChatReader {
 public:
  ChatReader(const std::string& file_name, std::optional<Problem>& problem, ChatConfig& config)
      : file_name_(file_name), problem_(problem), config_(config) {}

  void read(const Json& chat) {
    ObjectReader reader(chat, "/chat", "the chat", problem_);
    read_callers(reader, config_.api.http);
    config_.auth = read_whose(reader, config_.api.http);
    config_.api.anonymous = reader.string("anonymous").value_or("");
    if (config_.auth && !config_.api.anonymous.empty()) {
      reader.refuse("anonymous", "\"anonymous\" and \"auth\" exclude each other");
    }
    if (const Json* const model = reader.take("model")) {
      config_.model = read_chat_model(*model, "/chat/model", file_name_, problem_);
    }
    read_listed(reader);
    if (const Json* const registry = reader.take("registry")) read_registry(*registry);
    read_limits(reader);
    reader.finish();
  }

 private:
  // read_listed makes the catalog: what the file says of each server, or its name alone.
  void read_listed(ObjectReader& reader) {
    const Json* const told = reader.object("servers");
    for (const std::string& name : config_.servers.servers) {
      Json server = {{"id", name}, {"name", name}, {"description", ""}, {"tags", Json::array()}};
      if (told != nullptr && told->contains(name)) describe_server((*told)[name], name, server);
      config_.listed.push_back(std::move(server));
    }
    if (told != nullptr) {
      for (const auto& [name, about] : told->items()) check_known(reader, "servers", name);
    }
    config_.api.servers.linked = reader.strings("linked");
    for (const std::string& name : config_.api.servers.linked) check_known(reader, "linked", name);
  }

  void describe_server(const Json& json, const std::string& name, Json& server) {
    ObjectReader reader(json, "/chat/servers/" + pointer_token(name), "a server", problem_);
    if (const auto title = reader.string("name")) server["name"] = *title;
    if (const auto text = reader.text("description")) server["description"] = *text;
    server["tags"] = reader.strings("tags");
    if (const Json* const config = reader.object("config")) {
      const bool process = config_.servers.commands.contains(name);
      const Status right = service::check_config(*config, process);
      if (!right.ok()) reader.refuse("config", right.error().message);
      server["config"] = *config;
      server["process"] = process;
    }
    reader.finish();
  }

  void check_known(ObjectReader& reader, std::string_view key, const std::string& name) {
    const auto& known = config_.servers.servers;
    if (std::ranges::find(known, name) != known.end()) return;
    reader.refuse(key, "\"mcpServers\" has no \"" + name + "\", expected one of them");
  }

  void read_registry(const Json& json) {
    ObjectReader reader(json, "/chat/registry", "the registry", problem_);
    RegistrySource source;
    Result<wire::Url> url = read_registry_url(reader.required_string("url"));
    if (!url.ok()) return reader.refuse("url", url.error().message);
    source.url = std::move(url).value();
    for (const std::string& origin : reader.strings("allow")) {
      const Status allowed = registry::read_origin(origin, source.allowed);
      if (!allowed.ok()) reader.refuse("allow", allowed.error().message);
    }
    reader.finish();
    config_.registry = std::move(source);
  }

  void read_limits(ObjectReader& reader) {
    service::ChatTurnsOptions& turns = config_.api.turns;
    turns.instructions = reader.string("instructions").value_or(turns.instructions);
    if (const auto rounds = reader.integer("rounds_max", 1, kRoundsMax)) {
      turns.limits.rounds_max = *rounds;
    }
    if (const auto longest = reader.milliseconds("turn_max_ms")) turns.turn_max = *longest;
    turns.summarizes = reader.boolean("summary").value_or(false);
    if (const Json* const temperature = reader.take("temperature")) {
      if (!temperature->is_number() || *temperature < 0 || *temperature > 2) {
        return reader.refuse("temperature", "is wrong, expected a number from 0 to 2");
      }
      turns.settings.temperature = temperature->get<double>();
    }
  }

  const std::string& file_name_;
  std::optional<Problem>& problem_;
  ChatConfig& config_;
};

}  // namespace

Result<ChatConfig> parse_chat_config(std::string_view text, const std::string& file_name) {
  return parse_chat_config(text, file_name, our_surroundings(file_name));
}

Result<ChatConfig> parse_chat_config(std::string_view text, const std::string& file_name,
                                     const Surroundings& around) {
  ChatConfig out;
  Result<Config> servers = parse_config(text, file_name, {}, around);
  if (!servers.ok()) return servers.error();
  out.servers = std::move(servers).value();
  const Status read = read_json_text(text, file_name, [&](const Json& root, auto& problem) {
    static const Json kNone = Json::object();
    const Json* const chat = find(root, "chat");
    ChatReader(file_name, problem, out).read(chat == nullptr ? kNone : *chat);
  });
  if (!read.ok()) return read.error();
  return out;
}

}  // namespace plumbline::cli
