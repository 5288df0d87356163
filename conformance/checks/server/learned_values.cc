#include "conformance/checks/server/learned_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <utility>

#include "conformance/peer/name_words.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/wire/form.h"
#include "core/wire/uri_template.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kTextBytesMax = 200;  // Of one value: an id or a name.
constexpr std::size_t kUrisMax = 3;         // Of one template.
constexpr std::size_t kJsonBytesMax = 256U << 10U;
constexpr std::size_t kIdBytesMax = 64;
constexpr std::string_view kAnyId = "*";  // Under this name: ids of anything, out of plain texts.

// What a search looks for: a word that something is called by.
constexpr std::array<std::string_view, 13> kSearches = {
    "query",  "q",      "search", "text", "keyword", "pattern", "term",
    "filter", "phrase", "needle", "word", "words",   "contains"};
constexpr std::size_t kNamedAlikeMax = 4;   // Of what a search is called like, before other words.
constexpr std::size_t kCommonMax = 3;       // Words that come often.
constexpr std::size_t kCommonBytesMin = 4;  // Of each.
constexpr std::size_t kWordsMax = 2'000;    // That are counted.
constexpr std::array<std::string_view, 2> kCalledBy = {"title", "name"};
// Letters that are in most of what a search may find.
constexpr std::array<const char*, 2> kInMostNames = {"e", "a"};
// What a parameter is called, or ends in, that takes the id of something.
constexpr std::array<std::string_view, 6> kIdsToo = {"sku",  "code",   "ref",
                                                     "slug", "number", "reference"};

// key_of returns a name without what spellings differ in: "stationId", "station_id".
std::string key_of(std::string_view name) {
  std::string key = lower_case(name);
  std::erase_if(key, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return key;
}

bool is_plain(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  if (text != nullptr) return !text->empty() && text->size() <= kTextBytesMax;
  return value.is_number_integer();
}

// segments_of returns the parts of a URI behind its scheme.
std::vector<std::string_view> segments_of(std::string_view uri) {
  std::vector<std::string_view> segments;
  const std::size_t scheme = uri.find("://");
  std::string_view rest = scheme == uri.npos ? uri : uri.substr(scheme + 3);
  rest = rest.substr(0, rest.find_first_of("?#"));
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    if (end > 0) segments.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return segments;
}

// names_for returns under which names the values of a parameter may be known: a "loanId" is the id
// of a "loan", or an "id" at least.
std::vector<std::string> names_for(const std::string& key) {
  if (!key.ends_with("id")) {
    std::vector<std::string> names = {key, key + "id"};
    const auto ends = [&](std::string_view word) { return key.ends_with(word); };
    if (std::ranges::any_of(kIdsToo, ends)) names.emplace_back(kAnyId);
    return names;
  }
  std::vector<std::string> names = {key};
  if (key.size() > 2) names.insert(names.end(), {key.substr(0, key.size() - 2), "id"});
  names.emplace_back(kAnyId);
  return names;
}

// is_id returns whether a word of a text looks like the id of something: "b-101", "K7F3".
bool is_id(std::string_view word) {
  const auto is = [](int (*kind)(int)) {
    return [kind](char c) { return kind(static_cast<unsigned char>(c)) != 0; };
  };
  const auto stands = [&](char c) { return is(std::isalnum)(c) || c == '-' || c == '_'; };
  return word.size() > 1 && word.size() <= kIdBytesMax && std::ranges::all_of(word, stands) &&
         std::ranges::any_of(word, is(std::isalpha)) && std::ranges::any_of(word, is(std::isdigit));
}

// bare returns a word without the marks around it: "(b-101)," is b-101.
std::string_view bare(std::string_view word) {
  constexpr std::string_view kMarks = ".,:;!?()[]{}<>\"'`*#|";
  word.remove_prefix(std::min(word.find_first_not_of(kMarks), word.size()));
  return word.substr(0, word.find_last_not_of(kMarks) + 1);
}

std::string_view longest_word(std::string_view text) {
  std::string_view longest;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = bare(text.substr(0, end));
    if (word.size() > longest.size()) longest = word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

// each_word calls `see` with each run of letters and digits in a text.
template <typename See>
void each_word(std::string_view text, const See& see) {
  const auto stands = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || byte > 127;
  };
  while (!text.empty()) {
    const auto begin = std::ranges::find_if(text, stands);
    const auto end = std::find_if_not(begin, text.end(), stands);
    if (begin != end) see(std::string(begin, end));
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
  }
}

// offer_of names what is offered for one argument of a prompt, or for one variable of a template.
std::string offer_of(std::string_view what, std::string_view argument) {
  return std::string(what) + " / " + std::string(argument);
}

// lister_of returns what the part of a template before a variable lists: "books" in
// "library://books/{id}".
std::string lister_of(std::string_view uri_template, std::string_view variable) {
  const std::vector<std::string_view> parts = segments_of(uri_template);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool plain = parts[i - 1].find('{') == std::string_view::npos;
    if (plain && parts[i] == "{" + std::string(variable) + "}") return std::string(parts[i - 1]);
  }
  return {};
}

}  // namespace

// count takes in the words of a text, and the text where it is no word alone.
void LearnedValues::count(const std::string& text) {
  const bool phrase = text.size() <= kTextBytesMax && text.find(' ') != std::string::npos &&
                      text.find('\n') == std::string::npos;
  if (phrase && phrases_.size() < kValuesMax) phrases_.push_back(text);
  each_word(text.substr(0, kJsonBytesMax), [this](std::string word) {
    if (word.size() < kCommonBytesMin) return;
    if (words_.size() < kWordsMax || words_.contains(word)) ++words_[std::move(word)];
  });
}

void LearnedValues::add(std::string_view name, const Json& value) {
  if (!is_plain(value)) return;
  std::vector<Json>& known = values_[key_of(name)];
  if (known.size() >= kValuesMax || std::ranges::find(known, value) != known.end()) return;
  known.push_back(value);
}

// look takes in the members of objects. `within` is the member that they stand in: an "id" in
// "stations" is a station, and a station's id.
void LearnedValues::look(const Json& value, std::string_view within) {
  if (++looks_ > kLooksMax) return;
  if (value.is_string()) return count(value.get_ref<const std::string&>());
  if (value.is_array()) {
    for (const Json& each : value) {
      add(singular(within), each);
      look(each, within);
    }
    return;
  }
  if (!value.is_object()) return;
  for (const auto& [name, member] : value.items()) {
    add(name, member);
    const std::string owner = singular(within);
    const bool names_it = name == "id" || name == "name" || name == "code" || name == "key";
    if (names_it && !owner.empty()) {
      add(owner, member);
      add(owner + name, member);
    }
    look(member, name);
  }
}

// learn_uris takes each part of a URI for what the part before it lists, an only one for what the
// scheme is, or for the variable of a template that stands there.
void LearnedValues::learn_uris(const Survey& survey) {
  for (const Json& resource : survey.resources.items) {
    const std::string uri = string_or(resource, "uri", "");
    const std::vector<std::string_view> parts = segments_of(uri);
    add("uri", uri);
    for (const std::string_view name : kCalledBy) add(name, string_or(resource, name, ""));
    if (parts.size() == 1) add(singular(uri.substr(0, uri.find(':'))), percent_decode(parts[0]));
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const Json part = percent_decode(parts[i]);
      add(singular(parts[i - 1]), part);
      add(singular(parts[i - 1]) + "id", part);
    }
    for (const Json& pattern : survey.templates.items) {
      const std::string text = string_or(pattern, "uriTemplate", "");
      const std::vector<std::string_view> slots = segments_of(text);
      if (slots.size() != parts.size()) continue;
      for (std::size_t i = 0; i < slots.size(); ++i) {
        const bool variable = slots[i].starts_with('{') && slots[i].ends_with('}');
        if (!variable && slots[i] != parts[i]) break;
        if (variable) add(slots[i].substr(1, slots[i].size() - 2), Json(percent_decode(parts[i])));
      }
    }
  }
}

// learn_completions takes in what is offered, for its own argument and for what is called alike.
void LearnedValues::learn_completions(const Exercise& exercise) {
  for (const Call* const call : exercise.completed("completion/complete")) {
    const Json* const values = at_pointer(*call->complete(), "/completion/values");
    const Json* const argument = at_pointer(call->params, "/argument/name");
    const Json* const ref = find(call->params, "ref");
    if (values == nullptr || !values->is_array() || argument == nullptr || ref == nullptr) continue;
    const auto name = argument->get<std::string>();
    const std::string uri = string_or(*ref, "uri", "");
    const std::string listed = singular(lister_of(uri, name));
    for (const Json& value : *values) {
      add(offer_of(string_or(*ref, "name", uri), name), value);
      add(name, value);
      if (listed.empty()) continue;
      add(listed, value);
      add(listed + "id", value);
    }
  }
}

// learn begins with what results show: what is listed may be about something else.
void LearnedValues::learn(const Survey& survey, const Exercise& exercise) {
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json& result = *call->complete();
    if (bool_or(result, "isError", false)) continue;
    if (const Json* const structured = find(result, "structuredContent")) look(*structured, "");
    look_at_texts(result, "content", string_or(call->params, "name", ""));
  }
  for (const Call* const call : exercise.completed("resources/read")) {
    look_at_texts(*call->complete(), "contents", "");
  }
  learn_completions(exercise);
  learn_uris(survey);
}

// look_at_texts takes in the blocks below `member`: of those that are no JSON the ids.
void LearnedValues::look_at_texts(const Json& result, const char* member, std::string_view tool) {
  const Json* const blocks = find(result, member);
  if (blocks == nullptr || !blocks->is_array()) return;
  for (const Json& block : *blocks) {
    const std::string text = string_or(block, "text", "");
    const Result<Json> json = parse_json(text, {.bytes_max = kJsonBytesMax});
    if (json.ok() && json.value().is_structured()) {
      look(json.value(), "");
    } else {
      count(text);
      look_at_lines(text, tool);
    }
  }
}

// look_at_lines takes in the ids in a text. One that begins a line is one of what the tool lists:
// "l-1" in "l-1 due 2026-01-01" of list_loans is a loan.
void LearnedValues::look_at_lines(std::string_view text, std::string_view tool) {
  const std::vector<std::string> words = words_of(tool);
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  bool begins = true;
  while (!text.empty() && ++looks_ <= kLooksMax) {
    const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
    const std::string_view word = bare(text.substr(0, end));
    const Json id = std::string(word);
    if (is_id(word)) add(kAnyId, id);
    for (std::size_t i = 1; i < words.size() && begins && is_id(word); ++i) {
      add(singular(words[i]), id);
      add(singular(words[i]) + "id", id);
    }
    // No bullet, and no number of a list.
    if (std::ranges::any_of(word, is_letter)) begins = false;
    if (end < text.size() && text[end] == '\n') begins = true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<Json> LearnedValues::of(std::string_view parameter) const {
  const std::string key = key_of(parameter);
  std::vector<Json> values;
  for (const std::string& name : names_for(key)) {
    const auto found = values_.find(name);
    if (found == values_.end()) continue;
    values = found->second;
    break;
  }
  if (!searches_by(parameter)) return values;
  values.resize(std::min(values.size(), kNamedAlikeMax));
  for (Json& text : searches()) {
    if (std::ranges::find(values, text) == values.end()) values.push_back(std::move(text));
  }
  return values;
}

// common_words returns those that come most often: a search for one finds much.
std::vector<std::string> LearnedValues::common_words() const {
  std::vector<std::pair<std::string, std::size_t>> often(words_.begin(), words_.end());
  std::erase_if(often, [](const auto& word) { return word.second < 2; });
  std::ranges::sort(often, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::vector<std::string> words;
  for (auto& [word, times] : often) {
    if (words.size() < kCommonMax) words.push_back(std::move(word));
  }
  return words;
}

// searches returns words that come often, what things are called, and the longest word of each: a
// search may look for the text as it is, or for words. Where none of them finds a thing, a letter
// may.
std::vector<Json> LearnedValues::searches() const {
  std::vector<Json> texts;
  for (std::string& word : common_words()) texts.emplace_back(std::move(word));
  for (const std::string_view name : kCalledBy) {
    const auto named = values_.find(std::string(name));
    if (named == values_.end()) continue;
    for (const Json& value : named->second) {
      if (!value.is_string() || texts.size() >= kValuesMax) continue;
      const auto& text = value.get_ref<const std::string&>();
      texts.push_back(value);
      if (longest_word(text) != text) texts.emplace_back(std::string(longest_word(text)));
    }
  }
  for (const std::string& text : phrases_) {
    if (texts.size() < kValuesMax) texts.emplace_back(std::string(longest_word(text)));
  }
  for (const char* const letter : kInMostNames) texts.emplace_back(letter);
  return texts;
}

// offered returns what completions offer for an argument of a prompt or a variable of a template,
// else what is known by its name.
std::vector<Json> LearnedValues::offered(std::string_view what, std::string_view argument) const {
  const auto found = values_.find(key_of(offer_of(what, argument)));
  return found != values_.end() ? found->second : of(argument);
}

Json LearnedValues::prompt_arguments(const Json& prompt, const Json& first) const {
  Json arguments = first;
  for (const auto& [name, value] : first.items()) {
    const std::vector<Json> values = offered(string_or(prompt, "name", ""), name);
    // A server that offers the same for every argument offers words in place of a URI as well.
    const bool is_uri = name.ends_with("Uri") || name.ends_with("uri") || name.ends_with("url");
    const auto text = std::ranges::find_if(values, [is_uri](const Json& one) {
      return one.is_string() &&
             (!is_uri || one.get_ref<const std::string&>().find(':') != std::string::npos);
    });
    if (text != values.end()) arguments[name] = *text;
  }
  return arguments == first ? Json() : arguments;
}

std::vector<std::string> LearnedValues::uris_of(std::string_view uri_template) const {
  std::vector<std::string> uris;
  for (std::size_t number = 0; number < kUrisMax; ++number) {
    bool fresh = false;
    const auto text_of = [&](std::string_view expression) -> std::optional<std::string> {
      const std::vector<Json> values = offered(uri_template, expression);
      if (values.empty()) return std::nullopt;
      const Json& value = values[std::min(number, values.size() - 1)];
      fresh = fresh || number < values.size();
      std::string text;
      wire::append_percent_encoded(
          text, value.is_string() ? value.get_ref<const std::string&>() : dump_json(value));
      return text;
    };
    const std::optional<std::string> uri = wire::expand_template(uri_template, text_of);
    if (!uri) return {};
    if (!fresh) break;
    uris.push_back(*uri);
  }
  return uris;
}

bool searches_by(std::string_view parameter) {
  if (std::ranges::find(kSearches, key_of(parameter)) != kSearches.end()) return true;
  const std::vector<std::string> words = words_of(parameter);
  return words.size() > 1 && (words.front() == "search" || words.back() == "contains" ||
                              words.back() == "query" || words.back() == "keyword");
}

}  // namespace plumbline::conformance
