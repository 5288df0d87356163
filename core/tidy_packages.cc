// What our packages are called on npm and PyPI, where the bare name is another project's: a page or
// a script that installs or imports it would run somebody else's program.

#include <algorithm>
#include <array>
#include <vector>

#include "core/tidy_rules.h"

namespace plumbline::tidy {
namespace {

// Split, so that this file is none of its own findings.
const std::string kBareName =
    "plumb"
    "line";

bool is_any_of(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

// Words are what blanks, quotes, brackets and commas part. A bar, a semicolon, a quote or a blank
// comment ends a command; it is a word of its own: "|".
std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (std::string_view(" \t\"'`()[]{},|;&").find(c) == std::string_view::npos) {
      words.back() += c;
      continue;
    }
    if (!words.back().empty()) words.emplace_back();
    if (std::string_view("`|;&").find(c) != std::string_view::npos) {
      words.back() = "|";
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// is_foreign returns whether a package, or the path of one, has our name in it and is none of ours.
bool is_foreign(std::string_view word, const std::string& name) {
  const std::string_view base = word.substr(word.rfind('/') + 1);
  if (base.find(kBareName) == std::string_view::npos || base.starts_with('.')) return false;
  std::string module = name;
  std::ranges::replace(module, '-', '_');
  return !base.starts_with(name) && !base.starts_with(module);
}

constexpr std::array kInstallers = {"npm", "pnpm", "yarn", "bun",    "pip",   "pip3",
                                    "uv",  "pipx", "pdm",  "poetry", "conda", "pipenv"};
constexpr std::array kInstalling = {"install", "i", "add", "download", "wheel", "inject"};
constexpr std::array kRunning = {"exec", "x", "dlx", "run"};
constexpr std::array kRunners = {"npx", "bunx", "uvx", "pnpx"};

// Reader goes through the words of a line and looks at each that names a package.
class Reader {
 public:
  Reader(std::vector<std::string> words, const std::string& name)
      : words_(std::move(words)), name_(name) {}

  // installs_foreign returns whether one of the commands installs or runs a foreign package.
  bool installs_foreign() {
    for (at_ = 0; at_ < words_.size(); ++at_) {
      if (is_list_of_dependencies() && any_foreign()) return true;
      if (is_any_of(words_[at_], kRunners) && first_foreign()) return true;
      if (!is_any_of(words_[at_], kInstallers)) continue;
      ++at_;
      while (at_ < words_.size() && words_[at_] == "tool") ++at_;
      if (at_ == words_.size()) return false;
      if (is_any_of(words_[at_], kInstalling) && any_foreign()) return true;
      if (is_any_of(words_[at_], kRunning) && first_foreign()) return true;
    }
    return false;
  }

 private:
  // "dependencies": {, additional_dependencies: [, dependencies = [
  bool is_list_of_dependencies() const {
    const std::string& word = words_[at_];
    const std::string next = at_ + 1 < words_.size() ? words_[at_ + 1] : "";
    return word.ends_with("ependencies:") ||
           (word.ends_with("ependencies") && (next == ":" || next == "="));
  }

  bool ends(std::size_t at) const { return at == words_.size() || words_[at] == "|"; }

  // first_foreign looks at the first word behind at_ that is no option.
  bool first_foreign() const {
    std::size_t at = at_ + 1;
    while (!ends(at) && words_[at].starts_with('-')) ++at;
    return !ends(at) && is_foreign(words_[at], name_);
  }

  bool any_foreign() const {
    for (std::size_t at = at_ + 1; !ends(at); ++at) {
      if (is_foreign(words_[at], name_)) return true;
    }
    return false;
  }

  std::vector<std::string> words_;
  const std::string& name_;
  std::size_t at_ = 0;
};

// imports_foreign returns whether a line of JavaScript or Python imports the bare name.
bool imports_foreign(std::string_view line) {
  for (const std::string_view before :
       {"from \"", "from '", "import \"", "import '", "import(\"", "import('", "require(\"",
        "require('", "from ", "import "}) {
    const std::string wanted = std::string(before) + kBareName;
    const std::size_t at = line.find(wanted);
    if (at == std::string_view::npos) continue;
    const std::string_view after = line.substr(at + wanted.size());
    const bool is_python = before.back() == ' ';
    if (is_python && at != 0) continue;           // In prose.
    if (at > 0 && line[at - 1] == '.') continue;  // Somebody's own require().
    if (after.empty() || std::string_view("\"'/. ;,").find(after.front()) != std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

void check_package_names(const std::string& name, std::string_view text, Findings& out) {
  if (text.find(kBareName) == std::string_view::npos) return;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    ++number;
    if (line.find(kBareName) != std::string_view::npos &&
        (imports_foreign(line) || Reader(words_of(line), name).installs_foreign())) {
      out.push_back({number, "on npm and PyPI this name is another project's, ours is " + name});
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace plumbline::tidy
