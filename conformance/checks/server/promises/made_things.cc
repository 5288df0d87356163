#include "conformance/checks/server/promises/made_things.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kMadeThingsMax = 4;
constexpr int kMakingTries = 3;
constexpr std::array<std::string_view, 6> kNamesOfIds = {"id",     "uuid", "key",
                                                         "handle", "ref",  "number"};
constexpr std::array<std::string_view, 17> kMakingVerbs = {
    "create", "add",    "new",  "make", "register", "open",    "post", "insert", "start",
    "submit", "borrow", "book", "save", "place",    "reserve", "put",  "record"};

// thing_after_verb returns what a tool is about: a ticket, of create_ticket.
std::string thing_after_verb(const Json& tool) {
  const std::vector<std::string> words = words_of(string_or(tool, "name", ""));
  return words.size() < 2 ? std::string() : singular(words.back());
}

// only_required returns the one parameter that a tool needs; empty: none, or more.
std::string only_required(const Json& tool) {
  const Json* const required = at_pointer(tool, "/inputSchema/required");
  const bool one = required != nullptr && required->is_array() && required->size() == 1;
  return one && required->front().is_string() ? required->front().get<std::string>() : "";
}

// is_of_type returns whether an id is of the type that the schema of its parameter wants.
bool is_of_type(const Json& id, const Json& tool, const std::string& parameter) {
  const Json* const property = at_pointer(tool, "/inputSchema/properties/" + parameter);
  const std::string type = property == nullptr ? "" : string_or(*property, "type", "");
  if (type == "string") return id.is_string();
  if (type == "integer" || type == "number") return id.is_number();
  return type.empty();
}

// id_in_text returns the first word with a digit in a sentence that the call itself did not name:
// "Created note 7", "Opened T-12."; null: there is none.
Json id_in_text(const Json& answer, const Json& params, bool as_number) {
  const Json* const text = at_pointer(answer, "/content/0/text");
  if (text == nullptr || !text->is_string()) return nullptr;
  const std::string given = dump_json(params);
  const auto& all = text->get_ref<const std::string&>();
  const auto stays = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  for (auto at = all.begin(); at != all.end();) {
    const auto begin = std::find_if(at, all.end(), stays);
    const auto end = std::find_if_not(begin, all.end(), stays);
    const std::string word(begin, end);
    at = end;
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (std::ranges::none_of(word, digit) || given.find(word) != std::string::npos) continue;
    if (!as_number) return word;
    std::int64_t number = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
    if (read.ec == std::errc() && read.ptr == word.data() + word.size()) return number;
  }
  return nullptr;
}

const Json* holder_of(const Json& value, const Json& id) {
  if (!value.is_structured()) return nullptr;
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      if (member == id && is_id_like(words_of(name))) return &value;
    }
  }
  for (const Json& inside : value) {
    if (const Json* const found = holder_of(inside, id)) return found;
  }
  return nullptr;
}

}  // namespace

std::string quoted_name(const Json& tool) {
  return "\"" + shortened(string_or(tool, "name", "")) + "\"";
}

const Json* scalar_called(const Json& value, std::string_view name) {
  if (!value.is_structured()) return nullptr;
  const Json* const own = value.is_object() ? find(value, name) : nullptr;
  if (own != nullptr && !own->is_structured() && !own->is_null()) return own;
  for (const Json& inside : value) {
    if (const Json* const found = scalar_called(inside, name)) return found;
  }
  return nullptr;
}

bool is_id_like(const std::vector<std::string>& words) {
  return !words.empty() && std::ranges::find(kNamesOfIds, words.back()) != kNamesOfIds.end();
}

std::vector<MadeThing> makers(Probe& probe, const Exercise& exercise) {
  std::vector<MadeThing> found;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    const std::vector<std::string> words = words_of(name);
    const bool makes =
        words.size() > 1 && std::ranges::find(kMakingVerbs, words.front()) != kMakingVerbs.end();
    if (!makes || says_hint(tool, "readOnlyHint", true)) continue;
    if (!probe.may_call(tool) || probe.disturbs(name) || found.size() == kMadeThingsMax) continue;
    const std::vector<const Call*> calls = good_calls(exercise, name);
    // The first has values that were made up: learned ones may be what the server says of anything.
    if (!calls.empty()) found.push_back({&tool, calls.front()->params, {}});
  }
  return found;
}

Task<MadeThing> make_again(Client client, MadeThing maker) {
  for (int i = 0; i < kMakingTries; ++i) {
    const Reply reply = co_await client.request("tools/call", maker.params);
    if (has_gone_well(reply)) {
      maker.answer = answer_in(reply);
      co_return std::move(maker);
    }
    maker.params = with_other_texts(std::move(maker.params), *maker.maker);
  }
  co_return MadeThing();
}

IdOfMade id_for(const MadeThing& made, const Json& taker) {
  const std::string parameter = only_required(taker);
  std::vector<std::string> words = words_of(parameter);
  const Json* const given = find(made.params, "arguments");
  const bool known = given != nullptr && find(*given, parameter) != nullptr;
  if (made.maker == nullptr || parameter.empty() || known || !is_id_like(words)) return {};
  words.pop_back();
  const std::string thing = thing_after_verb(*made.maker);
  const bool same =
      words.empty() ? thing_after_verb(taker) == thing : singular(words.back()) == thing;
  Json value;
  if (const Json* const named = scalar_called(made.answer, parameter);
      named != nullptr && (same || !words.empty())) {
    value = *named;
  } else if (const Json* const id = scalar_called(made.answer, "id"); id != nullptr && same) {
    value = *id;
  } else if (same) {
    const Json* const property = at_pointer(taker, "/inputSchema/properties/" + parameter);
    const bool text = property != nullptr && string_or(*property, "type", "") == "string";
    value = id_in_text(made.answer, made.params, !text);
  }
  if (value.is_null() || !is_of_type(value, taker, parameter)) return {};
  return {parameter, value};
}

Json params_for(const MadeThing& made, const Json& taker) {
  const IdOfMade id = id_for(made, taker);
  if (id.value.is_null()) return nullptr;
  Json params = {{"name", string_or(taker, "name", "")}};
  params["arguments"][id.parameter] = id.value;
  return params;
}

const Json& object_about(const Json& answer, const Json& id) {
  const Json* const holder = holder_of(answer, id);
  return holder == nullptr ? answer : *holder;
}

}  // namespace plumbline::conformance
