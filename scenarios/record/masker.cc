#include "scenarios/record/masker.h"

#include <algorithm>
#include <utility>

#include "scenarios/record/likeness.h"

namespace plumbline::scenarios {

namespace {

// end_of_string returns where the quote stands that ends the string that begins behind `at`; npos:
// nowhere.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string text_of(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  return text == nullptr ? dump_json(value) : *text;
}

}  // namespace

Masker::Masker(Redactor secrets, Masks masks)
    : redactor_(std::move(secrets)), masks_(std::move(masks)) {
  redactor_.name_by([this](std::string_view secret) { return placeholder(secret); });
}

std::string Masker::mask(std::string text) const { return redactor_.redact(std::move(text)); }

std::string Masker::mask_text(std::string_view text) const {
  std::string out;
  std::string name;  // The string before, and all that stands behind it is a colon.
  while (true) {
    const std::size_t begin = text.find('"');
    const std::size_t end = begin == text.npos ? text.npos : end_of_string(text, begin);
    if (end == text.npos) break;
    const std::string_view between = text.substr(0, begin);
    const std::string_view inside = text.substr(begin + 1, end - begin - 1);
    const bool named = between.find(':') != between.npos &&
                       between.find_first_not_of(": \t") == between.npos && is_named(name);
    out += between;
    out += '"' + (named ? placeholder(inside) : std::string(inside)) + '"';
    name = inside;
    text.remove_prefix(end + 1);
  }
  return mask(out + std::string(text));
}

Json Masker::mask(Json message) const {
  mask_within(message);
  for (const std::string& pointer : masks_.redact) {
    Json* const found = pointer.starts_with('/') ? part_of(message, pointer) : nullptr;
    if (found != nullptr) *found = placeholder(text_of(*found));
  }
  return message;
}

std::string Masker::placeholder(std::string_view secret) const {
  const auto known = known_.find(secret);
  const std::size_t number = known == known_.end() ? known_.size() + 1 : known->second;
  if (known == known_.end()) known_.emplace(secret, number);
  return "[secret " + std::to_string(number) + "]";
}

bool Masker::is_named(const std::string& key) const {
  if (std::ranges::count(masks_.keep, key) > 0) return false;
  return names_credential(key) || std::ranges::count(masks_.redact, key) > 0;
}

void Masker::mask_within(Json& value) const {
  if (auto* const text = value.get_ptr<std::string*>()) {
    *text = mask(std::move(*text));
  } else if (auto* const items = value.get_ptr<Json::array_t*>()) {
    for (Json& item : *items) mask_within(item);
  } else if (auto* const members = value.get_ptr<Json::object_t*>()) {
    Json::object_t masked;
    for (auto& [key, member] : *members) {
      if (is_named(key) && !member.is_structured() && !member.is_null()) {
        member = placeholder(text_of(member));
      } else {
        mask_within(member);
      }
      masked.emplace(mask(key), std::move(member));
    }
    *members = std::move(masked);
  }
}

}  // namespace plumbline::scenarios
