// Many words that are looked for in one pass over a text.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/quality/safety/small_letters.h"

namespace plumbline::conformance {

class WordIndex {
 public:
  // The words are numbered as they stand; none is empty, and none stands twice. kWordEdge before or
  // behind one is no part of it.
  explicit WordIndex(const std::vector<std::string>& words);

  // for_each_in calls `found` with the number of each word that stands somewhere in `text`, as
  // often as it does.
  template <typename Found>
  void for_each_in(std::string_view text, const Found& found) const {
    bool in_word = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const std::string_view rest = text.substr(at);
      std::uint32_t key = 0;
      for (std::size_t size = 1; size <= kKeySize && size <= rest.size(); ++size) {
        key = key << 8U | static_cast<unsigned char>(rest[size - 1]);
        const std::uint32_t hash = hash_of(size, key);
        if (!may_begin(in_word ? may_inside_ : may_, hash)) continue;
        const std::uint32_t slot = hash >> (32U - kSlotBits);
        for (std::uint32_t i = starts_[slot]; i < starts_[slot + 1]; ++i) {
          if (entries_[i].key == key && stands(entries_[i], rest, in_word)) found(entries_[i].word);
        }
      }
      in_word = is_word_letter(text[at]);
    }
  }

 private:
  static constexpr std::size_t kKeySize = 4;  // Bytes that a word is looked up by, at most.
  static constexpr std::uint32_t kSlotBits = 14;
  static constexpr std::uint32_t kMayBits = 17;
  using Bits = std::array<std::uint64_t, (std::size_t{1} << kMayBits) / 64>;

  struct Entry {
    std::uint32_t key;
    std::uint32_t hash;
    std::uint32_t word;
    bool begins;  // A word of the text: no letter of words before it.
    bool ends;
    std::string text;
  };

  static std::uint32_t hash_of(std::size_t size, std::uint32_t key) {
    return (key + static_cast<std::uint32_t>(size)) * 2'654'435'769U;
  }
  static bool may_begin(const Bits& bits, std::uint32_t hash) {
    const std::uint32_t bit = hash >> (32U - kMayBits);
    return (bits[bit / 64] >> (bit % 64) & 1U) != 0;
  }
  static bool stands(const Entry& entry, std::string_view rest, bool in_word) {
    if (entry.begins && in_word) return false;
    if (!rest.starts_with(entry.text)) return false;
    const std::size_t end = entry.text.size();
    return !entry.ends || end == rest.size() || !is_word_letter(rest[end]);
  }

  std::vector<Entry> entries_;         // By slots.
  std::vector<std::uint32_t> starts_;  // Of each slot, in entries_.
  Bits may_{};                         // Whether a word begins with a key.
  Bits may_inside_{};                  // And stands inside words of the text, too.
};

}  // namespace plumbline::conformance
