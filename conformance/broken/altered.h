// Altered keeps what a Deviation did to the messages that it was given: what of the wire is wrong,
// and what the judge asked for it. A finding of the judge has to show one of them.

#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/wire/wire_log.h"
#include "core/json/json.h"
#include "core/json/redactor.h"

namespace plumbline::conformance {

class Altered {
 public:
  // heard takes in what the judge sends: a request is open until answered() is told of its answer.
  void heard(const std::string& text, const Json& message) {
    if (message.is_null()) unreadable_.push_back(text);
    const Json* const id = find(message, "id");
    const bool asks = find(message, "method") != nullptr && id != nullptr;
    if (asks && (id->is_string() || id->is_number())) open_.emplace_back(*id, text);
  }

  void answered(const Json& message) {
    const Json* const id = find(message, "id");
    if (id == nullptr || find(message, "method") != nullptr) return;
    // Where several connections use one id it may be any of theirs: all of them stay.
    const auto asked = [id](const auto& request) { return request.first == *id; };
    if (std::ranges::count_if(open_, asked) == 1) std::erase_if(open_, asked);
  }

  // work runs `deviate`, which is given `text`. `asked` is the request that `text` answers or is.
  void work(const std::string& text, const Json& asked, const std::function<void()>& deviate) {
    given_ = text;
    method_ = asked.is_object() ? string_or(asked, "method", "") : "";
    same_ = false;
    changed_ = false;
    works_ = true;
    deviate();
    works_ = false;
    if (same_ && !changed_) return;
    keep(text);
    if (!asked.is_null()) {
      keep(dump_json(asked));
    } else {
      for (const std::string& each : unreadable_) keep(each);
    }
    // What the judge answers is for its calls that are under way.
    if (!is_answer(asked)) return;
    for (const auto& [id, request] : open_) keep(request);
  }

  // said takes in what a deviation says or passes on, in work or later by itself.
  void said(const std::string& text) {
    if (works_ && shown(text) == shown(given_)) {
      changed_ = changed_ || same_;  // Once more than it was given.
      same_ = true;
      return;
    }
    changed_ = true;
    keep(text);
    if (works_) given_for_.emplace(shown(text), std::pair(shown(given_), method_));
    const std::set<std::string> before = works_ ? parts_of(given_) : std::set<std::string>();
    for (const std::string& part : parts_of(text)) {
      if (!before.contains(part)) all_.insert(part);
    }
  }

  // keep takes in what is wrong: a message, or a line such as "GET /mcp".
  void keep(const std::string& text) { all_.insert(shown(text)); }

  // holds returns whether a line of evidence is one of them, or an object in one that the deviation
  // has changed or put there.
  bool holds(const Json& message) const {
    const Json* const http = find(message, "http");
    if (http != nullptr && http->is_string()) return all_.contains(http->get<std::string>());
    if (const Json* const garbage = find(message, "garbage")) {
      return garbage->is_string() && all_.contains(shown(garbage->get<std::string>()));
    }
    return all_.contains(shown(message));
  }

  // Mend is the one change that sets right what a deviation says.
  struct Mend {
    std::string of;  // The method whose answer, or which, it is about.
    Json change;     // A patch (RFC 6902); null: the deviation changes this and that, or nothing.
  };

  // mend_of returns that of `wrong`, a message or an object in one; where the deviation leaves that
  // alone, of what it changes elsewhere.
  Mend mend_of(const Json& wrong) const {
    std::set<std::string> places;
    Mend here;
    Mend elsewhere;
    for (const auto& [said, given] : given_for_) {
      const Json now = json_of(said);
      const Json before = json_of(given.first);
      if ((find(now, "method") == nullptr) != (find(before, "method") == nullptr)) return {};
      const Json change = Json::diff(now, before);
      places.insert(places_of(change));
      if (elsewhere.change.is_null()) elsewhere = {given.second, change};
      const auto [part, right] = counterpart(now, before, shown(wrong));
      if (!right.is_null() && here.change.is_null()) here = {given.second, Json::diff(part, right)};
    }
    if (places.size() != 1) return {};
    return here.change.is_null() ? elsewhere : here;
  }

 private:
  static bool is_answer(const Json& message) {
    return message.is_object() && find(message, "id") != nullptr &&
           find(message, "method") == nullptr;
  }

  static Json json_of(const std::string& text) {
    Result<Json> value = parse_json(text);
    return value.ok() ? std::move(value).value() : Json();
  }

  // places_of returns where a patch changes something, whichever item of a list it is.
  static std::string places_of(const Json& patch) {
    std::set<std::string> places;
    for (const Json& change : patch) {
      std::string place;
      for (const char c : string_or(change, "path", "")) {
        if (c < '0' || c > '9') place += c;
      }
      places.insert(std::move(place));
    }
    std::string all;
    for (const std::string& place : places) all += place + "\n";
    return all;
  }

  // counterpart returns the part of `now` that is `wanted`, and what `before` has there; null:
  // nowhere, or nothing.
  static std::pair<Json, Json> counterpart(const Json& now, const Json& before,
                                           const std::string& wanted) {
    if (now.is_object() && shown(now) == wanted) return {now, before};
    if (!now.is_structured() || now.type() != before.type()) return {};
    for (const auto& [key, part] : now.items()) {
      const Json* const other = now.is_object() ? find(before, key) : item_of(before, key);
      if (other == nullptr) continue;
      std::pair<Json, Json> found = counterpart(part, *other, wanted);
      if (!found.second.is_null()) return found;
    }
    return {};
  }

  static const Json* item_of(const Json& list, const std::string& index) {
    const std::size_t at = std::stoul(index);
    return at < list.size() ? &list[at] : nullptr;
  }

  // Evidence has no secrets, and long texts are cut in it.
  static std::string shown(Json message) {
    Redactor().redact(message);
    return dump_json(conformance::excerpt(message));
  }

  static std::string shown(const std::string& text) {
    Result<Json> message = parse_json(text);
    return message.ok() ? shown(std::move(message).value()) : text;
  }

  // parts_of returns the objects in a message.
  static std::set<std::string> parts_of(const std::string& text) {
    std::set<std::string> parts;
    const Result<Json> message = parse_json(text);
    if (!message.ok()) return parts;
    std::vector<const Json*> left = {&message.value()};
    while (!left.empty()) {
      const Json& value = *left.back();
      left.pop_back();
      if (value.is_object()) parts.insert(shown(value));
      if (!value.is_structured()) continue;
      for (const Json& member : value) left.push_back(&member);
    }
    return parts;
  }

  std::set<std::string> all_;
  // What a deviation was given, and the method of that or of what it answers, by what it said.
  std::map<std::string, std::pair<std::string, std::string>> given_for_;
  std::string method_;
  std::vector<std::pair<Json, std::string>> open_;  // Requests of the judge's, by id.
  std::vector<std::string> unreadable_;             // What it sent and is no JSON.
  std::string given_;
  bool works_ = false;
  bool same_ = false;
  bool changed_ = false;
};

}  // namespace plumbline::conformance
