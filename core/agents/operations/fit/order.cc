#include "core/agents/operations/fit/order.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

constexpr WordTable kOrdered({Word{"order"}, Word{"ordered"}, Word{"sort"}, Word{"sorted"}});
constexpr WordTable kOrders({Word{"alphabetically"}, Word{"ascending"}, Word{"chronologically"},
                             Word{"descending"}});
constexpr WordTable kOrderProperties({Word{"direction"}, Word{"order"}, Word{"orderby"},
                                      Word{"ordering"}, Word{"sort"}, Word{"sortby"},
                                      Word{"sorting"}, Word{"sorts"}});

}  // namespace

std::string order_in(std::string_view request) {
  const RequestText text(request);
  const std::vector<RequestText::Piece>& pieces = text.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].quoted) continue;
    const std::string word = lower_case(pieces[i].text);
    if (kOrders.contains(word)) return std::string(pieces[i].text);
    // "The order by Ada" is a thing.
    const bool noun = i > 0 && is_empty_word(lower_case(pieces[i - 1].text));
    if (noun || !kOrdered.contains(word) || i + 2 >= pieces.size()) continue;
    if (lower_case(pieces[i + 1].text) != "by") continue;
    return std::string(pieces[i].text) + " by " + std::string(pieces[i + 2].text);
  }
  return "";
}

bool counts_until(std::string_view request) {
  const std::string text = lower_case(request);
  return text.starts_with("how many ") &&
         (text.find(" until ") != text.npos || text.find(" till ") != text.npos);
}

bool names_an_order(std::string_view property) {
  return std::ranges::any_of(words_of(property),
                             [](const auto& word) { return kOrderProperties.contains(word); });
}

}  // namespace plumbline::agents
