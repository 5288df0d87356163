#include "scenarios/shrink/shrink_document.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace plumbline::scenarios {

namespace {

// What a file, or one of its parts, cannot be without.
constexpr std::array<std::string_view, 17> kNeeded = {
    "plumbline", "id", "title", "agent",  "request", "input",  "expect", "status", "name",
    "server",    "do", "does",  "method", "world",   "faults", "uri",    "servers"};

// What says nothing about a smaller scenario.
constexpr std::array<std::string_view, 2> kIdle = {"tags", "sources"};

template <std::size_t n>
bool has(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Walk goes through the whole document in the order of its keys.
class Walk {
 public:
  Walk(fakes::Choices& choices, const std::string& held) : choices_(choices), held_(held) {}

  Json value(const Json& whole, const std::string& pointer) {
    if (pointer == held_ && !pointer.empty()) return whole;
    if (whole.is_object()) return object(whole, pointer);
    if (whole.is_array()) return array(whole, pointer);
    const std::optional<std::int64_t> number = whole.is_number() ? as_int(whole) : std::nullopt;
    if (!number || *number <= 0) return whole;
    return static_cast<std::int64_t>(choices_.below(static_cast<std::uint64_t>(*number) + 1));
  }

  std::vector<std::string> take_dropped() { return std::move(dropped_); }

 private:
  Json object(const Json& whole, const std::string& pointer) {
    Json out = Json::object();
    for (const auto& [key, member] : whole.items()) {
      const std::string place = pointer + '/' + pointer_token(key);
      if (has(kIdle, key) && pointer.empty()) continue;
      const fakes::Choices::In span(choices_);
      if (has(kNeeded, key) || is_kept(place)) out[key] = value(member, place);
    }
    return out;
  }

  Json array(const Json& whole, const std::string& pointer) {
    if (pointer == "/world/schedule") return schedule(whole);
    Json out = Json::array();
    for (std::size_t i = 0; i < whole.size(); ++i) {
      const std::string place = pointer + '/' + std::to_string(i);
      const fakes::Choices::In span(choices_);
      if (is_kept(place)) out.push_back(value(whole[i], place));
    }
    return out;
  }

  // A place in a schedule cannot go: those behind it would be of other turns.
  Json schedule(const Json& whole) {
    Json out = Json::array();
    for (const Json& place : whole) {
      const fakes::Choices::In span(choices_);
      out.push_back(value(place, {}));
    }
    while (!out.empty() && out.back() == 0) out.erase(out.size() - 1);
    return out;
  }

  bool is_kept(const std::string& place) {
    const bool leads_to_held =
        held_.starts_with(place) && (held_.size() == place.size() || held_[place.size()] == '/');
    if (leads_to_held || choices_.below(2) == 1) return true;
    dropped_.push_back(place);
    return false;
  }

  fakes::Choices& choices_;
  const std::string& held_;
  std::vector<std::string> dropped_;
};

}  // namespace

ChosenDocument choose_document(const Json& whole, const std::string& held,
                               fakes::Choices& choices) {
  Walk walk(choices, held);
  Json document = walk.value(whole, {});
  return ChosenDocument{std::move(document), walk.take_dropped()};
}

std::vector<std::uint64_t> keep_everything(const Json& whole, const std::string& held) {
  // The highest of every choice: how many there are is known once they were made.
  constexpr std::size_t kChoicesMax = 1'000'000;
  fakes::Choices choices(std::vector<std::uint64_t>(kChoicesMax, UINT64_MAX));
  choose_document(whole, held, choices);
  std::vector<std::uint64_t> values;
  for (const fakes::Choices::Choice& choice : choices.made()) values.push_back(choice.value);
  return values;
}

}  // namespace plumbline::scenarios
