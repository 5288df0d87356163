#include "core/wire/form.h"

#include <algorithm>

#include "core/base/percent.h"

namespace plumbline::wire {

namespace {

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

std::string decoded_field(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return percent_decode(spaced);
}

}  // namespace

void append_percent_encoded(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
}

Form Form::parse(std::string_view text) {
  Form form;
  while (!text.empty()) {
    const std::string_view field = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
    if (field.empty()) continue;
    const std::size_t equals = std::min(field.find('='), field.size());
    const std::string_view value = field.substr(std::min(equals + 1, field.size()));
    form.add(decoded_field(field.substr(0, equals)), decoded_field(value));
  }
  return form;
}

std::optional<std::string> Form::get(std::string_view name) const {
  const auto found =
      std::ranges::find_if(fields_, [&](const auto& field) { return field.first == name; });
  if (found == fields_.end()) return std::nullopt;
  return found->second;
}

std::size_t Form::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(fields_, [&](const auto& field) { return field.first == name; }));
}

void Form::add(std::string name, std::string value) {
  fields_.emplace_back(std::move(name), std::move(value));
}

void Form::add_filled(std::string name, std::string value) {
  if (!value.empty()) add(std::move(name), std::move(value));
}

std::string Form::text() const {
  std::string out;
  for (const auto& [name, value] : fields_) {
    if (!out.empty()) out += '&';
    append_percent_encoded(out, name);
    out += '=';
    append_percent_encoded(out, value);
  }
  return out;
}

Form query_of(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const std::size_t question = url.find('?');
  return question == std::string_view::npos ? Form() : Form::parse(url.substr(question + 1));
}

}  // namespace plumbline::wire
