#include "core/agents/operations/fit/wish.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/agents/dictionary/dictionary.h"
#include "core/agents/operations/fit/order.h"
#include "core/agents/operations/fit/wish_values.h"
#include "core/agents/operations/fit/wish_words.h"
#include "core/agents/operations/request/dated.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/words.h"
#include "core/base/text.h"

namespace plumbline::agents {

namespace {

using ValueKind = Wish::Value::Kind;
using Words = std::vector<std::string>;

// WishReader goes through the pieces of a request.
class WishReader {
 public:
  Wish read(std::string_view request) {
    const RequestText text(request);
    wish_.general = is_general(request);
    question_ = request.ends_with('?');
    if (tells_somebody(text)) send();
    const std::vector<SaidDate> dates = dates_in(text);
    condition_end_ = condition_end(text);
    for (std::size_t i = 0; i < text.pieces().size(); ++i) {
      const auto date = std::ranges::find(dates, i, &SaidDate::first);
      if (date == dates.end() || date->end == i + 1) {
        if (i < condition_end_ && !value_kind(text.pieces()[i])) {
          take_condition(text.pieces()[i]);
        } else {
          take(text.pieces()[i]);
        }
        continue;
      }
      i = date->end - 1;  // "March 5, 2026" is one value.
      const char* const begin = text.pieces()[date->first].text.data();
      const RequestText::Piece& last = text.pieces()[i];
      add_value(ValueKind::kNumber, std::string(begin, last.text.data() + last.text.size()));
      counted_ = false;
      close(last);
    }
    end_clause();
    if (wish_.demands.empty()) wish_.demands = std::move(told_demands_);
    return std::move(wish_);
  }

 private:
  void take_condition(const RequestText::Piece& piece) {
    for (std::string& word : content_words(piece.text)) {
      if (!kConditions.contains(word)) demand_.about.push_back(std::move(word));
    }
  }

  void take(const RequestText::Piece& piece) {
    const std::optional<ValueKind> kind = value_kind(piece);
    if (kind) {
      // What comes is what a number counts: "for 3 people", and not "task 3".
      sized_ = word_ == "a" || word_ == "an";
      unit_ = kPrepositions.contains(word_) || is_empty_word(word_) || kLooseWords.contains(word_);
      add_value(*kind, std::string(piece.text));
    } else {
      take_words(piece);
    }
    counted_ = kind == ValueKind::kNumber;
    if (!counted_) unit_ = false;
    if (kind && !counted_) sized_ = false;
    close(piece);
  }

  // close ends what the marks behind a piece end.
  void close(const RequestText::Piece& piece) {
    if (piece.end == ',') return join();
    opens_sentence_ = piece.ends_sentence;
    if (piece.ends_sentence) end_clause();
  }

  // take_words hears the words of a piece. A name behind what it is the name of is only a value:
  // "the customer Jane Doe".
  void take_words(const RequestText::Piece& piece) {
    const std::string_view text = without_owner_mark(piece.text);
    const bool name = is_upper(text.front()) && !opens_sentence_ && text != "I" &&
                      !text.starts_with("I'") && !content_words(text).empty();
    if (name) add_value(ValueKind::kName, std::string(text));
    if (name && !thing_.empty()) return;
    if (kReadyMade.contains(lower_case(text))) return;
    for (WordReader reader(text); reader.next();) {
      if (!counted_ || !kUnits.contains(reader.word())) hear(std::string(reader.word()));
    }
  }

  void add_value(ValueKind kind, std::string text) {
    const bool is_place = kind == ValueKind::kUri || kind == ValueKind::kPath;
    const bool quoted = kind == ValueKind::kQuoted && opens_request();
    if (is_place || quoted || text.find('=') != std::string::npos) hear_object();
    if (is_letter_to(demand_.verb, word_, text)) send();
    wish_.values.push_back({kind, std::move(text)});
    met_value_ = met_value_ || kind != ValueKind::kName;
    begun_ = true;
  }
  void send() { demand_.verb = "send", wish_.parted_changes = true; }
  void like() { demand_.verb = "like", begun_ = true; }  // "Like the video."

  void hear(const std::string& word) {
    const bool first = !begun_;
    before_ = std::exchange(word_, word);
    if (word == "and" || word == "or" || word == "then" || word == "but") return join();
    const bool opens_later = std::exchange(joined_, false);
    if (opens_later && begins_clause(word)) end_clause();
    if (is_particle(word)) return;
    if (first && (word == "i" || word == "we")) by_me_ = true;
    if (kAskingWords.contains(word) && thing_.empty() && demand_.chains.empty()) {
      asks_ = begun_ = true;
      if (demand_.asks.empty()) demand_.asks = word;
      demand_.whether = word == "why";
      return;
    }
    const bool after_verb = !demand_.verb.empty() && thing_.empty() && demand_.chains.empty();
    // "Throw" may be a thing, until "away".
    if (after_verb || (thing_.size() == 1 && verbless() && !asks_)) {
      if (const std::string_view phrase = phrasal_verb(before_, word); !phrase.empty()) {
        thing_.clear();
        demand_.verb = phrase;
        if (phrase == "complete") wish_.parted_changes = true;
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
    if (word == "have" && first && !question_) {  // "Have the parcel sent back."
      begun_ = has_done_ = true;
      return;
    }
    if (kAuxiliaries.contains(word)) return hear_auxiliary(first && kBeing.contains(word));
    if (word == "of") return before_ == "out" ? hear_preposition() : hear_of();
    if (kPrepositions.contains(word)) return first && word == "like" ? like() : hear_preposition();
    if (kArticles.contains(word)) hear_article();
    if (kSuperlatives.contains(word)) demand_.so.push_back(word);
    const bool of_it = met_value_ || !thing_.empty() || !demand_.chains.empty();
    if (word == "available" && demand_.whether && of_it && !kArticles.contains(before_))
      demand_.so.push_back(word);  // "Is room 5 still available?"
    if (kTimes.contains(word)) return demand_.about.push_back(word);
    const bool loose = kLooseWords.contains(word) || kSuperlatives.contains(word);
    if (is_empty_word(word) || loose || kArticles.contains(word)) return;
    begun_ = true;
    if (by_me_ && done_.empty() && !deed_done(fold(word)).empty()) done_ = fold(word);
    const Reckoning* const between = counted_ ? kReckonings.find(word) : nullptr;
    add_word(between != nullptr ? std::string(between->result) : fold(word));
  }

  // is_particle returns whether a word makes another verb of the one that was said, and does that.
  bool is_particle(const std::string& word) {
    const bool in_thing = verbless() && thing_.size() > 1 && !asks_ && !aside_;
    const std::string verb = in_thing ? thing_.front() : demand_.verb;
    const Parted* const parted = parted_by(verb, before_, word, !thing_.empty() || met_value_);
    if (parted == nullptr) return false;
    if (in_thing) name_verb();
    demand_.verb = parted->deed;
    wish_.parted_changes = wish_.parted_changes.value_or(false) || parted->changes;
    if (parted->particle == "side by side") demand_.chains.clear();
    if (parted->particle == "out of") hear_preposition();
    return true;
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

  // opens returns whether a word at the beginning says what is done, or to whom, and is no thing.
  bool opens(std::string& word) {
    // "Who cites the paper?"
    const bool third = word_.ends_with('s') && word_ != word && is_verb_too(word);
    if (demand_.asks == "who" && third && !kBelonging.contains(word)) {
      demand_.so.push_back(std::move(word));
      return true;
    }
    if (asks_ && (word_.ends_with("ed") ||
                  word_ == "said")) {  // "Who created the ticket?", "When was it changed?"
      const bool told = kTold.contains(word_);
      told_ = told_ || told;
      if (demand_.asks == "what" || demand_.asks == "when" || (demand_.asks == "who" && !told)) {
        demand_.so.push_back(std::move(word));
      }
      return true;
    }
    // "About listing 42": what stands behind a preposition is a thing.
    const bool gerund = word_.ends_with("ing") && kPrepositions.contains(before_);
    const bool things = word_.ends_with('s') && word_ != word;  // Nobody is told to "emails".
    const Verb* const verb = gerund || things ? nullptr : find_verb(word);
    if ((is_generic_verb(word) && !things) || (verb != nullptr && !(asks_ && verb->noun_too))) {
      if (!asks_) demand_.verb = verb != nullptr ? std::string(verb->word) : word;
      return true;
    }
    return false;
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
    if (asks_ && met_value_ && word == "mean" && thing_.empty()) return demand_.so.push_back(word);
    if (so_ && word_ == "up" && before_ == "set" && !demand_.so.empty())
      return demand_.so.pop_back();
    if (has_done_ && verbless() && !thing_.empty()) {
      if (const std::string deed = deed_done(word); !deed.empty()) {
        close_chain();
        demand_.verb = fold(deed);
        const Verb* const verb = find_verb(demand_.verb);
        if (verb != nullptr && verb->does != Does::kReads) wish_.parted_changes = true;
        return;
      }
    }
    if (aside_) {
      const bool idle = unit_ || kIdle.contains(word) || kTelling.contains(word);
      if (!so_ && idle) return;
      if (word == "folder") add_folder();
      return (so_ ? demand_.so : demand_.about).push_back(std::move(word));
    }
    if (verbless() && thing_.empty() && opens(word)) return;
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
    if (std::exchange(sized_, false) && thing_.empty()) {
      measure_ = word;
    } else if (!std::exchange(measure_, {}).empty() && thing_.size() == 1) {
      thing_.clear();
    }
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

  // is_told returns whether the clause only tells what somebody did: "I bought rice".
  bool is_told() const { return by_me_ && !demand_.verb.empty() && demand_.verb == done_; }

  void end_clause() {
    close_chain();
    reckon();
    if (demand_.asks == "who" && demand_.so.empty() && !told_) demand_.so.emplace_back("who");
    if (!demand_.verb.empty() || !demand_.chains.empty() || !demand_.so.empty())
      (is_told() ? told_demands_ : wish_.demands).push_back(std::exchange(demand_, {}));
    const bool begins = demand_.verb.empty() && demand_.chains.empty() && demand_.so.empty();
    Words said = begins ? std::move(demand_.about) : Words();  // "Tomorrow, close the window."
    demand_ = {};
    demand_.about = std::move(said);
    by_me_ = false;
    done_.clear();
    aside_ = so_ = told_ = many_ = asks_ = begun_ = joined_ = met_value_ = has_done_ = false;
  }

  Wish wish_;
  Wish::Demand demand_;
  Wish::Chain chain_;
  Wish::Thing thing_;
  std::string word_;  // As written, and the one before it.
  std::string before_;
  std::size_t condition_end_ = 0;
  bool opens_sentence_ = true;
  bool asks_ = false;    // The clause began with "what", "who" ...
  bool begun_ = false;   // The clause has a word that counts.
  bool aside_ = false;   // What comes only says where, about what or for whom.
  bool so_ = false;      // What comes says how the thing has to be.
  bool told_ = false;    // Who did something that a record tells.
  bool many_ = false;    // The last word was a plural.
  bool joined_ = false;  // The word before was "and".
  bool met_value_ = false;
  bool counted_ = false;   // The piece before was a number.
  bool unit_ = false;      // What comes is what that number counts.
  bool sized_ = false;     // That number stood behind "a": "a 24 character password".
  std::string measure_;    // In which it is: "character".
  bool question_ = false;  // The request ends with a question mark.
  bool by_me_ = false;     // The clause begins with "I".
  std::string done_;       // Its first verb that tells of what was done.
  std::vector<Wish::Demand> told_demands_;
  bool has_done_ = false;  // The clause began with "have": something is to be done by somebody.
};

}  // namespace

Wish wish_of(std::string_view request) {
  Wish wish = WishReader().read(request);
  wish.order = order_in(request);
  wish.until = counts_until(request);
  return wish;
}

}  // namespace plumbline::agents
