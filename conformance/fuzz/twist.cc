#include "conformance/fuzz/twist.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace plumbline::conformance {

namespace {

constexpr std::size_t kLongText = 64U << 10U;
constexpr std::size_t kHugeText = 1U << 20U;
constexpr std::size_t kPlacesMax = 400;

constexpr std::array<std::string_view, 22> kOddTexts = {"",
                                                        " ",
                                                        "0",
                                                        "null",
                                                        "../../../../etc/passwd",
                                                        "..\\..\\windows\\win.ini",
                                                        "file:///etc/passwd",
                                                        "http://127.0.0.1:1/",
                                                        "%s%s%s%n%x",
                                                        "${7*7}{{7*7}}<%= 7*7 %>",
                                                        "' OR 1=1; --",
                                                        "$(id);`id`|id",
                                                        "<script>alert(1)</script>",
                                                        "\xf0\x9f\x92\xa9\xe2\x80\xae\xe2\x81\xa6",
                                                        "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81",
                                                        "\xef\xbb\xbf\xef\xbf\xbe",
                                                        "\x01\x02\x7f",
                                                        "A:\\con\\aux",
                                                        "__proto__",
                                                        "2025-13-45T99:99:99Z",
                                                        "[",
                                                        "\\"};

const std::vector<Json>& odd_numbers() {
  static const std::vector<Json> numbers = {0,
                                            -1,
                                            1,
                                            0.5,
                                            -0.0,
                                            1e308,
                                            -1e308,
                                            5e-324,
                                            std::numeric_limits<std::int32_t>::max(),
                                            std::numeric_limits<std::int32_t>::min(),
                                            4'294'967'296,
                                            9'007'199'254'740'993,
                                            std::numeric_limits<std::int64_t>::max(),
                                            std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::uint64_t>::max(),
                                            1'000'000'000};
  return numbers;
}

template <class List>
const auto& pick(const List& list, Rng& rng) {
  return list[static_cast<std::size_t>(rng.below(list.size()))];
}

std::string odd_text(Rng& rng) {
  if (rng.chance(1, 16)) return std::string(rng.chance(1, 20) ? kHugeText : kLongText, 'A');
  if (rng.chance(1, 12)) return std::string("a\0b", 3);
  return std::string(pick(kOddTexts, rng));
}

// places returns every value below `value`, itself left out; at most kPlacesMax.
void collect(Json& value, std::vector<Json*>& places) {
  if (!value.is_structured()) return;
  for (Json& below : value) {
    if (places.size() == kPlacesMax) return;
    places.push_back(&below);
    collect(below, places);
  }
}
std::vector<Json*> places(Json& value) {
  std::vector<Json*> found;
  collect(value, found);
  return found;
}

// somewhere returns a place to put something wrong: more often in the parameters than elsewhere.
Json* somewhere(Json& message, Rng& rng) {
  std::vector<Json*> found;
  if (rng.chance(4, 5) && message.contains("params")) found = places(message["params"]);
  if (found.empty()) found = places(message);
  return found.empty() ? &message : pick(found, rng);
}

Json* some_object(Json& message, Rng& rng) {
  std::vector<Json*> objects = {&message};
  for (Json* const place : places(message)) {
    if (place->is_object()) objects.push_back(place);
  }
  return rng.chance(1, 3) ? &message : pick(objects, rng);
}

Json of_another_type(const Json& value, Rng& rng) {
  for (;;) {
    Json other;
    switch (rng.below(6)) {
      case 0:
        other = nullptr;
        break;
      case 1:
        other = rng.chance(1, 2);
        break;
      case 2:
        other = pick(odd_numbers(), rng);
        break;
      case 3:
        other = odd_text(rng);
        break;
      case 4:
        other = Json::array({value});
        break;
      default:
        other = Json::object();
        other["value"] = value;
    }
    if (other.type() != value.type()) return other;
  }
}

// What is done to the message as a value.

void wrong_type(Json& message, Rng& rng) {
  Json& place = *somewhere(message, rng);
  place = of_another_type(place, rng);
}

void boundary(Json& message, Rng& rng) {
  Json& place = *somewhere(message, rng);
  place = place.is_string() ? Json(odd_text(rng)) : pick(odd_numbers(), rng);
}

void odd_words(Json& message, Rng& rng) {
  std::vector<Json*> texts;
  for (Json* const place : places(message)) {
    if (place->is_string()) texts.push_back(place);
  }
  if (texts.empty()) return wrong_type(message, rng);
  *pick(texts, rng) = odd_text(rng);
}

void missing(Json& message, Rng& rng) {
  Json& object = *some_object(message, rng);
  if (object.empty()) return wrong_type(message, rng);
  auto member = object.begin();
  std::advance(member, static_cast<std::ptrdiff_t>(rng.below(object.size())));
  object.erase(member);
}

void additional(Json& message, Rng& rng) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "__proto__", "constructor", "", "_meta", "x-unknown", "jsonrpc", "cursor", "toString"};
  (*some_object(message, rng))[std::string(pick(kNames, rng))] = odd_value(rng);
}

void odd_id(Json& message, Rng& rng) {
  const std::vector<Json> ids = {nullptr,
                                 0.5,
                                 -1,
                                 "",
                                 true,
                                 Json::array(),
                                 Json::object(),
                                 std::string(kLongText, 'i'),
                                 1e300,
                                 std::numeric_limits<std::uint64_t>::max()};
  message["id"] = pick(ids, rng);
}

void odd_version(Json& message, Rng& rng) {
  const std::vector<Json> versions = {"1.0", "2", 2.0, nullptr, "2.0 ", "3.0"};
  message["jsonrpc"] = pick(versions, rng);
}

void odd_method(Json& message, Rng& rng) {
  const std::vector<Json> methods = {"",
                                     "rpc.discover",
                                     "tools/call/",
                                     "TOOLS/LIST",
                                     "constructor",
                                     "initialize",
                                     "notifications/initialized",
                                     "tools\0list",
                                     7,
                                     nullptr,
                                     std::string(kLongText, 'm'),
                                     "completion/complete"};
  message["method"] = pick(methods, rng);
}

void no_request(Json& message, Rng&) { message.erase("id"); }

void no_params(Json& message, Rng& rng) {
  if (rng.chance(1, 2)) {
    message.erase("params");
  } else {
    message["params"] = odd_value(rng);
  }
}

void batch(Json& message, Rng& rng) {
  Json all = Json::array();
  for (std::uint64_t i = rng.below(4); i > 0; --i) all.push_back(message);
  message = std::move(all);
}

void wide(Json& message, Rng& rng) {
  Json& place = *somewhere(message, rng);
  place = Json(std::vector<Json>(rng.chance(1, 8) ? 5'000 : 300,
                                 place.is_structured() ? Json(nullptr) : place));
}

struct InValue {
  std::string_view name;
  void (*apply)(Json& message, Rng& rng);
  int weight;
};

constexpr std::array<InValue, 13> kInValue = {{
    {"wrong-type", wrong_type, 6},
    {"boundary", boundary, 6},
    {"odd-text", odd_words, 6},
    {"missing-member", missing, 4},
    {"additional-member", additional, 3},
    {"odd-id", odd_id, 2},
    {"odd-version", odd_version, 1},
    {"odd-method", odd_method, 2},
    {"no-id", no_request, 1},
    {"odd-params", no_params, 3},
    {"batch", batch, 1},
    {"wide", wide, 1},
    {"none", [](Json&, Rng&) {}, 0},
}};

// What is done to the message as text.

std::string nested(std::string text, Rng& rng) {
  static constexpr std::array<std::size_t, 5> kDepths = {60, 130, 600, 3'000, 20'000};
  const std::size_t depth = pick(kDepths, rng);
  const bool arrays = rng.chance(1, 2);
  std::string deep;
  for (std::size_t i = 0; i < depth; ++i) deep += arrays ? "[" : "{\"a\":";
  deep += "1";
  for (std::size_t i = 0; i < depth; ++i) deep += arrays ? "]" : "}";
  const std::size_t at = text.find("\"params\":{");
  if (at == std::string::npos) return text.substr(0, text.size() - 1) + ",\"params\":" + deep + "}";
  return text.insert(at + 10, "\"deep\":" + deep + (text[at + 10] == '}' ? "" : ","));
}

std::string key_twice(std::string text, Rng& rng) {
  static constexpr std::array<std::string_view, 4> kTwice = {
      R"("method":"ping")", R"("id":"another")", R"("jsonrpc":"1.0")", R"("params":[])"};
  if (text.size() < 2 || text[0] != '{') return text;
  const std::string member(pick(kTwice, rng));
  if (rng.chance(1, 2)) return "{" + member + "," + text.substr(1);
  return text.substr(0, text.size() - 1) + "," + member + "}";
}

std::string cut_off(std::string text, Rng& rng) {
  text.resize(static_cast<std::size_t>(rng.below(text.size() + 1)));
  return text;
}

std::string flipped(std::string text, Rng& rng) {
  for (std::uint64_t i = 1 + rng.below(4); i > 0 && !text.empty(); --i) {
    char& byte = text[static_cast<std::size_t>(rng.below(text.size()))];
    byte = static_cast<char>(rng.below(256));
  }
  return text;
}

std::string bad_utf8(std::string text, Rng& rng) {
  static constexpr std::array<std::string_view, 5> kBad = {"\xff", "\xc0\x80", "\xed\xa0\x80",
                                                           "\xf4\x90\x80\x80", "\xe2\x82"};
  const std::size_t quote = text.rfind('"');
  const std::size_t at = quote == std::string::npos ? 0 : quote;
  return text.insert(at, pick(kBad, rng));
}

// A lone surrogate is JSON when it is escaped, and no text: many find out late.
std::string surrogate(std::string text, Rng& rng) {
  static constexpr std::array<std::string_view, 4> kLone = {"\\ud800", "\\udfff", "\\ude00\\ud83d",
                                                            "\\ud83d\\u0041"};
  std::vector<std::size_t> ends;  // Of strings that are values.
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool end = text[i - 1] == '"' && (text[i] == ',' || text[i] == '}' || text[i] == ']');
    if (end) ends.push_back(i - 1);
  }
  return ends.empty() ? text : text.insert(pick(ends, rng), pick(kLone, rng));
}

std::string odd_token(std::string text, Rng& rng) {
  static constexpr std::array<std::string_view, 7> kTokens = {
      "NaN", "Infinity", "-", "1e999999", "0x10", "\"\\ud800\"", "undefined"};
  const std::string token(pick(kTokens, rng));
  std::vector<std::size_t> colons;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ':') colons.push_back(i);
  }
  if (colons.empty()) return token;
  const std::size_t at = pick(colons, rng);
  const std::size_t end = text.find_first_of(",}]", at);
  return text.replace(at + 1, end == std::string::npos ? 0 : end - at - 1, token);
}

std::string spaced(std::string text, Rng& rng) {
  static constexpr std::array<std::string_view, 5> kSpaces = {"\xef\xbb\xbf", " ", "\t\t", "\r",
                                                              ""};
  const std::string_view space = pick(kSpaces, rng);
  if (space.empty()) return "";
  return std::string(space) + text + std::string(space == "\xef\xbb\xbf" ? "" : space);
}

std::string two_at_once(std::string text, Rng&) { return text + text; }

struct InText {
  std::string_view name;
  std::string (*apply)(std::string text, Rng& rng);
  int weight;
};

constexpr std::array<InText, 9> kInText = {{
    {"deep", nested, 3},
    {"key-twice", key_twice, 2},
    {"cut-off", cut_off, 2},
    {"bytes", flipped, 4},
    {"bad-utf8", bad_utf8, 2},
    {"surrogate", surrogate, 2},
    {"odd-token", odd_token, 2},
    {"spaces", spaced, 1},
    {"two-at-once", two_at_once, 1},
}};

template <class Table>
const auto& weighted(const Table& table, Rng& rng) {
  int all = 0;
  for (const auto& row : table) all += row.weight;
  auto draw = static_cast<int>(rng.below(static_cast<std::uint64_t>(all)));
  for (const auto& row : table) {
    if (draw < row.weight) return row;
    draw -= row.weight;
  }
  return table.back();
}

}  // namespace

Json odd_value(Rng& rng) {
  switch (rng.below(5)) {
    case 0:
      return nullptr;
    case 1:
      return pick(odd_numbers(), rng);
    case 2:
      return odd_text(rng);
    case 3:
      return Json::array({Json::object(), 1, "x"});
    default:
      return Json{{"a", Json{{"b", nullptr}}}};
  }
}

Twisted twist(Json message, Rng& rng) {
  Twisted out;
  if (rng.chance(2, 3)) {
    const InValue& way = weighted(kInValue, rng);
    way.apply(message, rng);
    out = {dump_json(message), way.name};
  } else {
    const InText& way = weighted(kInText, rng);
    out = {way.apply(dump_json(message), rng), way.name};
  }
  std::ranges::replace(out.text, '\n', ' ');
  return out;
}

}  // namespace plumbline::conformance
