#include "conformance/peer/name_words.h"

#include "core/base/text.h"

namespace plumbline::conformance {

std::vector<std::string> words_of(std::string_view name) {
  enum class Of { kNothing, kSmall, kCapital, kDigit };
  std::vector<std::string> words;
  Of last = Of::kNothing;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const Of now = c >= '0' && c <= '9'                                            ? Of::kDigit
                   : c >= 'A' && c <= 'Z'                                          ? Of::kCapital
                   : (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) > 127 ? Of::kSmall
                                                                                   : Of::kNothing;
    const bool next_small = i + 1 < name.size() && name[i + 1] >= 'a' && name[i + 1] <= 'z';
    const bool same = now == last || (last == Of::kCapital && now == Of::kSmall);
    const bool begins = !same || (now == Of::kCapital && last == Of::kCapital && next_small);
    if (now != Of::kNothing && begins) words.emplace_back();
    if (now != Of::kNothing) words.back() += lower_case(c);
    last = now;
  }
  return words;
}

std::string spaced_words_of(std::string_view name) {
  std::string text;
  for (const std::string& word : words_of(name)) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string singular(std::string_view name) {
  if (name.ends_with("ies")) return std::string(name.substr(0, name.size() - 3)) + "y";
  return std::string(name.ends_with('s') ? name.substr(0, name.size() - 1) : name);
}

}  // namespace plumbline::conformance
