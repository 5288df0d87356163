#include "core/os/ssh/ssh_config.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/base/wildcard.h"

namespace plumbline::os {

namespace {

namespace fs = std::filesystem;

constexpr int kDepthMax = 16;  // Of Include, as OpenSSH has it.
constexpr std::size_t kFilesMax = 200;
constexpr std::size_t kFileBytesMax = 1U << 20U;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

// words_of splits a line: by spaces, behind the keyword by one "=", too; quotes hold together. A
// word that begins with # is a comment. Nothing: a quote is not closed.
std::optional<std::vector<std::string>> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && (is_space(line[at]) || (words.size() == 1 && line[at] == '='))) ++at;
    if (at == line.size() || line[at] == '#') return words;
    std::string word;
    bool quoted = false;
    for (; at < line.size(); ++at) {
      if (line[at] == '"') {
        quoted = !quoted;
        continue;
      }
      const bool ends = is_space(line[at]) || (words.empty() && line[at] == '=');
      if (!quoted && ends) break;
      word += line[at];
    }
    if (quoted) return std::nullopt;
    words.push_back(std::move(word));
  }
}

bool fits_host(std::string_view pattern, std::string_view host) {
  return fits(pattern, host, [](char wanted, char c) {
    return wanted == '?' || lower_case(wanted) == lower_case(c);
  });
}

// any_fits returns whether one of `patterns` fits, and none that begins with "!" does.
bool any_fits(const std::vector<std::string>& patterns, std::string_view host) {
  bool found = false;
  for (const std::string& pattern : patterns) {
    const bool excludes = pattern.starts_with('!');
    if (!fits_host(std::string_view(pattern).substr(excludes ? 1 : 0), host)) continue;
    if (excludes) return false;
    found = true;
  }
  return found;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

// ConfigReader reads the files line by line. Of each value the first holds.
class ConfigReader {
 public:
  explicit ConfigReader(const std::string& alias) : alias_(alias) {}

  void read_file(const fs::path& file, int depth) {
    std::error_code unknown;
    if (!fs::is_regular_file(file, unknown)) return;  // A FIFO would make us wait.
    std::ifstream in(file, std::ios::binary);
    if (!in) return;
    if (depth > kDepthMax || ++files_ > kFilesMax) {
      return refuse(file, 1, "too many files are included");
    }
    std::string text;
    text.resize(kFileBytesMax);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    // What a file that is included says of hosts does not go on behind it.
    const bool before = active_;
    int line = 0;
    for (std::size_t at = 0; at < text.size() && !error_;) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      read_line(std::string_view(text).substr(at, end - at), file, ++line, depth);
      at = end + 1;
    }
    active_ = before;
  }

  Result<SshPlace> place() const {
    if (error_) return *error_;
    SshPlace out{host_.value_or(alias_), port_.value_or(0), user_.value_or("")};
    return out;
  }

 private:
  void read_line(std::string_view text, const fs::path& file, int line, int depth) {
    std::optional<std::vector<std::string>> words = words_of(text);
    if (!words) return refuse(file, line, "a quote is not closed");
    if (words->empty()) return;
    const std::string keyword = lower_case(words->front());
    words->erase(words->begin());
    if (keyword == "host") {
      active_ = any_fits(*words, alias_);
    } else if (keyword == "match") {
      active_ = matches(*words);
    } else if (!active_ || words->empty()) {
      return;
    } else if (keyword == "include") {
      for (const std::string& pattern : *words) include(pattern, file, depth);
    } else {
      read_value(keyword, words->front(), file, line);
    }
  }

  // matches returns whether all criteria are ones that we know, and hold.
  bool matches(const std::vector<std::string>& words) const {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string criterion = lower_case(words[i]);
      if (criterion == "all") continue;
      const bool original = criterion == "originalhost";
      if ((!original && criterion != "host") || ++i == words.size()) return false;
      if (!any_fits(split_at_commas(words[i]), original ? alias_ : host_.value_or(alias_))) {
        return false;
      }
    }
    return !words.empty();
  }

  void read_value(const std::string& keyword, const std::string& value, const fs::path& file,
                  int line) {
    if (keyword == "hostname" && !host_) {
      host_ = with_alias(value);
    } else if (keyword == "user" && !user_) {
      user_ = value;
    } else if (keyword == "port" && !port_) {
      int port = 0;
      const char* const end = value.data() + value.size();
      const auto [stopped, failed] = std::from_chars(value.data(), end, port);
      if (failed != std::errc() || stopped != end || port < 1 || port > 65'535) {
        return refuse(file, line, "Port is none of 1 to 65535");
      }
      port_ = port;
    } else if ((keyword == "proxycommand" || keyword == "proxyjump") && !proxy_) {
      proxy_ = true;
      if (equals_ignoring_case(value, "none")) return;
      refuse(file, line,
             alias_ + " is reached by " + (keyword == "proxyjump" ? "ProxyJump" : "ProxyCommand") +
                 ", which is not supported: name a host that can be reached directly");
    }
  }

  // with_alias puts the alias in place of "%h".
  std::string with_alias(std::string_view value) const {
    std::string out;
    for (std::size_t at = 0; at < value.size(); ++at) {
      const bool token = value[at] == '%' && at + 1 < value.size();
      if (token) ++at;
      if (token && value[at] == 'h') {
        out += alias_;
      } else {
        out += value[at];
      }
    }
    return out;
  }

  // include reads what a pattern of files names, in the order of their names. A path that is not
  // absolute begins at the folder of the file, which for that of a user is ~/.ssh.
  void include(const std::string& pattern, const fs::path& file, int depth) {
    fs::path path = pattern;
    if (path.is_relative()) path = file.parent_path() / path;
    if (pattern.starts_with("~/")) path = file.parent_path().parent_path() / pattern.substr(2);
    const std::string name = path.filename().string();
    if (name.find_first_of("*?") == std::string::npos) return read_file(path, depth + 1);
    std::vector<fs::path> found;
    std::error_code absent;
    for (fs::directory_iterator it(path.parent_path(), absent), end; !absent && it != end;
         it.increment(absent)) {
      const std::string one = it->path().filename().string();
      const bool plain =
          fits(name, one, [](char wanted, char c) { return wanted == '?' || wanted == c; });
      if (plain && !one.starts_with('.')) found.push_back(it->path());
    }
    std::ranges::sort(found);
    for (const fs::path& one : found) read_file(one, depth + 1);
  }

  void refuse(const fs::path& file, int line, const std::string& why) {
    if (error_) return;
    error_ =
        Error{ErrorCode::kInvalidInput, file.string() + ":" + std::to_string(line) + ": " + why};
  }

  const std::string& alias_;
  bool active_ = true;
  std::size_t files_ = 0;
  bool proxy_ = false;
  std::optional<std::string> host_;
  std::optional<int> port_;
  std::optional<std::string> user_;
  std::optional<Error> error_;
};

}  // namespace

Result<SshPlace> find_ssh_place(const std::string& config_path, const std::string& alias) {
  ConfigReader reader(alias);
  if (!config_path.empty()) reader.read_file(config_path, 0);
  return reader.place();
}

}  // namespace plumbline::os
