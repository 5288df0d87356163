#include "core/json/json_in_text.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

namespace plumbline {

namespace {

constexpr std::size_t kObjectBytesMax = 65'536;
constexpr std::size_t kToldBytesMin = 4;
constexpr std::string_view kSpace = " \t\r\n";

// Found is an object within a text, and where it ends there.
struct Found {
  std::string text;
  std::size_t end = 0;
};

// escapes_at returns how many backslashes stand before the first quote of an object that begins at
// `at`: 0, 1, 3, as often as it was escaped. None: no object begins there.
std::optional<std::size_t> escapes_at(std::string_view text, std::size_t at) {
  std::size_t begin = text.find_first_not_of(kSpace, at + 1);
  if (begin == text.npos) return std::nullopt;
  std::size_t end = begin;
  while (end < text.size() && text[end] == '\\') ++end;
  const std::size_t count = end - begin;
  const bool is_level = (count & (count + 1)) == 0 && count < 16;
  if (end == text.size() || text[end] != '"' || !is_level) return std::nullopt;
  return count;
}

// object_at returns the object that begins at `at`, in which so many backslashes are one.
std::optional<Found> object_at(std::string_view text, std::size_t at, std::size_t for_one) {
  Found found;
  std::size_t open = 0;
  bool within = false;  // A text of it.
  text = text.substr(0, at + kObjectBytesMax);
  for (std::size_t i = at; i < text.size(); ++i) {
    std::size_t behind = i;
    while (behind < text.size() && text[behind] == '\\') ++behind;
    if (behind == text.size()) return std::nullopt;
    const std::size_t more = (behind - i) / for_one;
    found.text.append(more, '\\');
    i = behind;
    found.text += text[i];
    if (text[i] == '"' && more % 2 == 0) within = !within;
    if (within || more > 0) continue;
    if (text[i] == '{') ++open;
    if (text[i] != '}' || --open > 0) continue;
    found.end = i + 1;
    return found;
  }
  return std::nullopt;
}

// add adds a secret as it stands in a text: quotes around it may be escaped there.
void add(std::string_view secret, std::vector<std::string>& secrets) {
  while (secret.size() > 1 && secret.front() == '"' && secret.back() == '"') {
    secret = secret.substr(1, secret.size() - 2);
  }
  if (secret.size() >= kToldBytesMin) secrets.emplace_back(secret);
}

// add_hidden adds what stands in `whole` and no longer in `hidden`.
void add_hidden(const Json& whole, const Json& hidden, const Hiding& hiding,
                std::vector<std::string>& secrets) {
  if (const auto* const text = whole.get_ptr<const std::string*>()) {
    if (hidden != whole && hidden == hiding.name(*text)) add(*text, secrets);
  } else if (whole.is_array() && hidden.is_array()) {
    for (std::size_t i = 0; i < std::min(whole.size(), hidden.size()); ++i) {
      add_hidden(whole[i], hidden[i], hiding, secrets);
    }
  } else if (whole.is_object() && hidden.is_object()) {
    for (const auto& [key, member] : whole.items()) {
      const Json* const its = find(hidden, key);
      if (its == nullptr) add(key, secrets);
      if (its != nullptr) add_hidden(member, *its, hiding, secrets);
    }
  }
}

// value_at returns the object that begins at `at`, its quotes behind `escapes` backslashes each.
// Where a shell's quotes are around it, its backslashes are two for each, its quotes are not.
std::optional<Json> value_at(std::string_view text, std::size_t at, std::size_t escapes,
                             std::size_t& end) {
  for (const std::size_t for_one : {escapes + 1, 2 * (escapes + 1)}) {
    const std::optional<Found> found = object_at(text, at, for_one);
    Result<Json> value = found ? parse_json(found->text) : Result<Json>(Error{});
    end = found ? found->end : std::min(text.size(), at + kObjectBytesMax);
    if (value.ok()) return std::move(value).value();
  }
  return std::nullopt;
}

}  // namespace

// What stands in a text of an object is an object that was escaped once more: so each byte is read
// once as what it is for each number of escapes, however deep objects lie in each other.
std::vector<std::string> secrets_in_json(std::string_view text, const Hiding& hiding) {
  std::vector<std::string> secrets;
  std::map<std::size_t, std::size_t> read;  // Up to where, by the number of escapes.
  std::size_t left = 2 * text.size();       // Bytes of objects that turn out to be none.
  std::size_t end = 0;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
    const std::optional<std::size_t> escapes = escapes_at(text, at);
    if (!escapes || at < read[*escapes]) continue;
    const std::optional<Json> value = value_at(text, at, *escapes, end);
    if (!value) {
      if (end - at > left) break;
      left -= end - at;
      continue;
    }
    Json hidden = *value;
    hiding.hide(hidden);
    add_hidden(*value, hidden, hiding, secrets);
    read[*escapes] = end;
  }
  return secrets;
}

void keep_within_strings(std::string_view text, std::vector<Named>& found) {
  const std::size_t first = std::min(text.find_first_not_of(kSpace), text.size());
  if (found.empty() || (text.substr(first, 1) != "{" && text.substr(first, 1) != "[")) return;
  std::vector<Named> kept;
  bool within = false;  // A string.
  std::size_t at = first;
  // to goes on to `end`, and returns where the first quotes stand on the way.
  const auto to = [&](std::size_t end) {
    std::size_t first_quote = text.npos;
    for (; at < end; ++at) {
      if (within && text[at] == '\\') {
        ++at;
      } else if (text[at] == '"') {
        within = !within;
        first_quote = std::min(first_quote, at);
      }
    }
    return first_quote;
  };
  bool any = false;
  for (Named one : found) {
    to(one.begin);
    const bool begins_within = within;
    const std::size_t quote = to(one.end);
    const bool crosses = quote < one.end;
    any = any || crosses || (!begins_within && one.quote.empty());
    if (!begins_within && (crosses || one.quote.empty())) continue;
    one.end = std::min(one.end, quote);
    if (one.begin < one.end) kept.push_back(one);
  }
  if (any && parse_json(text).ok()) found = std::move(kept);
}

}  // namespace plumbline
