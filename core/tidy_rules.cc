#include "core/tidy_rules.h"

#include <algorithm>
#include <cctype>

#include "core/tidy_bans.h"

namespace plumbline::tidy {
namespace {
bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_allowed(const std::string& path, const std::vector<std::string>& allowed) {
  return std::ranges::any_of(allowed, [&path](const std::string& place) {
    return place.front() == '_' ? path.ends_with(place) : path.starts_with(place);
  });
}

// word_before returns the word that ends before `at`, spaces between them aside.
std::string_view word_before(std::string_view code, std::size_t at) {
  while (at > 0 && code[at - 1] == ' ') --at;
  std::size_t start = at;
  while (start > 0 && is_word_character(code[start - 1])) --start;
  return code.substr(start, at - start);
}

// is_declaration tells `= delete` and `operator new` from the expressions.
bool is_declaration(std::string_view code, std::size_t at) {
  std::size_t before = at;
  while (before > 0 && code[before - 1] == ' ') --before;
  return word_before(code, at) == "operator" ||
         (before > 0 && code[before - 1] == '=' && code.substr(at, 7) == "delete;");
}

void check_header(const std::string& path, const Include& include, Findings& out) {
  for (const HeaderBan& ban : header_bans()) {
    if (!include.target.starts_with(ban.prefix)) continue;
    if (!is_allowed(path, ban.allowed)) {
      out.push_back({include.line, "<" + include.target + "> is banned here, use " + ban.instead});
    }
    return;
  }
}

// Blanker walks through a source text and blanks what is not code.
class Blanker {
 public:
  explicit Blanker(const std::string& text) : whole_(text), text_(text), out_(text) {}

  std::string run() {
    // Nothing but these begins what is blanked.
    while ((at_ = whole_.find_first_of("/\"'R", at_)) != std::string::npos) step();
    return std::move(out_);
  }

 private:
  bool here(std::string_view token) const { return text_.substr(at_, token.size()) == token; }

  void step() {
    const char c = text_[at_];
    if (here("//")) {
      blank_to(text_.find('\n', at_));
    } else if (here("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      blank_to(end == std::string_view::npos ? end : end + 2);
    } else if (here("R\"")) {
      const std::size_t open = text_.find('(', at_);
      const std::string close = ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"";
      const std::size_t end = text_.find(close, at_);
      blank_to(end == std::string_view::npos ? end : end + close.size());
    } else if (c == '"' || (c == '\'' && !(at_ > 0 && is_word_character(text_[at_ - 1])))) {
      literal(c);  // A quote after a digit groups digits: 1'000.
    } else {
      ++at_;
    }
  }

  void literal(char quote) {
    ++at_;
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    blank_to(end);
    ++at_;
  }

  void blank_to(std::size_t end) {
    for (end = std::min(end, text_.size()); at_ < end; ++at_) {
      if (text_[at_] != '\n') out_[at_] = ' ';
    }
  }

  const std::string& whole_;
  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

// opens_function returns whether the block after `head`, the text since the last statement, is the
// body of a function.
bool opens_function(std::string_view head) {
  if (head.find('(') == std::string_view::npos) return false;
  const std::size_t last = head.find_last_not_of(" \n");
  if (head[last] == '=' || head[last] == ',' || head[last] == '(') return false;
  const std::size_t start = head.find_first_not_of(" \n");
  for (const char* word : {"if", "for", "while", "switch", "else", "do", "case", "namespace",
                           "catch", "return", "co_return"}) {
    if (find_word(head, word) == start) return false;
  }
  return true;
}

// check_function reports the function that stands from byte `first` to its brace at `last`.
void check_function(const std::string& code, std::size_t first, std::size_t last, Findings& out) {
  const std::size_t lines = line_at(std::string_view(code).substr(first), last - first);
  if (lines <= kFunctionLinesMax) return;
  out.push_back({line_at(code, first), "a function of " + std::to_string(lines) +
                                           " lines, at most " + std::to_string(kFunctionLinesMax)});
}

void check_functions(const std::string& code, Findings& out) {
  struct Block {
    bool function = false;
    std::size_t first = 0;
  };
  std::vector<Block> open;
  std::size_t head = 0;  // Where the statement starts that is being read.
  for (std::size_t at = code.find_first_of("{};"); at != std::string::npos;
       at = code.find_first_of("{};", at + 1)) {
    if (code[at] == '{') {
      const std::string_view text = std::string_view(code).substr(head, at - head);
      const std::size_t start = std::min(text.find_first_not_of(" \n"), text.size());
      open.push_back({opens_function(text), head + start});
    } else if (code[at] == '}' && !open.empty()) {
      const Block block = open.back();
      open.pop_back();
      if (block.function) check_function(code, block.first, at, out);
    }
    head = at + 1;
  }
}

// for_each_line calls `see(number, line)`.
void for_each_line(std::string_view text, auto see) {
  std::size_t number = 1;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    see(number++, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// name_of_definition returns what the definition at the start of `code` is called, a function with
// its parameters; empty when it is none that local_names() looks for.
std::string name_of_definition(std::string_view code) {
  for (const std::string_view kind : {"enum class ", "class ", "struct ", "enum "}) {
    if (!code.starts_with(kind)) continue;
    const std::string_view rest = code.substr(kind.size());
    return std::string(rest.substr(0, rest.find_first_of(" :;{")));
  }
  const std::size_t end = code.find_first_of("(={;[");
  if (end == std::string_view::npos || !is_word_character(code.front())) return "";
  if (code.starts_with("using ")) return "";  // May be said twice.
  std::string name(word_before(code, end));
  if (code[end] != '(') return name;
  bool space = false;
  for (const char c : code.substr(end, code.find(')', end) + 1 - end)) {
    if (c != ' ' && c != '\n') {
      if (space) name += ' ';
      name += c;
    }
    space = c == ' ' || c == '\n';
  }
  return name;
}

}  // namespace

std::vector<std::string> local_names(const std::string& code) {
  std::vector<std::string> names;
  bool inside = false;
  std::size_t start = 0;
  for_each_line(code, [&](std::size_t, std::string_view line) {
    if (line.starts_with("namespace"))
      inside = line == "namespace {";
    else if (line.starts_with("}  "))
      inside = false;  // Its comment is blanked.
    else if (inside && !line.empty() && !line.starts_with("template")) {
      std::string name = name_of_definition(std::string_view(code).substr(start));
      if (!name.empty()) names.push_back(std::move(name));
    }
    start += line.size() + 1;
  });
  return names;
}

std::size_t line_at(std::string_view text, std::size_t byte) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, byte), '\n'));
}

std::string code_of(const std::string& text) { return Blanker(text).run(); }

std::vector<Include> includes_of(std::string_view text) {
  static constexpr std::string_view kInclude = "#include ";
  std::vector<Include> includes;
  for_each_line(text, [&includes](std::size_t number, std::string_view line) {
    if (!line.starts_with(kInclude)) return;
    const bool angled = line.substr(kInclude.size(), 1) == "<";
    const std::size_t start = kInclude.size() + 1;
    const std::size_t end = line.find(angled ? '>' : '"', start);
    includes.push_back({number, std::string(line.substr(start, end - start)), angled});
  });
  return includes;
}

std::size_t find_word(std::string_view code, std::string_view word, std::size_t from) {
  for (std::size_t at = code.find(word, from); at != std::string_view::npos;
       at = code.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts =
        !is_word_character(word.front()) || at == 0 || !is_word_character(code[at - 1]);
    const bool ends =
        !is_word_character(word.back()) || end == code.size() || !is_word_character(code[end]);
    if (starts && ends) return at;
  }
  return std::string_view::npos;
}

void check_bans(const std::string& path, const std::string& text, const std::string& code,
                Findings& out) {
  for (const Ban& ban : bans()) {
    if (is_allowed(path, ban.allowed)) continue;
    for (const std::string& word : ban.words) {
      for (std::size_t at = find_word(code, word); at != std::string::npos;
           at = find_word(code, word, at + 1)) {
        if (is_declaration(code, at)) continue;
        out.push_back({line_at(code, at), "'" + word + "' is banned here, use " + ban.instead});
      }
    }
  }
  // In prose too; spelled in halves so that this file may say them.
  for (const std::string word : {"FIX"
                                 "ME",
                                 "TO"
                                 "DO",
                                 "XX"
                                 "X"}) {
    for (std::size_t at = find_word(text, word); at != std::string::npos;
         at = find_word(text, word, at + 1)) {
      out.push_back({line_at(text, at), word + " is banned, finish it or name the gap in docs"});
    }
  }
  for (const Include& include : includes_of(text)) check_header(path, include, out);
}

void check_sizes(const std::string& path, const std::string& text, const std::string& code,
                 Findings& out) {
  std::size_t lines = 0;
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    lines = number;
    const auto bytes = static_cast<std::size_t>(std::ranges::count_if(
        line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    if (bytes > kColumnsMax) out.push_back({number, "more than 100 columns"});
  });
  const std::size_t lines_max = path.ends_with("_test.cc") ? kTestLinesMax : kFileLinesMax;
  if (lines > lines_max) {
    out.push_back(
        {1, "a file of " + std::to_string(lines) + " lines, at most " + std::to_string(lines_max)});
  }
  check_functions(code, out);
}

void check_names(const std::string& path, const std::string& text, Findings& out) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::string stem = name.substr(0, name.find('.'));
  const bool snake = std::ranges::all_of(stem, [](char c) {
    return c == '_' || std::isdigit(static_cast<unsigned char>(c)) != 0 ||
           std::islower(static_cast<unsigned char>(c)) != 0;
  });
  if (!snake) out.push_back({1, "name the file in snake_case"});
  if (name.ends_with(".h") && find_word(text, "#pragma once") == std::string::npos) {
    out.push_back({1, "a header without #pragma once"});
  }
}

void check_machine_paths(std::string_view text, Findings& out) {
  for (const std::string path : {"/wor"
                                 "k/",
                                 "/ro"
                                 "ot/"}) {
    for (std::size_t at = text.find(path); at != std::string_view::npos;
         at = text.find(path, at + 1)) {
      const bool whole = at == 0 || (!is_word_character(text[at - 1]) && text[at - 1] != '/');
      if (whole) out.push_back({line_at(text, at), "a path of this machine: " + path});
    }
  }
}

Findings check_source(const std::string& path, const std::string& text) {
  Findings out;
  const std::string code = code_of(text);
  check_bans(path, text, code, out);
  check_clocks(path, code, out);
  check_waits(path, code, out);
  check_coroutines(code, out);
  check_properties(code, out);
  check_messages(path, code, out);
  check_sizes(path, text, code, out);
  check_names(path, text, out);
  check_machine_paths(text, out);
  std::ranges::sort(out);
  return out;
}

}  // namespace plumbline::tidy
