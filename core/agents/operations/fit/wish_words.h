// The words by which a request is taken apart (wish.h).

#pragma once

#include <array>
#include <string_view>

#include "core/agents/policy/word_table.h"

namespace plumbline::agents {

// They only ask to be given something.
inline constexpr WordTable kGenericVerbs(
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
inline constexpr WordTable kPrepositions(
    {Word{"about"},  Word{"after"},      Word{"as"},      Word{"at"},      Word{"because"},
     Word{"before"}, Word{"beginning"},  Word{"below"},   Word{"between"}, Word{"by"},
     Word{"called"}, Word{"containing"}, Word{"during"},  Word{"ending"},  Word{"for"},
     Word{"from"},   Word{"if"},         Word{"in"},      Word{"inside"},  Word{"into"},
     Word{"like"},   Word{"matching"},   Word{"named"},   Word{"near"},    Word{"on"},
     Word{"over"},   Word{"per"},        Word{"reading"}, Word{"saying"},  Word{"since"},
     Word{"sorted"}, Word{"starting"},   Word{"than"},    Word{"that"},    Word{"through"},
     Word{"titled"}, Word{"to"},         Word{"under"},   Word{"until"},   Word{"using"},
     Word{"via"},    Word{"when"},       Word{"where"},   Word{"which"},   Word{"who"},
     Word{"whose"},  Word{"with"},       Word{"within"},  Word{"without"}});

inline constexpr WordTable kAuxiliaries({Word{"are"},   Word{"be"},     Word{"been"}, Word{"can"},
                                         Word{"could"}, Word{"d"},      Word{"did"},  Word{"do"},
                                         Word{"does"},  Word{"got"},    Word{"had"},  Word{"has"},
                                         Word{"have"},  Word{"is"},     Word{"ll"},   Word{"m"},
                                         Word{"may"},   Word{"might"},  Word{"must"}, Word{"re"},
                                         Word{"s"},     Word{"should"}, Word{"ve"},   Word{"was"},
                                         Word{"were"},  Word{"will"},   Word{"would"}});

// A clause that begins with one of these asks how something is.
inline constexpr WordTable kBeing({Word{"are"}, Word{"did"}, Word{"do"}, Word{"does"}, Word{"had"},
                                   Word{"has"}, Word{"have"}, Word{"is"}, Word{"was"},
                                   Word{"were"}});

inline constexpr WordTable kAskingWords({Word{"how"}, Word{"what"}, Word{"when"}, Word{"where"},
                                         Word{"which"}, Word{"who"}, Word{"whom"}, Word{"whose"},
                                         Word{"why"}});

// Words that say nothing of what a thing is: how many, which of them, when.
inline constexpr WordTable kLooseWords(
    {Word{"again"},     Word{"already"},    Word{"always"},   Word{"anything"}, Word{"available"},
     Word{"better"},    Word{"brief"},      Word{"complete"}, Word{"current"},  Word{"currently"},
     Word{"entire"},    Word{"everything"}, Word{"existing"}, Word{"first"},    Word{"fresh"},
     Word{"full"},      Word{"he"},         Word{"hello"},    Word{"her"},      Word{"here"},
     Word{"hey"},       Word{"hi"},         Word{"him"},      Word{"his"},      Word{"just"},
     Word{"kindly"},    Word{"last"},       Word{"lately"},   Word{"least"},    Word{"more"},
     Word{"most"},      Word{"much"},       Word{"new"},      Word{"newest"},   Word{"next"},
     Word{"now"},       Word{"ok"},         Word{"okay"},     Word{"old"},      Word{"oldest"},
     Word{"only"},      Word{"other"},      Word{"previous"}, Word{"quick"},    Word{"quickly"},
     Word{"recently"},  Word{"right"},      Word{"she"},      Word{"short"},    Word{"someplace"},
     Word{"something"}, Word{"somewhere"},  Word{"still"},    Word{"thanks"},   Word{"they"},
     Word{"today"},     Word{"tomorrow"},   Word{"top"},      Word{"various"},  Word{"whole"},
     Word{"yes"},       Word{"yet"}});

// Behind a number they only say of what it is one.
inline constexpr WordTable kUnits({Word{"hour"}, Word{"hours"}, Word{"minute"}, Word{"minutes"},
                                   Word{"ms"}, Word{"percent"}, Word{"pixel"}, Word{"pixels"},
                                   Word{"px"}, Word{"second"}, Word{"seconds"}});

// What is wanted where numbers are reckoned with.
struct Reckoning {
  std::string_view word;
  std::string_view result;
};
inline constexpr WordTable kReckonings({
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
inline constexpr WordTable kTold({Word{"assigned"}, Word{"authored"}, Word{"created"},
                                  Word{"opened"}, Word{"owned"}, Word{"reported"}});

// They only say that something is there: "which filters are defined?"
inline constexpr WordTable kThere({Word{"configured"}, Word{"contained"}, Word{"defined"},
                                   Word{"exist"}, Word{"existing"}, Word{"held"}, Word{"kept"},
                                   Word{"left"}, Word{"located"}, Word{"saved"}, Word{"stored"},
                                   Word{"waiting"}, Word{"written"}});

// Who does one of these somewhere is one of the people there.
inline constexpr WordTable kBelonging({Word{"belong"}, Word{"live"}, Word{"participate"},
                                       Word{"work"}});

// Verbs that lead to what tells which of many are meant, and say nothing more.
inline constexpr WordTable kTelling({Word{"begin"}, Word{"belong"}, Word{"contain"}, Word{"end"},
                                     Word{"include"}, Word{"match"}, Word{"mention"}, Word{"start"},
                                     Word{"take"}});

// Behind a preposition they only say that it is meant so ("for good", "in detail"), or that it is
// the one that is known ("in the managed folder").
inline constexpr WordTable kIdle({Word{"all"}, Word{"case"}, Word{"configured"}, Word{"detail"},
                                  Word{"example"}, Word{"fact"}, Word{"general"}, Word{"given"},
                                  Word{"good"}, Word{"instance"}, Word{"managed"}, Word{"moment"},
                                  Word{"particular"}, Word{"sure"}, Word{"total"}, Word{"usual"},
                                  Word{"way"}});

// They say when, or how often.
inline constexpr WordTable kTimes({Word{"thrice"}, Word{"tomorrow"}, Word{"tonight"}, Word{"twice"},
                                   Word{"yesterday"}});

// A request that begins with one of these says first when something is to be done.
inline constexpr WordTable kConditions({Word{"after"}, Word{"as"}, Word{"before"}, Word{"if"},
                                        Word{"once"}, Word{"unless"}, Word{"until"}, Word{"when"},
                                        Word{"whenever"}});

// They ask for one of many, by how it is.
inline constexpr WordTable kSuperlatives({Word{"biggest"}, Word{"largest"}, Word{"longest"},
                                          Word{"newest"}, Word{"ok"}, Word{"okay"}, Word{"oldest"},
                                          Word{"smallest"}});

// They say that a thing is there, and not what it is.
inline constexpr WordTable kReadyMade({Word{"built-in"}, Word{"off-the-shelf"},
                                       Word{"out-of-the-box"}, Word{"pre-built"}, Word{"pre-made"},
                                       Word{"ready-made"}});

// With what stands further behind, a verb is another one: "take it out of the list".
struct Parted {
  std::string_view verb;  // As it is said.
  std::string_view particle;
  std::string_view deed;
  bool changes = true;
};
inline constexpr std::array kParted =
    std::to_array<Parted>({{"bring", "back", "restore"},
                           {"call", "off", "cancel"},
                           {"check", "off", "complete"},
                           {"put", "in order", "rank", false},
                           {"put", "side by side", "compare", false},
                           {"take", "off", "delete"},
                           {"take", "out of", "delete"},
                           {"throw", "out", "delete"},
                           {"tick", "off", "complete"}});

inline constexpr WordTable kArticles({Word{"a"}, Word{"all"}, Word{"an"}, Word{"my"}, Word{"our"},
                                      Word{"the"}, Word{"these"}, Word{"this"}, Word{"those"},
                                      Word{"your"}});

}  // namespace plumbline::agents
