#include "cli/config/host_servers.h"

#include <algorithm>

#include "cli/config/host_members.h"
#include "core/base/text.h"
#include "core/mcp/protocol/transports.h"
#include "core/os/files/path_names.h"

namespace plumbline::cli {

namespace {

bool is_one_of(std::string_view word, auto&& words) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

// as_text returns what a host that starts a program makes of a number or a boolean.
Json as_text(const Json& value) {
  if (value.is_number() || value.is_boolean()) return dump_json(value);
  return value;
}

// ServerReader turns one entry into our words.
class ServerReader {
 public:
  ServerReader(const std::string& name, const std::string& said_at, HostServers& out,
               HostValues& values, const Surroundings& around, std::optional<Problem>& problem)
      : name_(name),
        at_("/mcpServers/" + pointer_token(name)),
        out_(out),
        values_(values),
        around_(around),
        problem_(problem) {
    out_.moved[at_] = said_at;
  }

  // read returns the entry; nothing: the server is not to be started.
  std::optional<Json> read(const Json& said) {
    entry_ = said;
    if (is_off()) return std::nullopt;
    for (const std::string_view member : nested_members()) hoist(member);
    for (const Synonym& synonym : member_synonyms()) rename(synonym);
    if (entry_.contains("settings") && !entry_.contains("command") && !entry_.contains("url")) {
      leave_out("/settings", "is started by an extension of the host, which the file does not say");
      return std::nullopt;
    }
    read_type();
    split_command();
    put_values();
    read_env_file();
    read_codex();
    tell_unknown();
    return std::move(entry_);
  }

 private:
  void note(const std::string& inner, const std::string& what) {
    out_.notes.push_back({at_ + inner, "server \"" + name_ + "\" " + what});
  }

  void leave_out(const std::string& inner, const std::string& why) {
    note(inner, why);
    out_.left_out[name_] = why;
  }

  bool is_off() {
    const Json* const off = find(entry_, "disabled");
    const Json* const on = find(entry_, "enabled");
    for (const Json* const flag : {off, on}) {
      if (flag == nullptr || flag->is_boolean()) continue;
      add_type_problem(problem_, at_ + (flag == off ? "/disabled" : "/enabled"), *flag,
                       "true or false");
      return false;
    }
    if (off != nullptr && *off == Json(true)) {
      leave_out("/disabled", "is disabled and is not started: take out its \"disabled\"");
    } else if (on != nullptr && *on == Json(false)) {
      leave_out("/enabled", "is not enabled and is not started: take out its \"enabled\"");
    }
    return out_.left_out.contains(name_);
  }

  // hoist gives the entry the members of an object within it that describes the server as well.
  void hoist(std::string_view member) {
    const Json* const found = find(entry_, member);
    if (found == nullptr) return;
    const Json inner = *found;
    const std::string pointer = said(std::string(member));
    if (inner.is_string() && member == "transport") {
      if (!entry_.contains("type")) move_to("type", inner, pointer);
      entry_.erase(std::string(member));
    } else if (inner.is_object()) {
      entry_.erase(std::string(member));
      for (const auto& [key, value] : inner.items()) {
        if (!entry_.contains(key)) move_to(key, value, pointer + "/" + pointer_token(key));
      }
    }
  }

  void rename(const Synonym& synonym) {
    const Json* const found = find(entry_, synonym.said);
    if (found == nullptr) return;
    const Json value = *found;
    const std::string pointer = said(std::string(synonym.said));
    entry_.erase(std::string(synonym.said));
    if (synonym.said == "httpUrl") {
      move_to("url", value, pointer);
      if (!entry_.contains("type")) move_to("type", "streamable-http", pointer);
    } else if (!entry_.contains(synonym.means)) {
      move_to(std::string(synonym.means), value, pointer);
    }
  }

  // said returns where the file has the member `key`.
  std::string said(const std::string& key) const {
    return out_.said_at(at_ + "/" + pointer_token(key));
  }

  void move_to(const std::string& key, Json value, const std::string& said_at) {
    entry_[key] = std::move(value);
    out_.moved[at_ + "/" + pointer_token(key)] = said_at;
  }

  void read_type() {
    const std::string type = string_or(entry_, "type", "");
    for (const Synonym& synonym : type_synonyms()) {
      if (type == synonym.said) entry_["type"] = std::string(synonym.means);
    }
    if (type == "remote") entry_.erase("type");
    // What a host calls an extension and no transport: Goose.
    if (type == "builtin") leave_out("/type", "is a part of the host and is not started");
  }

  // split_command takes a command with its arguments apart.
  void split_command() {
    const Json* const command = find(entry_, "command");
    if (command == nullptr) return;
    std::vector<std::string> words;
    if (command->is_array()) {
      for (const Json& word : *command) {
        const Json text = as_text(word);
        if (!text.is_string()) return;
        words.push_back(text.get_ref<const std::string&>());
      }
    } else if (command->is_string()) {
      const std::string& line = command->get_ref<const std::string&>();
      if (line.find(' ') == std::string::npos || (around_.is_file && around_.is_file(line))) return;
      words = words_in(line);
      note("/command",
           "has arguments in its \"command\", which not every host takes apart: "
           "write them as \"args\"");
    }
    if (words.empty()) return;
    Json args = Json::array();
    for (std::size_t i = 1; i < words.size(); ++i) args.push_back(words[i]);
    if (const Json* const more = find(entry_, "args"); more != nullptr && more->is_array()) {
      for (const Json& word : *more) args.push_back(word);
    }
    entry_["command"] = words.front();
    entry_["args"] = std::move(args);
  }

  void put_values() {
    for (const char* const member : {"command", "url", "cwd", "envFile"}) {
      const auto found = entry_.find(member);
      if (found != entry_.end()) put(*found, at_ + "/" + member);
    }
    for (const char* const member : {"args", "env", "headers"}) {
      const auto found = entry_.find(member);
      if (found == entry_.end()) continue;
      const std::string pointer = at_ + "/" + member;
      if (found->is_object()) {
        erase_null(*found);
        for (const auto& [key, value] : found->items()) {
          value = as_text(value);
          put(value, pointer + "/" + pointer_token(key));
        }
      } else if (found->is_array()) {
        for (std::size_t i = 0; i < found->size(); ++i) {
          (*found)[i] = as_text((*found)[i]);
          put((*found)[i], pointer + "/" + std::to_string(i));
        }
      }
    }
  }

  // A variable that is null is not set.
  static void erase_null(Json& members) {
    std::erase_if(members.get_ref<Json::object_t&>(),
                  [](const auto& member) { return member.second.is_null(); });
  }

  void put(Json& value, const std::string& pointer) {
    if (!value.is_string()) return;
    value = values_.put(value.get_ref<const std::string&>(), pointer, name_);
  }

  void read_env_file() {
    const std::string path = string_or(entry_, "envFile", "");
    if (path.empty()) return;
    if (!around_.read_file) return note("/envFile", "has an \"envFile\", which is not read here");
    const Result<std::string> text =
        around_.read_file(os::is_absolute_path(path) ? path : around_.folder + "/" + path);
    if (!text.ok()) return add_problem(problem_, at_ + "/envFile", text.error().message);
    Json& env = part("env");
    for (const auto& [key, value] : read_env_lines(text.value())) {
      if (!env.contains(key)) env[key] = value;
    }
  }

  // part returns the member `key`, made an object where it is none.
  Json& part(const std::string& key) {
    Json& member = entry_[key];
    if (!member.is_object()) member = Json::object();
    return member;
  }

  // read_codex reads the members that name variables of the environment.
  void read_codex() {
    const std::string bearer = string_or(entry_, "bearer_token_env_var", "");
    if (!bearer.empty()) {
      const std::string token = values_.variable(bearer, at_ + "/bearer_token_env_var", name_);
      part("headers")["Authorization"] = "Bearer " + token;
    }
    if (const Json* const named = find(entry_, "env_http_headers");
        named != nullptr && named->is_object()) {
      const Json headers = *named;
      for (const auto& [header, variable] : headers.items()) {
        if (!variable.is_string()) continue;
        const std::string pointer = at_ + "/env_http_headers/" + pointer_token(header);
        part("headers")[header] =
            values_.variable(variable.get_ref<const std::string&>(), pointer, name_);
      }
    }
    if (const Json* const names = find(entry_, "env_vars"); names != nullptr && names->is_array()) {
      const Json list = *names;
      for (const Json& name : list) {
        if (!name.is_string()) continue;
        const std::optional<std::string> set = around_.variable(name.get_ref<const std::string&>());
        if (set) part("env")[name.get_ref<const std::string&>()] = *set;
      }
    }
  }

  void tell_unknown() {
    if (!entry_.is_object()) return;
    for (const auto& [key, value] : entry_.items()) {
      if (is_known_member(key)) continue;
      note("/" + pointer_token(key),
           "has \"" + clipped(key, 60) + "\", which is not read here: it changes nothing");
    }
  }

  const std::string& name_;
  std::string at_;
  HostServers& out_;
  HostValues& values_;
  const Surroundings& around_;
  std::optional<Problem>& problem_;
  Json entry_;
};

// is_excluded returns whether a setting of Gemini CLI keeps the server out.
bool is_excluded(const Json& root, const std::string& name) {
  const Json* const excluded = at_pointer(root, "/mcp/excluded");
  return excluded != nullptr && excluded->is_array() &&
         std::ranges::find(*excluded, Json(name)) != excluded->end();
}

const Json* inputs_of(const Json& root, const Dialect& dialect) {
  return dialect.servers == "/mcp/servers" ? at_pointer(root, "/mcp/inputs") : find(root, "inputs");
}

}  // namespace

std::string HostServers::said_at(const std::string& pointer) const {
  std::string known = pointer;
  while (true) {
    const auto found = moved.find(known);
    if (found != moved.end()) return found->second + pointer.substr(known.size());
    const std::size_t slash = known.rfind('/');
    if (slash == std::string::npos) return pointer;
    known.resize(slash);
  }
}

HostServers read_host_servers(const Json& root, const std::string& file_name,
                              const Surroundings& around, std::optional<Problem>& problem) {
  HostServers out;
  out.root = root;
  const Dialect* const dialect = root.is_object() ? dialect_of(root, file_name) : nullptr;
  if (dialect == nullptr || root.contains("agentId")) return out;
  const Json servers = *at_pointer(root, dialect->servers);
  if (dialect->servers != "/mcpServers") {
    const std::string_view first = dialect->servers.substr(1);
    out.root.erase(std::string(first.substr(0, first.find('/'))));
    out.moved["/mcpServers"] = std::string(dialect->servers);
  }
  if (!servers.is_object()) {
    out.root["mcpServers"] = servers;
    return out;
  }
  HostValues values(*dialect, around, inputs_of(root, *dialect), out.notes, problem);
  Json read = Json::object();
  for (const auto& [name, entry] : servers.items()) {
    out.names.push_back(name);
    const bool wanted = around.servers.empty() || is_one_of(name, around.servers);
    if (!wanted) continue;
    const std::string said_at = std::string(dialect->servers) + "/" + pointer_token(name);
    ServerReader reader(name, said_at, out, values, around, problem);
    if (is_excluded(root, name)) {
      out.left_out[name] = "is excluded in the file and is not started";
      out.notes.push_back({said_at, "server \"" + name + "\" " + out.left_out[name]});
      continue;
    }
    if (!entry.is_object()) {
      read[name] = entry;
      continue;
    }
    std::optional<Json> ours = reader.read(entry);
    if (ours && !out.left_out.contains(name)) read[name] = *std::move(ours);
  }
  out.root["mcpServers"] = std::move(read);
  out.secrets = values.secrets();
  return out;
}

}  // namespace plumbline::cli
