#include "core/agents/policy/words.h"

#include <algorithm>
#include <array>

#include "core/agents/policy/letters.h"
#include "core/agents/policy/word_table.h"

namespace plumbline::agents {

namespace {

// kWordBytes is the lower-case form of each byte of a word, and 0 for the bytes between words.
constexpr std::array<char, 256> kWordBytes = [] {
  std::array<char, 256> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char c = static_cast<char>(i);
    if (is_lower(c) || is_upper(c) || is_digit(c) || i > 127) out[i] = lower(c);
  }
  return out;
}();

char word_byte(char c) { return kWordBytes[static_cast<unsigned char>(c)]; }

constexpr WordTable kEmptyWords(
    {Word{"a"},    Word{"all"},   Word{"also"},  Word{"am"},   Word{"an"},     Word{"and"},
     Word{"any"},  Word{"are"},   Word{"as"},    Word{"at"},   Word{"be"},     Word{"by"},
     Word{"can"},  Word{"could"}, Word{"do"},    Word{"does"}, Word{"each"},   Word{"every"},
     Word{"for"},  Word{"from"},  Word{"have"},  Word{"i"},    Word{"if"},     Word{"in"},
     Word{"into"}, Word{"is"},    Word{"it"},    Word{"its"},  Word{"let"},    Word{"many"},
     Word{"me"},   Word{"my"},    Word{"need"},  Word{"of"},   Word{"on"},     Word{"one"},
     Word{"or"},   Word{"our"},   Word{"out"},   Word{"over"}, Word{"please"}, Word{"so"},
     Word{"some"}, Word{"tell"},  Word{"that"},  Word{"the"},  Word{"their"},  Word{"them"},
     Word{"then"}, Word{"there"}, Word{"these"}, Word{"this"}, Word{"those"},  Word{"to"},
     Word{"up"},   Word{"us"},    Word{"want"},  Word{"we"},   Word{"what"},   Word{"which"},
     Word{"with"}, Word{"you"}});

// They end in "ie" where there is but one.
constexpr WordTable kIeWords({Word{"birdie"},   Word{"brownie"}, Word{"calorie"}, Word{"cookie"},
                              Word{"foodie"},   Word{"freebie"}, Word{"genie"},   Word{"goalie"},
                              Word{"hoodie"},   Word{"lie"},     Word{"movie"},   Word{"newbie"},
                              Word{"pie"},      Word{"prairie"}, Word{"rookie"},  Word{"selfie"},
                              Word{"smoothie"}, Word{"tie"},     Word{"veggie"},  Word{"zombie"}});

struct Synonym {
  std::string_view word;   // Folded.
  std::string_view group;  // The word that stands for its group.
};

// Sorted by word.
constexpr WordTable kSynonyms({
    Synonym{"analyse", "analyze"},     Synonym{"authorise", "authorize"},
    Synonym{"catalogue", "catalog"},   Synonym{"categorise", "categorize"},
    Synonym{"change", "update"},       Synonym{"colour", "color"},
    Synonym{"db", "database"},         Synonym{"dir", "folder"},
    Synonym{"directory", "folder"},    Synonym{"display", "show"},
    Synonym{"doc", "document"},        Synonym{"enumerate", "list"},
    Synonym{"erase", "delete"},        Synonym{"favourite", "favorite"},
    Synonym{"fetch", "get"},           Synonym{"finalise", "finalize"},
    Synonym{"find", "search"},         Synonym{"initialise", "initialize"},
    Synonym{"lookup", "search"},       Synonym{"mail", "email"},
    Synonym{"modify", "update"},       Synonym{"normalise", "normalize"},
    Synonym{"optimise", "optimize"},   Synonym{"organisation", "organization"},
    Synonym{"organise", "organize"},   Synonym{"prioritise", "prioritize"},
    Synonym{"query", "search"},        Synonym{"remove", "delete"},
    Synonym{"repository", "repo"},     Synonym{"retrieve", "get"},
    Synonym{"summarise", "summarize"}, Synonym{"view", "show"},
    Synonym{"visualise", "visualize"},
});

// fold_into returns the folded `word`, in `buffer` where it is not a part of it or constant.
std::string_view fold_into(std::string& buffer, std::string_view word) {
  const auto ends = [&](std::string_view ending, std::size_t rest_min) {
    return word.size() >= ending.size() + rest_min && word.ends_with(ending);
  };
  if (ends("ies", 1) && kIeWords.contains(word.substr(0, word.size() - 1))) {
    word.remove_suffix(1);
  } else if (ends("ies", 2)) {
    buffer.assign(word.substr(0, word.size() - 3)) += 'y';
    word = buffer;
  } else if (ends("sses", 1) || ends("xes", 1) || ends("ches", 1) || ends("shes", 1)) {
    word.remove_suffix(2);
  } else if (ends("s", 3) && !ends("ss", 1) && !ends("us", 1) && !ends("is", 1)) {
    word.remove_suffix(1);
  }
  const Synonym* const synonym = kSynonyms.find(word);
  return synonym ? synonym->group : word;
}

}  // namespace

bool WordReader::next() {
  const std::string_view text = text_;
  std::size_t begin = at_;
  while (begin < text.size() && word_byte(text[begin]) == 0) ++begin;
  std::size_t end = begin;
  while (end < text.size() && is_lower(text[end])) ++end;  // Most words are no more than this.
  bool is_lower_case = true;
  for (; end < text.size(); ++end) {
    const char byte = word_byte(text[end]);
    if (byte == 0) break;
    if (byte == text[end]) continue;
    if (end > begin && !is_upper(text[end - 1])) break;  // A hump.
    is_lower_case = false;
  }
  gap_ = text.substr(at_, begin - at_);
  at_ = end;
  word_ = text.substr(begin, end - begin);
  if (!is_lower_case) {
    lower_.assign(word_);
    for (char& c : lower_) c = word_byte(c);
    word_ = lower_;
  }
  return !word_.empty();
}

bool WordReader::next_content() {
  while (next()) {
    if (is_empty_word(word_)) continue;
    word_ = fold_into(lower_, word_);
    return true;
  }
  return false;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (WordReader reader(text); reader.next();) words.emplace_back(reader.word());
  return words;
}

std::string fold(std::string_view word) {
  std::string buffer;
  return std::string(fold_into(buffer, word));
}

bool is_empty_word(std::string_view word) { return kEmptyWords.contains(word); }

std::vector<std::string> content_words(std::string_view text) {
  std::vector<std::string> out;
  for (WordReader reader(text); reader.next_content();) {
    if (!contains(out, reader.word())) out.emplace_back(reader.word());
  }
  return out;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

std::string squeeze(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = static_cast<unsigned char>(c) <= 32 || c == 127;
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace plumbline::agents
