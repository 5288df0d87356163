#include "core/agents/policy/sensitive.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/agents/policy/sensitive_table.h"
#include "core/agents/policy/words.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/wildcard.h"

namespace plumbline::agents {

namespace {

constexpr unsigned bit_of(SensitiveIn place) {
  switch (place) {
    case SensitiveIn::kName:
      return kInName;
    case SensitiveIn::kDescription:
      return kInDescription;
    case SensitiveIn::kRequest:
      return kInRequest;
  }
  return kInName | kInDescription | kInRequest;
}

std::string_view singular(std::string_view word) {
  return word.ends_with('s') ? word.substr(0, word.size() - 1) : word;
}

// path_text returns `text` in lower case, percent-decoded, with / for every separator.
std::string path_text(std::string_view text) {
  std::string out = lower_case(percent_decode(text));
  std::ranges::replace(out, '\\', '/');
  return out;
}

// ends_path returns whether `pattern`, of one or more names, is how the path `names` ends after
// its first `count` names.
bool ends_path(std::string_view pattern, const std::vector<std::string_view>& names,
               std::size_t count) {
  while (count > 0) {
    const std::size_t slash = pattern.rfind('/');
    if (slash == pattern.npos) return fits(pattern, names[count - 1]);
    if (!fits(pattern.substr(slash + 1), names[count - 1])) return false;
    pattern = pattern.substr(0, slash);
    --count;
  }
  return false;
}

// PathTable finds the patterns that a path ends in: most by the last name, for every word of a
// request is looked up.
class PathTable {
 public:
  explicit PathTable(std::span<const std::string_view> patterns) {
    for (const std::string_view pattern : patterns) {
      const std::string_view last = pattern.substr(pattern.rfind('/') + 1);
      if (last.find('*') == last.npos) {
        by_name_[last].push_back(pattern);
        begins_[byte_of(last.front())] = true;
      } else {
        by_end_[byte_of(last.back())].push_back(pattern);
      }
    }
  }

  // has returns whether the path of the first `count` names ends in one of them; `count` > 0.
  bool has(const std::vector<std::string_view>& names, std::size_t count) const {
    const auto ends = [&](std::string_view pattern) { return ends_path(pattern, names, count); };
    const std::string_view last = names[count - 1];
    if (begins_[byte_of(last.front())]) {
      const auto named = by_name_.find(last);
      if (named != by_name_.end() && std::ranges::any_of(named->second, ends)) return true;
    }
    return std::ranges::any_of(by_end_[byte_of(last.back())], ends) ||
           std::ranges::any_of(by_end_[byte_of('*')], ends);
  }

 private:
  static std::size_t byte_of(char c) { return static_cast<unsigned char>(c); }

  std::map<std::string_view, std::vector<std::string_view>> by_name_;
  std::array<bool, 256> begins_{};                           // How a name of by_name_ begins.
  std::array<std::vector<std::string_view>, 256> by_end_{};  // Those with a star, by how they end.
};

// is_secret_path judges one path; a "?query" and a "#fragment" are no part of it.
bool is_secret_path(std::string_view path) {
  static const PathTable kFolders(secret_folders());
  static const PathTable kFiles(secret_files());
  path = path.substr(0, path.find_first_of("?#"));
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, slash);
    if (!name.empty() && name != ".") names.push_back(name);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  for (std::size_t count = 1; count <= names.size(); ++count) {
    if (kFolders.has(names, count)) return true;
  }
  return !names.empty() && kFiles.has(names, names.size());
}

constexpr std::string_view kSources[] = {
    ".c",   ".cc", ".cpp", ".cs",  ".css", ".go", ".h",  ".hpp",  ".html",  ".java", ".js",
    ".jsx", ".kt", ".mjs", ".php", ".py",  ".rb", ".rs", ".scss", ".swift", ".ts",   ".tsx"};

// without_sources returns `text` without the names of files of source code: what such a name says
// is what the code is about ("src/password_field.tsx").
std::string without_sources(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \t\n\"'`,;"), text.size());
    const std::string_view word = text.substr(0, end);
    const bool source = std::ranges::any_of(
        kSources, [&](std::string_view extension) { return word.ends_with(extension); });
    if (!source) out += word;
    out += ' ';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

bool says_sensitive(std::string_view text, SensitiveIn place) {
  const unsigned where = bit_of(place);
  std::string before;
  for (WordReader reader(text); reader.next();) {
    const std::string_view word = reader.word();
    for (const std::string_view form : {word, singular(word)}) {
      if ((sensitive_word(form) & where) != 0) return true;
    }
    if (place != SensitiveIn::kDescription) {
      if (is_sensitive_pair(before, word) || is_sensitive_pair(before, singular(word))) return true;
      before = word;
    }
  }
  return false;
}

}  // namespace

bool speaks_of_sensitive_data(std::string_view text, SensitiveIn place) {
  if (place != SensitiveIn::kRequest) return says_sensitive(text, place);
  return says_sensitive(without_sources(text), place);
}

bool names_secret_file(std::string_view text) {
  const std::string paths = path_text(text);
  if (is_secret_path(paths)) return true;  // With the blanks that it may have.
  std::string_view rest = paths;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(" \t\r\n\"'`,;:()[]{}<>|="), rest.size());
    std::string_view path = rest.substr(0, end);
    while (path.ends_with('.') || path.ends_with('!') || path.ends_with('?')) path.remove_suffix(1);
    if (!path.empty() && is_secret_path(path)) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

bool asks_for_sensitive_data(const Json& arguments) {
  if (const auto* const text = arguments.get_ptr<const std::string*>()) {
    return speaks_of_sensitive_data(*text, SensitiveIn::kRequest) || names_secret_file(*text);
  }
  if (!arguments.is_structured()) return false;
  return std::ranges::any_of(arguments, asks_for_sensitive_data);
}

}  // namespace plumbline::agents
