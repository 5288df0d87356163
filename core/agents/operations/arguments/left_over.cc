#include "core/agents/operations/arguments/left_over.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/arguments/by_form.h"
#include "core/agents/operations/request/dated.h"
#include "core/agents/operations/request/identified.h"
#include "core/agents/operations/request/property_kind.h"
#include "core/agents/operations/request/typed.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// is_time_zone returns whether a word may be one of the tz database: "Asia/Tokyo", "UTC".
bool is_time_zone(std::string_view text) {
  if (text == "UTC" || text == "GMT") return true;
  constexpr auto kAreas = std::to_array<std::string_view>(
      {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Etc",
       "Europe", "Indian", "Pacific", "US"});
  const std::size_t slash = text.find('/');
  return slash != text.npos && slash + 1 < text.size() &&
         std::ranges::find(kAreas, text.substr(0, slash)) != kAreas.end();
}

// left_over returns a place or a quotation that nothing has taken, for a property that is called
// after what it is: "url", "path", "location", "query".
std::optional<Json> left_over(const std::string& name, const Json& schema, RequestText& text) {
  const bool plain = type_of(schema) == "string" && find(schema, "enum") == nullptr;
  if (!plain || words_of(name).size() != 1) return std::nullopt;
  const PropertyKind kind = kind_of(name);
  const bool place =
      kind == PropertyKind::kUri || kind == PropertyKind::kPath || kind == PropertyKind::kPlace;
  std::optional<std::string> said;
  if (place) said = by_kind(kind, text);
  if (kind == PropertyKind::kPhrase) said = text.pattern();
  if (kind == PropertyKind::kPhrase && !said) said = text.only_quoted();
  return said ? std::optional<Json>(*said) : std::nullopt;
}

// is_file returns whether a path is one of a file, by the ending of its name.
bool is_file(std::string_view path) {
  return path.substr(path.rfind('/') + 1).find('.', 1) != path.npos;
}

// leaves_a_file returns whether the first path that nothing has taken is one of a file.
bool leaves_a_file(const RequestText& request) {
  for (const RequestText::Piece& piece : request.pieces()) {
    if (!piece.used && is_path(piece.text)) return is_file(piece.text);
  }
  return false;
}

// is_any_value returns whether a piece is no word of a sentence: quoted, or of another form.
bool is_any_value(const RequestText::Piece& piece) {
  const std::string_view text = piece.text;
  if (piece.quoted || is_path(text) || is_identifier(text)) return true;
  const std::size_t dot = text.find('.');
  if (text.find_first_of("_:@/") != text.npos || (dot != text.npos && dot > 1)) return true;
  if (text.find('-') == text.npos) return false;  // "Feature-x", and not "follow-up".
  const std::vector<std::string> parts = words_of(text);
  return !std::ranges::all_of(parts, [](const std::string& part) { return is_common_word(part); });
}

// is_name_of_a_field returns whether a word is one as programs call what they keep: "page_id".
bool is_name_of_a_field(std::string_view text) {
  return text.find('_') != text.npos &&
         std::ranges::all_of(text, [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
}

// is_thing returns whether a word may be a noun of which the next is the name.
bool is_thing(const RequestText::Piece& piece) {
  const std::string word = lower_case(piece.text);
  constexpr auto kParticles = std::to_array<std::string_view>({"down", "off", "on", "out", "up"});
  return !is_empty_word(word) && std::ranges::find(kParticles, word) == kParticles.end();
}

// may_hold returns whether a property may hold a value of which nothing says what it is, behind a
// piece that may open the request.
bool may_hold(const std::string& property, const RequestText::Piece& piece,
              const RequestText::Piece& before, bool opens, const std::vector<std::string>& own) {
  const PropertyKind kind = kind_of(property);
  if (piece.text.find("://") != std::string_view::npos) {
    return kind == PropertyKind::kUri || kind == PropertyKind::kOther ||
           kind == PropertyKind::kText;
  }
  const std::vector<std::string> words = words_of(property);
  const bool id = !words.empty() && is_id_word(words.back());
  // "Board b1" is no workspace.
  if (id && piece.text.find('@') != std::string_view::npos) return false;
  if (id && (piece.quoted ||
             (!opens && is_thing(before) && !contains(own, fold(lower_case(before.text))))))
    return false;
  if (kind == PropertyKind::kUri || kind == PropertyKind::kPath ||
      kind == PropertyKind::kRecipient) {
    return false;
  }
  if (piece.quoted) return true;
  const bool dotted = piece.text.find('/') == std::string_view::npos;  // "sensor.door"
  if (id && dotted && is_path(piece.text)) return true;
  const bool number = std::ranges::all_of(piece.text, [](char c) { return is_digit(c); });
  return kind != PropertyKind::kText && !number && !is_pattern(piece.text) && !is_path(piece.text);
}

// are_numbered returns whether two texts are required whose names differ in a digit: symbol1,
// symbol2.
bool are_numbered(const std::vector<std::string>& required, const Json& properties) {
  if (required.size() != 2) return false;
  const auto is_numbered = [&](const std::string& name) {
    const Json* const schema = find(properties, name);
    return schema != nullptr && type_of(*schema) == "string" && name.size() > 1 &&
           is_digit(name.back());
  };
  return std::ranges::all_of(required, is_numbered) &&
         required[0].substr(0, required[0].size() - 1) ==
             required[1].substr(0, required[1].size() - 1);
}

// chosen_words returns the folded words of what the request chose among the values of properties.
std::vector<std::string> chosen_words(const Extraction& extraction, const Json& properties) {
  std::vector<std::string> out;
  for (const ArgumentSource& source : extraction.sources) {
    const Json* const schema = find(properties, source.name);
    const auto* const text = extraction.value(source.name).get_ptr<const std::string*>();
    const bool chosen = source.provenance == Provenance::kRequest && schema != nullptr &&
                        find(*schema, "enum") != nullptr;
    if (chosen && text != nullptr) out.push_back(fold(lower_case(*text)));
  }
  return out;
}

// only_value_left returns the one value of the request that nothing has taken, where a property may
// hold it: "abc1234" of "show commit abc1234". Nothing where there are several.
std::optional<std::string> only_value_left(const std::string& name, const Json& properties,
                                           const connector::Capability& capability,
                                           const Extraction& extraction, RequestText& text) {
  std::vector<std::string> own;  // "Board b1" is the id of a board alone.
  if (words_of(name).size() == 1) {
    own = content_words(capability.name);
    // So is "database d1" where that is the kind of thing that was chosen.
    for (const std::string& chosen : chosen_words(extraction, properties)) own.push_back(chosen);
  }
  std::optional<std::size_t> found;
  for (std::size_t i = 1; i < text.pieces().size(); ++i) {
    const RequestText::Piece& piece = text.pieces()[i];
    if (piece.used || !is_any_value(piece) || piece.text == capability.name) continue;
    if (!piece.quoted && is_name_of_a_field(piece.text)) continue;
    if (found || properties.contains(piece.text) ||
        !may_hold(name, piece, text.pieces()[i - 1], i == 1, own))
      return std::nullopt;
    found = i;
  }
  return found ? std::optional(text.take_piece(*found)) : std::nullopt;
}

// only_owner returns the one name that something is said to be of: "AMD" of "AMD's price".
std::optional<std::string> only_owner(RequestText& text) {
  constexpr std::string_view kMark = "'s";
  std::optional<std::size_t> found;
  for (std::size_t i = 1; i < text.pieces().size(); ++i) {
    const RequestText::Piece& piece = text.pieces()[i];
    if (piece.used || piece.quoted || !piece.text.ends_with(kMark)) continue;
    if (!is_upper(piece.text.front()) || found) return std::nullopt;
    found = i;
  }
  if (!found) return std::nullopt;
  std::string owner = text.take_piece(*found);
  return owner.substr(0, owner.size() - kMark.size());
}

// only_name_left returns the name of what a tool is called after, "nginx" of "download the image
// nginx", or the one name with a capital behind a preposition: "Texas" of "alerts in Texas".
std::optional<std::string> only_name_left(const std::string& name,
                                          const connector::Capability& capability,
                                          RequestText& text) {
  const PropertyKind kind = kind_of(name);
  const bool other = kind == PropertyKind::kPath || kind == PropertyKind::kUri ||
                     kind == PropertyKind::kText || kind == PropertyKind::kRecipient;
  const bool id = !words_of(name).empty() && is_id_word(words_of(name).back());
  if (other || id) return std::nullopt;
  const std::vector<std::string> things = content_words(capability.name);
  const std::vector<std::string> words = words_of(name);
  const std::string noun = words.empty() ? "" : fold(words.front());
  for (const std::string& thing : things) {
    if (is_verb(thing)) continue;
    const bool own = noun == "name" || noun == "key" || noun == thing || contains(words, "name");
    const std::optional<std::string> said = text.named_as(thing, things, false, own);
    if (said && !is_path(*said)) return said;
  }
  if (std::optional<std::string> owner = only_owner(text)) return owner;
  // "Press Enter".
  if (text.pieces().size() > 1 && !text.pieces()[0].quoted && !text.pieces()[1].used &&
      is_upper(text.pieces()[1].text.front()) && things.size() > 1 &&
      things.front() == fold(lower_case(text.pieces()[0].text))) {
    return text.take_piece(1);
  }
  const bool asked = std::ranges::any_of(text.pieces(), [&](const RequestText::Piece& piece) {
    return !piece.quoted && fold(lower_case(piece.text)) == noun;
  });
  if (asked) return std::nullopt;  // "Which indexes do I have in Pinecone?"
  std::optional<std::string> said =
      text.value_after({"about", "at", "by", "for", "from", "in", "near", "of", "on", "with"});
  const bool number = said && std::ranges::all_of(*said, is_digit);
  return number ? std::nullopt : said;
}

// give_left_file gives a file, and no folder, to the one property that is for files where others
// are for folders: src/main.c to filePath, and not to path.
void give_left_file(Extraction& extraction, const Json& properties, RequestText& request) {
  const auto file = std::ranges::find_if(request.pieces(), [](const RequestText::Piece& piece) {
    return !piece.used && !piece.quoted && is_path(piece.text) && is_file(piece.text);
  });
  if (file == request.pieces().end()) return;
  constexpr WordTable kFiles({Word{"file"}, Word{"filename"}, Word{"files"}, Word{"paths"}});
  const auto is_for_files = [&](const std::vector<std::string>& words, const Json& property) {
    const std::string type = type_of(property);
    return (type == "string" || type == "array") && has_one_of(words, kFiles);
  };
  const std::optional<std::string> found = only_open(extraction, properties, is_for_files);
  if (!found) return;
  std::optional<Json> value = typed(properties.at(*found), std::string(file->text));
  if (!value) return;
  request.take_piece(static_cast<std::size_t>(file - request.pieces().begin()));
  extraction.give(*found, std::move(*value), Provenance::kRequest);
}

// give_left_id gives the one value that is left to the one property for an id, of a tool that is
// given nothing else: "the profile of U99" to userId.
void give_left_id(Extraction& extraction, const Json& properties,
                  const connector::Capability& capability, RequestText& request) {
  const auto is_given = [](const ArgumentSource& source) {
    return source.provenance == Provenance::kRequest;
  };
  if (std::ranges::any_of(extraction.sources, is_given)) return;
  std::string name;
  for (const auto& [one, property] : properties.items()) {
    const std::vector<std::string> words = words_of(one);
    if (words.empty() || !is_id_word(words.back())) continue;
    if (!name.empty() || type_of(property) != "string" || find(property, "enum") != nullptr) return;
    name = one;
  }
  if (name.empty()) return;
  std::optional<std::string> said =
      only_value_left(name, properties, capability, extraction, request);
  if (said && is_identifier(*said)) extraction.give(name, *said, Provenance::kRequest);
}

// give_left_form gives a date or a time zone to the one property that is called so.
void give_left_form(Extraction& extraction, const Json& properties, RequestText& request) {
  constexpr WordTable kDates({Word{"date"}, Word{"datetime"}, Word{"day"}, Word{"time"}});
  constexpr WordTable kZones({Word{"timezone"}, Word{"tz"}, Word{"zone"}});
  const auto give_to = [&](std::size_t index, const auto& names) {
    const std::optional<std::string> found =
        only_open(extraction, properties, [&](const auto& words, const Json& property) {
          return has_one_of(words, names) && takes_text(property);
        });
    if (found) extraction.give(*found, request.take_piece(index), Provenance::kRequest);
  };
  for (std::size_t i = 0; i < request.pieces().size(); ++i) {
    const RequestText::Piece& piece = request.pieces()[i];
    if (piece.used) continue;
    if (is_date(piece.text)) give_to(i, kDates);
    if (is_time_zone(piece.text)) give_to(i, kZones);
  }
}

}  // namespace

void give_pair(Extraction& extraction, const std::vector<std::string>& required,
               const Json& properties, RequestText& request) {
  constexpr WordTable kFirst({Word{"base"}, Word{"current"}, Word{"from"}, Word{"old"},
                              Word{"original"}, Word{"source"}, Word{"src"}});
  constexpr WordTable kSecond(
      {Word{"dest"}, Word{"destination"}, Word{"dst"}, Word{"new"}, Word{"target"}, Word{"to"}});
  const auto one_of = [&](const auto& names) {
    std::string found;
    for (const std::string& name : required) {
      const Json* const schema = find(properties, name);
      const bool called = has_one_of(words_of(name), names);
      if (!called || schema == nullptr || type_of(*schema) != "string") continue;
      if (!found.empty()) return std::string();
      found = name;
    }
    return found;
  };
  std::string first = one_of(kFirst);
  std::string second = one_of(kSecond);
  if (first.empty() && second.empty() && are_numbered(required, properties)) {
    first = required[0];
    second = required[1];
  }
  if (first.empty() || second.empty() || extraction.arguments.contains(first)) return;
  give_both(extraction, first, second, request);
}

void give_the_last(Extraction& extraction, const std::vector<std::string>& required,
                   const Json& properties, const connector::Capability& capability,
                   RequestText& request) {
  const auto lacks = [&](const std::string& name) { return !extraction.arguments.contains(name); };
  if (std::ranges::count_if(required, lacks) != 1) return;
  const std::string& name = *std::ranges::find_if(required, lacks);
  const Json* const schema = find(properties, name);
  if (schema == nullptr || find(*schema, "enum") != nullptr || wants_bytes(name, *schema)) return;
  const std::string type = type_of(*schema);
  const bool listed = !told_values(string_or(*schema, "description", "")).empty();
  if (listed || (type != "string" && type != "array")) return;
  std::optional<std::string> said =
      only_value_left(name, properties, capability, extraction, request);
  if (!said) said = only_name_left(name, capability, request);
  std::optional<Json> value = said ? typed(*schema, *said) : std::nullopt;
  if (value) extraction.give(name, std::move(*value), Provenance::kRequest);
}

void give_left_over(Extraction& extraction, const Json& properties,
                    const connector::Capability& capability, RequestText& request) {
  give_left_id(extraction, properties, capability, request);
  give_left_file(extraction, properties, request);
  give_left_form(extraction, properties, request);
  give_left_address(extraction, properties, request);
  for (const auto& [name, property] : properties.items()) {
    const auto source = std::ranges::find(extraction.sources, name, &ArgumentSource::name);
    const bool has = source != extraction.sources.end();
    const bool by_default = has && source->provenance == Provenance::kSchemaDefault;
    const PropertyKind kind = kind_of(name);
    const bool replaced = kind == PropertyKind::kPhrase || kind == PropertyKind::kPath;
    if (has && !(by_default && replaced)) continue;
    if (has && kind == PropertyKind::kPath && leaves_a_file(request)) continue;
    std::optional<Json> value = left_over(name, property, request);
    if (!value) continue;
    extraction.give(name, std::move(*value), Provenance::kRequest);
  }
}

}  // namespace plumbline::agents
