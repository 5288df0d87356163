#include "cli/judging/target.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/config/load_config.h"
#include "cli/options/nearest_ids.h"
#include "cli/options/shown_words.h"
#include "core/base/errors/errors.h"
#include "core/base/text.h"
#include "core/wire/url.h"

namespace plumbline::cli {

bool is_loopback(std::string_view host) {
  const auto in_address = [](unsigned char c) { return std::isdigit(c) != 0 || c == '.'; };
  return host == "localhost" || host == "::1" ||
         (host.starts_with("127.") && std::ranges::all_of(host, in_address));
}

namespace {

using Words = std::vector<std::string>;

struct Ending {
  std::string_view ending;
  std::string_view interpreter;  // Empty: no single one; `advice` says what to write.
  std::string_view advice;
};

constexpr std::array kScripts = {
    Ending{".js", "node", ""},     Ending{".mjs", "node", ""},  Ending{".cjs", "node", ""},
    Ending{".py", "python3", ""},  Ending{".rb", "ruby", ""},   Ending{".php", "php", ""},
    Ending{".pl", "perl", ""},     Ending{".sh", "sh", ""},     Ending{".ts", "", "npx tsx"},
    Ending{".mts", "", "npx tsx"}, Ending{".go", "", "go run"}, Ending{".jar", "", "java -jar"},
    Ending{".dll", "", "dotnet"},  Ending{".kts", "", "kotlin"}};

constexpr std::array kInterpreters = {"node", "python", "python3", "ruby", "php", "perl", "bun"};

// script_of returns what runs a file of this name; nullptr: nothing that is known.
const Ending* script_of(std::string_view name) {
  for (const Ending& one : kScripts) {
    if (name.size() > one.ending.size() && name.ends_with(one.ending)) return &one;
  }
  return nullptr;
}

bool exists(Paths& paths, const std::string& path) { return paths.real_path(path).ok(); }

// host_of returns the host of "HOST:PORT/PATH", with or without a scheme before it.
std::string_view host_of(std::string_view text) {
  if (const std::size_t scheme = text.find("://"); scheme != text.npos) {
    text.remove_prefix(scheme + 3);
  }
  text = text.substr(0, text.find_first_of("/?#"));
  if (text.starts_with('[')) return text.substr(1, text.find(']') - 1);
  return text.substr(0, text.rfind(':'));
}

// is_address returns whether `word` is a URL but for its scheme: "localhost:3000/mcp",
// "example.com/mcp".
bool is_address(const std::string& word, Paths& paths) {
  if (word.find_first_of(" \\@") != word.npos || exists(paths, word)) return false;
  const std::string_view authority = std::string_view(word).substr(0, word.find_first_of("/?#"));
  const std::string_view host = host_of(word);
  const auto in_host = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == ':';
  };
  if (host.empty() || !std::ranges::all_of(host, in_host)) return false;
  const std::string_view port = authority.substr(authority.rfind(':') + 1);
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  if (port.size() < authority.size()) return !port.empty() && std::ranges::all_of(port, is_digit);
  if (host == "localhost") return true;
  return host.find('.') != host.npos && !host.starts_with('.') && authority.size() < word.size();
}

// complete_url puts the scheme before an address, and looks for a mistyped one.
Status complete_url(CheckedServer& asked, Paths& paths) {
  std::string& url = asked.url;
  const std::size_t end = url.find("://");
  if (end == url.npos) {
    if (!is_address(url, paths)) {
      return the_error("target.bad-url", url,
                       "expected a whole URL, such as http://127.0.0.1:3000/mcp");
    }
    url = (is_loopback(host_of(url)) ? "http://" : "https://") + url;
    asked.notes.push_back("taken for " + url);
    return Done{};
  }
  const Words known = {"http", "https", "ws", "wss"};
  const std::string scheme = lower_case(url.substr(0, end));
  if (std::ranges::find(known, scheme) != known.end()) return Done{};
  return the_error("target.scheme", url, did_you_mean(scheme, known));
}

// parts_of_line takes a command line in one word apart as a shell does: by the shell, where it has
// more than blanks in it.
Words parts_of_line(const std::string& line) {
  if (line.find_first_of("\"'\\$`|&;<>()*?~#\n") != line.npos) return {"/bin/sh", "-c", line};
  Words words;
  for (std::size_t at = line.find_first_not_of(' '); at != line.npos;) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(' ', end);
  }
  return words;
}

bool is_assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  const auto in_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return equals != word.npos && equals > 0 &&
         std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
         std::ranges::all_of(word.substr(0, equals), in_name);
}

// with_interpreter gives a script that is no program by itself what runs it.
Status with_interpreter(const std::string& who, CheckedServer& asked, std::size_t at,
                        Paths& paths) {
  Words& command = asked.command;
  std::string& program = command[at];
  const Ending* const script = script_of(program);
  if (paths.is_folder(program)) {
    return the_error(
        "target.folder", who, program,
        std::string("-- node ") + program + (program.ends_with('/') ? "" : "/") + "index.js");
  }
  if (script == nullptr) return Done{};
  if (!exists(paths, program)) {
    return the_error("target.no-file", who, program);
  }
  if (paths.is_program(program)) {
    if (program.find('/') == program.npos) program.insert(0, "./");
    return Done{};
  }
  if (script->interpreter.empty()) {
    return the_error("target.no-interpreter", who, program,
                     who + " -- " + std::string(script->advice) + " " + program);
  }
  asked.notes.push_back(program + " is run by " + std::string(script->interpreter));
  command.insert(command.begin() + static_cast<std::ptrdiff_t>(at),
                 std::string(script->interpreter));
  return Done{};
}

// tidy_command makes a command of what stands there in its place.
Status tidy_command(const std::string& who, CheckedServer& asked, Paths& paths) {
  Words& command = asked.command;
  const std::string line = command.front();
  if (command.size() == 1 && line.find(' ') != line.npos && !exists(paths, line)) {
    command = parts_of_line(line);
    if (command.empty()) return the_error("target.command-empty", who);
    asked.notes.push_back(
        "the command in quotes is taken apart at its spaces; without quotes: -- " +
        shown_words(command));
  }
  const auto program = std::ranges::find_if_not(command, is_assignment);
  const auto at = static_cast<std::size_t>(program - command.begin());
  if (program == command.end()) {
    return the_error("target.only-variables", who,
                     std::string("-- ") + command.front() + " node server.js");
  }
  const std::string& word = *program;
  const bool runs_file = std::ranges::find(kInterpreters, word) != kInterpreters.end();
  if (runs_file && at + 1 < command.size() && script_of(command[at + 1]) != nullptr &&
      !command[at + 1].starts_with('-') && !exists(paths, command[at + 1])) {
    return the_error("target.no-file", who, command[at + 1]);
  }
  const Status runs = with_interpreter(who, asked, at, paths);
  if (runs.ok() && at > 0) command.insert(command.begin(), "env");
  return runs;
}

// name_in_words moves what the words are into its place: a URL, a file, or a command.
Status name_in_words(const std::string& who, CheckedServer& asked, Paths& paths) {
  Words all = std::exchange(asked.words, {});
  all.insert(all.end(), asked.command.begin(), asked.command.end());
  asked.command.clear();
  if (all.empty()) return Done{};
  const std::string first = all.front();
  const bool url = first.find("://") != first.npos || is_address(first, paths);
  const bool file = (first.ends_with(".json") || first.ends_with(".toml")) &&
                    exists(paths, first) && !paths.is_program(first);
  if (!url && !file) {
    asked.command = std::move(all);
    return Done{};
  }
  const std::string option = url ? "--url" : "--config";
  const std::string what = url ? "the URL " : "the file ";
  if (all.size() > 1) {
    return the_error("target.too-many-words", who, all[1], what + first);
  }
  std::string& place = url ? asked.url : asked.config;
  if (!place.empty()) {
    return the_error("target.several", who, option + " " + place + " and " + first);
  }
  place = first;
  return Done{};
}

Status check_tls(CheckedServer& asked) {
  if (asked.ca_file.empty() && !asked.insecure) return Done{};
  if (asked.url.empty()) return the_error("target.tls-only-at-a-url");
  const Result<wire::Url> url = wire::parse_url(asked.url);
  if (!asked.insecure || !url.ok() || is_loopback(url.value().host)) return Done{};
  return the_error("target.insecure");
}

// check_company refuses options that belong to another kind of target.
Status check_company(const CheckedServer& asked) {
  const bool headers =
      !asked.headers.empty() || !asked.second_headers.empty() || !asked.foreign_headers.empty();
  if (headers && asked.url.empty())
    return the_error("target.headers-only-at-a-url", "", "gets headers");
  if (!asked.environment.is_default() && asked.command.empty()) {
    return the_error("target.env-only-of-a-command");
  }
  if (!asked.servers.empty() && asked.config.empty()) {
    return the_error("target.server-needs-config");
  }
  return Done{};
}

}  // namespace

void declare_target(CLI::App& app, CheckedServer& asked) {
  const auto repeatable = [&app](const char* name, Words& texts, const char* type,
                                 const char* says) {
    app.add_option(name, texts, says)
        ->type_name(type)
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
  };
  app.add_option("TARGET", asked.words, "A URL, a configuration file, or -- COMMAND ARGS...");
  app.add_option("--url", asked.url, "The server at this URL: http, https, ws or wss")
      ->type_name("URL");
  repeatable("--header", asked.headers, "'NAME: VALUE'",
             "Send this header with every request; repeatable");
  app.add_option("--ca-file", asked.ca_file, "Trust the certificates in this PEM file")
      ->type_name("FILE");
  app.add_flag("--insecure", asked.insecure,
               "Trust any certificate, of a server on this machine only");
  app.add_flag("--stdio", asked.stdio,
               "The server that -- COMMAND ARGS... starts (may be left out)");
  add_environment(app, asked.environment);
  app.add_option("--config", asked.config, "The servers of this mcpServers file")
      ->type_name("FILE");
  repeatable("--server", asked.servers, "NAME", "Only this server of the file; repeatable");
  add_inputs(app, asked.inputs);
}

Status take_target(const std::string& who, CheckedServer& asked, Paths& paths) {
  const Status named = name_in_words(who, asked, paths);
  if (!named.ok()) return named;
  Words given;
  if (!asked.url.empty()) given.push_back("--url " + asked.url);
  if (!asked.config.empty()) given.push_back("--config " + asked.config);
  if (!asked.command.empty()) given.push_back("-- " + shown_words(asked.command));
  if (given.empty()) {
    return the_error("target.none", who, who.substr(0, who.find(' ')));
  }
  if (given.size() > 1) {
    return the_error("target.several", who, given[0] + " and " + given[1]);
  }
  if (asked.stdio && asked.command.empty()) {
    return the_error("target.stdio-and-url", who, given[0]);
  }
  const Status company = check_company(asked);
  if (!company.ok()) return company;
  if (!asked.url.empty()) {
    const Status whole = complete_url(asked, paths);
    return whole.ok() ? check_tls(asked) : whole;
  }
  const Status tls = check_tls(asked);
  if (!tls.ok() || asked.command.empty()) return tls;
  return tidy_command(who, asked, paths);
}

std::vector<std::string> words_of(const CheckedServer& asked) {
  Words words = words_of(asked.environment);
  const auto add = [&words](std::string_view option, const Words& values) {
    for (const std::string& value : values) words.push_back(std::string(option) + "=" + value);
  };
  if (!asked.url.empty()) add("--url", {asked.url});
  add("--header", asked.headers);
  if (!asked.ca_file.empty()) add("--ca-file", {asked.ca_file});
  if (asked.insecure) words.emplace_back("--insecure");
  if (!asked.config.empty()) add("--config", {asked.config});
  add("--server", asked.servers);
  add("--input", asked.inputs);
  if (asked.command.empty()) return words;
  words.emplace_back("--");
  words.insert(words.end(), asked.command.begin(), asked.command.end());
  return words;
}

}  // namespace plumbline::cli
