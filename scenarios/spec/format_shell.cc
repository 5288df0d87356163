#include "scenarios/spec/format_shell.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "core/json/fields/fields.h"
#include "core/json/locate.h"
#include "fakes/shell/shell_words.h"

namespace plumbline::scenarios {

namespace {

using agents::command_line::CommandSettings;
using fakes::ShellBehaviour;

constexpr std::string_view kDefaultRoot = "/srv/project";
constexpr std::size_t kEntriesMax = 200;
constexpr std::int64_t kFloodBytesMax = 1 << 20;
constexpr std::int64_t kRepeatBytesMax = 16 << 20;

constexpr std::array<std::string_view, 3> kKeyStates = {"known", "unknown", "changed"};

void read_rules(ObjectReader& fields, ShellData& data) {
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
    return add_problem(fields.problem(), "/shell" + read.error().pointer, read.error().message);
  }
  data.settings = std::move(read).value();
  const bool says_roots = at_pointer(file, "/local/roots") != nullptr;
  if (!says_roots) data.settings.rules.roots = {std::string(kDefaultRoot)};
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

Json entries_of(Json shape) {
  return shape::with(shape::by_name(std::move(shape)), "maxProperties", kEntriesMax);
}

Field<ShellData> texts_row(std::string_view key,
                           std::map<std::string, std::string> ShellData::*member) {
  return field::own<ShellData>(
      key, entries_of(shape::text()), [=](ObjectReader& fields, ShellData& data) {
        for (const auto& [path, value] : members(fields, key).items()) {
          const auto* const text = value.get_ptr<const std::string*>();
          const bool right = text != nullptr && path.starts_with('/');
          if (right) (data.*member)[path] = *text;
          if (right) continue;
          add_problem(fields.problem(), fields.pointer_to(key) + '/' + pointer_token(path),
                      "expected a text at an absolute path");
        }
      });
}

void read_out_bytes(ObjectReader& fields, ShellBehaviour& does) {
  const auto bytes =
      static_cast<std::size_t>(fields.integer("out_bytes", 1, kRepeatBytesMax).value_or(0));
  const std::string piece = does.out.empty() ? "y" : does.out;
  while (does.out.size() < bytes) does.out += piece;
}

const Fields<ShellBehaviour>& behaviour_fields() {
  static const Fields<net::ExitStatus> kEnd(
      "what a command does",
      {
          field::whole("exit", &net::ExitStatus::code, 0, 255).says("how it ends (0)"),
          field::whole("signal", &net::ExitStatus::signal, 1, 64).says("which signal ends it"),
      });
  static const Fields<ShellBehaviour> kFields =
      Fields<ShellBehaviour>(
          "what a command does",
          {
              field::text("out", &ShellBehaviour::out).says("its standard output, at its start"),
              field::text("err", &ShellBehaviour::err).says("its standard error, at its start"),
              field::own<ShellBehaviour>("out_bytes", shape::whole(1, kRepeatBytesMax),
                                         read_out_bytes)
                  .says("`out` is repeated up to this size"),
              field::milliseconds("takes_ms", &ShellBehaviour::takes)
                  .says("time from its start to its end"),
              field::yes("hangs", &ShellBehaviour::hangs).says("it never ends by itself"),
              field::whole("floods_bytes_per_ms", &ShellBehaviour::flood_bytes, 1, kFloodBytesMax)
                  .says("it writes this much to standard output until it ends"),
              field::yes("ignores_sigterm", &ShellBehaviour::ignores_terminate)
                  .says("only SIGKILL ends it"),
              field::yes("forks", &ShellBehaviour::forks)
                  .says(
                      "after it has ended, a child of it keeps running and holds its output open"),
          })
          .and_those(kEnd.within(&ShellBehaviour::ends_with));
  return kFields;
}

template <typename T>
Field<T> programs_row(std::vector<ProgramSpec> T::*member) {
  return field::own<T>("commands", shape::ref("shell_commands"),
                       [=](ObjectReader& fields, T& out) {
                         for (const auto& [line, value] : members(fields, "commands").items()) {
                           const std::string pointer =
                               fields.pointer_to("commands") + '/' + pointer_token(line);
                           auto words = fakes::shell_words(line);
                           if (!words || words->empty()) {
                             add_problem(fields.problem(), pointer,
                                         "\"" + line + "\" is no beginning of a plain command");
                             continue;
                           }
                           ProgramSpec& program = (out.*member).emplace_back();
                           program.words = *std::move(words);
                           behaviour_fields().read(value, pointer, fields.problem(), program.does);
                         }
                       })
      .says("what commands do, by the beginning of their line; the longest that matches wins");
}

const Fields<HostSpec>& host_fields() {
  using fakes::HostBehaviour;
  static const Fields<HostBehaviour> kBehaves(
      "a host", {
                    field::choice("key", &HostBehaviour::key, kKeyStates),
                    field::yes("unreachable", &HostBehaviour::unreachable),
                    field::milliseconds("latency_ms", &HostBehaviour::latency),
                    field::milliseconds("drops_after_ms", &HostBehaviour::drops),
                });
  static const Fields<HostSpec> kFields =
      kBehaves.within(&HostSpec::behaves)
          .and_those({"a host", {programs_row(&HostSpec::programs)}});
  return kFields;
}

void read_hosts(ObjectReader& fields, ShellData& data) {
  if (!fields.has("hosts")) return;
  for (const auto& [name, value] : members(fields, "hosts").items()) {
    const std::string pointer = fields.pointer_to("hosts") + '/' + pointer_token(name);
    HostSpec& host = data.hosts.emplace_back();
    host.name = name;
    host_fields().read(value, pointer, fields.problem(), host);
  }
}

const Fields<ShellData>& shell_fields() {
  static const Fields<ShellData> kFields(
      "a shell",
      {
          field::own<ShellData>("local", shape::object(), read_rules)
              .says("rules, as in a settings file"),
          field::own<ShellData>("remote", shape::object(), [](ObjectReader&, ShellData&) {})
              .says("rules for other machines"),
          programs_row(&ShellData::programs),
          texts_row("files", &ShellData::files).says("the contents of files, by absolute path"),
          texts_row("links", &ShellData::links)
              .says("the targets of symbolic links, by absolute path"),
          field::own<ShellData>("hosts", entries_of(host_fields().shape()), read_hosts)
              .says("other machines, by name"),
      });
  return kFields;
}

}  // namespace

std::optional<ShellSpec> read_shell(const Json& json, std::optional<Problem>& problem) {
  ShellData data;
  shell_fields().read(json, "/shell", problem, data);
  if (problem) return std::nullopt;
  Result<ShellSpec> made = ShellSpec::make(std::move(data));
  if (made.ok()) return std::move(made).value();
  add_problem(problem, "/shell/local", made.error().message);
  return std::nullopt;
}

Json shell_shape() { return shell_fields().shape(); }
Json shell_commands_shape() { return entries_of(behaviour_fields().shape()); }

}  // namespace plumbline::scenarios
