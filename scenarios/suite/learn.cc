#include "scenarios/suite/learn.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "core/match/masks.h"
#include "scenarios/suite/expectation.h"
#include "scenarios/suite/names.h"

namespace plumbline::suite {

namespace {

constexpr std::size_t kLiteralBytesMax = 1'500;
constexpr std::size_t kPatternBytesMax = 2'000;

bool is_same_but_for(std::string_view kind, const std::string& one, const std::string& other) {
  match::Masks masks;
  const Status added = masks.add(std::string(kind));
  return added.ok() && masks.steady(one) == masks.steady(other);
}

std::optional<Json> structure_in(const std::string& text) {
  if (!text.starts_with('{') && !text.starts_with('[')) return std::nullopt;
  Result<Json> inside = parse_json(text);
  if (!inside.ok() || !inside.value().is_structured()) return std::nullopt;
  return std::move(inside).value();
}

// words_of parts a text into runs of letters and digits, and single characters between them.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char c : text) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (word && in_word) {
      words.back() += c;
    } else {
      words.emplace_back(1, c);
    }
    in_word = word;
  }
  return words;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view(R"(\^$.|?*+()[]{})").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

// pattern_of returns a pattern that fits both texts, which are the same but for some words.
std::optional<std::string> pattern_of(const std::string& one, const std::string& other) {
  const std::vector<std::string> words = words_of(one);
  const std::vector<std::string> others = words_of(other);
  if (words.size() != others.size() || one.size() > kPatternBytesMax) return std::nullopt;
  std::string pattern = "^";
  std::size_t same = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(words[i].front())) != 0 &&
                         std::isalnum(static_cast<unsigned char>(others[i].front())) != 0;
    if (words[i] != others[i] && !is_word) return std::nullopt;
    const bool steady = words[i] == others[i];
    same += steady && is_word ? 1U : 0U;
    pattern += steady ? escaped(words[i]) : "\\w+";
  }
  if (same == 0) return std::nullopt;
  return pattern + "$";
}

// Differ walks through two values that should be the same.
class Differ {
 public:
  explicit Differ(Learned& out) : out_(out) {}

  void walk(const Json& one, const Json& other, const std::string& at) {
    if (one == other) return;
    if (one.is_object() && other.is_object()) return members(one, other, at);
    if (one.is_array() && other.is_array() && one.size() == other.size()) {
      for (std::size_t i = 0; i < one.size(); ++i) {
        walk(one[i], other[i], at + '/' + std::to_string(i));
      }
      return;
    }
    const auto* const text = one.get_ptr<const std::string*>();
    const auto* const now = other.get_ptr<const std::string*>();
    if (text != nullptr && now != nullptr) return texts(*text, *now, at);
    out_.masks.insert(at);
  }

 private:
  void members(const Json& one, const Json& other, const std::string& at) {
    for (const auto& [key, value] : one.items()) {
      const std::string place = at + '/' + pointer_token(key);
      const Json* const there = find(other, key);
      if (there != nullptr) walk(value, *there, place);
      if (there == nullptr) out_.sometimes.insert(place);
    }
  }

  void texts(const std::string& one, const std::string& other, const std::string& at) {
    for (const std::string_view kind : match::kMaskKinds) {
      if (!is_same_but_for(kind, one, other)) continue;
      out_.masks.emplace(kind);
      return;
    }
    const std::optional<Json> inside = structure_in(one);
    const std::optional<Json> there = structure_in(other);
    if (inside && there) return walk(*inside, *there, at);
    if (auto pattern = pattern_of(one, other)) {
      out_.patterns[at] = *pattern;
    } else {
      out_.masks.insert(at);
    }
  }

  Learned& out_;
};

// Expecting makes what is expected of one part of an answer.
class Expecting {
 public:
  explicit Expecting(const Learned& learned) : learned_(learned) {}

  // plain returns `value` as an expectation.
  Json plain(const Json& value, const std::string& at) const {
    const auto pattern = learned_.patterns.find(at);
    if (pattern != learned_.patterns.end()) return {{"$regex", pattern->second}};
    if (value.is_object()) {
      Json out = Json::object();
      bool matcher = false;
      for (const auto& [key, member] : value.items()) {
        const std::string place = at + '/' + pointer_token(key);
        if (learned_.sometimes.contains(place)) continue;
        matcher = matcher || key.starts_with('$');
        out[key] = plain(member, place);
      }
      if (matcher) return {{"$literal", quoted(value)}};
      return out;
    }
    if (value.is_array()) {
      Json out = Json::array();
      for (std::size_t i = 0; i < value.size(); ++i) {
        out.push_back(plain(value[i], at + '/' + std::to_string(i)));
      }
      return out;
    }
    return quoted(value);
  }

  // short_of returns it, or a snapshot where that is long.
  Json short_of(const Json& value, const std::string& at) const {
    Json wanted = plain(value, at);
    if (dump_json(wanted).size() <= kLiteralBytesMax || unsteady_below(at)) return wanted;
    return {{"$snapshot", true}};
  }

 private:
  // A snapshot is compared whole: it knows no members that come and go, and no patterns.
  bool unsteady_below(const std::string& at) const {
    const auto below = [&](const std::string& place) { return place.starts_with(at); };
    return std::ranges::any_of(learned_.sometimes, below) ||
           std::ranges::any_of(learned_.patterns,
                               [&](const auto& one) { return below(one.first); });
  }

  const Learned& learned_;
};

bool is_all_text(const Json& content) {
  return content.is_array() && !content.empty() &&
         std::ranges::all_of(content, [](const Json& part) {
           return string_or(part, "type", "text") == "text" && find(part, "text") != nullptr;
         });
}

// kinds_of returns the content without what is long: data of images and the like.
Json kinds_of(const Json& content, const Expecting& expecting, const std::string& at) {
  Json kinds = Json::array();
  for (std::size_t i = 0; i < content.size(); ++i) {
    Json part = expecting.plain(content[i], at + '/' + std::to_string(i));
    for (const char* const key : {"data", "blob"}) {
      if (find(part, key) != nullptr) part[key] = {{"$type", "string"}};
      if (find(part, "resource") == nullptr || find(part["resource"], key) == nullptr) continue;
      part["resource"][key] = {{"$type", "string"}};
    }
    kinds.push_back(std::move(part));
  }
  return kinds;
}

void add_content(const Json& content, const std::string& key, const Expecting& expecting,
                 Json& expect) {
  if (!is_all_text(content)) {
    expect[key] = kinds_of(content, expecting, '/' + key);
    return;
  }
  const Json result = {{key, content}};
  const std::string text = text_of(result);
  const std::string at = content.size() == 1 ? '/' + key + "/0/text" : "/text";
  if (content.size() > 1) {
    expect[key] = expecting.short_of(content, '/' + key);
  } else if (const std::optional<Json> inside = structure_in(text)) {
    expect["json"] = expecting.short_of(*inside, at);
  } else {
    expect["text"] = expecting.short_of(text, at);
  }
}

Json expectation_of_result(const Json& result, Verb verb, const Expecting& expecting) {
  Json expect = Json::object();
  if (bool_or(result, "isError", false)) expect["isError"] = true;
  const Json* const structured = find(result, "structuredContent");
  const Json* const content = find(result, "content");
  const Json* const contents = find(result, "contents");
  if (verb == Verb::kList) return {{"result", {{"$snapshot", true}}}};
  if (verb == Verb::kCall && structured != nullptr) {
    expect["structured"] = expecting.short_of(*structured, "/structuredContent");
  } else if (verb == Verb::kCall && content != nullptr && content->is_array()) {
    add_content(*content, "content", expecting, expect);
  } else if (verb == Verb::kRead && contents != nullptr && contents->is_array()) {
    add_content(*contents, "contents", expecting, expect);
  } else if (verb == Verb::kPrompt && find(result, "messages") != nullptr) {
    expect["messages"] = expecting.short_of(*find(result, "messages"), "/messages");
  } else if (verb == Verb::kComplete && find(result, "completion") != nullptr) {
    expect["completion"] = expecting.short_of(*find(result, "completion"), "/completion");
  } else {
    expect["result"] = expecting.short_of(result, "");
  }
  return expect;
}

void add_kinds(const Json& value, std::set<std::string>& kinds) {
  if (value.is_structured()) {
    for (const Json& member : value) add_kinds(member, kinds);
    return;
  }
  const auto* const text = value.get_ptr<const std::string*>();
  if (text == nullptr) return;
  for (const std::string_view kind : match::kMaskKinds) {
    match::Masks masks;
    const Status added = masks.add(std::string(kind));
    if (added.ok() && masks.steady(*text) != *text) kinds.emplace(kind);
  }
}

}  // namespace

void Learned::add(const Json& one, const Json& other) { Differ(*this).walk(one, other, ""); }

std::set<std::string> kinds_in(const Json& value) {
  std::set<std::string> kinds;
  add_kinds(value, kinds);
  return kinds;
}

Json expectation_of(const Json& response, Verb verb, const Learned& learned) {
  const Expecting expecting(learned);
  if (const Json* const error = find(response, "error")) {
    Json expect = Json::object();
    for (const char* const key : {"code", "message"}) {
      const Json* const member = find(*error, key);
      if (member != nullptr)
        expect["error"][key] = expecting.plain(*member, '/' + std::string(key));
    }
    if (!expect.empty()) return expect;
    return {{"error", Json::object()}};
  }
  const Json* const result = find(response, "result");
  return result == nullptr ? Json() : expectation_of_result(*result, verb, expecting);
}

}  // namespace plumbline::suite
