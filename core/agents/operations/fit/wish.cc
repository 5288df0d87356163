#include "core/agents/operations/fit/wish.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/fit/order.h"
#include "core/agents/operations/fit/wish_words.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

using ValueKind = Wish::Value::Kind;

// How people begin a question about the world in general, word by word.
constexpr std::array kGeneralOpenings = std::to_array<std::string_view>({"define ",
                                                                         "explain how ",
                                                                         "explain what ",
                                                                         "explain why ",
                                                                         "how can i ",
                                                                         "how do i ",
                                                                         "how do we ",
                                                                         "how do you ",
                                                                         "how does ",
                                                                         "how should i ",
                                                                         "how to ",
                                                                         "how would i ",
                                                                         "what does it mean ",
                                                                         "what is a ",
                                                                         "what is an ",
                                                                         "what is the difference ",
                                                                         "what is the meaning ",
                                                                         "what s a ",
                                                                         "what s an ",
                                                                         "why do ",
                                                                         "why is a "});

bool is_general(std::string_view request) {
  std::string words;
  for (WordReader reader(request); reader.next();) words += std::string(reader.word()) + ' ';
  return std::ranges::any_of(kGeneralOpenings,
                             [&](std::string_view opening) { return words.starts_with(opening); });
}

// is_assignment returns whether a word gives a value to a name: "key=a/b.txt".
bool is_assignment(std::string_view text) {
  const std::size_t sign = text.find('=');
  return sign != text.npos && sign > 0 && std::ranges::all_of(text.substr(0, sign), [](char c) {
           return is_lower(lower(c)) || is_digit(c) || c == '_' || c == '-';
         });
}

// joins_words returns whether a dot or a colon stands between letters: "light.kitchen".
bool joins_words(std::string_view text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    const bool mark = text[i] == '.' || text[i] == ':';
    if (mark && is_lower(lower(text[i - 1])) && is_lower(lower(text[i + 1])) && text.size() > 4)
      return true;
  }
  return false;
}

// WishReader goes through the pieces of a request.
class WishReader {
 public:
  Wish read(std::string_view request) {
    const RequestText text(request);
    wish_.general = is_general(request);
    for (const RequestText::Piece& piece : text.pieces()) take(piece);
    end_clause();
    return std::move(wish_);
  }

 private:
  void take(const RequestText::Piece& piece) {
    const std::optional<ValueKind> kind = value_kind(piece);
    if (kind) {
      add_value(*kind, std::string(piece.text));
    } else {
      take_words(piece);
    }
    counted_ = kind == ValueKind::kNumber;
    if (piece.end == ',') return join();
    opens_sentence_ = piece.ends_sentence;
    if (piece.ends_sentence) end_clause();
  }

  // take_words hears the words of a piece. A name behind what it is the name of is only a value:
  // "the customer Jane Doe".
  void take_words(const RequestText::Piece& piece) {
    const bool name = is_upper(piece.text.front()) && !opens_sentence_ && piece.text != "I" &&
                      !content_words(piece.text).empty();
    if (name) add_value(ValueKind::kName, std::string(piece.text));
    if (name && !thing_.empty()) return;
    for (WordReader reader(piece.text); reader.next();) {
      if (!counted_ || !kUnits.contains(reader.word())) hear(std::string(reader.word()));
    }
  }

  static std::optional<ValueKind> value_kind(const RequestText::Piece& piece) {
    const std::string_view text = piece.text;
    if (piece.quoted || is_pattern(text)) return ValueKind::kQuoted;
    if (text.ends_with(']') || text.ends_with('}')) return ValueKind::kNumber;  // As JSON.
    if (text.find("://") != std::string_view::npos) return ValueKind::kUri;
    if (is_assignment(text)) return ValueKind::kNumber;
    if (is_path(text)) return ValueKind::kPath;
    if (joins_words(text)) return ValueKind::kNumber;
    const bool sign = text.find_first_of("@#=$") != std::string_view::npos;
    if (sign || std::ranges::any_of(text, is_digit)) return ValueKind::kNumber;
    return std::nullopt;
  }

  void add_value(ValueKind kind, std::string text) {
    const bool is_place = kind == ValueKind::kUri || kind == ValueKind::kPath;
    const bool quoted = kind == ValueKind::kQuoted && opens_request();
    if (is_place || quoted || text.find('=') != std::string::npos) hear_object();
    wish_.values.push_back({kind, std::move(text)});
    met_value_ = met_value_ || kind != ValueKind::kName;
    begun_ = true;
  }

  // hear takes one word in lower case.
  void hear(const std::string& word) {
    const bool first = !begun_;
    before_ = std::exchange(word_, word);
    if (word == "and" || word == "or" || word == "then" || word == "but") return join();
    const bool opens_later = std::exchange(joined_, false);
    if (opens_later && begins_clause(word)) end_clause();
    if (kAskingWords.contains(word) && thing_.empty() && demand_.chains.empty()) {
      asks_ = begun_ = true;
      if (demand_.asks.empty()) demand_.asks = word;
      demand_.whether = word == "why";
      return;
    }
    if (!demand_.verb.empty() && thing_.empty() && demand_.chains.empty()) {
      if (const std::string_view phrase = phrasal_verb(before_, word); !phrase.empty()) {
        demand_.verb = phrase;
        return;
      }
    }
    if (thing_.size() == 1 && verbless() && !asks_) {  // "Throw" may be a thing, until "away".
      if (const std::string_view phrase = phrasal_verb(before_, word); !phrase.empty()) {
        thing_.clear();
        demand_.verb = phrase;
        return;
      }
    }
    if (word == "many" && before_ == "how") {
      demand_.verb = "count";
      return;
    }
    const bool how = before_ == "how" && asks_ && word != "much" && !kAuxiliaries.contains(word);
    if (how && !kPrepositions.contains(word)) {  // "How old is it?"
      demand_.so.push_back(fold(word));
      return;
    }
    if (kAuxiliaries.contains(word)) return hear_auxiliary(first && kBeing.contains(word));
    if (word == "of") return hear_of();
    if (kPrepositions.contains(word)) return hear_preposition();
    if (kArticles.contains(word)) hear_article();
    if (kSuperlatives.contains(word)) demand_.so.push_back(word);
    const bool loose = kLooseWords.contains(word) || kSuperlatives.contains(word);
    if (is_empty_word(word) || loose || kArticles.contains(word)) return;
    begun_ = true;
    const Reckoning* const between = counted_ ? kReckonings.find(word) : nullptr;
    add_word(between != nullptr ? std::string(between->result) : fold(word));
  }

  static bool begins_clause(const std::string& word) {
    const std::string folded = fold(word);
    const Verb* const verb = find_verb(folded);
    return (verb != nullptr && !verb->noun_too) || kAskingWords.contains(word);
  }

  // join ends a thing where a list of them goes on, or another clause begins.
  void join() {
    close_chain();
    joined_ = true;
  }

  void hear_auxiliary(bool asks_whether) {
    demand_.whether = demand_.whether || asks_whether;
    begun_ = true;
    if (demand_.whether || thing_.empty()) return;
    close_chain();
    aside_ = so_ = true;
  }

  void hear_of() {
    if (aside_ || thing_.empty()) return;
    name_verb();
    chain_.push_back(std::exchange(thing_, {}));
  }

  void hear_preposition() {
    const bool belongs = thing_.size() == 1 && kBelonging.contains(thing_.front());
    if (demand_.asks == "who" && belongs) thing_.clear();  // "Who works in the team?"
    if (demand_.asks == "who" && thing_.empty() && verbless() && !demand_.whether) {
      demand_.so.emplace_back("who");  // "Who is on the board?"
      aside_ = true;
    }
    if (word_ == "to" || word_ == "into") hear_object();
    if (word_ == "from" && !demand_.verb.empty() && thing_.empty()) aside_ = true;
    so_ = false;
    close_chain();
    if (!demand_.chains.empty() || met_value_ || !demand_.so.empty()) aside_ = true;
  }

  // An article shows that the one word before it is a verb: "trigger a build".
  void hear_article() {
    if (thing_.size() == 1 && verbless() && !aside_ && !demand_.whether) {
      demand_.verb = std::exchange(thing_, {}).front();
    }
  }

  // What comes shows that the one word before it is a verb: "navigate to", "scrape https://...".
  void hear_object() {
    if (thing_.size() != 1 || !verbless() || asks_ || aside_ || many_ || demand_.whether) return;
    demand_.verb = std::exchange(thing_, {}).front();
  }

  // What opens an order is its verb, known or not: "format drive C".
  void name_verb() {
    if (thing_.size() < 2 || !verbless() || asks_ || aside_ || demand_.whether) return;
    demand_.verb = thing_.front();
    thing_.erase(thing_.begin());
  }

  void add_word(std::string word) {
    if (word == "off" && thing_.empty() && demand_.chains.empty() && !demand_.verb.empty()) {
      demand_.so.push_back(std::move(word));  // "Turn off": not on.
      return;
    }
    if (is_filter(word) && !(word == "open" && thing_.empty() && verbless() && !asks_)) return;
    if (so_ && is_generic_verb(word)) return;  // "All that I can see."
    if (kThere.contains(word_) && (so_ || asks_)) return;
    const bool shown = word == "say" || word == "contain";
    if (asks_ && met_value_ && shown && verbless() && thing_.empty()) word = "content";
    if (so_ && asks_ && kTelling.contains(word_)) return;
    if (so_ && word_ == "up" && before_ == "set" && !demand_.so.empty())
      return demand_.so.pop_back();
    if (aside_) {
      if (word == "folder") add_folder();
      return (so_ ? demand_.so : demand_.about).push_back(std::move(word));
    }
    if (verbless() && thing_.empty()) {
      // "Who cites the paper?"
      const bool third = word_.ends_with('s') && word_ != word && is_verb_too(word);
      if (demand_.asks == "who" && third && !kBelonging.contains(word)) {
        demand_.so.push_back(std::move(word));
        return;
      }
      if (asks_ && (word_.ends_with("ed") ||
                    word_ == "said")) {  // "Who created the ticket?", "When was it changed?"
        const bool told = kTold.contains(word_);
        told_ = told_ || told;
        if (demand_.asks == "what" || demand_.asks == "when" || (demand_.asks == "who" && !told)) {
          demand_.so.push_back(std::move(word));
        }
        return;
      }
      // "About listing 42": what stands behind a preposition is a thing.
      const bool gerund = word_.ends_with("ing") && kPrepositions.contains(before_);
      const Verb* const verb = gerund ? nullptr : find_verb(word);
      if (is_generic_verb(word) || (verb != nullptr && !(asks_ && verb->noun_too))) {
        if (!asks_) demand_.verb = verb != nullptr ? std::string(verb->word) : word;
        return;
      }
    }
    if (word == "folder") add_folder();
    // "Which notes mention ...": what comes says which ones.
    if (asks_ && many_ && verbless() && !thing_.empty() && kTelling.contains(word_)) {
      close_chain();
      aside_ = true;
      return;
    }
    if (asks_ && many_ && verbless() && !thing_.empty() && word_ == word && is_verb_too(word) &&
        demand_.asks != "how") {
      close_chain();
      aside_ = so_ = true;  // "Which articles cite ...".
      demand_.so.push_back(std::move(word));
      return;
    }
    many_ =
        many_ || (chain_.empty() && word_.ends_with('s') && word_ != word && fold(word_) == word);
    thing_.push_back(std::move(word));
  }

  // opens_request returns whether nothing but one word was heard.
  bool opens_request() const { return wish_.demands.empty() && before_.empty() && verbless(); }

  bool verbless() const { return demand_.verb.empty() && demand_.chains.empty() && chain_.empty(); }

  // add_folder makes a value of the word before "folder" that names one: "the docs folder".
  void add_folder() {
    if (names_folder(before_)) wish_.values.push_back({ValueKind::kFolder, before_});
  }

  void close_chain() {
    name_verb();
    if (!thing_.empty() && !aside_) chain_.push_back(std::exchange(thing_, {}));
    if (demand_.chains.empty()) demand_.many = many_;
    if (!chain_.empty()) demand_.chains.push_back(std::exchange(chain_, {}));
    thing_.clear();
  }

  // "Add 2 and 3" and "what is 2 plus 3" want a sum.
  void reckon() {
    const auto numbers = std::ranges::count(wish_.values, ValueKind::kNumber, &Wish::Value::kind);
    const Reckoning* const verb = kReckonings.find(demand_.verb);
    if (verb == nullptr || numbers < 2 || !demand_.chains.empty()) return;
    demand_.verb.clear();
    demand_.chains.push_back({{std::string(verb->result)}});
    wish_.reckons = true;
  }

  void end_clause() {
    close_chain();
    reckon();
    if (demand_.asks == "who" && demand_.so.empty() && !told_) demand_.so.emplace_back("who");
    if (!demand_.verb.empty() || !demand_.chains.empty() || !demand_.so.empty())
      wish_.demands.push_back(std::exchange(demand_, {}));
    demand_ = {};
    aside_ = so_ = told_ = many_ = asks_ = begun_ = joined_ = met_value_ = false;
  }

  Wish wish_;
  Wish::Demand demand_;
  Wish::Chain chain_;
  Wish::Thing thing_;
  std::string word_;  // As written, and the one before it.
  std::string before_;
  bool opens_sentence_ = true;
  bool asks_ = false;    // The clause began with "what", "who" ...
  bool begun_ = false;   // The clause has a word that counts.
  bool aside_ = false;   // What comes only says where, about what or for whom.
  bool so_ = false;      // What comes says how the thing has to be.
  bool told_ = false;    // Who did something that a record tells.
  bool many_ = false;    // The last word was a plural.
  bool joined_ = false;  // The word before was "and".
  bool met_value_ = false;
  bool counted_ = false;  // The piece before was a number.
};

}  // namespace

Wish wish_of(std::string_view request) {
  Wish wish = WishReader().read(request);
  wish.order = order_in(request);
  return wish;
}

bool is_generic_verb(std::string_view verb) { return kGenericVerbs.contains(verb); }

}  // namespace plumbline::agents
