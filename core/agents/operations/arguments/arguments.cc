#include "core/agents/operations/arguments/arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/arguments/by_form.h"
#include "core/agents/operations/arguments/checked.h"
#include "core/agents/operations/arguments/chosen_action.h"
#include "core/agents/operations/arguments/left_over.h"
#include "core/agents/operations/arguments/numbers.h"
#include "core/agents/operations/arguments/quoted.h"
#include "core/agents/operations/arguments/standing.h"
#include "core/agents/operations/request/counted.h"
#include "core/agents/operations/request/described.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/given_names.h"
#include "core/agents/operations/request/identified.h"
#include "core/agents/operations/request/listed.h"
#include "core/agents/operations/request/property_kind.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/operations/request/typed.h"
#include "core/agents/policy/actions.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/opposites.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

// filter_value returns the one filter of the request that is a value of the property `name`.
std::optional<Json> filter_value(std::string_view name, std::string_view request) {
  std::string_view field;
  for (WordReader reader(name); field.empty() && reader.next();) field = field_of(reader.word());
  if (field.empty()) return std::nullopt;
  std::optional<Json> found;
  for (const Filter& filter : filters_of(request)) {
    if (filter.field != field) continue;
    if (found) return std::nullopt;  // Two fit: no guess.
    found = filter.word;
  }
  return found;
}

// enum_value returns the enum value for which `spoken` holds, when it is exactly one.
template <typename Spoken>
std::optional<Json> enum_value(const Json& schema, Spoken spoken) {
  const Json* const values = find(schema, "enum");
  if (values == nullptr || !values->is_array()) return std::nullopt;
  std::optional<Json> found;
  for (const Json& value : *values) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr || !spoken(*text)) continue;
    if (found) return std::nullopt;  // Two fit: no guess.
    found = value;
  }
  return found;
}

// assigned_value returns what the request assigns to the property by name.
std::optional<Json> assigned_value(const std::string& name, const Json& schema,
                                   RequestText& request) {
  std::optional<std::string> said = request.assigned(name);
  if (!said) said = request.set_to(name);
  if (!said) return std::nullopt;
  const std::vector<std::string> words = words_of(*said);
  std::optional<Json> value =
      enum_value(schema, [&](const std::string& text) { return words_of(text) == words; });
  return value ? value : typed(schema, *said);
}

bool is_title(const std::string& name) {
  constexpr auto kTitles = std::to_array<std::string_view>({"name", "subject", "summary", "title"});
  const std::vector<std::string> words = words_of(name);
  return !words.empty() && std::ranges::find(kTitles, words.back()) != kTitles.end();
}

// is_of_another_thing returns whether what is said of a kind belongs to something else: an
// identifier stands beside another thing than the one whose id is wanted, or what is to be made is
// no title of itself ("create an issue").
bool is_of_another_thing(const std::string& name, PropertyKind kind,
                         const connector::Capability& capability, const RequestText& text) {
  if (kind == PropertyKind::kIdentifier) return identifies_another(name, text, is_list(capability));
  if (kind != PropertyKind::kSubject || !is_title(name)) return false;
  // Behind the verb: "please email the report" is about the report.
  auto verb = text.pieces().begin();
  const auto end = text.pieces().end();
  const auto is_polite = [](const std::string& word) {
    return is_empty_word(word) || may_open_clause(word);
  };
  while (verb != end && is_polite(lower_case(verb->text))) ++verb;
  return std::any_of(verb == end ? end : verb + 1, end, [&](const RequestText::Piece& piece) {
    return !piece.quoted && !piece.used &&
           contains(content_words(capability.name), fold(lower_case(piece.text)));
  });
}

// name_is_of returns the thing that a property names: "index" of index, and of the name of a tool
// called describe_index. Empty where that is not one word.
std::string name_is_of(const std::string& property, const connector::Capability& capability) {
  const std::vector<std::string> words = words_of(property);
  if (words.size() != 1) return "";
  if (words.front() != "name") return words.front();
  std::vector<std::string> things = content_words(capability.name);
  std::erase_if(things, [](const std::string& word) { return is_verb(word); });
  return things.empty() ? "" : things.front();
}

// searched_for returns what is to be found, for the one property of a tool that searches which says
// that this is what it holds: "museums" of "find museums".
std::optional<std::string> searched_for(const Json& schema, const connector::Capability& capability,
                                        RequestText& text) {
  const std::string what = lower_case(string_or(schema, "description", ""));
  if (what.find("search for") == std::string::npos || !is_list(capability)) return std::nullopt;
  std::optional<std::string> said = by_kind(PropertyKind::kPhrase, text);
  const std::string verb = text.pieces().empty() ? "" : lower_case(text.pieces().front().text);
  const bool searches = verb == "find" || verb == "search";
  if (!said && searches) said = text.direct_object();
  const bool of_the_tool =
      said && contains(content_words(capability.name), fold(lower_case(*said)));
  return of_the_tool ? std::nullopt : said;
}

// Wanted is one property on its way to a value.
struct Wanted {
  const std::string& name;
  const Json& schema;
  bool required = false;
  bool only_one_required = false;
};

// ordered_value returns the value of a property for the order of things which gives those first
// that the request asks for: the oldest, or the newest.
std::optional<Json> ordered_value(const Wanted& wanted, const RequestText& text) {
  if (!contains(words_of(wanted.name), "sort") && !contains(words_of(wanted.name), "order"))
    return std::nullopt;
  const bool oldest = text.speaks_of("oldest");
  const bool newest = text.speaks_of("newest") || text.speaks_of("latest");
  if (oldest == newest) return std::nullopt;
  const std::vector<std::string> told = content_words(string_or(wanted.schema, "description", ""));
  const bool by_time = contains(told, "date") || contains(told, "creation") ||
                       contains(told, "created") || contains(told, "time");
  return enum_value(wanted.schema, [&](const std::string& value) {
    if (value == "asc" || value == "ascending") return by_time && oldest;
    if (value == "desc" || value == "descending") return by_time && newest;
    return false;
  });
}

// said_flag returns what the request says of a property that is true or false: "full page" of
// fullPage, "accept" or "dismiss" of accept.
std::optional<Json> said_flag(const Wanted& wanted, const connector::Capability& capability,
                              const RequestText& text) {
  std::vector<std::string> words = words_of(wanted.name);
  if (words.size() > 1 && words.front() == "is") words.erase(words.begin());
  if (words.size() == 1 && contains(content_words(capability.name), fold(words.front()))) {
    return std::nullopt;
  }
  if (const std::optional<bool> said = text.says_flag(wanted.name)) return Json(*said);
  const std::vector<std::string> asked = content_words(text.request());
  if (words.size() == 1 && !asked.empty()) {  // "Archive" of archived, "unarchive" against it.
    const std::string_view phrase =
        asked.size() > 1 ? phrasal_verb(asked[0], asked[1]) : std::string_view();
    const std::string verb(phrase.empty() ? asked.front() : phrase);  // "Tick off": complete.
    if (is_form_of(words.front(), verb)) return Json(true);
    if (verb.starts_with("un") && is_form_of(words.front(), verb.substr(2))) return Json(false);
  }
  const bool undone = words.size() == 1 && !asked.empty() && wanted.required &&
                      are_opposites(asked.front(), words.front());
  return undone ? std::optional<Json>(false) : std::nullopt;
}

// found_choice returns which value of an enum the request speaks of.
std::optional<Json> found_choice(const Wanted& wanted, const RequestText& text) {
  const auto exactly = [&](const std::string& v) { return text.speaks_of(v); };
  const auto in_plural = [&](const std::string& v) { return text.speaks_of_many(v); };
  const std::optional<Json> value = enum_value(wanted.schema, exactly);
  if (value) return value;
  const std::optional<Json> many = enum_value(wanted.schema, in_plural);
  if (many) return many;
  if (const std::optional<Json> ordered = ordered_value(wanted, text)) return ordered;
  const auto of_an_address = [&](const std::string& v) { return v == "link" || v == "url"; };
  const bool address = std::ranges::any_of(text.pieces(), [](const RequestText::Piece& piece) {
    return piece.text.find("://") != std::string_view::npos;
  });
  return wanted.required && address ? enum_value(wanted.schema, of_an_address) : std::nullopt;
}

// next_value returns the next piece of the request that may be the value of a property.
std::optional<std::string> next_value(const Wanted& wanted, const connector::Capability& capability,
                                      RequestText& text) {
  const PropertyKind kind = kind_of(wanted.name);
  const bool placed = kind == PropertyKind::kPath || kind == PropertyKind::kUri ||
                      kind == PropertyKind::kDestination || kind == PropertyKind::kOrigin;
  std::optional<std::string> said;
  if (kind == PropertyKind::kText) said = text.said_behind({"saying", "says", "reading"});
  if (!said && !placed) said = text.value_beside(wanted.name);
  if (!said) said = known_value(wanted.name, wanted.schema, text);
  if (!said) said = listed_value(wanted.schema, text);
  if (!said && !placed) said = text.named_behind(name_is_of(wanted.name, capability));
  if (!said && is_title(wanted.name)) said = text.value_after({"titled", "called", "named"});
  if (!said && wanted.only_one_required) said = with_operator(wanted.schema, text);
  if (!said && wanted.only_one_required && kind == PropertyKind::kSubject) {
    said = text.only_quoted();
  }
  const bool place = kind == PropertyKind::kDestination || kind == PropertyKind::kPlace;
  if (!said && place && shows_a_comma(wanted.schema)) said = text.place(true);
  if (!said && !is_of_another_thing(wanted.name, kind, capability, text)) {
    said = by_kind(kind, text);
  }
  if (!said && kind == PropertyKind::kDestination && tells_of_a_place(wanted.schema)) {
    said = text.place();
  }
  if (!said && kind == PropertyKind::kDestination && wanted.only_one_required &&
      tells_of_a_path(wanted.schema)) {
    said = text.path();  // "Target" of what is done with one file.
  }
  if (!said && wanted.only_one_required) said = text.only_quoted();
  if (!said && wanted.only_one_required) said = searched_for(wanted.schema, capability, text);
  const bool any = (wanted.only_one_required && kind == PropertyKind::kOther) ||
                   (kind != PropertyKind::kUri && takes_addresses(wanted.schema));
  return !said && any ? text.uri() : said;
}

// is_addressee returns whether a property is whom a message is sent to.
bool is_addressee(const std::string& name, const connector::Capability& capability) {
  const std::vector<std::string> words = words_of(capability.name);
  const bool sends = contains(words, "send") || contains(words, "email") || contains(words, "mail");
  return sends && (name == "to" || name == "recipient");
}

// things_of returns the words of a tool's name, and of the first sentence of its description.
std::vector<std::string> things_of(const connector::Capability& capability) {
  return content_words(capability.name + ' ' + std::string(first_sentence(capability.description)));
}

// found_value returns what the request says without naming the property.
std::optional<Json> found_value(const Wanted& wanted, const connector::Capability& capability,
                                RequestText& text) {
  if (wants_bytes(wanted.name, wanted.schema)) return std::nullopt;
  if (find(wanted.schema, "enum") != nullptr) {
    return is_action(wanted.name, wanted.schema, capability.input_schema)
               ? chosen_action(wanted.schema, capability, text)
               : found_choice(wanted, text);
  }
  const std::string type = string_or(wanted.schema, "type", "string");
  if (type == "integer" || type == "number") {
    std::optional<std::string> digits = text.number_near(wanted.name, things_of(capability));
    if (!digits && wanted.required && is_counted_so(wanted.name, text)) digits = text.only_number();
    return digits ? typed(wanted.schema, *digits) : std::nullopt;
  }
  if (type == "boolean") return said_flag(wanted, capability, text);
  if (type == "string" && is_list(capability)) {
    if (std::optional<Json> filter = filter_value(wanted.name, text.request())) return filter;
  }
  if (!wanted.required && type == "string" && is_title(wanted.name)) {
    const std::optional<std::string> name = text.renamed_to();
    return name ? std::optional<Json>(*name) : std::nullopt;
  }
  if (!wanted.required && type == "string" && is_addressee(wanted.name, capability)) {
    const std::optional<std::string> whom = text.recipient();
    return whom ? std::optional<Json>(*whom) : std::nullopt;
  }
  if (!wanted.required || (type != "string" && type != "array")) return std::nullopt;
  const auto next = [&] { return next_value(wanted, capability, text); };
  std::optional<std::string> said = next();
  const std::vector<std::string> words = words_of(wanted.name);
  const bool id = words.size() > 1 && is_id_word(words.back());
  const bool address = said && said->find('@') != std::string::npos && is_path(*said) == false &&
                       said->find('.') != std::string::npos;
  const bool place = said && said->find_first_of("/ ") != std::string::npos;
  if (id && (address || place) && !contains(words, "email")) return std::nullopt;
  std::optional<Json> value = said ? typed(wanted.schema, *said) : std::nullopt;
  const bool one_word = kind_of(wanted.name) == PropertyKind::kSubject;
  // Of "the rice and the garlic" one word is not all.
  const bool more_of_them = std::ranges::any_of(text.pieces(), [](const RequestText::Piece& piece) {
    return !piece.quoted && !piece.used && piece.text == "and";
  });
  if (value && type == "array" && one_word && more_of_them) return std::nullopt;
  while (value && type == "array" && wanted.only_one_required && !one_word && (said = next())) {
    const std::optional<Json> more = typed(wanted.schema, *said);
    if (more) value->push_back(more->at(0));
  }
  return value;
}

// give_rest gives what the request says of each property that has no value yet; else what is
// configured, or the default.
void give_rest(Extraction& out, const std::vector<std::string>& required, const Json& properties,
               const connector::Capability& capability, const Json& configured,
               RequestText& request) {
  for (const auto& [name, property] : properties.items()) {
    if (out.arguments.contains(name)) continue;
    const bool is_required = contains(required, name);
    const Wanted wanted{name, property, is_required, is_required && required.size() == 1};
    if (std::optional<Json> value = found_value(wanted, capability, request)) {
      out.give(name, std::move(*value), Provenance::kRequest);
    } else {
      give_standing(out, name, property, is_required, configured);
    }
  }
}

Extraction extract_from(const RequestText& request, const connector::Capability& capability) {
  return extract_arguments(request, capability, Json::object());
}

}  // namespace

Extraction extract_arguments(std::string_view request, const connector::Capability& capability,
                             const Json& configured) {
  return extract_arguments(RequestText(request), capability, configured);
}

Extraction extract_arguments(RequestText request, const connector::Capability& capability,
                             const Json& configured) {
  Extraction out;
  const Json& schema = taken_schema(capability);
  const std::vector<std::string> required = required_of(schema);
  const Json* properties = find(schema, "properties");
  std::optional<Json> serving;
  if (properties != nullptr && properties->is_object())
    serving = without_filters(*properties, capability, request);
  if (serving) properties = &*serving;
  const auto fill = [&out](const std::string& name, Json value, Provenance provenance) {
    out.give(name, std::move(value), provenance);
  };
  if (properties != nullptr && properties->is_object()) {
    // What the request names goes first: no other property may guess at those words.
    for (const auto& [name, property] : properties->items()) {
      std::optional<Json> value = assigned_value(name, property, request);
      if (value) fill(name, std::move(*value), Provenance::kRequest);
    }
    give_lists(out, required, *properties, capability, request);
    for (const auto& [name, property] : properties->items()) {
      if (out.arguments.contains(name)) continue;
      const std::optional<std::string> id = identifier_of(name, property, request);
      std::optional<Json> value = id ? typed(property, *id) : std::nullopt;
      if (value) fill(name, std::move(*value), Provenance::kRequest);
    }
    give_by_form(out, *properties, capability, request);
    give_names(out, *properties, capability, request);
    give_dates(out, *properties, request);
    give_prices(out, *properties, request);
    give_counted(out, *properties, request);
    give_described(out, required, *properties, request);
    give_numbers(out, required, *properties, request);
    give_rest(out, required, *properties, capability, configured, request);
  }
  if (properties != nullptr && properties->is_object()) {
    give_pair(out, required, *properties, request);
    give_the_last(out, required, *properties, capability, request);
    give_nested(out, *properties, capability, request, extract_from);
    give_quotation(out, *properties, capability, request);
    forget_misfits(out, *properties);
    drop_dots(out, *properties);
    split_commands(out, *properties);
  }
  add_missing(out, required, properties, capability.input_schema);
  const bool complete = properties != nullptr && properties->is_object() && out.missing.empty();
  if (complete) {
    give_left_over(out, *properties, capability, request);
    forget_misfits(out, *properties);
  }
  wrap(out, capability);
  return out;
}

}  // namespace plumbline::agents
