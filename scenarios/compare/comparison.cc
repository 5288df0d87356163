#include "scenarios/compare/comparison.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "scenarios/compare/lists.h"
#include "scenarios/record/likeness.h"

namespace plumbline::scenarios {

namespace {

using Exchange = Conversation::Exchange;

// Kinds of JSON as a client tells them apart: a whole number is a number.
std::string_view kind_of(const Json& value) {
  return value.is_number() ? "a number" : type_name(value);
}

// without_target returns the pointer of a place: "/result/x" of "tools/call/now /result/x".
std::string_view without_target(std::string_view place) {
  const std::size_t space = place.rfind(' ');
  return space == std::string_view::npos ? place : place.substr(space + 1);
}

// covers returns whether `pattern` is `place` or lies above it; * in it is any one step.
bool covers(std::string_view pattern, std::string_view place) {
  while (!pattern.empty()) {
    const std::size_t step = std::min(pattern.find('/', 1), pattern.size());
    const std::size_t end = std::min(place.find('/', 1), place.size());
    if (place.empty()) return false;
    const std::string_view wanted = pattern.substr(0, step);
    if (wanted != "/*" && wanted != place.substr(0, end)) return false;
    pattern.remove_prefix(step);
    place.remove_prefix(end);
  }
  return true;
}

// Finder walks through two answers and tells where they differ.
class Finder {
 public:
  Finder(std::string target, const Volatile& unsteady, std::vector<Difference>& out)
      : target_(std::move(target)), unsteady_(unsteady), out_(out) {}

  void values(const Json& then, const Json& now, const std::string& at) {
    if (then == now || unsteady_.has(target_, at)) return;
    if (then.is_object() && now.is_object()) return members(then, now, at);
    if (then.is_array() && now.is_array()) return items(then, now, at);
    if (kind_of(then) != kind_of(now)) {
      return tell("diff.result-type", at, shown_value(then), shown_value(now));
    }
    const auto* const was = then.get_ptr<const std::string*>();
    if (was != nullptr && fits_placeholders(*was, *now.get_ptr<const std::string*>())) return;
    tell("diff.result-changed", at, shown_value(then), shown_value(now));
  }

  void tell(std::string_view id, const std::string& at, std::string was, std::string is) {
    if (unsteady_.has(target_, at)) return;
    constexpr std::string_view kResult = "/result";
    const std::string inside = at.starts_with(kResult) ? at.substr(kResult.size()) : at;
    out_.push_back(difference(id, target_ + inside, std::move(was), std::move(is)));
  }

 private:
  void members(const Json& then, const Json& now, const std::string& at) {
    for (const auto& [key, value] : then.items()) {
      const std::string place = at + "/" + pointer_token(key);
      const Json* const other = find(now, key);
      if (other == nullptr) tell("diff.result-lost", place, shown_value(value), "");
      if (other != nullptr) values(value, *other, place);
    }
    for (const auto& [key, value] : now.items()) {
      if (find(then, key) != nullptr) continue;
      tell("diff.result-added", at + "/" + pointer_token(key), "", shown_value(value));
    }
  }

  void items(const Json& then, const Json& now, const std::string& at) {
    const std::size_t both = std::min(then.size(), now.size());
    for (std::size_t i = 0; i < both; ++i) values(then[i], now[i], at + "/*");
    if (then.size() == now.size()) return;
    tell("diff.result-changed", at, std::to_string(then.size()) + " items",
         std::to_string(now.size()) + " items");
  }

  std::string target_;
  const Volatile& unsteady_;
  std::vector<Difference>& out_;
};

void compare_errors(const Json& was, const Json& is, Finder& finder) {
  if (member_of(was, "code") != member_of(is, "code")) {
    return finder.tell("diff.error-changed", "/error/code", shown_value(was), shown_value(is));
  }
  const std::string said = string_or(was, "message", "");
  if (fits_placeholders(said, string_or(is, "message", ""))) return;
  finder.tell("diff.error-text", "/error/message", shown_value(was), shown_value(is));
}

void compare_openings(const Json& then, const Json& now, Finder& finder,
                      std::vector<Difference>& out) {
  const std::string was = string_or(then, "protocolVersion", "none");
  const std::string is = string_or(now, "protocolVersion", "none");
  if (was != is) out.push_back(difference("diff.revision-changed", "initialize", was, is));
  const Json before = member_of(then, "capabilities");
  const Json after = member_of(now, "capabilities");
  capability_changes(before, after, out);
  for (const char* key : {"instructions", "serverInfo"}) {
    finder.values(member_of(then, key), member_of(now, key), std::string("/result/") + key);
  }
}

// compare_answers compares what was answered to one request.
void compare_answers(const Exchange& then, const Exchange& now, const Volatile& unsteady,
                     std::vector<Difference>& out) {
  const std::string target = target_of(then.request);
  Finder finder(target, unsteady, out);
  if (then.answer.is_null()) return;
  if (now.answer.is_null()) {
    return finder.tell("diff.answer-lost", "", shown_value(then.answer), now.why);
  }
  const Json* const was = find(then.answer, "result");
  const Json* const is = find(now.answer, "result");
  const Json failed_then = member_of(then.answer, "error");
  const Json failed_now = member_of(now.answer, "error");
  if (was == nullptr && is == nullptr) return compare_errors(failed_then, failed_now, finder);
  if (is == nullptr) {
    return finder.tell("diff.error-came", "", shown_value(*was), shown_value(failed_now));
  }
  if (was == nullptr) {
    return finder.tell("diff.error-gone", "", shown_value(failed_then), shown_value(*is));
  }
  const bool broke = !bool_or(*was, "isError", false) && bool_or(*is, "isError", false);
  const bool mended = bool_or(*was, "isError", false) && !bool_or(*is, "isError", false);
  if (broke) return finder.tell("diff.error-came", "", shown_value(*was), shown_value(*is));
  if (mended) return finder.tell("diff.error-gone", "", shown_value(*was), shown_value(*is));
  if (target == "initialize") return compare_openings(*was, *is, finder, out);
  if (listed_by(target) == nullptr) finder.values(*was, *is, "/result");
}

// message_kinds counts what came of its own accord by its method.
std::map<std::string, std::size_t> message_kinds(const Conversation& conversation) {
  std::map<std::string, std::size_t> kinds;
  for (const Json& message : conversation.said) ++kinds[string_or(message, "method", "a message")];
  return kinds;
}

void compare_said(const Conversation& then, const Conversation& now, std::vector<Difference>& out) {
  const std::map<std::string, std::size_t> was = message_kinds(then);
  const std::map<std::string, std::size_t> is = message_kinds(now);
  const auto times = [](std::size_t count) { return std::to_string(count) + " times"; };
  for (const auto& [method, count] : was) {
    if (!is.contains(method)) {
      out.push_back(difference("diff.message-lost", method, times(count), "never"));
    }
  }
  for (const auto& [method, count] : is) {
    if (was.contains(method)) continue;
    out.push_back(difference("diff.message-added", method, "never", times(count)));
  }
}

// told_once joins what is the same kind at the same place.
std::vector<Difference> told_once(std::vector<Difference> all) {
  std::vector<Difference> once;
  for (Difference& one : all) {
    const auto known = std::ranges::find_if(once, [&one](const Difference& other) {
      return other.kind == one.kind && other.place == one.place;
    });
    if (known == once.end()) {
      once.push_back(std::move(one));
    } else {
      ++known->seen;
    }
  }
  return once;
}

}  // namespace

void Volatile::add(std::string place) {
  while (place.ends_with('/')) place.pop_back();
  places_.insert(std::move(place));
}

bool Volatile::has(const std::string& target, const std::string& place) const {
  return std::ranges::any_of(places_, [&](const std::string& known) {
    const std::string_view pointer = without_target(known);
    const bool of_all = pointer.size() == known.size();
    if (!of_all && known.compare(0, known.size() - pointer.size(), target + " ") != 0) return false;
    return covers(pointer, place);
  });
}

void Volatile::learn(const Conversation& one, const Conversation& other) {
  std::vector<const Exchange*> left;
  for (const Exchange& exchange : other.exchanges) left.push_back(&exchange);
  const Volatile steady;
  for (const Exchange& exchange : one.exchanges) {
    const auto params = [](const Exchange& of) { return steady_params(of.request); };
    const auto twin = std::ranges::find_if(left, [&](const Exchange* candidate) {
      return target_of(candidate->request) == target_of(exchange.request) &&
             params(*candidate) == params(exchange);
    });
    if (twin == left.end()) continue;
    std::vector<Difference> found;
    compare_answers(exchange, **twin, steady, found);
    left.erase(twin);
    const std::string target = target_of(exchange.request);
    for (const Difference& difference : found) {
      if (difference.kind->id != "diff.result-changed") continue;
      add(target + " /result" + difference.place.substr(target.size()));
    }
  }
}

std::vector<Difference> compare(const Conversation& then, const Conversation& now,
                                const Volatile& unsteady) {
  std::vector<Difference> out;
  const std::size_t both = std::min(then.exchanges.size(), now.exchanges.size());
  for (std::size_t i = 0; i < both; ++i) {
    const std::size_t before = out.size();
    compare_answers(then.exchanges[i], now.exchanges[i], unsteady, out);
    for (std::size_t at = before; at < out.size(); ++at) out[at].exchange = i;
  }
  compare_lists(then, now, out);
  compare_said(then, now, out);
  return told_once(std::move(out));
}

}  // namespace plumbline::scenarios
