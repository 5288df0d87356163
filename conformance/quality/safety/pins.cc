#include "conformance/quality/safety/pins.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "core/base/sha256.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kId = "security.pin-changed";
constexpr std::size_t kAround = 3;         // Words that are shown before and behind a change.
constexpr std::size_t kChangeBytes = 400;  // Of one side of a change.
constexpr double kSameText = 0.8;          // Share of words by which a tool is known again.

constexpr std::array<std::string_view, 4> kLists = {"tools", "prompts", "resources",
                                                    "resourceTemplates"};

// Words are what blanks part, each with the blanks behind it.
std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    std::size_t end = text.find_first_of(" \n\t");
    end = std::min(text.find_first_not_of(" \n\t", std::min(end, text.size())), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::string text_of(const std::vector<std::string_view>& words, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) text += words[i];
  return std::string(trimmed(text));
}

// key_of names an item of a list.
std::string key_of(const Json& item) {
  for (const char* const key : {"name", "uri", "uriTemplate"}) {
    if (const auto text = find_string(item, key)) return *text;
  }
  return dump_json(item);
}

Json kept(const ServerOffer& offer) {
  Json all(Json::value_t::object);
  all["instructions"] = offer.instructions;
  const std::array<const std::vector<Json>*, 4> lists = {&offer.tools, &offer.prompts,
                                                         &offer.resources, &offer.templates};
  for (std::size_t i = 0; i < kLists.size(); ++i) {
    Json& list = all[std::string(kLists[i])] = Json::object();
    for (const Json& item : *lists[i]) list[key_of(item)] = item;
  }
  return all;
}

// plain_place returns a pointer without the steps that say nothing: "path.description".
std::string plain_place(const std::string& pointer) {
  return shown_place(Text{"", pointer, Text::Kind::kValue, ""});
}

std::string shown(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  return clipped(text == nullptr ? dump_json(value) : *text, kChangeBytes);
}

// differences tells each place where two values differ.
void differences(const Json& then, const Json& now, const std::string& at, const std::string& item,
                 Notes& notes) {
  if (then == now) return;
  if (then.is_object() && now.is_object()) {
    std::set<std::string> keys;
    for (const auto& [key, value] : then.items()) keys.insert(key);
    for (const auto& [key, value] : now.items()) keys.insert(key);
    for (const std::string& key : keys) {
      const std::string place = at + "/" + pointer_token(key);
      const Json* const before = find(then, key);
      const Json* const after = find(now, key);
      if (before != nullptr && after != nullptr) {
        differences(*before, *after, place, item, notes);
      } else if (before != nullptr) {
        notes.add(kId, item, plain_place(place) + " is gone: [-" + shown(*before) + "-]", true);
      } else {
        notes.add(kId, item, plain_place(place) + " is new: {+" + shown(*after) + "+}", true);
      }
    }
    return;
  }
  const bool texts = then.is_string() && now.is_string();
  const std::string change =
      texts ? word_changes(then.get_ref<const std::string&>(), now.get_ref<const std::string&>())
            : "[-" + shown(then) + "-] {+" + shown(now) + "+}";
  notes.add(kId, item, plain_place(at) + ": " + change, true);
}

// likeness returns the share of the words of two descriptions that both have.
double likeness(const Json& a, const Json& b) {
  const std::string text_a = string_or(a, "description", "");
  const std::string text_b = string_or(b, "description", "");
  const auto list_a = words_in(text_a);
  const auto list_b = words_in(text_b);
  const std::set<std::string_view> in_a(list_a.begin(), list_a.end());
  const std::set<std::string_view> in_b(list_b.begin(), list_b.end());
  const auto both = std::ranges::count_if(in_a, [&](auto word) { return in_b.contains(word); });
  const std::size_t most = std::max(in_a.size(), in_b.size());
  return most == 0 ? 0 : static_cast<double>(both) / static_cast<double>(most);
}

void compare_list(std::string_view what, const Json& then, const Json& now, Notes& notes) {
  std::set<std::string> renamed;
  for (const auto& [name, item] : then.items()) {
    if (const Json* const same = find(now, name)) {
      differences(item, *same, "", name, notes);
      continue;
    }
    std::string heir;
    for (const auto& [other, candidate] : now.items()) {
      const bool fresh = find(then, other) == nullptr && !renamed.contains(other);
      if (fresh && heir.empty() && likeness(item, candidate) >= kSameText) heir = other;
    }
    if (heir.empty()) {
      notes.add(kId, name, "is gone", true);
      continue;
    }
    renamed.insert(heir);
    notes.add(kId, heir, "was called " + name, true);
    differences(item, *find(now, heir), "", heir, notes);
  }
  for (const auto& [name, item] : now.items()) {
    if (find(then, name) != nullptr || renamed.contains(name)) continue;
    notes.add(kId, name,
              "is new in " + std::string(what) + ": {+" +
                  clipped(string_or(item, "description", ""), kChangeBytes) + "+}",
              true);
  }
}

std::string digest_of(const Json& value) {
  Sha256 sum;
  sum.update(dump_json(value));
  return sum.finish_hex();
}

}  // namespace

std::string word_changes(std::string_view then, std::string_view now) {
  const auto before = words_in(then);
  const auto after = words_in(now);
  const auto is_same = [](std::string_view a, std::string_view b) {
    return trimmed(a) == trimmed(b);
  };
  const std::size_t least = std::min(before.size(), after.size());
  std::size_t first = 0;
  while (first < least && is_same(before[first], after[first])) ++first;
  std::size_t last = 0;
  while (last < least - first &&
         is_same(before[before.size() - 1 - last], after[after.size() - 1 - last])) {
    ++last;
  }
  const std::size_t begin = first < kAround ? 0 : first - kAround;
  std::string text = begin > 0 ? "... " : "";
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() || text.ends_with(' ') ? "" : " ") + part;
  };
  add(text_of(after, begin, first));
  const std::string gone = text_of(before, first, before.size() - last);
  const std::string fresh = text_of(after, first, after.size() - last);
  if (!gone.empty()) add("[-" + clipped(gone, kChangeBytes) + "-]");
  if (!fresh.empty()) add("{+" + clipped(fresh, kChangeBytes) + "+}");
  const std::size_t end = std::min(after.size() - last + kAround, after.size());
  add(text_of(after, after.size() - last, end));
  if (end < after.size()) text += " ...";
  return text;
}

Result<Pins> Pins::read(std::string_view text) {
  const Result<Json> file = parse_json(text);
  if (!file.ok()) return file.error();
  const Json* const servers = find(file.value(), "servers");
  if (int_or(file.value(), "pins", 0) != 1 || servers == nullptr || !servers->is_object()) {
    return Error{ErrorCode::kInvalidInput,
                 "expected a file of pins, version 1, as --update-pins writes it"};
  }
  Pins pins;
  pins.servers_ = *servers;
  return pins;
}

void Pins::pin(const std::string& server, const ServerOffer& offer) {
  Json all = kept(offer);
  all["sha256"] = digest_of(kept(offer));
  servers_[server] = std::move(all);
}

void Pins::compare(std::string_view server, const ServerOffer& offer, Notes& notes) const {
  const Json* const then = find(servers_, server);
  if (then == nullptr) return;
  const Json now = kept(offer);
  notes.looked(kId, 1 + offer.tools.size() + offer.prompts.size() + offer.resources.size() +
                        offer.templates.size());
  const std::string before = string_or(*then, "instructions", "");
  if (before != offer.instructions) {
    notes.add(kId, "", "instructions: " + word_changes(before, offer.instructions), true);
  }
  for (const std::string_view list : kLists) {
    const Json* const old = find(*then, list);
    const Json none(Json::value_t::object);
    compare_list(list, old == nullptr ? none : *old, *find(now, list), notes);
  }
}

std::string Pins::text() const {
  Json file(Json::value_t::object);
  file["pins"] = 1;
  file["servers"] = servers_;
  return pretty_json(file) + "\n";
}

}  // namespace plumbline::conformance
