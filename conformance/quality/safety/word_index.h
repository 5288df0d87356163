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
      const unsigned sizes = sizes_[pair_of(rest)] >> (in_word ? kKeySize : 0U) & kAnySize;
      for (std::size_t size = 1; sizes >> (size - 1) != 0; ++size) {
        if ((sizes >> (size - 1) & 1U) == 0 || size > rest.size()) continue;
        const std::uint32_t hash = hash_of(rest.substr(0, size));
        if (!may_begin(hash)) continue;
        const std::uint32_t slot = hash >> (32U - kSlotBits);
        for (std::uint32_t i = starts_[slot]; i < starts_[slot + 1]; ++i) {
          if (entries_[i].hash == hash && stands(entries_[i], rest, in_word)) {
            found(entries_[i].word);
          }
        }
      }
      in_word = is_word_letter(text[at]);
    }
  }

 private:
  static constexpr std::size_t kKeySize = 4;  // Bytes that a word is looked up by, at most.
  static constexpr unsigned kAnySize = (1U << kKeySize) - 1;
  static constexpr std::uint32_t kSlotBits = 14;
  static constexpr std::uint32_t kMayBits = 17;

  struct Entry {
    std::uint32_t hash;  // Of its key.
    std::uint32_t word;
    bool begins;  // A word of the text: no letter of words before it.
    bool ends;
    std::string text;
  };

  static std::size_t pair_of(std::string_view rest) {
    const std::size_t second = rest.size() > 1 ? static_cast<unsigned char>(rest[1]) : 0;
    return static_cast<unsigned char>(rest[0]) * std::size_t{256} + second;
  }
  static std::uint32_t hash_of(std::string_view key) {
    std::uint32_t bytes = static_cast<std::uint32_t>(key.size());
    for (const char c : key) bytes = bytes << 8U ^ static_cast<unsigned char>(c);
    return bytes * 2'654'435'769U;
  }
  bool may_begin(std::uint32_t hash) const {
    const std::uint32_t bit = hash >> (32U - kMayBits);
    return (may_[bit / 64] >> (bit % 64) & 1U) != 0;
  }
  static bool stands(const Entry& entry, std::string_view rest, bool in_word) {
    if (entry.begins && in_word) return false;
    if (!rest.starts_with(entry.text)) return false;
    const std::size_t end = entry.text.size();
    return !entry.ends || end == rest.size() || !is_word_letter(rest[end]);
  }

  std::vector<Entry> entries_;         // By slots.
  std::vector<std::uint32_t> starts_;  // Of each slot, in entries_.
  std::vector<std::uint8_t> sizes_;    // By two bytes: the sizes of keys that begin with them,
                                       // and of those that stand inside words, too.
  std::array<std::uint64_t, (std::size_t{1} << kMayBits) / 64> may_{};  // By hashes.
};

}  // namespace plumbline::conformance
