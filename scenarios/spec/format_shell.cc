#include "scenarios/spec/format_shell.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/json/locate.h"
#include "fakes/shell/shell_words.h"

namespace plumbline::scenarios {

namespace {

using agents::command_line::CommandSettings;

constexpr std::string_view kDefaultRoot = "/srv/project";
constexpr std::size_t kEntriesMax = 200;
constexpr std::int64_t kFloodBytesMax = 1 << 20;
constexpr std::int64_t kRepeatBytesMax = 16 << 20;

constexpr std::array<std::string_view, 3> kKeyStates = {"known", "unknown", "changed"};

class ShellReader {
 public:
  explicit ShellReader(std::optional<Problem>& problem) : problem_(problem) {}

  ShellData read(const Json& json) {
    ObjectReader fields(json, "/shell", "a shell", problem_);
    read_rules(fields);
    data_.programs = read_programs(fields, "commands");
    read_texts(fields, "files", data_.files);
    read_texts(fields, "links", data_.links);
    if (fields.has("hosts")) read_hosts(fields);
    fields.finish();
    return std::move(data_);
  }

 private:
  void read_rules(ObjectReader& fields) {
    Json file = Json::object();
    for (const char* const part : {"local", "remote"}) {
      if (const Json* const json = fields.object(part)) file[part] = *json;
    }
    file["plumbline_commands"] = 1;
    // A simulated machine is another one in name only.
    if (file.contains("remote") && !file["remote"].contains("enabled")) {
      file["remote"]["enabled"] = true;
    }
    Result<CommandSettings, Problem> read = agents::command_line::read_settings(file);
    if (!read.ok()) {
      return add_problem(problem_, "/shell" + read.error().pointer, read.error().message);
    }
    data_.settings = std::move(read).value();
    const bool says_roots = at_pointer(file, "/local/roots") != nullptr;
    if (!says_roots) data_.settings.rules.roots = {std::string(kDefaultRoot)};
  }

  // members returns those of an object that may be missing.
  const Json& members(ObjectReader& fields, std::string_view key) {
    static const Json kNone = Json::object();
    const Json* const json = fields.object(key);
    if (json == nullptr) return kNone;
    if (json->size() <= kEntriesMax) return *json;
    fields.refuse(key, '"' + std::string(key) + "\" has " + std::to_string(json->size()) +
                           " members, expected at most " + std::to_string(kEntriesMax));
    return kNone;
  }

  void read_texts(ObjectReader& fields, std::string_view key,
                  std::map<std::string, std::string>& into) {
    for (const auto& [path, value] : members(fields, key).items()) {
      const auto* const text = value.get_ptr<const std::string*>();
      const bool right = text != nullptr && path.starts_with('/');
      if (right) into[path] = *text;
      if (right) continue;
      add_problem(problem_, fields.pointer_to(key) + '/' + pointer_token(path),
                  "expected a text at an absolute path");
    }
  }

  std::vector<ProgramSpec> read_programs(ObjectReader& fields, std::string_view key) {
    std::vector<ProgramSpec> out;
    for (const auto& [line, value] : members(fields, key).items()) {
      const std::string pointer = fields.pointer_to(key) + '/' + pointer_token(line);
      auto words = fakes::shell_words(line);
      if (!words || words->empty()) {
        add_problem(problem_, pointer, "\"" + line + "\" is no beginning of a plain command");
        continue;
      }
      out.push_back({*std::move(words), read_behaviour(value, pointer)});
    }
    return out;
  }

  fakes::ShellBehaviour read_behaviour(const Json& json, const std::string& pointer) {
    ObjectReader fields(json, pointer, "what a command does", problem_);
    fakes::ShellBehaviour out;
    out.out = fields.text("out").value_or("");
    out.err = fields.text("err").value_or("");
    const auto bytes =
        static_cast<std::size_t>(fields.integer("out_bytes", 1, kRepeatBytesMax).value_or(0));
    const std::string piece = out.out.empty() ? "y" : out.out;
    while (out.out.size() < bytes) out.out += piece;
    out.ends_with.code = static_cast<int>(fields.integer("exit", 0, 255).value_or(0));
    out.ends_with.signal = static_cast<int>(fields.integer("signal", 1, 64).value_or(0));
    out.takes = fields.milliseconds("takes_ms").value_or(Duration{});
    out.hangs = fields.boolean("hangs").value_or(false);
    out.flood_bytes = static_cast<std::size_t>(
        fields.integer("floods_bytes_per_ms", 1, kFloodBytesMax).value_or(0));
    out.ignores_terminate = fields.boolean("ignores_sigterm").value_or(false);
    out.forks = fields.boolean("forks").value_or(false);
    fields.finish();
    return out;
  }

  void read_hosts(ObjectReader& fields) {
    for (const auto& [name, value] : members(fields, "hosts").items()) {
      const std::string pointer = fields.pointer_to("hosts") + '/' + pointer_token(name);
      ObjectReader host(value, pointer, "a host", problem_);
      HostSpec spec;
      spec.name = name;
      if (const auto which = host.choice("key", kKeyStates)) {
        spec.behaves.key = static_cast<fakes::HostKey>(*which);
      }
      spec.behaves.unreachable = host.boolean("unreachable").value_or(false);
      spec.behaves.latency = host.milliseconds("latency_ms").value_or(Duration{});
      spec.behaves.drops = host.milliseconds("drops_after_ms");
      spec.programs = read_programs(host, "commands");
      host.finish();
      data_.hosts.push_back(std::move(spec));
    }
  }

  std::optional<Problem>& problem_;
  ShellData data_;
};

}  // namespace

std::optional<ShellSpec> read_shell(const Json& json, std::optional<Problem>& problem) {
  ShellData data = ShellReader(problem).read(json);
  if (problem) return std::nullopt;
  Result<ShellSpec> made = ShellSpec::make(std::move(data));
  if (made.ok()) return std::move(made).value();
  add_problem(problem, "/shell/local", made.error().message);
  return std::nullopt;
}

}  // namespace plumbline::scenarios
