#include "core/agents/operations/fit/wish.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/agents/operations/fit/order.h"
#include "core/agents/operations/request/filters.h"
#include "core/agents/operations/request/request_text.h"
#include "core/agents/policy/letters.h"
#include "core/agents/policy/verb_table.h"
#include "core/agents/policy/word_table.h"
#include "core/agents/policy/words.h"

namespace plumbline::agents {

namespace {

using ValueKind = Wish::Value::Kind;

constexpr WordTable kGenericVerbs(
    {Word{"access"},  Word{"analyze"},   Word{"ask"},      Word{"browse"},   Word{"calculate"},
     Word{"call"},    Word{"check"},     Word{"compute"},  Word{"describe"}, Word{"display"},
     Word{"dump"},    Word{"examine"},   Word{"explain"},  Word{"explore"},  Word{"get"},
     Word{"give"},    Word{"grab"},      Word{"identify"}, Word{"inspect"},  Word{"invoke"},
     Word{"know"},    Word{"load"},      Word{"locate"},   Word{"look"},     Word{"monitor"},
     Word{"obtain"},  Word{"open"},      Word{"output"},   Word{"present"},  Word{"print"},
     Word{"provide"}, Word{"pull"},      Word{"read"},     Word{"receive"},  Word{"retrieve"},
     Word{"return"},  Word{"review"},    Word{"search"},   Word{"see"},      Word{"show"},
     Word{"study"},   Word{"summarize"}, Word{"tell"},     Word{"try"},      Word{"use"}});

// They stand before things that only say where, about what or for whom.
constexpr WordTable kPrepositions(
    {Word{"about"},   Word{"after"},   Word{"as"},     Word{"at"},       Word{"because"},
     Word{"before"},  Word{"between"}, Word{"by"},     Word{"called"},   Word{"containing"},
     Word{"during"},  Word{"for"},     Word{"from"},   Word{"if"},       Word{"in"},
     Word{"inside"},  Word{"into"},    Word{"like"},   Word{"matching"}, Word{"named"},
     Word{"near"},    Word{"on"},      Word{"over"},   Word{"per"},      Word{"reading"},
     Word{"saying"},  Word{"since"},   Word{"sorted"}, Word{"than"},     Word{"that"},
     Word{"through"}, Word{"titled"},  Word{"to"},     Word{"under"},    Word{"until"},
     Word{"using"},   Word{"via"},     Word{"when"},   Word{"where"},    Word{"which"},
     Word{"who"},     Word{"whose"},   Word{"with"},   Word{"within"},   Word{"without"}});

constexpr WordTable kAuxiliaries({Word{"are"},   Word{"be"},  Word{"been"}, Word{"can"},
                                  Word{"could"}, Word{"d"},   Word{"did"},  Word{"do"},
                                  Word{"does"},  Word{"had"}, Word{"has"},  Word{"have"},
                                  Word{"is"},    Word{"ll"},  Word{"may"},  Word{"might"},
                                  Word{"must"},  Word{"re"},  Word{"s"},    Word{"should"},
                                  Word{"ve"},    Word{"was"}, Word{"were"}, Word{"will"},
                                  Word{"would"}});

// A clause that begins with one of these asks how something is.
constexpr WordTable kBeing({Word{"are"}, Word{"did"}, Word{"do"}, Word{"does"}, Word{"had"},
                            Word{"has"}, Word{"have"}, Word{"is"}, Word{"was"}, Word{"were"}});

constexpr WordTable kAskingWords({Word{"how"}, Word{"what"}, Word{"when"}, Word{"where"},
                                  Word{"which"}, Word{"who"}, Word{"whom"}, Word{"whose"},
                                  Word{"why"}});

// Words that say nothing of what a thing is: how many, which of them, when.
constexpr WordTable kLooseWords(
    {Word{"again"},   Word{"anything"},  Word{"available"}, Word{"brief"},      Word{"complete"},
     Word{"current"}, Word{"currently"}, Word{"entire"},    Word{"everything"}, Word{"existing"},
     Word{"first"},   Word{"full"},      Word{"hello"},     Word{"here"},       Word{"hey"},
     Word{"hi"},      Word{"just"},      Word{"kindly"},    Word{"last"},       Word{"more"},
     Word{"much"},    Word{"new"},       Word{"newest"},    Word{"next"},       Word{"now"},
     Word{"old"},     Word{"oldest"},    Word{"only"},      Word{"other"},      Word{"previous"},
     Word{"quick"},   Word{"quickly"},   Word{"right"},     Word{"short"},      Word{"something"},
     Word{"thanks"},  Word{"today"},     Word{"tomorrow"},  Word{"top"},        Word{"various"},
     Word{"whole"},   Word{"yesterday"}});

// Behind a number they only say of what it is one.
constexpr WordTable kUnits({Word{"hour"}, Word{"hours"}, Word{"minute"}, Word{"minutes"},
                            Word{"ms"}, Word{"percent"}, Word{"pixel"}, Word{"pixels"}, Word{"px"},
                            Word{"second"}, Word{"seconds"}});

// What is wanted where numbers are reckoned with.
struct Reckoning {
  std::string_view word;
  std::string_view result;
};
constexpr WordTable kReckonings({
    Reckoning{"add", "sum"},
    Reckoning{"divide", "quotient"},
    Reckoning{"divided", "quotient"},
    Reckoning{"minus", "difference"},
    Reckoning{"multiply", "product"},
    Reckoning{"plus", "sum"},
    Reckoning{"subtract", "difference"},
    Reckoning{"times", "product"},
});

// Of whom a record tells that he did this.
constexpr WordTable kTold({Word{"assigned"}, Word{"authored"}, Word{"created"}, Word{"opened"},
                           Word{"owned"}, Word{"reported"}});

// They only say that something is there: "which filters are defined?"
constexpr WordTable kThere({Word{"configured"}, Word{"defined"}, Word{"exist"}, Word{"existing"}});

// They ask for one of many, by how it is.
constexpr WordTable kSuperlatives({Word{"biggest"}, Word{"largest"}, Word{"longest"},
                                   Word{"newest"}, Word{"oldest"}, Word{"smallest"}});

constexpr WordTable kArticles({Word{"a"}, Word{"all"}, Word{"an"}, Word{"my"}, Word{"our"},
                               Word{"the"}, Word{"these"}, Word{"this"}, Word{"those"},
                               Word{"your"}});

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
    if (is_path(text)) return ValueKind::kPath;
    const bool sign = text.find_first_of("@#=$") != std::string_view::npos;
    if (sign || std::ranges::any_of(text, is_digit)) return ValueKind::kNumber;
    return std::nullopt;
  }

  void add_value(ValueKind kind, std::string text) {
    const bool is_place = kind == ValueKind::kUri || kind == ValueKind::kPath;
    if (is_place || text.find('=') != std::string::npos) hear_object();
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
    if (word == "up" && before_ == "set" && demand_.verb == "set" && thing_.empty()) {
      demand_.verb = "create";
      return;
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
    if (demand_.asks == "who" && thing_.empty() && verbless() && !demand_.whether) {
      demand_.so.emplace_back("who");  // "Who is on the board?"
      aside_ = true;
    }
    if (word_ == "to" || word_ == "into") hear_object();
    if (word_ == "from" && !demand_.verb.empty() && thing_.empty()) aside_ = true;
    so_ = false;
    close_chain();
    if (!demand_.chains.empty() || met_value_) aside_ = true;
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
    if (is_filter(word) && !(word == "open" && thing_.empty() && verbless() && !asks_)) return;
    if (so_ && is_generic_verb(word)) return;  // "All that I can see."
    if (so_ && kThere.contains(word_)) return;
    if (so_ && word_ == "up" && before_ == "set" && !demand_.so.empty())
      return demand_.so.pop_back();
    if (aside_) {
      if (word == "folder") add_folder();
      return (so_ ? demand_.so : demand_.about).push_back(std::move(word));
    }
    if (verbless() && thing_.empty()) {
      if (asks_ && word_.ends_with("ed")) {  // "Who created the ticket?", "When was it changed?"
        const bool told = kTold.contains(word_);
        if (demand_.asks == "when" || (demand_.asks == "who" && !told)) {
          demand_.so.push_back(std::move(word));
        }
        return;
      }
      const Verb* const verb = find_verb(word);
      if (is_generic_verb(word) || (verb != nullptr && !(asks_ && verb->noun_too))) {
        if (!asks_) demand_.verb = verb != nullptr ? std::string(verb->word) : word;
        return;
      }
    }
    if (word == "folder") add_folder();
    many_ =
        many_ || (chain_.empty() && word_.ends_with('s') && word_ != word && fold(word_) == word);
    thing_.push_back(std::move(word));
  }

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
    if (!demand_.verb.empty() || !demand_.chains.empty() || !demand_.so.empty())
      wish_.demands.push_back(std::exchange(demand_, {}));
    demand_ = {};
    aside_ = so_ = many_ = asks_ = begun_ = joined_ = met_value_ = false;
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
