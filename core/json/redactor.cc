#include "core/json/redactor.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "core/base/secrets/ascii.h"
#include "core/base/secrets/cut_text.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/text.h"
#include "core/json/json_in_text.h"
#include "core/json/named_parts.h"

namespace plumbline {

namespace {

constexpr std::string_view kRedacted = "[redacted]";
constexpr std::size_t kSecretBytesMin = 4;

constexpr auto kSchemaWords = std::to_array<std::string_view>(
    {"type", "description", "title", "$ref", "enum", "const", "anyOf", "oneOf", "allOf", "not",
     "properties", "items", "format", "minLength", "maxLength", "pattern", "default"});
constexpr auto kPropertyMaps =
    std::to_array<std::string_view>({"properties", "$defs", "definitions", "patternProperties",
                                     "dependentSchemas", "securitySchemes", "securityDefinitions"});
// Below them names are what is told of, and not what holds a secret.
constexpr auto kTellingOf = std::to_array<std::string_view>(
    {"errors", "fieldErrors", "field_errors", "validationErrors", "violations", "scripts"});
constexpr auto kDependencies = std::to_array<std::string_view>(
    {"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"});
constexpr auto kSubschemas = std::to_array<std::string_view>(
    {"allOf", "anyOf", "oneOf", "items", "prefixItems", "if", "then", "else"});
constexpr std::size_t kDigitsOfCode = 4;
// A key that is shorter holds no more than a secret that is known.
constexpr std::size_t kNamedBytesMin = 16;

const std::string* text_in(const Json& value) { return value.get_ptr<const std::string*>(); }

// is_schema returns whether an object is one, or may be: it holds what a schema says.
bool is_schema(const Json& value) {
  const auto* const members = value.get_ptr<const Json::object_t*>();
  return members != nullptr && (members->empty() || std::ranges::any_of(*members, [](auto& one) {
                                  return is_one_of(one.first, kSchemaWords);
                                }));
}

// is_version returns whether it is one of a package: ^9.0.1.
bool is_version(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of("^~<>=v "), text.size());
  const std::string_view version = text.substr(begin, 24);
  return begin + version.size() == text.size() && !version.empty() && ascii_digit(version[0]) &&
         version.find('.') != version.npos && version.find('.') <= 4;
}

bool is_list_of_headers(std::string_view name) {
  constexpr std::string_view kHeaders = "headers";
  return name.size() >= kHeaders.size() &&
         equals_ignoring_case(name.substr(name.size() - kHeaders.size()), kHeaders);
}

// option_of returns the name of an option that takes the next word: "--api-key".
std::string_view option_of(std::string_view word) {
  if (word.size() < 4 || word[0] != '-' || word.find('=') != word.npos) return {};
  const std::size_t begin = word.find_first_not_of('-');
  return begin == word.npos ? std::string_view() : word.substr(begin);
}

// SecretWalk goes through JSON and hides the secrets in it, or looks whether there are any.
// Value is Json, and its secrets are hidden; or const Json, and they are looked for.
template <typename Value>
class SecretWalk {
 public:
  // `redactor` must outlive it. `is_in_text`: the JSON stands in a text, where what stands in its
  // own texts is looked for as well.
  explicit SecretWalk(const Redactor& redactor, bool is_in_text = false)
      : redactor_(redactor), is_in_text_(is_in_text) {}

  void walk(Value& value) { any(value, Place()); }

  // found returns whether there was a secret.
  bool found() const { return found_; }

 private:
  static constexpr bool kLooks = std::is_const_v<Value>;
  using Object = std::conditional_t<kLooks, const Json::object_t, Json::object_t>;
  using Array = std::conditional_t<kLooks, const Json::array_t, Json::array_t>;

  // Place is what is known of where a value stands.
  struct Place {
    bool secret = false;     // Below a name that says so.
    std::size_t digits = 0;  // Which says so of numbers, too, of so many digits; 0: of none.
    bool headers = false;    // In "headers", or a list of them.
    bool schema = false;     // It is the schema of a member whose name says so.
    bool keys = false;       // Its members are called by secrets.
    bool pairs = false;      // In a list, which may be of pairs.
    bool told_of = false;    // Its names are told of in sentences, or commands.
    bool versions = false;   // Its names are those of packages.
  };

  void any(Value& value, Place place);
  void array(Array& items, Place place);
  void object(Object& members, Place place);
  void properties(Object& members, bool of_secret);
  void text(Value& value, Place place);
  void hide(Value& value);
  void command(Array& items, std::string_view program);
  void columns(Array& rows, const std::vector<bool>& secret, std::size_t from = 0);
  void keys(Object& members, bool called_by_secrets);
  bool done() const { return kLooks && found_; }
  std::vector<Named> find(std::string_view text) const {
    return is_in_text_ ? redactor_.search().find(text) : redactor_.find(text);
  }
  std::string redacted(std::string_view text) const { return redactor_.without(text, find(text)); }

  const Redactor& redactor_;
  bool is_in_text_;
  bool found_ = false;
};

template <typename Value>
void SecretWalk<Value>::any(Value& value, Place place) {
  if (done()) return;
  if (value.is_string()) {
    text(value, place);
  } else if (value.is_array()) {
    array(*value.template get_ptr<Array*>(), place);
  } else if (value.is_object()) {
    object(*value.template get_ptr<Object*>(), place);
  } else if (place.digits > 0 && value.is_number() && dump_json(value).size() >= place.digits) {
    hide(value);
  }
}

template <typename Value>
void SecretWalk<Value>::hide(Value& value) {
  const std::string* const text = text_in(value);
  if (text != nullptr && is_ordinary_value(*text)) return;
  found_ = true;
  if constexpr (!kLooks) {
    value = redactor_.name_of(text == nullptr ? dump_json(value) : *text);
  }
}

template <typename Value>
void SecretWalk<Value>::text(Value& value, Place place) {
  const std::string& told = value.template get_ref<const std::string&>();
  const bool sentence = place.told_of && told.find(' ') != told.npos;
  if (place.secret && place.versions && is_version(told)) return;
  if (place.secret && !sentence) return hide(value);
  if constexpr (kLooks) {
    found_ = found_ || !find(told).empty();
  } else {
    auto& text = value.template get_ref<std::string&>();
    text = redacted(text);
  }
}

template <typename Value>
void SecretWalk<Value>::array(Array& items, Place place) {
  if (!place.secret) command(items, std::string_view());
  if (!place.secret) {
    if (const std::vector<bool> secret = columns_of_rows(items, redactor_.rule());
        !secret.empty()) {
      columns(items, secret, 1);
    }
  }
  bool next_is_secret = false;
  const bool pair = !place.secret && is_secret_pair(items, place.pairs, redactor_.rule());
  for (std::size_t i = 0; i < items.size(); ++i) {
    Value& item = items[i];
    Place its = place;
    its.pairs = true;
    its.secret = place.secret || next_is_secret || (pair && i == 1);
    next_is_secret = false;
    const std::string* const word = text_in(item);
    const bool option = word != nullptr && word->starts_with('-');
    if (its.secret && !place.secret && option) its.secret = false;  // No value, but another option.
    any(item, its);
    if (done()) return;
    if (word == nullptr || its.secret) continue;
    const std::string_view name = option ? option_of(*word) : std::string_view();
    next_is_secret = (!name.empty() && redactor_.names(name, NamedAs::kVariable)) ||
                     (place.headers && redactor_.names(*word, NamedAs::kHeader));
  }
}

// command hides what only the words of a command line together tell.
template <typename Value>
void SecretWalk<Value>::command(Array& items, std::string_view program) {
  const bool has_option = std::ranges::any_of(items, [](const Json& item) {
    const std::string* const word = text_in(item);
    return word != nullptr && word->size() > 1 && (*word)[0] == '-' && (*word)[1] != ' ';
  });
  if (!has_option) return;
  const std::vector<PartOfItem> parts = secrets_in_command(program, items, redactor_.search());
  found_ = found_ || !parts.empty();
  if constexpr (!kLooks) {
    for (std::size_t i = parts.size(); i-- > 0;) {
      const PartOfItem& part = parts[i];
      auto& word = items[part.item].template get_ref<std::string&>();
      const std::size_t bytes = part.end - part.begin;
      word.replace(part.begin, bytes, redactor_.name_of(word.substr(part.begin, bytes)));
    }
  }
}

// columns hides what stands in the columns of a table that are named like secrets.
template <typename Value>
void SecretWalk<Value>::columns(Array& rows, const std::vector<bool>& secret, std::size_t from) {
  const auto hide_in = [&](Array& cells) {
    for (std::size_t i = 0; i < std::min(cells.size(), secret.size()); ++i) {
      if (secret[i]) any(cells[i], {.secret = true});
    }
  };
  if (!rows.empty() && rows[0].is_string()) hide_in(rows);  // They are only one.
  for (std::size_t i = from; i < rows.size(); ++i) {
    if (auto* const cells = rows[i].template get_ptr<Array*>()) hide_in(*cells);
  }
}

// A pair of a name and a value is taken for a member of that name.
template <typename Value>
void SecretWalk<Value>::object(Object& members, Place place) {
  const NamedParts parts = place.secret ? NamedParts() : named_parts_of(members, redactor_.rule());
  const bool told = parts.suggests || !parts.name.empty();
  for (auto& [key, member] : members) {
    if (done()) return;
    if (!place.secret && is_one_of(key, kPropertyMaps) && member.is_object()) {
      properties(*member.template get_ptr<Object*>(), place.schema);
      continue;
    }
    const bool dashed = place.headers || key.find('-') != std::string::npos;
    const bool suggests = place.schema && suggests_value(key);
    const bool named = suggests || (told && parts.names_member(key, member)) ||
                       redactor_.names(key, dashed ? NamedAs::kHeader : NamedAs::kMember);
    Place its;
    its.secret = place.secret || named;
    its.digits = place.digits <= kDigitsOfCode ? place.digits : 0;
    if (named && its.digits != 1) {
      its.digits = redactor_.digits_of(parts.name.empty() ? std::string_view(key) : parts.name);
    }
    its.told_of = place.told_of || is_one_of(key, kTellingOf);
    its.versions = is_one_of(key, kDependencies) || (place.versions && !member.is_object());
    its.schema = place.schema && is_one_of(key, kSubschemas);
    its.headers = is_list_of_headers(key) || (place.headers && !member.is_object());
    its.keys = member.is_object() && (its.secret || names_below(key, redactor_.rule()));
    if (member.is_array() && !its.secret) {
      auto& items = *member.template get_ptr<Array*>();
      const std::string_view program = program_of(members, key);
      if (!program.empty()) command(items, program);
      if (&member == parts.rows) columns(items, parts.secret_columns);
    }
    any(member, its);
  }
  keys(members, place.keys);
}

// properties goes through what a schema says of members: a name there holds a schema, not a secret.
template <typename Value>
void SecretWalk<Value>::properties(Object& members, bool of_secret) {
  for (auto& [key, member] : members) {
    if (done()) return;
    Place its;
    its.secret = of_secret || redactor_.names(key, NamedAs::kMember);
    if (is_schema(member)) {
      its.schema = its.secret;
      its.secret = false;
    } else {
      its.digits = its.secret ? redactor_.digits_of(key) : 0;
    }
    any(member, its);
  }
  keys(members, false);
}

template <typename Value>
void SecretWalk<Value>::keys(Object& members, bool called_by_secrets) {
  const auto is_clean = [&](const auto& one) {
    const std::string& key = one.first;
    if (called_by_secrets && is_called_by_secret(key)) return false;
    return key.size() < kNamedBytesMin ? !redactor_.finds_secret(key) : find(key).empty();
  };
  if (done() || std::ranges::all_of(members, is_clean)) return;
  found_ = true;
  if constexpr (!kLooks) {
    Json::object_t renamed;
    for (auto& [key, member] : members) {
      const bool whole = called_by_secrets && is_called_by_secret(key);
      renamed.emplace(whole ? redactor_.name_of(key) : redacted(key), std::move(member));
    }
    members = std::move(renamed);
  }
}

}  // namespace

bool names_credential(std::string_view name) { return names_secret(name, NamedAs::kMember); }

std::size_t Redactor::digits_of(std::string_view name) const {
  return rule_ && rule_(name).value_or(false) ? 1 : number_digits_min(name);
}

std::string Redactor::name_of(std::string_view secret) const {
  return name_ ? name_(secret) : std::string(kRedacted);
}

std::string Redactor::without(std::string_view text, const std::vector<Named>& found) const {
  std::string out;
  std::size_t kept = 0;
  for (const Named& one : found) {
    out.append(text.substr(kept, one.begin - kept)).append(one.quote);
    out += name_of(text.substr(one.begin, one.end - one.begin));
    out += one.quote;
    kept = one.end;
  }
  return out.append(text.substr(kept));
}

void Redactor::add(std::string secret) {
  if (secret.size() < kSecretBytesMin || std::ranges::count(secrets_, secret) > 0) return;
  secrets_.push_back(std::move(secret));
  finder_ = SecretFinder(secrets_);
}

void Redactor::add_forms(const std::string& secret) {
  if (secret.size() < kSecretBytesMin) return;
  for (std::string& form : forms_of(secret)) {
    if (std::ranges::count(secrets_, form) == 0) secrets_.push_back(std::move(form));
  }
  finder_ = SecretFinder(secrets_);
}

void Redactor::add_named(std::string_view name, std::string value) {
  if (names(name, NamedAs::kVariable)) add(std::move(value));
}

std::vector<Named> Redactor::find(std::string_view text, CutEnds cut) const {
  std::vector<Named> found = search().find(text, cut);
  keep_within_strings(text, found);
  const Hiding hiding{[this](Json& value) { SecretWalk<Json>(*this, true).walk(value); },
                      [this](std::string_view secret) { return name_of(secret); }};
  const std::vector<std::string> told = secrets_in_json(text, hiding);
  if (told.empty()) return found;
  for (const Span& span : SecretFinder(told).find(text)) found.push_back({span, {}});
  return in_order(std::move(found));
}

std::string Redactor::redact(std::string text, CutEnds cut) const {
  const std::vector<Named> found = find(text, cut);
  if (!found.empty()) text = without(text, found);
  if (!cut.before && !cut.after) return text;
  return without_cut_secrets(text, secrets_, cut, kRedacted);
}

void Redactor::redact(Json& value) const { SecretWalk<Json>(*this).walk(value); }

std::string Redactor::contain(std::string text) const {
  std::vector<Named> found;
  for (const Span& span : finder_.find(text)) found.push_back({span, {}});
  return found.empty() ? text : without(text, found);
}

void Redactor::contain(Json& value) const {
  if (auto* const text = value.get_ptr<std::string*>()) {
    *text = contain(std::move(*text));
  } else if (auto* const items = value.get_ptr<Json::array_t*>()) {
    for (Json& item : *items) contain(item);
  } else if (auto* const members = value.get_ptr<Json::object_t*>()) {
    const bool named =
        std::ranges::any_of(*members, [this](const auto& one) { return finds_secret(one.first); });
    for (auto& [key, member] : *members) contain(member);
    if (!named) return;
    Json::object_t renamed;
    for (auto& [key, member] : *members) renamed.emplace(contain(key), std::move(member));
    *members = std::move(renamed);
  }
}

bool Redactor::is_clean(const Json& value) const {
  SecretWalk<const Json> walk(*this);
  walk.walk(value);
  return !walk.found();
}

bool Redactor::finds_secret(std::string_view text) const { return !finder_.find(text).empty(); }

}  // namespace plumbline
