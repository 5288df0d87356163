#include "cli/options/shown_words.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "core/base/secrets/secret_names.h"
#include "core/json/redactor.h"

namespace plumbline::cli {

namespace {

using Parts = std::vector<Part>;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_byte(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
}

// folded spells `name` as variables are: "api-key" and "apiKey" are API_KEY.
std::string folded(std::string_view name) {
  std::string out;
  bool lower = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isupper(byte) != 0 && lower && !out.empty()) out += '_';
    lower = std::islower(byte) != 0;
    out += is_letter(c) || is_digit(c) ? static_cast<char>(std::toupper(byte)) : '_';
  }
  return out;
}

// variable_of returns the variable of a shell that is to hold the value of `name`.
std::string variable_of(std::string_view name) {
  std::string out = folded(name);
  out.erase(0, out.find_first_not_of('_'));
  return out.empty() || is_digit(out.front()) ? "SECRET" + out : out;
}

// holds_secret returns whether the value of a variable or an option of this name is a secret.
bool holds_secret(std::string_view name) { return names_secret(name, NamedAs::kVariable); }

// is_user returns whether `word` is a user and a password, as curl takes them: not 1000:1000, and
// no URL.
bool is_user(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == word.npos || colon + 1 == word.size()) return false;
  const bool numbers = std::ranges::all_of(word, [](char c) { return is_digit(c) || c == ':'; });
  return !numbers && !word.substr(colon).starts_with("://");
}

bool takes_user(std::string_view option) {
  return option == "-u" || option == "-U" || option == "--user" || option == "--proxy-user";
}

// is_option returns whether a word is "--name" or "-x", and so no value of the option before it.
bool is_option(std::string_view word) {
  if (word.size() == 2) return word[0] == '-' && is_letter(word[1]);
  return word.size() > 2 && word.starts_with("--") && is_letter(word[2]);
}

// name_before_value returns the name that a word gives to the next one: "--api-key", or
// "API_TOKEN=" before a quote; empty when it gives none.
std::string name_before_value(std::string_view word) {
  const std::size_t start = std::min(word.find_first_not_of('-'), word.size());
  std::string_view name = word.substr(start);
  if (name.ends_with('=')) {
    name.remove_suffix(1);
  } else if (start == 0 || name.starts_with("no-")) {
    return "";
  }
  return std::ranges::all_of(name, is_name_byte) && holds_secret(name) ? std::string(name) : "";
}

// WordReader takes one word apart.
class WordReader {
 public:
  explicit WordReader(std::string_view word) : rest_(word) {}

  // all takes the word apart. A script is one whatever it begins with.
  Parts all(bool is_script = false) {
    if (is_script && script()) return std::move(parts_);
    while (named()) {
    }
    if (!rest_.empty() && !url() && !script()) plain(rest_.size());
    return std::move(parts_);
  }

 private:
  void add(Part part) {
    if (part.text.empty()) return;
    if (part.variable.empty() && !parts_.empty() && parts_.back().variable.empty()) {
      parts_.back().text += part.text;
    } else {
      parts_.push_back(std::move(part));
    }
  }

  void plain(std::size_t size) {
    add({std::string(rest_.substr(0, size)), ""});
    rest_.remove_prefix(std::min(size, rest_.size()));
  }

  void secret(std::size_t size, std::string_view name) {
    if (is_reference(rest_.substr(0, size))) return plain(size);
    add({std::string(rest_.substr(0, size)), variable_of(name)});
    rest_.remove_prefix(std::min(size, rest_.size()));
  }

  // named takes NAME=, and what stands behind it when it is a secret; likewise "NAME: VALUE" of a
  // secret. Returns false when there is none.
  bool named() {
    const std::size_t start = std::min(rest_.find_first_not_of('-'), rest_.size());
    std::size_t end = start;
    while (end < rest_.size() && is_name_byte(rest_[end])) ++end;
    if (end == start || end == rest_.size()) return false;
    const std::string name(rest_.substr(start, end - start));
    const bool header = rest_[end] == ':' && start == 0 && names_secret(name, NamedAs::kHeader);
    if (rest_[end] != '=' && !header) return false;
    plain(end + 1);
    if (header) plain(std::min(rest_.find_first_not_of(' '), rest_.size()));
    if (header || holds_secret(name)) secret(rest_.size(), name);
    return true;
  }

  // url takes SCHEME://WHO@HOST/PATH?NAME=VALUE&....
  bool url() {
    const std::size_t scheme = rest_.find("://");
    const auto in_scheme = [](char c) { return is_name_byte(c) || c == '+'; };
    if (scheme == std::string_view::npos || scheme == 0 ||
        !std::ranges::all_of(rest_.substr(0, scheme), in_scheme)) {
      return false;
    }
    plain(scheme + 3);
    const std::size_t authority = std::min(rest_.find_first_of("/?#"), rest_.size());
    const std::size_t who = rest_.substr(0, authority).rfind('@');
    if (who != std::string_view::npos) secret(who, "URL_USER");
    plain(std::min(rest_.find_first_of("?#"), rest_.size()));
    while (!rest_.empty()) {
      plain(1);  // ?, & or #.
      const std::size_t end = std::min(rest_.find_first_of("&#"), rest_.size());
      const std::size_t equals = rest_.substr(0, end).find('=');
      const std::string name(rest_.substr(0, std::min(equals, end)));
      if (equals != std::string_view::npos &&
          (holds_secret(name) || names_secret(name, NamedAs::kParameter))) {
        plain(equals + 1);
        secret(end - equals - 1, name);
      } else {
        plain(end);
      }
    }
    return true;
  }

  // script takes a word of several words, as behind `sh -c`, or JSON: each as if it stood alone.
  bool script() {
    constexpr std::string_view kGaps = " \t\n'\";|&()<>`";
    if (rest_.find_first_of(kGaps) == std::string_view::npos) return false;
    std::string expects;  // The name of the value that comes, if it is a secret.
    std::string before;   // The word before.
    while (!rest_.empty()) {
      plain(std::min(rest_.find_first_not_of(kGaps), rest_.size()));
      const char last = parts_.empty() ? ' ' : parts_.back().text.back();
      const std::size_t gap = std::min(rest_.find_first_of(kGaps), rest_.size());
      const std::string word(rest_.substr(0, gap));
      const bool comma = last == '"' && word == ",";  // Between the words of a list of JSON.
      if (!expects.empty() && comma) {
        plain(gap);
        continue;
      }
      if (!expects.empty() && !is_option(word)) {
        const bool in_quotes = last == '"' || last == '\'';
        secret(in_quotes ? std::min(rest_.find(last), rest_.size()) : gap,
               std::exchange(expects, ""));
        continue;
      }
      if (word.size() > 1 && word.ends_with(':') && holds_secret(word.substr(0, gap - 1))) {
        // A header, in quotes: all up to their end.
        plain(std::min(rest_.find_first_not_of(' ', gap), rest_.size()));
        const bool in_quotes = last == '"' || last == '\'';
        const std::size_t end = in_quotes ? rest_.find(last) : rest_.find_first_of("'\"\n");
        secret(std::min(end, rest_.size()), word.substr(0, gap - 1));
        continue;
      }
      const bool member = word == ":" && names_secret(before, NamedAs::kMember);
      expects = member ? before : name_before_value(word);
      before = word;
      for (Part& part : WordReader(word).all()) add(std::move(part));
      rest_.remove_prefix(gap);
    }
    return true;
  }

  std::string_view rest_;
  Parts parts_;
};

// with_found takes out of the parts of a word that are no secret yet what a redactor finds in it.
Parts with_found(const Parts& parts, const std::string& word) {
  const std::vector<Named> found = Redactor().find(word);
  if (found.empty()) return parts;
  Parts all;
  std::size_t at = 0;
  for (const Part& part : parts) {
    const std::size_t end = at + part.text.size();
    const auto add = [&](std::size_t to, const char* variable) {
      if (to > at) all.push_back({word.substr(at, to - at), variable});
      at = std::max(at, to);
    };
    for (const Named& one : found) {
      if (!part.variable.empty() || one.end <= at || one.begin >= end) continue;
      add(std::max(at, one.begin), "");
      add(std::min(end, one.end), "SECRET");
    }
    if (!part.variable.empty()) all.push_back(part);
    if (part.variable.empty()) add(end, "");
    at = end;
  }
  return all;
}

}  // namespace

std::vector<Parts> parts_of(const std::vector<std::string>& words) {
  std::vector<Parts> all;
  std::string expects;  // The option that takes the next word.
  std::string before;
  for (const std::string& word : words) {
    if (takes_user(before) && is_user(word)) {
      all.push_back({Part{word, "URL_USER"}});
      expects.clear();
    } else if (word.starts_with("-u") && !word.starts_with("-url") && is_user(word)) {
      all.push_back({Part{"-u", ""}, Part{word.substr(2), "URL_USER"}});
      expects.clear();
    } else if (!expects.empty() && !is_option(word) && !word.empty() && !is_reference(word)) {
      all.push_back({Part{word, variable_of(expects)}});
      expects.clear();
    } else {
      expects = word.ends_with('=') ? "" : name_before_value(word);
      const bool is_script = before.starts_with('-') && before.ends_with('c');
      all.push_back(with_found(WordReader(word).all(is_script), word));
    }
    before = word;
  }
  return all;
}

std::string quoted(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("@%+=:,./-_").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string shown_words(const std::vector<std::string>& words) {
  std::map<std::string, std::string> held;  // The secret of each variable.
  std::string out;
  for (const Parts& word : parts_of(words)) {
    if (!out.empty()) out += ' ';
    if (word.empty()) out += quoted("");
    for (const Part& part : word) {
      if (part.variable.empty()) {
        out += quoted(part.text);
        continue;
      }
      std::string variable = part.variable;
      for (int more = 2; held.emplace(variable, part.text).first->second != part.text; ++more) {
        variable = part.variable + "_" + std::to_string(more);
      }
      out += "\"$" + variable + "\"";
    }
  }
  return out;
}

std::vector<std::string> words_in(std::string_view shown) {
  std::vector<std::string> words;
  char quote = '\0';
  bool inside = false;  // Of a word.
  for (std::size_t at = 0; at < shown.size(); ++at) {
    const char c = shown[at];
    const bool parts = quote == '\0' && c == ' ';
    if (!parts && !inside) words.emplace_back();
    inside = !parts;
    if (parts) continue;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote == '\0' && c == '\\' && at + 1 < shown.size()) {
      words.back() += shown[++at];
    } else {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace plumbline::cli
