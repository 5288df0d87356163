#include "scenarios/suite/expectation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/words/nearest_word.h"
#include "core/schema/schema.h"
#include "scenarios/record/likeness.h"

namespace plumbline::suite {

namespace {

using match::Mismatch;
using match::Place;

constexpr std::string_view kSnapshot = "$snapshot";

// What may be expected: which member of the result it is, where it is one.
constexpr std::array<std::string_view, 5> kMembers = {"structured", "content", "contents",
                                                      "messages", "completion"};
constexpr std::array<std::string_view, 9> kOthers = {"result", "text", "json",  "isError", "error",
                                                     "names",  "ms",   "bytes", kSnapshot};
constexpr std::array<std::string_view, 4> kMeanwhile = {"asked", "progress", "logs", "changed"};

std::string member_called(std::string_view key) {
  return key == "structured" ? "structuredContent" : std::string(key);
}

template <typename List>
bool is_in(const List& names, std::string_view key) {
  return std::ranges::find(names, key) != names.end();
}

// texts_of returns each text of a result: of content, contents, and messages.
std::vector<std::pair<std::string, std::string>> texts_of(const Json& result) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const char* const key : {"content", "contents", "messages"}) {
    const Json* const items = find(result, key);
    if (items == nullptr || !items->is_array()) continue;
    for (std::size_t i = 0; i < items->size(); ++i) {
      const Json* part = &(*items)[i];
      std::string place = '/' + std::string(key) + '/' + std::to_string(i);
      if (const Json* const content = find(*part, "content")) {
        part = content;
        place += "/content";
      }
      if (auto text = find_string(*part, "text")) texts.emplace_back(place + "/text", *text);
    }
  }
  return texts;
}

// names_listed returns the names, or else the URIs, of what is listed.
Json names_listed(const Json& result) {
  Json names = Json::array();
  for (const char* const key : {"tools", "prompts", "resources", "resourceTemplates"}) {
    const Json* const items = find(result, key);
    if (items == nullptr || !items->is_array()) continue;
    for (const Json& item : *items) {
      for (const char* const name : {"name", "uri"}) {
        if (find(item, name) == nullptr) continue;
        names.push_back(*find(item, name));
        break;
      }
    }
  }
  return names;
}

// Counts are of messages of the server, by what they are counted by.
Json counted(const std::vector<conformance::KeptJson>& along, std::string_view what) {
  Json counts = Json::object();
  const auto count = [&counts](const std::string& key) {
    counts[key] = int_or(counts, key, 0) + 1;
  };
  std::int64_t progress = 0;
  for (const conformance::KeptJson& message : along) {
    const std::string method = string_or(*message, "method", "");
    constexpr std::string_view kNotice = "notifications/";
    constexpr std::string_view kChanged = "/list_changed";
    if (scenarios::is_request(*message)) {
      if (what == "asked") count(method);
    } else if (method == "notifications/progress") {
      ++progress;
    } else if (method == "notifications/message" && what == "logs") {
      const Json* const params = find(*message, "params");
      count(params == nullptr ? "" : string_or(*params, "level", ""));
    } else if (method.ends_with(kChanged) && what == "changed") {
      count(method.substr(kNotice.size(), method.size() - kNotice.size() - kChanged.size()));
    }
  }
  return what == "progress" ? Json(progress) : counts;
}

// Holding is one answer held against one "expect".
class Holding {
 public:
  Holding(const Answered& answered, const Held& held, std::vector<Mismatch>& out)
      : answered_(answered), held_(held), out_(out) {}

  void run(const Json& expect) {
    const bool fails = wants_failure(expect);
    const Json* const result = answered_.result();
    if (answered_.response.is_null()) return miss("an answer", answered_.why);
    if (find(expect, "error") == nullptr && result == nullptr) {
      return differ("error", "a result", answered_.error());
    }
    if (const Json* const wanted = find(expect, "error")) {
      if (result != nullptr) return differ("result", "an error", result);
      return match::compare(*wanted, answered_.error(), {"error", "/error"}, held_.masks, out_);
    }
    const Json* const is_error = find(*result, "isError");
    if (!fails && is_error != nullptr && *is_error == Json(true)) {
      const Json text(text_of(*result));
      return differ("isError", "no error of the tool", &text);
    }
    for (const auto& [key, wanted] : expect.items()) hold(key, wanted, *result);
    if (held_.output_schema != nullptr && !fails) hold_promise(*result);
  }

 private:
  static bool wants_failure(const Json& expect) {
    const Json* const is_error = find(expect, "isError");
    const Json* const whole = find(expect, "result");
    const bool in_whole = whole != nullptr && find(*whole, "isError") != nullptr;
    return (is_error != nullptr && *is_error != Json(false)) || in_whole ||
           find(expect, kSnapshot) != nullptr;
  }

  void miss(std::string expected, std::string got) {
    out_.push_back({"result", std::move(expected), std::move(got)});
  }
  void differ(std::string path, std::string expected, const Json* got) {
    out_.push_back({std::move(path), std::move(expected),
                    got == nullptr ? std::string("nothing") : match::shown(*got)});
  }
  void compare(const Json& wanted, const Json* got, const Place& at) {
    if (const Json* const snapshot = find(wanted, kSnapshot)) {
      if (*snapshot == Json(true)) return hold_snapshot(got, at);
    }
    match::compare(wanted, got, at, held_.masks, out_);
  }

  void hold(const std::string& key, const Json& wanted, const Json& result) {
    if (key == kSnapshot) return hold_snapshot(&result, {"result", ""});
    if (key == "result") return compare(wanted, &result, {"result", ""});
    if (key == "text" || key == "json") return hold_text(key, wanted, result);
    if (key == "isError") {
      const Json is_error(bool_or(result, "isError", false));
      return compare(wanted, &is_error, {"isError", "/isError"});
    }
    if (key == "names") {
      const Json names = names_listed(result);
      return compare(wanted, &names, {"names", "/names"});
    }
    if (is_in(kMembers, key)) {
      const std::string member = member_called(key);
      return compare(wanted, find(result, member), {"result/" + member, '/' + member});
    }
    if (is_in(kMeanwhile, key)) {
      const Json counts = counted(answered_.along, key);
      return compare(zeroed(wanted), &counts, {key, '/' + key});
    }
    const Json number = key == "ms" ? Json(answered_.median_ms()) : Json(dump_json(result).size());
    const Json most = {{"$max", wanted}};
    compare(wanted.is_number() ? most : wanted, &number, {key, '/' + key});
  }

  // zeroed has a count of 0 fit what never came.
  static Json zeroed(const Json& wanted) {
    if (!wanted.is_object()) return wanted;
    Json out = wanted;
    for (Json& count : out) {
      if (count == Json(0)) count = Json{{"$absent", true}};
    }
    return out;
  }

  void hold_text(const std::string& key, const Json& wanted, const Json& result) {
    const auto texts = texts_of(result);
    const std::string masked = texts.size() == 1 ? texts.front().first : "/text";
    const std::string shown = texts.size() == 1 ? "result" + masked : key;
    const Json text = texts.empty() ? Json() : Json(text_of(result));
    if (key == "text") return compare(wanted, texts.empty() ? nullptr : &text, {shown, masked});
    const Result<Json> read =
        texts.empty() ? Result<Json>(Error{}) : parse_json(*text.get_ptr<const std::string*>());
    if (!read.ok()) return differ(shown, "a text that is JSON", texts.empty() ? nullptr : &text);
    compare(wanted, &read.value(), {shown, masked});
  }

  void hold_snapshot(const Json* got, const Place& at) {
    const std::string name = held_.snapshot + (at.masked.empty() ? "" : ' ' + at.masked);
    const Json* const known = held_.snapshots.of(name);
    const bool writes = known == nullptr ? held_.updates || held_.writes_missing : held_.updates;
    if (known == nullptr && !writes) {
      out_.push_back({at.shown, "a snapshot, which there is none of: write it with --update",
                      got == nullptr ? "nothing" : match::shown(*got), true});
      return;
    }
    std::vector<Mismatch> found;
    if (known != nullptr) {
      const Json equal = {{"$equal", *known}};
      match::compare(equal, got, at, held_.masks, found);
    }
    if (!writes) out_.insert(out_.end(), found.begin(), found.end());
    if (writes && got != nullptr && (known == nullptr || !found.empty())) {
      held_.snapshots.put(name, *got);
    }
  }

  void hold_promise(const Json& result) {
    const Json* const structured = find(result, "structuredContent");
    if (structured == nullptr) {
      return differ("result/structuredContent", "what the outputSchema of the tool promises",
                    nullptr);
    }
    const Result<schema::Schema> compiled = schema::Schema::compile(*held_.output_schema);
    if (!compiled.ok()) {
      out_.push_back(
          {"outputSchema", "a JSON Schema that can be read", compiled.error().message, true});
      return;
    }
    if (const auto wrong = compiled.value().validate(*structured)) {
      const Json* const there = at_pointer(*structured, wrong->instance_pointer);
      out_.push_back({"result/structuredContent" + wrong->instance_pointer,
                      "what the outputSchema of the tool promises: " + wrong->message,
                      there == nullptr ? "nothing" : match::shown(*there), wrong->undecided});
    }
  }

  const Answered& answered_;
  const Held& held_;
  std::vector<Mismatch>& out_;
};

}  // namespace

double Answered::median_ms() const {
  std::vector<double> sorted = took_ms;
  std::ranges::sort(sorted);
  return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

const Json* Snapshots::of(const std::string& name) {
  used_[name] = true;
  const auto known = values_.find(name);
  return known == values_.end() ? nullptr : &known->second;
}

void Snapshots::put(const std::string& name, Json value) {
  values_[name] = std::move(value);
  used_[name] = true;
  changed_ = true;
}

Status Snapshots::read(std::string_view text) {
  Result<Json> file = parse_json(text);
  if (!file.ok()) return std::move(file).error();
  if (!file.value().is_object()) {
    return Error{ErrorCode::kInvalidInput, "here is no object, expected a snapshot for each test"};
  }
  for (const auto& [name, value] : file.value().items()) values_[name] = value;
  return Done{};
}

std::string Snapshots::write() const {
  Json all = Json::object();
  for (const auto& [name, value] : values_) all[name] = value;
  return pretty_json(all) + "\n";
}

void Snapshots::drop_unused() {
  const std::size_t dropped =
      std::erase_if(values_, [this](const auto& one) { return !used_.contains(one.first); });
  changed_ = changed_ || dropped > 0;
}

void check_expect(const Json& expect, Verb verb, const std::string& pointer,
                  std::optional<Problem>& problem) {
  std::vector<std::string> known;
  for (const std::string_view key : kOthers) known.emplace_back(key);
  for (const std::string_view key : kMembers) known.emplace_back(key);
  for (const std::string_view key : kMeanwhile) known.emplace_back(key);
  for (const auto& [key, wanted] : expect.items()) {
    const std::string place = pointer + '/' + pointer_token(key);
    if (!is_in(known, key)) {
      std::string all;
      for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
      const std::string hint = meant(key, known);
      add_problem(problem, place,
                  "unknown key \"" + key + "\" in what is expected" +
                      (hint.empty() ? ", expected one of " + all : hint));
      return;
    }
    if (key == "names" && verb != Verb::kList) {
      add_problem(problem, place, "\"names\" goes with \"list\"");
    }
    const bool snapshot = wanted.is_object() && wanted.size() == 1 && find(wanted, kSnapshot);
    if (key == kSnapshot ? wanted == Json(true) : snapshot) continue;
    match::check_expectation(wanted, place, problem);
  }
}

std::vector<Mismatch> hold(const Json& expect, const Answered& answered, const Held& held) {
  std::vector<Mismatch> out;
  Holding(answered, held, out).run(expect.is_object() ? expect : Json(Json::object()));
  return out;
}

bool needs_quiet(const Json& expect) {
  if (find(expect, "ms") != nullptr) return true;
  return std::ranges::any_of(
      kMeanwhile, [&expect](std::string_view key) { return find(expect, key) != nullptr; });
}

std::string text_of(const Json& result) {
  std::string all;
  bool first = true;
  for (const auto& [place, text] : texts_of(result)) {
    if (!std::exchange(first, false)) all += '\n';
    all += text;
  }
  return all;
}

std::optional<Json> value_at(const Json& result, std::string_view pointer) {
  if (const Json* const there = at_pointer(result, pointer)) return *there;
  for (std::size_t end = pointer.rfind('/'); end != std::string_view::npos && end > 0;
       end = pointer.rfind('/', end - 1)) {
    const Json* const above = at_pointer(result, pointer.substr(0, end));
    if (above == nullptr || !above->is_string()) continue;
    const Result<Json> inside = parse_json(*above->get_ptr<const std::string*>());
    if (!inside.ok()) return std::nullopt;
    return value_at(inside.value(), pointer.substr(end));
  }
  return std::nullopt;
}

}  // namespace plumbline::suite
