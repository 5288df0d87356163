#include "core/agents/operations/fit/resource_fit.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/operations/request/dated.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"
#include "core/json/json.h"

namespace plumbline::agents {

namespace {

using connector::CapabilityType;
using ValueKind = Wish::Value::Kind;

constexpr WordTable kAttributes(
    {Word{"body"},     Word{"content"}, Word{"contents"}, Word{"copy"},        Word{"description"},
     Word{"detail"},   Word{"entry"},   Word{"info"},     Word{"information"}, Word{"item"},
     Word{"kind"},     Word{"line"},    Word{"list"},     Word{"name"},        Word{"number"},
     Word{"overview"}, Word{"rest"},    Word{"result"},   Word{"set"},         Word{"state"},
     Word{"status"},   Word{"summary"}, Word{"text"},     Word{"thing"},       Word{"title"},
     Word{"type"},     Word{"version"}});

// ends_with_path returns whether the last parts of `uri` are those of `path`.
bool ends_with_path(std::string_view uri, std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  if (!uri.ends_with(path)) return false;
  uri.remove_suffix(path.size());
  return uri.empty() || uri.ends_with('/') || uri.ends_with(':') || path.starts_with('/');
}

// literal_in returns the object or array that a value assigns, as we write it.
std::optional<std::string> literal_in(const std::string& text) {
  const std::size_t sign = text.find('=');
  const std::size_t begin = sign == std::string::npos ? 0 : sign + 1;
  const Result<Json> read = parse_json(std::string_view(text).substr(begin));
  const bool whole = read.ok() && (read.value().is_object() || read.value().is_array());
  return whole ? std::optional(dump_json(read.value())) : std::nullopt;
}

// is_the_one returns whether the resource is one that a demand speaks of by more than its kind.
bool is_the_one(const Wish::Demand& demand, const Offered& offered) {
  if (!demand.verb.empty() && demand.verb != "list" && !is_generic_verb(demand.verb)) return false;
  const auto known = [&](const std::string& word) {
    return !is_kind_word(word) && (contains(offered.words.named, word) || offered.speaks_of(word));
  };
  bool named = false;
  for (const Wish::Chain& chain : demand.chains) {
    bool chain_known = false;
    for (const Wish::Thing& thing : chain) {
      if (known(thing.back())) {
        chain_known = true;
        break;
      }
      const bool kind = is_kind_word(thing.back()) || is_attribute(thing.back());
      if (!kind) return false;
      chain_known = chain_known || std::ranges::any_of(thing, known);
    }
    named = named || chain_known;
    if (!chain_known && std::ranges::none_of(demand.about, known)) return false;
  }
  return named || std::ranges::any_of(demand.about, known);
}

}  // namespace

bool is_attribute(std::string_view word) { return kAttributes.contains(word); }

bool is_value_of(const Wish::Value& value, const connector::Capability& capability,
                 const Offered& offered) {
  std::string text = lower_case(value.text);
  if (text.size() > 1 && text.ends_with(':')) text.pop_back();  // "Edit a.txt: ..."
  const auto is_given = [&](const std::string& given) {
    return text == given || text == "#" + given || text == '$' + given || text == '.' + given ||
           text.ends_with("=" + given) || given.ends_with(":" + text) ||
           (' ' + given + ' ').find(' ' + text + ' ') != std::string::npos ||
           given.find('"' + text + '"') != std::string::npos;
  };
  if (std::ranges::any_of(offered.values, is_given)) return true;
  // "Acme/webshop" of an owner and a repository, "r/news" of "news".
  const std::size_t slash = text.find('/');
  if (slash != text.npos && value.kind == ValueKind::kPath &&
      contains(offered.values, text.substr(slash + 1)) &&
      (slash == 1 || contains(offered.values, text.substr(0, slash)))) {
    return true;
  }
  if (const std::optional<std::string> date = date_of(value.text)) {
    if (contains(offered.values, *date)) return true;
  }
  if (const std::optional<int> month = month_number(value.text)) {
    if (contains(offered.values, std::to_string(*month))) return true;
  }
  if (const std::optional<std::string> literal = literal_in(value.text)) {
    return contains(offered.values, lower_case(*literal));
  }
  if (value.kind == ValueKind::kPath || value.kind == ValueKind::kUri) {
    return capability.type == CapabilityType::kResource &&
           (lower_case(capability.name) == text ||
            ends_with_path(lower_case(capability.uri), text));
  }
  if (text.front() == '.') return false;  // ".io" is one of many.
  const std::vector<std::string> words = content_words(value.text);
  if (std::ranges::all_of(text, is_digit)) {  // Another number than that of an example.
    return contains(offered.words.named, text) || contains(offered.words.lead, text) ||
           contains(offered.given, text);
  }
  return !words.empty() &&
         std::ranges::all_of(words, [&](const std::string& word) { return offered.serves(word); });
}

bool resource_fits(const Wish& wish, const connector::Capability& capability,
                   const Offered& offered) {
  if (wish.general) return false;
  const bool by_place = std::ranges::any_of(wish.values, [](const Wish::Value& value) {
    return value.kind == ValueKind::kPath || value.kind == ValueKind::kUri;
  });
  if (!by_place && !offered.is_given_some) {
    return !wish.demands.empty() &&
           std::ranges::all_of(wish.demands, [&](const Wish::Demand& demand) {
             return is_the_one(demand, offered);
           });
  }
  // It is named by where it is: what is to be done must be to read it, and no more.
  const auto reads = [&](const Wish::Demand& demand) {
    return (demand.verb.empty() || is_generic_verb(demand.verb)) &&
           std::ranges::all_of(demand.chains, [&](const Wish::Chain& chain) {
             const std::string& head = chain.front().back();
             return is_kind_word(head) || is_attribute(head) || offered.serves(head);
           });
  };
  return std::ranges::all_of(wish.demands, reads) &&
         std::ranges::all_of(wish.values, [&](const Wish::Value& value) {
           return is_value_of(value, capability, offered);
         });
}

}  // namespace plumbline::agents
