#include "cli/config/host_values.h"

#include <algorithm>

#include "core/base/errors/errors.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/text.h"

namespace plumbline::cli {

namespace {

bool is_variable_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
         std::ranges::all_of(name, is_variable_byte);
}

std::string base_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

HostValues::HostValues(const Dialect& dialect, const Surroundings& around, const Json* inputs,
                       std::vector<Problem>& notes, std::optional<Problem>& problem)
    : dialect_(dialect), around_(around), inputs_(inputs), notes_(notes), problem_(problem) {}

std::string HostValues::put(std::string_view text, const std::string& pointer,
                            const std::string& server) {
  std::string out;
  if (text == "~" || text.starts_with("~/")) {
    const std::optional<std::string> home = place("userHome");
    if (home && reads(kHome, "~", pointer, server)) {
      out = *home;
      text.remove_prefix(1);
    }
  }
  while (!text.empty()) {
    const bool braces = text.starts_with("${");
    const bool named = (dialect_.forms & kInBraces) != 0 && text.starts_with("{env:");
    if (braces || named) {
      const std::size_t end = text.find('}');
      if (end == std::string_view::npos) return out.append(text);
      const std::string_view written = text.substr(0, end + 1);
      out += value_of(written, written.substr(braces ? 2 : 1, end - (braces ? 2 : 1)), pointer,
                      server);
      text.remove_prefix(end + 1);
    } else if (text.front() == '$' && (dialect_.forms & kBare) != 0) {
      std::size_t end = 1;
      while (end < text.size() && is_variable_byte(text[end])) ++end;
      const std::optional<std::string> set = around_.variable(std::string(text.substr(1, end - 1)));
      out += set ? *set : std::string(text.substr(0, end));
      text.remove_prefix(end);
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

// reads returns whether the host puts a value for what is `written`. Where it does not the server
// gets the text itself, which is hardly ever meant.
bool HostValues::reads(unsigned form, std::string_view written, const std::string& pointer,
                       const std::string& server) {
  if ((dialect_.forms & form) != 0) return true;
  notes_.push_back({pointer, "server \"" + server + "\" gets \"" + std::string(written) +
                                 "\" as it stands, as " + std::string(dialect_.host) +
                                 " passes it on: write the value itself"});
  return false;
}

std::string HostValues::value_of(std::string_view written, std::string_view name,
                                 const std::string& pointer, const std::string& server) {
  const std::string as_it_stands(written);
  if (name.starts_with("input:")) {
    if (!reads(kInput, written, pointer, server)) return as_it_stands;
    return input(std::string(name.substr(6)), pointer, server);
  }
  if (const std::optional<std::string> found = place(name)) {
    return reads(kFolders, written, pointer, server) ? *found : as_it_stands;
  }
  const std::size_t split = std::min(name.find(":-"), name.size());
  const bool of_env = name.starts_with("env:");
  const std::string variable_name(name.substr(0, split).substr(of_env && split >= 4 ? 4 : 0));
  if (!is_variable_name(variable_name)) {
    if (dialect_.forms == 0 && !reads(kPlain, written, pointer, server)) return as_it_stands;
    add_problem(problem_, pointer, the_error("config.variable-unknown", server, as_it_stands));
    return {};
  }
  const bool braced = written.front() == '{';
  const unsigned form = braced ? kInBraces : of_env ? kOfEnv : kPlain;
  if (!reads(form, written, pointer, server)) return as_it_stands;
  const std::optional<std::string> set = around_.variable(variable_name);
  if (split < name.size() && (!set || set->empty())) return std::string(name.substr(split + 2));
  return variable(variable_name, pointer, server);
}

std::string HostValues::variable(const std::string& name, const std::string& pointer,
                                 const std::string& server) {
  std::optional<std::string> set = around_.variable(name);
  if (!set) {
    const bool defaults = (dialect_.forms & kDefault) != 0;
    const std::string otherwise = defaults ? ", or write ${" + name + ":-VALUE}" : std::string();
    add_problem(problem_, pointer, the_error("config.variable-unset", server, name, otherwise));
    return {};
  }
  if (names_secret(name, NamedAs::kVariable)) secrets_.push_back(*set);
  return *std::move(set);
}

std::optional<std::string> HostValues::place(std::string_view name) const {
  if (name == "workspaceFolder") return around_.folder;
  if (name == "workspaceFolderBasename") return base_of(around_.folder);
  if (name == "userHome") return around_.variable("HOME");
  if (name == "pathSeparator" || name == "/") return "/";
  return std::nullopt;
}

std::string HostValues::input(const std::string& name, const std::string& pointer,
                              const std::string& server) {
  AskedInput asked;
  asked.name = name;
  bool commanded = false;
  if (inputs_ != nullptr && inputs_->is_array()) {
    for (const Json& said : *inputs_) {
      if (string_or(said, "id", "") != name) continue;
      asked.description = string_or(said, "description", "");
      asked.secret = bool_or(said, "password", false);
      asked.fallback = find_string(said, "default");
      commanded = string_or(said, "type", "") == "command";
    }
  }
  const auto given = around_.inputs.find(name);
  if (given != around_.inputs.end()) answers_[name] = given->second;
  if (!answers_.contains(name) && around_.ask && !commanded) {
    std::optional<std::string> typed = around_.ask(asked);
    if (typed) answers_[name] = typed->empty() ? asked.fallback.value_or("") : *std::move(typed);
  }
  if (!answers_.contains(name) && asked.fallback) answers_[name] = *asked.fallback;
  const auto answer = answers_.find(name);
  if (answer == answers_.end()) {
    const std::string what =
        asked.description.empty() ? std::string() : " (" + clipped(asked.description, 80) + ")";
    add_problem(problem_, pointer, the_error("config.input", server, name, what, name));
    return {};
  }
  const bool secret = asked.secret || names_secret(name, NamedAs::kVariable);
  if (secret) secrets_.push_back(answer->second);
  return answer->second;
}

}  // namespace plumbline::cli
