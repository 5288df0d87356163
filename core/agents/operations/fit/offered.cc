#include "core/agents/operations/fit/offered.h"

#include <algorithm>
#include <array>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/request/identified.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

using ValueKind = Wish::Value::Kind;

// Words that say what kind of thing a descriptor is of, and not which one.
constexpr WordTable kKindWords({Word{"content"}, Word{"contents"}, Word{"data"}, Word{"document"},
                                Word{"entry"}, Word{"file"}, Word{"folder"}, Word{"item"},
                                Word{"list"}, Word{"md"}, Word{"object"}, Word{"page"},
                                Word{"project"}, Word{"record"}, Word{"resource"}, Word{"stuff"},
                                Word{"text"}, Word{"thing"}, Word{"txt"}});

constexpr WordTable kReading({Word{"cat"}, Word{"content"}, Word{"contents"}, Word{"download"},
                              Word{"load"}, Word{"open"}, Word{"read"}, Word{"reader"},
                              Word{"text"}, Word{"view"}});

// Property says by which words one tells how something is.
struct Property {
  std::string_view word;
  std::array<std::string_view, 10> told_by;
};

constexpr WordTable kProperties({
    Property{"available", {"availability", "freebusy", "vacancy"}},
    Property{"big", {"size", "byte", "large"}},
    Property{"biggest", {"size", "byte"}},
    Property{"busy", {"availability", "freebusy", "load", "usage", "utilization"}},
    Property{"changed", {"change", "diff", "difference", "modified", "blame"}},
    Property{"clean", {"pollution", "quality"}},
    Property{"cold", {"temperature", "weather"}},
    Property{"coming", {"upcoming", "calendar", "schedule"}},
    Property{"consuming", {"consumption", "usage", "utilization"}},
    Property{"created", {"creation", "date", "timestamp"}},
    Property{"eaten", {"consumption", "usage", "utilization"}},
    Property{"eating", {"consumption", "usage", "utilization"}},
    Property{"expensive", {"price", "cost"}},
    Property{"far", {"distance", "route"}},
    Property{"fast", {"speed", "latency"}},
    Property{"happened", {"event", "activity", "history", "log", "timeline"}},
    Property{"heavy", {"weight", "size"}},
    Property{"hot", {"temperature", "weather"}},
    Property{"large", {"size", "byte"}},
    Property{"largest", {"size", "byte"}},
    Property{"long", {"length", "duration"}},
    Property{"longest", {"length", "duration"}},
    Property{"mean", {"definition", "explain", "explanation", "meaning"}},
    Property{"newest", {"date", "created", "modified", "latest", "recent"}},
    Property{"old", {"age", "created", "creation"}},
    Property{"oldest", {"date", "created", "modified"}},
    Property{"said", {"message", "history", "conversation", "comment", "transcript", "review"}},
    Property{"say", {"comment", "review", "feedback"}},
    Property{"smallest", {"size", "byte"}},
    Property{"tall", {"height"}},
    Property{"warm", {"temperature", "weather"}},
    Property{"where",
             {"address", "coordinate", "coordinates", "geocode", "latitude", "location", "place",
              "position"}},
    Property{"who",
             {"member", "user", "person", "people", "participant", "assignee", "attendee",
              "collaborator", "contact", "subscriber"}},
});

// What is at an URL, whatever it is.
constexpr auto kPages =
    std::to_array<std::string_view>({"address", "link", "page", "site", "url", "website"});

using Words = std::vector<std::string>;

void append_words(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

// is_numbered_id returns whether a value is a word and a number, as programs number what they keep:
// "team_9". The word says what it is of, and not what the tool is for that takes it.
bool is_numbered_id(std::string_view text) {
  const std::size_t mark = text.find('_');
  return mark != text.npos && mark > 0 && mark + 1 < text.size() &&
         std::ranges::all_of(text.substr(0, mark), [](char c) { return is_lower(c); }) &&
         std::ranges::all_of(text.substr(mark + 1), is_digit);
}

// in_one_line returns the texts of a list with a space between them: "ls -l" of ["ls", "-l"].
std::string in_one_line(const Json& list) {
  std::string out;
  for (const Json& one : list) {
    const auto* const text = one.get_ptr<const std::string*>();
    if (text != nullptr) out += (out.empty() ? "" : " ") + *text;
  }
  return out;
}

// property_called returns whether a tool has a property of that name, however it is written.
bool property_called(const connector::Capability& tool, std::string_view name) {
  const auto plain = [](std::string_view text) {
    std::string out;
    for (const char c : lower_case(text)) {
      if (c != '_' && c != '-') out += c;
    }
    return out;
  };
  const Json* const properties = find(taken_schema(tool), "properties");
  if (properties == nullptr || !properties->is_object()) return false;
  return std::ranges::any_of(properties->items(), [&](const auto& property) {
    return plain(property.key()) == plain(name);
  });
}

}  // namespace

Offered offered_by(const ToolWords& words, const Extraction& extraction) {
  Offered out{words};
  for (const ArgumentSource& source : extraction.sources) {
    const Json& value = extraction.value(source.name);
    const auto* const text = value.get_ptr<const std::string*>();
    out.values.push_back(lower_case(text != nullptr ? *text : dump_json(value)));
    if (source.provenance == Provenance::kRequest) {
      out.is_given_some = true;
      const Words name = words_of(source.name);
      append_words(out.given_names, content_words(source.name));
      const bool id = !name.empty() && is_id_word(fold(name.back()));
      out.is_given_more_than_ids = out.is_given_more_than_ids || !id;
      if (out.values.back().find("://") != std::string::npos)
        append_words(out.given, {kPages.begin(), kPages.end()});
      if (!is_numbered_id(out.values.back()))
        append_words(out.given, content_words(out.values.back()));
      if (value.is_array() && value.size() > 1)
        out.values.push_back(lower_case(in_one_line(value)));
    }
  }
  return out;
}

bool is_page_word(std::string_view word) { return std::ranges::find(kPages, word) != kPages.end(); }

bool is_for_reading(const std::vector<std::string>& words) { return has_one_of(words, kReading); }

bool is_kind_word(std::string_view word) { return kKindWords.contains(word); }

std::vector<std::string> told_by(std::string_view word) {
  std::vector<std::string> out;
  const Property* const property = kProperties.find(word);
  if (property == nullptr) return out;
  for (const std::string_view told : property->told_by) {
    if (!told.empty()) out.push_back(fold(told));
  }
  return out;
}

bool tells(const std::string& word, const Offered& offered) {
  if (offered.serves(word)) return true;
  const auto is_its_form = [&](const std::string& other) {
    return is_form_of(other, word) || is_form_of(word, other);
  };
  const Property* const property = kProperties.find(word);
  if (property == nullptr && (std::ranges::any_of(offered.words.named, is_its_form) ||
                              std::ranges::any_of(offered.words.lead, is_its_form)))
    return true;
  const bool ordered = contains(offered.values, "asc") || contains(offered.values, "desc");
  return property != nullptr && std::ranges::any_of(property->told_by, [&](std::string_view told) {
           return !told.empty() && (offered.speaks_of(fold(told)) ||
                                    (ordered && contains(offered.words.told, fold(told))));
         });
}

bool is_told_elsewhere(const Wish::Demand& demand, const Offered& offered) {
  if (!is_for_reading(offered.words.named)) return false;
  return std::ranges::any_of(demand.so, [&](const std::string& word) {
    const Property* const property = kProperties.find(word);
    return property != nullptr &&
           std::ranges::none_of(property->told_by, [&](std::string_view told) {
             return !told.empty() && (contains(offered.words.named, fold(told)) ||
                                      contains(offered.words.lead, fold(told)));
           });
  });
}

namespace {

// leaves_a_quotation returns whether none of its arguments has what the request quotes.
bool leaves_a_quotation(const Wish& wish, const Offered& offered) {
  return std::ranges::any_of(wish.values, [&](const Wish::Value& value) {
    const std::string text = lower_case(value.text);
    return value.kind == ValueKind::kQuoted &&
           std::ranges::none_of(offered.values, [&](const std::string& given) {
             return given.find(text) != std::string::npos;
           });
  });
}

constexpr WordTable kUpdating({Word{"edit"}, Word{"modify"}, Word{"patch"}, Word{"update"}});

// lacks_the_change returns whether a tool that updates something is told what, and not to what.
bool lacks_the_change(const connector::Capability& tool, const Offered& offered) {
  const Json* const properties = find(taken_schema(tool), "properties");
  if (offered.is_given_more_than_ids || properties == nullptr || !properties->is_object()) {
    return false;
  }
  const auto is_id = [](const auto& property) {
    const std::vector<std::string> words = words_of(property.key());
    return !words.empty() && is_id_word(fold(words.back()));
  };
  return std::ranges::any_of(offered.words.named,
                             [](const auto& word) { return kUpdating.contains(word); }) &&
         !std::ranges::all_of(properties->items(), is_id);
}

}  // namespace

bool is_given_what_it_takes(const Wish& wish, const connector::Capability& tool,
                            const Offered& offered, bool changes) {
  bool gives = false;
  for (const Wish::Value& value : wish.values) {
    const std::size_t sign = value.text.find('=');
    const bool assigns = value.kind == ValueKind::kNumber && sign != std::string::npos && sign > 0;
    if (assigns && !property_called(tool, std::string_view(value.text).substr(0, sign))) {
      return false;
    }
    gives = gives || (value.kind != ValueKind::kName && value.kind != ValueKind::kFolder);
  }
  if (changes && offered.is_given_some &&
      (leaves_a_quotation(wish, offered) || lacks_the_change(tool, offered))) {
    return false;
  }
  return !changes || !gives || offered.is_given_some;
}

bool narrows_nothing(const Wish::Demand& demand, const connector::Capability& tool,
                     const Offered& offered) {
  if (demand.verb != "search" || demand.about.empty()) return false;
  const Json* const properties = find(taken_schema(tool), "properties");
  const bool takes = properties != nullptr && properties->is_object() && !properties->empty();
  return !takes && std::ranges::any_of(demand.about, [&](const std::string& word) {
    return !offered.speaks_of(word);
  });
}

bool wants_more_than_shown(const Wish& wish, const Wish::Demand& demand, const Offered& offered) {
  return std::ranges::any_of(demand.about, [&](const std::string& word) {
    const bool named = std::ranges::any_of(wish.values, [&](const Wish::Value& value) {
      return lower_case(value.text).find(word) != std::string::npos;
    });
    return !named && !is_kind_word(word) && !offered.serves(word);
  });
}

}  // namespace plumbline::agents
