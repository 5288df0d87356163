#include "core/json/named_parts.h"

#include <algorithm>
#include <array>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/part_names.h"
#include "core/base/secrets/said_secrets.h"
#include "core/base/secrets/secret_names.h"

namespace plumbline {

namespace {

std::string_view text_of(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

// last_of_path returns the last name of a pointer, "/user/password", or of a list of names.
std::string_view last_of_path(const Json& path) {
  if (path.is_array()) return path.empty() ? std::string_view() : text_of(path.back());
  const std::string_view text = text_of(path);
  const bool pointer = text.starts_with('/') || text.starts_with("$.");
  return pointer ? text.substr(text.find_last_of("/.") + 1) : std::string_view();
}

// What stands between the words of a command line, and before its options.
constexpr std::string_view kBetweenWords = " \t\r\n\"'`;|&<>\\";

bool is_sign_in_command(char c) {
  return c == '-' || kBetweenWords.find(c) != std::string_view::npos;
}

}  // namespace

std::vector<bool> secret_columns_of(const Json& columns, const NameRule& rule) {
  std::vector<bool> secret;
  if (!columns.is_array()) return secret;
  for (const Json& column : columns) {
    const Json* const name = column.is_object() ? find(column, "name") : &column;
    secret.push_back(name != nullptr && names_secret(text_of(*name), NamedAs::kMember, rule));
  }
  if (std::ranges::count(secret, true) == 0) secret.clear();
  return secret;
}

namespace {

// name_told returns what an object says that its value is called, where that is a secret.
std::string_view name_told(const Json::object_t& members, const NameRule& rule) {
  for (const auto& [key, member] : members) {
    const unsigned parts = parts_of(key);
    if ((parts & (kNamePart | kPathPart | kKindPart)) == 0) continue;
    const bool path = (parts & kPathPart) != 0;
    const std::string_view told = path ? last_of_path(member) : text_of(member);
    if (told.empty()) continue;
    if ((parts & kKindPart) != 0) {
      if (is_secret_kind(told)) return told;
      continue;
    }
    const bool secret = path ? names_secret(told, NamedAs::kMember, rule) : names_pair(told, rule);
    if (secret || is_placeholder(told)) return told;
  }
  return {};
}

}  // namespace

bool NamedParts::names_member(std::string_view key, const Json& member) const {
  if (suggests && suggests_value(key)) return true;
  if (name.empty()) return false;
  const unsigned parts = parts_of(key);
  return (parts & kValuePart) != 0 || (data && (parts & kDataPart) != 0) ||
         ((parts & kNearPart) != 0 && looks_told(text_of(member), name));
}

NamedParts named_parts_of(const Json::object_t& members, const NameRule& rule) {
  NamedParts parts;
  if (members.size() < 2) return parts;
  const Json* columns = nullptr;
  bool has_value = false;
  for (const auto& [key, member] : members) {
    const unsigned part = parts_of(key);
    if (part == 0) continue;
    has_value = has_value || (part & (kValuePart | kNearPart | kDataPart)) != 0;
    if ((part & kColumnsPart) != 0 && member.is_array()) columns = &member;
    if ((part & kRowsPart) != 0 && member.is_array()) parts.rows = &member;
    if ((part & kKindPart) == 0) continue;
    parts.suggests = parts.suggests || is_secret_kind(text_of(member));
    parts.data = parts.data || text_of(member) == "Secret";
  }
  if (has_value) parts.name = name_told(members, rule);
  if (columns != nullptr && parts.rows != nullptr) {
    parts.secret_columns = secret_columns_of(*columns, rule);
  }
  return parts;
}

std::vector<bool> columns_of_rows(const Json::array_t& rows, const NameRule& rule) {
  if (rows.size() < 2 || !rows[0].is_array() || !rows[1].is_array()) return {};
  const auto& first = rows[0].get_ref<const Json::array_t&>();
  const bool names = first.size() > 1 && first.size() == rows[1].size() &&
                     std::ranges::all_of(first, [](const Json& one) { return one.is_string(); });
  return names && !is_secret_pair(first, true, rule) ? secret_columns_of(rows[0], rule)
                                                     : std::vector<bool>();
}

bool names_below(std::string_view name, const NameRule& rule) {
  return name.ends_with('s') &&
         names_secret(name.substr(0, name.size() - 1), NamedAs::kMember, rule);
}

bool is_called_by_secret(std::string_view key) {
  const auto digits = std::ranges::count_if(key, ascii_digit);
  if (!std::ranges::all_of(key, ascii_word) || digits < 3) return false;
  const bool mixed = std::ranges::any_of(key, ascii_upper) &&
                     std::ranges::any_of(key, [](char c) { return c >= 'a' && c <= 'z'; });
  return mixed ? key.size() >= 9 : key.size() >= 20;
}

bool is_secret_pair(const Json::array_t& items, bool of_pairs, const NameRule& rule) {
  if (items.size() != 2 || !items[0].is_string() || !items[1].is_string()) return false;
  std::string_view label = text_of(items[0]);
  if (label.size() > 128 || !names_secret(label, NamedAs::kHeader, rule)) return false;
  const std::string_view value = text_of(items[1]);
  const bool names = names_secret(value, NamedAs::kMember, rule);
  if (!of_pairs && (names || !looks_told(value, label))) return false;
  while (!label.empty() && !ascii_word(label.back())) label.remove_suffix(1);
  std::string_view last = label.substr(label.find_last_of(" \"") + 1);
  if (last.size() < label.size() && last == "key") last = label;  // "API key"
  return names_secret(last, NamedAs::kMember, rule);
}

std::string_view program_of(const Json::object_t& members, std::string_view arguments) {
  constexpr auto kArguments = std::to_array<std::string_view>({"args", "argv", "arguments"});
  constexpr auto kPrograms =
      std::to_array<std::string_view>({"command", "program", "cmd", "executable"});
  if (arguments.size() < 4 || arguments[0] != 'a' || !is_one_of(arguments, kArguments)) return {};
  for (const std::string_view name : kPrograms) {
    const auto found = members.find(name);
    if (found != members.end() && found->second.is_string()) return text_of(found->second);
  }
  return {};
}

std::vector<PartOfItem> secrets_in_command(std::string_view program, const Json::array_t& items,
                                           const SecretSearch& search) {
  std::string line(program);
  std::vector<PartOfItem> words;  // Where they stand in the line.
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!line.empty()) line += ' ';
    const std::size_t begin = line.size();
    const std::string_view word = text_of(items[i]);
    const bool one = word.find_first_of(kBetweenWords) == word.npos;
    for (const char c : word) line += one || !is_sign_in_command(c) ? c : '_';
    words.push_back({i, begin, line.size()});
  }
  std::vector<PartOfItem> parts;
  auto word = words.begin();
  for (const Named& one : search.find(line)) {
    while (word != words.end() && word->end <= one.begin) ++word;
    if (word == words.end()) break;
    if (one.begin < word->begin) continue;
    const PartOfItem part{word->item, one.begin - word->begin,
                          std::min(one.end, word->end) - word->begin};
    const std::string_view told = text_of(items[part.item]).substr(part.begin);
    if (placeholder_at(told) < part.end - part.begin) parts.push_back(part);
  }
  return parts;
}

}  // namespace plumbline
