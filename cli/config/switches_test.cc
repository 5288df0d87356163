// What turns something on or off, and what lists who may do something: a switch switches itself and
// nothing else, and a list that is empty allows nothing.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cli/config/chat_config.h"
#include "cli/config/config.h"
#include "cli/config/sessions_config.h"
#include "cli/known/known.h"
#include "cli/options/settings.h"
#include "core/agents/command_line/settings/command_settings.h"
#include "core/net/http_access.h"
#include "fakes/world/sim_paths.h"

namespace plumbline::cli {
namespace {

namespace cl = agents::command_line;

constexpr std::array<std::string_view, 10> kYes = {"true", "1",   "yes", "on",  "TRUE",
                                                   "True", "YES", "On",  "yEs", "ON"};
constexpr std::array<std::string_view, 8> kNo = {"false", "0",  "no",  "off",
                                                 "FALSE", "No", "OFF", "oFf"};
constexpr std::array<std::string_view, 14> kNeither = {
    "", " ", "maybe", "2", "-1", "y", "n", "t", "f", "enabled", "true ", "0x0", "null", "nein"};

// Switch is one variable that turns something on or off.
struct Switch {
  std::string name;
  std::function<bool&(cl::CommandSettings&)> member;
};

std::vector<Switch> command_switches() {
  return {{"CLI_EXECUTION_ENABLED", [](auto& all) -> bool& { return all.rules.enabled; }},
          {"REMOTE_CLI_ENABLED", [](auto& all) -> bool& { return all.remote.enabled; }},
          {"REQUIRE_COMMAND_APPROVAL", [](auto& all) -> bool& { return all.rules.approval; }},
          {"LANGGRAPH_VERBOSE", [](auto& all) -> bool& { return all.verbose; }}};
}

TEST(SwitchesTest, EverySwitchThatIsKnownIsTestedHere) {
  std::set<std::string> tested = {"CI", "DISPLAY"};  // Of pipelines and desktops: set or not.
  for (const Switch& one : command_switches()) tested.insert(one.name);
  std::set<std::string> known;
  for (const KnownSetting& setting : known_settings()) {
    // Those of configurations have a table of their own: see below.
    const bool ours =
        setting.name.find('.') != std::string::npos || setting.name.starts_with("PLUMBLINE_");
    if (!ours && setting.what.starts_with("whether")) known.insert(setting.name);
  }
  EXPECT_EQ(known, tested);
}

TEST(SwitchesTest, ASwitchSwitchesItselfAndNothingElse) {
  const std::vector<Switch> all = command_switches();
  for (const Switch& meant : all) {
    for (const bool before : {false, true}) {
      const auto with = [&](std::string_view text) {
        cl::CommandSettings settings;
        for (const Switch& one : all) one.member(settings) = before;
        const Status applied = apply_variables({{meant.name, std::string(text)}}, settings);
        EXPECT_EQ(applied.ok(), std::ranges::find(kNeither, text) == kNeither.end()) << text;
        if (!applied.ok()) {
          EXPECT_EQ(applied.error().message,
                    meant.name + " is \"" + std::string(text) + "\", expected true or false");
        }
        for (const Switch& one : all) {
          if (one.name == meant.name) continue;
          EXPECT_EQ(one.member(settings), before) << one.name << text;
        }
        return meant.member(settings);
      };
      for (const std::string_view text : kYes) EXPECT_TRUE(with(text)) << meant.name << text;
      for (const std::string_view text : kNo) EXPECT_FALSE(with(text)) << meant.name << text;
      for (const std::string_view text : kNeither) EXPECT_EQ(with(text), before) << text;
    }
  }
}

TEST(SwitchesTest, SoDoTheSwitchesOfConfigurations) {
  int switches = 0;
  for (const Setting& setting : all_settings()) {
    const auto* const member = std::get_if<bool Settings::*>(&setting.member);
    if (member == nullptr) continue;
    ++switches;
    const std::string name = variable_of(setting);
    const auto with = [&](std::string_view text, bool before) {
      Settings out;
      out.** member = before;
      const Status read = take_variables(out, [&](const std::string& asked) {
        return asked == name ? std::optional<std::string>(text) : std::nullopt;
      });
      EXPECT_EQ(read.ok(), std::ranges::find(kNeither, text) == kNeither.end()) << name << text;
      return out.**member;
    };
    for (const bool before : {false, true}) {
      for (const std::string_view text : kYes) EXPECT_TRUE(with(text, before)) << name << text;
      for (const std::string_view text : kNo) EXPECT_FALSE(with(text, before)) << name << text;
      for (const std::string_view text : kNeither) EXPECT_EQ(with(text, before), before) << text;
    }
  }
  EXPECT_GE(switches, 1);
}

// List is a setting that lists what may be done. `allows` returns whether the thing is allowed
// where the setting is `said`: JSON, or nothing where it is left out.
struct List {
  const char* name;
  const char* naming;    // The list that names the thing.
  bool allowed_without;  // By the default.
  std::function<bool(std::optional<std::string> said)> allows;
};

std::string member(const char* key, const std::optional<std::string>& said) {
  return said ? std::string("\"") + key + "\": " + *said : "";
}

net::HttpAccess sessions_access(const char* key, const std::optional<std::string>& said) {
  SessionsConfig config =
      parse_sessions_config("{" + member(key, said) + "}", "sessions.json").value();
  net::HttpAccess access = config.server.http.cors.access;
  access.listens_at("0.0.0.0");
  return access;
}

bool lets_in(const net::HttpAccess& access, const std::string& host, const std::string& origin) {
  wire::HttpRequest request{"POST", "/mcp", {{"Host", host}}, ""};
  if (!origin.empty()) request.headers.set("Origin", origin);
  return !refuse_stranger(request, access).has_value();
}

cl::CommandSettings commands_with(const char* part, const char* key,
                                  const std::optional<std::string>& said) {
  const std::string text =
      "{\"plumbline_commands\": 1, \"" + std::string(part) + "\": {" + member(key, said) + "}}";
  return cl::read_settings(parse_json(text).value()).value();
}

bool holds(const std::vector<std::string>& list, const std::string& item) {
  return std::ranges::find(list, item) != list.end();
}

std::vector<List> lists_of_places() {
  return {
      {"capabilities", R"(["tools/call"])", true,
       [](const auto& said) {
         const Config config =
             parse_config("{\"agentId\": \"a\", \"endpoint\": \"https://a.example/mcp\"" +
                              (said ? ", " + member("capabilities", said) : "") + "}",
                          "a.json", {})
                 .value();
         const auto methods = permitted_methods(config);
         const auto found = methods.find("a");
         return found == methods.end() || holds(found->second, "tools/call");
       }},
      {"origins", R"(["http://localhost:3000"])", true,
       [](const auto& said) {
         return lets_in(sessions_access("origins", said), "localhost", "http://localhost:3000");
       }},
      {"origins of others", R"(["https://class.example"])", false,
       [](const auto& said) {
         return lets_in(sessions_access("origins", said), "localhost", "https://class.example");
       }},
      {"hosts", R"(["10.0.0.7"])", true,
       [](const auto& said) {
         return lets_in(sessions_access("hosts", said), "10.0.0.7:8080", "");
       }},
      {"proxies", R"(["10.0.0.2"])", false,
       [](const auto& said) {
         const SessionsConfig config =
             parse_sessions_config("{" + member("proxies", said) + "}", "s.json").value();
         return holds(config.server.http.proxies, "10.0.0.2");
       }},
      {"registry allow", R"(["https://agents.example"])", false,
       [](const auto& said) {
         const Config config =
             parse_config("{\"plumbline\": {\"registry\": {\"url\": \"https://r.example\"" +
                              (said ? ", " + member("allow", said) : "") +
                              "}}, \"mcpServers\": {}}",
                          "a.json", {})
                 .value();
         return config.registry->allowed.any ||
                holds(config.registry->allowed.origins, "https://agents.example");
       }},
  };
}

std::vector<List> lists_of_commands() {
  return {
      {"local.programs", R"(["git"])", true,
       [](const auto& said) {
         return holds(commands_with("local", "programs", said).rules.programs, "git");
       }},
      {"CLI_COMMAND_WHITELIST", "git", true,
       [](const auto& said) {
         cl::CommandSettings settings;
         cl::Variables variables;
         if (said) variables["CLI_COMMAND_WHITELIST"] = *said == "[]" ? "" : *said;
         EXPECT_TRUE(apply_variables(variables, settings).ok());
         return holds(settings.rules.programs, "git");
       }},
      {"local.search_path", R"(["/usr/bin"])", true,
       [](const auto& said) {
         return holds(commands_with("local", "search_path", said).rules.search_path, "/usr/bin");
       }},
      {"local.roots", R"(["."])", true,
       [](const auto& said) {
         return holds(commands_with("local", "roots", said).rules.roots, ".");
       }},
      {"local.request_env", R"(["CI"])", false,
       [](const auto& said) {
         return holds(commands_with("local", "request_env", said).rules.request_env, "CI");
       }},
      {"local.pass_env", R"(["CI"])", false,
       [](const auto& said) {
         return holds(commands_with("local", "pass_env", said).pass_env, "CI");
       }},
      {"remote.programs", R"(["df"])", true,
       [](const auto& said) {
         return holds(commands_with("remote", "programs", said).remote.programs, "df");
       }},
      {"remote.apis", R"(["https://api.example"])", false,
       [](const auto& said) {
         return holds(commands_with("remote", "apis", said).remote.apis, "https://api.example");
       }},
  };
}

TEST(SwitchesTest, AnEmptyListAllowsNothing) {
  std::vector<List> lists = lists_of_places();
  for (const List& list : lists_of_commands()) lists.push_back(list);
  for (const List& list : lists) {
    EXPECT_EQ(list.allows(std::nullopt), list.allowed_without) << list.name;
    EXPECT_TRUE(list.allows(list.naming)) << list.name;
    EXPECT_FALSE(list.allows("[]")) << list.name << ": an empty list allows it";
  }
}

// Rules hold the lists: what is not among them does not run.
TEST(SwitchesTest, WithoutProgramsNoCommandRuns) {
  fakes::SimPaths paths;
  paths.program("/usr/bin/git");
  paths.folder("/srv");
  cl::CommandSettings settings = commands_with("local", "programs", "[]");
  settings.rules.roots = {"/srv"};
  const Result<cl::CommandPolicy> policy = cl::CommandPolicy::make(settings.rules, paths);
  ASSERT_TRUE(policy.ok()) << policy.error().message;
  cl::CommandRequest request;
  request.line = "git status";
  const auto permit = policy.value().permit(request);
  ASSERT_FALSE(permit.ok());
  EXPECT_EQ(permit.error().rule, "program");
}

}  // namespace
}  // namespace plumbline::cli
