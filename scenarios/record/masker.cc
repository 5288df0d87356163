#include "scenarios/record/masker.h"

#include <algorithm>
#include <utility>

#include "scenarios/record/likeness.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kLearnedMax = 64;
constexpr std::size_t kLearnedBytesMin = 12;

// is_telling returns whether `secret` can be nothing else: no word, and nothing that a mask has
// been put into.
bool is_telling(std::string_view secret) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '['; };
  return secret.size() >= kLearnedBytesMin && std::ranges::any_of(secret, is_digit) &&
         std::ranges::none_of(secret, is_space);
}

std::string text_of(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  return text == nullptr ? dump_json(value) : *text;
}

}  // namespace

Masker::Masker(Redactor secrets, Masks masks)
    : redactor_(std::move(secrets)), masks_(std::move(masks)) {
  redactor_.name_by([this](std::string_view secret) { return placeholder(secret); });
  redactor_.ask_first([this](std::string_view name) { return named(name); });
}

std::string Masker::mask(std::string text, CutEnds cut) const {
  std::string masked = redactor_.redact(std::move(text), cut);
  learn();
  return masked;
}

Json Masker::mask(Json message) const {
  redactor_.redact(message);
  for (const std::string& pointer : masks_.redact) {
    Json* const found = pointer.starts_with('/') ? part_of(message, pointer) : nullptr;
    if (found != nullptr) *found = placeholder(text_of(*found));
  }
  learn();
  return message;
}

// learn makes what was found by its name known by its value. Not while it is looked for.
void Masker::learn() const {
  for (std::string& secret : std::exchange(fresh_, {})) {
    if (learned_ == kLearnedMax) return;
    ++learned_;
    redactor_.add(std::move(secret));
  }
}

std::string Masker::placeholder(std::string_view secret) const {
  const auto known = known_.find(secret);
  const std::size_t number = known == known_.end() ? known_.size() + 1 : known->second;
  if (known == known_.end()) known_.emplace(secret, number);
  // Of "Bearer abc" somebody says "abc" again.
  const std::string_view last = secret.substr(secret.rfind(' ') + 1);
  if (known == known_.end() && is_telling(last)) fresh_.emplace_back(last);
  return "[secret " + std::to_string(number) + "]";
}

std::optional<bool> Masker::named(std::string_view name) const {
  if (std::ranges::count(masks_.keep, name) > 0) return false;
  if (std::ranges::count(masks_.redact, name) > 0) return true;
  return std::nullopt;
}

}  // namespace plumbline::scenarios
