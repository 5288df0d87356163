#include "core/agents/operations/translated.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/fit/offered.h"
#include "core/agents/policy/opposites.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/verbs.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

using Words = std::vector<std::string>;

// What means the same where machines are spoken of, and not in a dictionary of English.
using Deeds = WordTable<Word, 6>;
constexpr std::array kDeeds = {
    Deeds({Word{"abort"}, Word{"cancel"}, Word{"kill"}, Word{"shutdown"}, Word{"stop"},
           Word{"terminate"}}),
    Deeds({Word{"cancel"}, Word{"delete"}, Word{"discard"}, Word{"drop"}, Word{"kill"},
           Word{"trash"}}),
    Deeds({Word{"drag"}, Word{"migrate"}, Word{"move"}, Word{"relocate"}, Word{"shift"},
           Word{"transfer"}}),
    Deeds({Word{"put"}, Word{"save"}, Word{"set"}, Word{"store"}, Word{"upload"}, Word{"write"}}),
    Deeds({Word{"combine"}, Word{"concatenate"}, Word{"integrate"}, Word{"join"}, Word{"merge"},
           Word{"unite"}}),
    Deeds({Word{"answer"}, Word{"comment"}, Word{"post"}, Word{"reply"}, Word{"respond"},
           Word{"write"}}),
    Deeds({Word{"clone"}, Word{"copy"}, Word{"duplicate"}, Word{"mirror"}, Word{"replicate"},
           Word{"reproduce"}}),
    Deeds({Word{"build"}, Word{"compose"}, Word{"create"}, Word{"draft"}, Word{"generate"},
           Word{"make"}}),
    Deeds({Word{"download"}, Word{"get"}, Word{"import"}, Word{"load"}, Word{"pull"},
           Word{"receive"}}),
    Deeds({Word{"add"}, Word{"append"}, Word{"enter"}, Word{"log"}, Word{"note"}, Word{"record"}}),
    Deeds({Word{"add"}, Word{"jot"}, Word{"leave"}, Word{"put"}, Word{"record"}, Word{"write"}}),
    Deeds({Word{"ask"}, Word{"consult"}, Word{"inquire"}, Word{"query"}, Word{"search"},
           Word{"seek"}}),
    Deeds({Word{"assess"}, Word{"check"}, Word{"inspect"}, Word{"test"}, Word{"validate"},
           Word{"verify"}}),
    Deeds(
        {Word{"alter"}, Word{"amend"}, Word{"edit"}, Word{"revise"}, Word{"set"}, Word{"update"}}),
    Deeds({Word{"deliver"}, Word{"message"}, Word{"post"}, Word{"send"}, Word{"text"},
           Word{"write"}}),
    Deeds({Word{"ban"}, Word{"block"}, Word{"blocklist"}, Word{"exclude"}, Word{"expel"},
           Word{"suspend"}}),
    Deeds(
        {Word{"abandon"}, Word{"depart"}, Word{"exit"}, Word{"leave"}, Word{"part"}, Word{"quit"}}),
    Deeds({Word{"change"}, Word{"convert"}, Word{"export"}, Word{"render"}, Word{"transform"},
           Word{"turn"}}),
    Deeds({Word{"go"}, Word{"jump"}, Word{"move"}, Word{"navigate"}, Word{"seek"}, Word{"skip"}}),
    Deeds({Word{"calculate"}, Word{"compute"}, Word{"count"}, Word{"determine"}, Word{"measure"},
           Word{"reckon"}}),
    Deeds({Word{"crawl"}, Word{"extract"}, Word{"harvest"}, Word{"parse"}, Word{"read"},
           Word{"scrape"}}),
    Deeds({Word{"bin"}, Word{"delete"}, Word{"ditch"}, Word{"erase"}, Word{"nuke"}, Word{"scrap"}}),
    Deeds({Word{"close"}, Word{"conclude"}, Word{"disconnect"}, Word{"end"}, Word{"fasten"},
           Word{"shut"}}),
    // As one says it to a shell.
    Deeds({Word{"cat"}, Word{"output"}, Word{"print"}, Word{"read"}, Word{"type"}, Word{"view"}}),
    Deeds({Word{"browse"}, Word{"catalog"}, Word{"enumerate"}, Word{"index"}, Word{"list"},
           Word{"ls"}}),
    Deeds({Word{"clear"}, Word{"delete"}, Word{"purge"}, Word{"rm"}, Word{"unlink"}, Word{"wipe"}}),
    Deeds({Word{"copy"}, Word{"cp"}, Word{"duplicate"}, Word{"fork"}, Word{"replicate"},
           Word{"reproduce"}}),
    Deeds(
        {Word{"drag"}, Word{"move"}, Word{"mv"}, Word{"rename"}, Word{"shift"}, Word{"transfer"}}),
    Deeds({Word{"create"}, Word{"establish"}, Word{"make"}, Word{"mkdir"}, Word{"new"},
           Word{"touch"}}),
    Deeds({Word{"evaluate"}, Word{"execute"}, Word{"invoke"}, Word{"launch"}, Word{"run"},
           Word{"start"}}),
    Deeds({Word{"add"}, Word{"append"}, Word{"attach"}, Word{"insert"}, Word{"put"}, Word{"set"}}),
};

// The same of things. Nouns that only one trade takes for the same are left to the dictionary.
using Things = WordTable<Word, 6>;
constexpr std::array kThings = {
    Things({Word{"bug"}, Word{"case"}, Word{"defect"}, Word{"incident"}, Word{"issue"},
            Word{"ticket"}}),
    Things({Word{"audio"}, Word{"music"}, Word{"playback"}, Word{"recording"}, Word{"song"},
            Word{"track"}}),
    Things({Word{"illustration"}, Word{"image"}, Word{"photo"}, Word{"pic"}, Word{"picture"},
            Word{"snapshot"}}),
    Things({Word{"colleague"}, Word{"member"}, Word{"people"}, Word{"person"}, Word{"teammate"},
            Word{"user"}}),
    Things({Word{"account"}, Word{"client"}, Word{"contact"}, Word{"customer"}, Word{"lead"},
            Word{"profile"}}),
    Things({Word{"attribute"}, Word{"column"}, Word{"field"}, Word{"property"}, Word{"schema"},
            Word{"structure"}}),
    Things({Word{"balance"}, Word{"budget"}, Word{"cash"}, Word{"credit"}, Word{"fund"},
            Word{"money"}}),
    Things({Word{"forecast"}, Word{"rain"}, Word{"snow"}, Word{"sunshine"}, Word{"temperature"},
            Word{"weather"}}),
    Things({Word{"info"}, Word{"information"}, Word{"metric"}, Word{"stat"}, Word{"statistic"},
            Word{"stats"}}),
    Things({Word{"article"}, Word{"essay"}, Word{"paper"}, Word{"preprint"}, Word{"publication"},
            Word{"story"}}),
    Things(
        {Word{"assignment"}, Word{"chore"}, Word{"item"}, Word{"job"}, Word{"task"}, Word{"todo"}}),
    Things({Word{"appointment"}, Word{"event"}, Word{"gathering"}, Word{"invitation"},
            Word{"meeting"}, Word{"reservation"}}),
    Things({Word{"alert"}, Word{"error"}, Word{"exception"}, Word{"failure"}, Word{"problem"},
            Word{"warning"}}),
    Things({Word{"business"}, Word{"company"}, Word{"employer"}, Word{"firm"}, Word{"organisation"},
            Word{"organization"}}),
    Things({Word{"chat"}, Word{"conversation"}, Word{"dm"}, Word{"message"}, Word{"reply"},
            Word{"thread"}}),
    Things({Word{"memo"}, Word{"memory"}, Word{"note"}, Word{"observation"}, Word{"remark"},
            Word{"reminder"}}),
    Things({Word{"charge"}, Word{"cost"}, Word{"expense"}, Word{"fee"}, Word{"price"},
            Word{"spending"}}),
    Things({Word{"journal"}, Word{"log"}, Word{"output"}, Word{"stderr"}, Word{"stdout"},
            Word{"trace"}}),
    Things(
        {Word{"href"}, Word{"hyperlink"}, Word{"link"}, Word{"uri"}, Word{"url"}, Word{"webpage"}}),
    Things({Word{"clip"}, Word{"film"}, Word{"footage"}, Word{"movie"}, Word{"recording"},
            Word{"video"}}),
};

// Of a tool they say too little to be what another verb means.
constexpr WordTable kAnyDeed({Word{"call"}, Word{"do"}, Word{"get"}, Word{"give"}, Word{"go"},
                              Word{"have"}, Word{"make"}, Word{"see"}, Word{"show"}, Word{"take"},
                              Word{"use"}});

// is_short_for returns whether one word is the beginning of the other, and no word of its own:
// "diff" and "difference".
bool is_short_for(const std::string& one, const std::string& other) {
  const std::string& brief = one.size() < other.size() ? one : other;
  const std::string& whole = one.size() < other.size() ? other : one;
  return brief.size() >= 3 && whole.size() > brief.size() + 1 && whole.starts_with(brief) &&
         !is_common_word(brief);
}

bool only_reads_by(const std::string& verb) {
  const Verb* const known = find_verb(verb);
  return known != nullptr && known->does == Does::kReads;
}

bool mean_one_deed(const std::string& one, const std::string& other) {
  if (are_opposites(one, other)) return false;
  const bool technical = std::ranges::any_of(
      kDeeds, [&](const Deeds& deeds) { return deeds.contains(one) && deeds.contains(other); });
  if (technical) return true;
  // What is known to change something means no word of which nothing is known.
  const auto changes = [](const std::string& verb) {
    return find_verb(verb) != nullptr && !only_reads_by(verb);
  };
  const bool both_known = find_verb(one) != nullptr && find_verb(other) != nullptr;
  if ((changes(one) || changes(other)) && !both_known) return false;
  if (both_known && only_reads_by(one) != only_reads_by(other)) return false;
  return same_deed(base_form(one), base_form(other));
}

bool mean_one_thing(const std::string& one, const std::string& other) {
  const bool technical = std::ranges::any_of(kThings, [&](const Things& things) {
    return things.contains(one) && things.contains(other);
  });
  if (!technical && (one == "account" || other == "account")) return false;  // It means too much.
  return technical || is_short_for(one, other) || is_form_of(one, other) ||
         is_form_of(other, one) || same_thing(base_form(one), base_form(other));
}

// deeds_of returns the words by which a tool says what it does.
Words deeds_of(const ToolWords& words) {
  Words out;
  for (const std::string& word : words.named) {
    const Verb* const verb = find_verb(word);
    if (verb != nullptr && !verb->noun_too) out.push_back(word);
  }
  const auto first = std::ranges::find_if(
      words.named, [&](const std::string& word) { return !contains(words.server, word); });
  if (out.empty() && first != words.named.end()) out.push_back(*first);
  if (!words.lead.empty()) out.push_back(words.lead.front());
  std::erase_if(out, [](const std::string& word) { return kAnyDeed.contains(word); });
  return out;
}

// wants_anything returns whether whatever there is about a value is to be found: "find everything
// about "Zurich"", "what do you know about "Zurich"?".
bool wants_anything(const Wish::Demand& demand, const Asked& asked) {
  const bool quoted =
      std::ranges::count(asked.wish.values, Wish::Value::Kind::kQuoted, &Wish::Value::kind) == 1;
  const bool any = contains(asked.words, "everything") || contains(asked.words, "anything") ||
                   contains(asked.words, "something") || contains(asked.words, "know");
  return quoted && any && demand.chains.empty() && only_reads(demand);
}

// add_what_is_searched lets a demand for anything ask for what a tool that searches is called
// after.
void add_what_is_searched(Wish::Demand& demand, const ToolWords& words) {
  if (!contains(words.named, "search") || !contains(words.schema, "search")) return;
  for (const std::string& word : words.named) {
    if (word == "search" || contains(words.server, word)) continue;
    demand.verb = "search";
    demand.chains = {{{word}}};
  }
}

void replace(Words& words, const std::string& from, const std::string& to) {
  if (!contains(words, to)) words.push_back(to);
  std::erase(words, from);
}

}  // namespace

Asked translated(const Asked& asked, const ToolWords& words) {
  Asked out = asked;
  const Words deeds = deeds_of(words);
  Words things = words.named;
  things.insert(things.end(), words.lead.begin(), words.lead.end());
  std::erase_if(things, [](const std::string& word) {
    return is_generic_verb(word) || word == "list" || is_verb(word);
  });
  const auto translate_thing = [&](std::string& word) {
    const bool said = contains(words.named, word) || contains(words.lead, word) ||
                      contains(words.schema, word) || contains(words.server, word);
    if (said || is_kind_word(word)) return;
    const auto other = std::ranges::find_if(
        things, [&](const std::string& thing) { return mean_one_thing(word, thing); });
    if (other == things.end()) return;
    replace(out.words, word, *other);
    word = *other;
  };
  for (Wish::Demand& demand : out.wish.demands) {
    if (!demand.verb.empty() && !is_generic_verb(demand.verb) && !contains(deeds, demand.verb)) {
      const auto deed = std::ranges::find_if(
          deeds, [&](const std::string& one) { return mean_one_deed(demand.verb, one); });
      if (deed != deeds.end()) {
        replace(out.words, demand.verb, *deed);
        demand.verb = *deed;
        const Verb* const verb = find_verb(*deed);
        out.changes = out.changes || (verb != nullptr && verb->does != Does::kReads);
      }
    }
    for (Wish::Chain& chain : demand.chains) {
      for (Wish::Thing& thing : chain) std::ranges::for_each(thing, translate_thing);
    }
    for (std::string& so : demand.so) {
      const auto form = std::ranges::find_if(words.named, [&](const std::string& word) {
        return is_form_of(word, so) || is_form_of(so, word);
      });
      if (form != words.named.end() && !words.speaks_of(so)) so = *form;
    }
    if (wants_anything(demand, out)) add_what_is_searched(demand, words);
  }
  return out;
}

}  // namespace plumbline::agents
