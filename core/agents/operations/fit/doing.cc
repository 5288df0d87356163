#include "core/agents/operations/fit/doing.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/arguments/spelled_out.h"
#include "core/agents/operations/fit/evidence.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/taken.h"
#include "core/agents/policy/opposites.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

using Words = std::vector<std::string>;

constexpr WordTable kListing({Word{"browse"}, Word{"index"}, Word{"list"}, Word{"listing"},
                              Word{"search"}, Word{"tree"}});
constexpr WordTable kCounting({Word{"count"}, Word{"number"}, Word{"stat"}, Word{"statistic"},
                               Word{"total"}});

using Family = WordTable<Word, 8>;

// What changes something is asked for by many verbs. Those of a family are one.
constexpr Family kMaking({Word{"add"}, Word{"book"}, Word{"create"}, Word{"insert"}, Word{"make"},
                          Word{"new"}, Word{"register"}, Word{"schedule"}});
constexpr Family kSending({Word{"email"}, Word{"forward"}, Word{"message"}, Word{"notify"},
                           Word{"post"}, Word{"send"}, Word{"share"}, Word{"text"}});
constexpr Family kRunning({Word{"exec"}, Word{"execute"}, Word{"launch"}, Word{"run"},
                           Word{"shell"}, Word{"start"}, Word{"submit"}, Word{"trigger"}});
constexpr Family kDestroying({Word{"clear"}, Word{"delete"}, Word{"destroy"}, Word{"drop"},
                              Word{"purge"}, Word{"rm"}, Word{"uninstall"}, Word{"wipe"}});
constexpr std::array kVerbFamilies = {
    kMaking,
    kSending,
    kRunning,
    kDestroying,
    Family({Word{"assign"}, Word{"edit"}, Word{"mark"}, Word{"patch"}, Word{"put"}, Word{"rename"},
            Word{"set"}, Word{"update"}}),
    Family({Word{"drag"}, Word{"migrate"}, Word{"move"}, Word{"put"}, Word{"relocate"},
            Word{"shift"}, Word{"stick"}, Word{"stow"}}),
    Family({Word{"append"}, Word{"create"}, Word{"edit"}, Word{"overwrite"}, Word{"replace"},
            Word{"save"}, Word{"store"}, Word{"write"}}),
    Family({Word{"activate"}, Word{"adjust"}, Word{"change"}, Word{"power"}, Word{"set"},
            Word{"switch"}, Word{"toggle"}, Word{"turn"}}),
    Family({Word{"buy"}, Word{"charge"}, Word{"order"}, Word{"pay"}, Word{"payment"},
            Word{"purchase"}, Word{"transfer"}, Word{"wire"}}),
    Family({Word{"browse"}, Word{"go"}, Word{"goto"}, Word{"load"}, Word{"navigate"}, Word{"open"},
            Word{"surf"}, Word{"visit"}}),
    Family({Word{"click"}, Word{"hit"}, Word{"press"}, Word{"push"}, Word{"strike"}, Word{"tap"},
            Word{"touch"}, Word{"type"}}),
    Family({Word{"capture"}, Word{"do"}, Word{"draw"}, Word{"generate"}, Word{"make"},
            Word{"perform"}, Word{"produce"}, Word{"take"}}),
};

constexpr WordTable kEditing({Word{"edit"}, Word{"modify"}, Word{"patch"}, Word{"update"}});

// Who takes one of these runs it.
constexpr WordTable kCode({Word{"code"}, Word{"command"}, Word{"expression"}, Word{"script"},
                           Word{"sql"}, Word{"statement"}});

// They ask for whatever a tool does that does not say what it does: "run the report".
constexpr WordTable kDoing({Word{"call"}, Word{"do"}, Word{"execute"}, Word{"invoke"},
                            Word{"perform"}, Word{"run"}, Word{"start"}, Word{"take"},
                            Word{"trigger"}, Word{"use"}});

// They ask to see what is there.
constexpr WordTable kShowing({Word{"count"}, Word{"describe"}, Word{"examine"}, Word{"explain"},
                              Word{"get"}, Word{"inspect"}, Word{"list"}, Word{"print"},
                              Word{"read"}, Word{"review"}, Word{"search"}, Word{"see"},
                              Word{"show"}, Word{"summarize"}});

// is_opposite returns whether the tool is called after what undoes `verb`, and not after it.
bool is_opposite(const std::string& verb, const ToolWords& words) {
  if (verb.empty() || contains(words.named, verb) || contains(words.lead, verb)) return false;
  return std::ranges::any_of(words.named,
                             [&](const auto& word) { return are_opposites(verb, word); });
}

// has_flag_against returns whether the tool has a property that is false where `verb` is done:
// "accept", of "dismiss".
bool has_flag_against(const std::string& verb, const connector::Capability& tool) {
  const Json* const properties = find(taken_schema(tool), "properties");
  if (properties == nullptr || !properties->is_object()) return false;
  return std::ranges::any_of(properties->items(), [&](const auto& property) {
    return string_or(property.value(), "type", "") == "boolean" &&
           are_opposites(verb, fold(property.key()));
  });
}

// has_flag_of returns whether the tool has a property that is true once `verb` is done: "archived",
// of "archive".
bool has_flag_of(const std::string& verb, const connector::Capability& tool) {
  const Json* const properties = find(taken_schema(tool), "properties");
  if (properties == nullptr || !properties->is_object() || verb.empty()) return false;
  const std::string plain = verb.starts_with("un") ? verb.substr(2) : verb;
  return std::ranges::any_of(properties->items(), [&](const auto& property) {
    const Words words = words_of(property.key());
    return string_or(property.value(), "type", "") == "boolean" && !words.empty() &&
           (is_form_of(words.back(), verb) || is_form_of(words.back(), plain));
  });
}

// opens_a_sentence returns whether a sentence of a description opens with a verb: "Halves a
// recipe".
bool opens_a_sentence(const std::string& verb, std::string_view description) {
  bool opens = true;
  for (WordReader reader(description); reader.next();) {
    opens = opens || reader.gap().find(". ") != std::string_view::npos ||
            reader.gap().find('\n') != std::string_view::npos;
    if (std::exchange(opens, false) && fold(reader.word()) == verb) return true;
  }
  return false;
}

// They undo what a noun says as a verb: no "tag" is done by detach_tag.
constexpr WordTable kUndoing({Word{"clear"}, Word{"delete"}, Word{"detach"}, Word{"disable"},
                              Word{"drop"}, Word{"purge"}, Word{"reset"}, Word{"revoke"},
                              Word{"unlink"}, Word{"unset"}});

// makes_another_deed_of returns whether a noun is said as a verb ("tag the photo"), and the tool
// undoes what has that name: "detach_tag".
bool makes_another_deed_of(const std::string& verb, const ToolWords& words) {
  return !verb.empty() && find_verb(verb) == nullptr && !kUndoing.contains(verb) &&
         contains(words.named, verb) && has_one_of(words.named, kUndoing);
}

// They make something too, or say nothing of what is done.
constexpr WordTable kMakers({Word{"build"}, Word{"compose"}, Word{"construct"}, Word{"design"},
                             Word{"draft"}, Word{"draw"}, Word{"generate"}, Word{"initialize"},
                             Word{"log"}, Word{"plot"}, Word{"produce"}, Word{"record"},
                             Word{"render"}, Word{"save"}, Word{"start"}, Word{"take"},
                             Word{"track"}, Word{"use"}, Word{"write"}});

// opens_with_another_deed returns whether a tool's description opens with a verb of which nothing
// is known but that it makes nothing: "trigger a refresh".
bool opens_with_another_deed(const ToolWords& words) {
  if (has_one_of(words.named, kUndoing)) return true;
  if (words.lead.empty() || kMakers.contains(words.lead.front())) return false;
  const std::string& deed = words.lead.front();
  const bool opens_name = words.named.size() > 1 && words.named.front() == deed;
  return is_verb_too(deed) && (opens_name || !contains(words.named, deed));
}

// does returns whether the tool says that it does this: by its name, the first sentence of its
// description, or what it can be told to do. What stands further behind only says what it is good
// for, or how something may be: "useful to compare files", "a folder may be empty".
bool does(const std::string& verb, const ToolWords& words) {
  return contains(words.named, verb) || contains(words.lead, verb) ||
         contains(words.schema, verb) || contains(words.server, verb);
}

bool is_verb_at_all(const std::string& word) { return find_verb(word) != nullptr; }

// speaks_of_all returns whether all words of a name are among the things of a demand.
bool speaks_of_all(const Wish::Demand& demand, const Words& name) {
  Words things;
  for (const Wish::Chain& chain : demand.chains) {
    for (const Wish::Thing& thing : chain) things.insert(things.end(), thing.begin(), thing.end());
  }
  return std::ranges::all_of(name, [&](const auto& word) { return contains(things, word); });
}

// without_badges returns a sentence without the signs and tags that it begins with: "[Beta]", and
// a dash behind two words at most ("Pro - Scale a recipe").
std::string_view without_badges(std::string_view text) {
  const auto skip_blanks = [&text] {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  };
  for (bool more = true; more && !text.empty();) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::size_t bracket = text.front() == '[' ? text.find(']') : text.npos;
    const bool sign = static_cast<unsigned char>(text.front()) > 0xe1;  // No letter of Europe.
    more = sign || bracket != text.npos;
    if (more) text.remove_prefix(sign ? blank : bracket + 1);
    skip_blanks();
  }
  for (const std::string_view dash : {" \xe2\x80\x94 ", " \xe2\x80\x93 ", " - "}) {
    const std::size_t at = text.find(dash);
    if (at == text.npos || words_of(text.substr(0, at)).size() > 2) continue;
    const std::string_view rest = text.substr(at + dash.size());
    const std::vector<std::string> words = words_of(rest);
    if (!words.empty() && is_verb_too(base_form(words.front()))) return rest;
  }
  return text;
}

// with_long_forms adds what usual short forms in a tool's name stand for (spelled_out.h).
Words with_long_forms(Words words) {
  for (const LongForm& form : kLongForms) {
    if (!contains(words, lower_case(form.brief))) continue;
    for (std::string& word : content_words(form.whole)) words.push_back(std::move(word));
  }
  return words;
}

}  // namespace

bool ToolWords::speaks_of(std::string_view word) const {
  return contains(named, word) || contains(described, word) || contains(schema, word) ||
         contains(server, word);
}

ToolWords tool_words(const connector::Capability& capability) {
  return {with_long_forms(evidence_words(capability.name + " " + capability.title)),
          evidence_words(without_badges(first_sentence(capability.description))),
          evidence_words(capability.description),
          schema_words(capability),
          content_words(capability.server),
          told_words(capability)};
}

bool does_what_is_asked(const Wish::Demand& demand, const connector::Capability& tool,
                        const ToolWords& words, bool changes) {
  const std::string& verb = demand.verb;
  if (is_opposite(verb, words)) return false;
  if (verb == "list") {
    return is_list(tool) || has_one_of(words.named, kListing) || has_one_of(words.lead, kListing);
  }
  if (verb == "count") {
    const bool lists_it = demand.chains.empty() ||
                          contains(words.named, demand.chains.front().front().back()) ||
                          contains(words.lead, demand.chains.front().front().back());
    return (is_list(tool) && lists_it) || has_one_of(words.named, kCounting) ||
           has_one_of(words.described, kCounting) || has_one_of(words.schema, kCounting);
  }
  if (makes_another_deed_of(verb, words)) return false;
  // What is triggered gives nothing.
  const bool told = verb.empty() || verb == "get" || verb == "give" || verb == "list" ||
                    verb == "read" || verb == "see" || verb == "show";
  if (told && !words.lead.empty() && words.lead.front() == "trigger" &&
      !contains(words.named, verb)) {
    return false;
  }
  if (verb.empty() || is_generic_verb(verb) || does(verb, words)) return true;
  if (is_called_after(verb, words) || has_flag_against(verb, tool)) return true;
  // "Updates an issue. Use this to resolve, reopen or assign it."
  if (changes && has_one_of(words.named, kEditing) && contains(words.described, verb)) return true;
  if (changes && has_one_of(words.named, kEditing) && has_flag_of(verb, tool)) return true;
  if (!changes && find_verb(verb) == nullptr && opens_a_sentence(verb, tool.description))
    return true;
  // "Run" says so little that what a description says of it is enough.
  if (kDoing.contains(verb) && words.speaks_of(verb)) return true;
  if (runs_what_it_is_told(verb, words)) return true;
  if (!changes) return verb == "send" || (kDoing.contains(verb) && !is_list(tool));
  // Nobody knows what it does: a person sees what it is asked for.
  const bool unknown = std::ranges::none_of(words.named, is_verb_at_all) &&
                       std::ranges::none_of(words.lead, is_verb_at_all);
  if (!unknown) return false;
  // "Trigger a refresh" makes nothing.
  if (kMaking.contains(verb) && opens_with_another_deed(words)) return false;
  return kDoing.contains(verb) || kMaking.contains(verb) ||
         (find_verb(verb) == nullptr && speaks_of_all(demand, words.named));
}

bool is_called_after(const std::string& verb, const ToolWords& words) {
  if (verb.empty()) return false;
  if (contains(words.named, verb) || contains(words.lead, verb)) return true;
  return std::ranges::any_of(kVerbFamilies, [&](const Family& family) {
    return family.contains(verb) &&
           (has_one_of(words.named, family) || has_one_of(words.lead, family));
  });
}

bool runs_what_it_is_told(std::string_view verb, const ToolWords& words) {
  return kRunning.contains(verb) && has_one_of(words.schema, kCode);
}

bool sends_anything(const Wish::Demand& demand, const ToolWords& words) {
  return kSending.contains(demand.verb) && has_one_of(words.named, kSending);
}

bool destroys_unasked(const Wish& wish, const ToolWords& words) {
  if (!has_one_of(words.named, kDestroying)) return false;
  return std::ranges::none_of(wish.demands, [&](const Wish::Demand& demand) {
    return kDestroying.contains(demand.verb) || contains(words.named, demand.verb) ||
           (is_verb(demand.verb) && contains(words.lead, demand.verb));
  });
}

bool is_called_after_counting(const ToolWords& words) { return has_one_of(words.named, kCounting); }

bool changes_what_is_shown(const Wish::Demand& demand, const ToolWords& words) {
  const bool shows = demand.verb.empty() ? !demand.asks.empty() : kShowing.contains(demand.verb);
  const auto first = std::ranges::find_if(
      words.named, [&](const std::string& word) { return !contains(words.server, word); });
  bool changes = false;
  for (auto word = first; word != words.named.end(); ++word) {
    const Verb* const verb = plain_verb(*word);
    if (verb == nullptr || (verb->noun_too && word != first)) continue;
    if (verb->does == Does::kReads) return false;  // "Get" of get_or_create_label.
    changes = true;
  }
  return shows && changes;
}

bool only_reads(const Wish::Demand& demand) {
  return demand.verb.empty() || demand.verb == "list" || demand.verb == "count" ||
         is_generic_verb(demand.verb);
}

}  // namespace plumbline::agents
