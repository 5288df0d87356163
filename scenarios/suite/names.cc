#include "scenarios/suite/names.h"

#include <algorithm>
#include <cctype>

namespace plumbline::suite {

namespace {

bool is_word(std::string_view text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, fits);
}

// name_at returns the name whose braces begin at `text`; empty: none does.
std::string_view name_at(std::string_view text) {
  const std::size_t end = text.find('}');
  if (!text.starts_with('{') || end == std::string_view::npos) return {};
  const std::string_view name = text.substr(1, end - 1);
  const bool env = name.starts_with(kEnvPrefix);
  return is_word(env ? name.substr(kEnvPrefix.size()) : name) ? name : std::string_view();
}

std::string as_text(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  return text == nullptr ? dump_json(value) : *text;
}

// walk gives `piece` each part of `text`: as it stands, or a name.
template <typename Piece>
void walk(std::string_view text, Piece piece) {
  while (!text.empty()) {
    const std::size_t brace = std::min(text.find('{'), text.size());
    piece(text.substr(0, brace), std::string_view());
    text.remove_prefix(brace);
    if (text.empty()) return;
    if (text.starts_with("{{")) {
      piece("{", std::string_view());
      text.remove_prefix(2);
      continue;
    }
    const std::string_view name = name_at(text);
    const std::size_t whole = name.empty() ? 1 : name.size() + 2;
    piece(text.substr(0, whole), name);
    text.remove_prefix(whole);
  }
}

Json filled_json(const Json& value, const Names& names, bool expectation) {
  if (value.is_object()) {
    Json out = Json::object();
    for (const auto& [key, member] : value.items()) {
      const bool as_it_stands = expectation && (key == "$regex" || key == "$schema");
      out[key] = as_it_stands ? member : filled_json(member, names, expectation);
    }
    return out;
  }
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(filled_json(item, names, expectation));
    return out;
  }
  const auto* const text = value.get_ptr<const std::string*>();
  if (text == nullptr) return value;
  const std::string_view name = name_at(*text);
  const auto known = names.find(std::string(name));
  const bool alone = !name.empty() && name.size() + 2 == text->size() && known != names.end();
  if (!alone) return filled_text(*text, names);
  if (!expectation || !known->second.is_structured()) return known->second;
  Json literal = Json::object();
  literal["$literal"] = known->second;
  return literal;
}

}  // namespace

std::vector<std::string> names_in_text(std::string_view text) {
  std::vector<std::string> names;
  walk(text, [&](std::string_view, std::string_view name) {
    if (!name.empty()) names.emplace_back(name);
  });
  return names;
}

std::vector<std::string> names_in(const Json& value) {
  std::vector<std::string> names;
  if (const auto* const text = value.get_ptr<const std::string*>()) return names_in_text(*text);
  if (!value.is_structured()) return names;
  for (const auto& [key, member] : value.items()) {
    if (value.is_object() && (key == "$regex" || key == "$schema")) continue;
    const std::vector<std::string> inside = names_in(member);
    names.insert(names.end(), inside.begin(), inside.end());
  }
  return names;
}

std::string filled_text(std::string_view text, const Names& names) {
  std::string out;
  walk(text, [&](std::string_view piece, std::string_view name) {
    const auto known = names.find(std::string(name));
    out += name.empty() || known == names.end() ? std::string(piece) : as_text(known->second);
  });
  return out;
}

Json filled(const Json& value, const Names& names) { return filled_json(value, names, false); }

Json filled_expectation(const Json& value, const Names& names) {
  return filled_json(value, names, true);
}

std::string quoted_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("{{") || !name_at(rest).empty()) out += '{';
    out += text[i];
  }
  return out;
}

Json quoted(const Json& value) {
  if (const auto* const text = value.get_ptr<const std::string*>()) return quoted_text(*text);
  if (!value.is_structured()) return value;
  Json out = value;
  for (Json& member : out) member = quoted(member);
  return out;
}

}  // namespace plumbline::suite
