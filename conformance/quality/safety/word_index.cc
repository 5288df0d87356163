#include "conformance/quality/safety/word_index.h"

#include <algorithm>

#include "conformance/quality/safety/needed_words.h"
#include "core/base/check.h"

namespace plumbline::conformance {

WordIndex::WordIndex(const std::vector<std::string>& words) {
  starts_.resize((std::size_t{1} << kSlotBits) + 1);
  sizes_.resize(std::size_t{256} * 256);
  entries_.reserve(words.size());
  for (const std::string& word : words) {
    Entry entry{};
    entry.word = static_cast<std::uint32_t>(entries_.size());
    entry.begins = word.starts_with(kWordEdge);
    entry.ends = word.ends_with(kWordEdge);
    entry.text = word;
    std::erase(entry.text, kWordEdge);
    check(!entry.text.empty(), "a word has letters");
    const std::string_view key = std::string_view(entry.text).substr(0, kKeySize);
    entry.hash = hash_of(key);
    const unsigned size = 1U << (key.size() - 1);
    const unsigned sizes = entry.begins ? size : size | size << kKeySize;
    const std::size_t pair = pair_of(key);
    for (std::size_t i = 0; i < (key.size() == 1 ? 256U : 1U); ++i) {
      sizes_[pair + i] |= static_cast<std::uint8_t>(sizes);
    }
    const std::uint32_t bit = entry.hash >> (32U - kMayBits);
    may_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    ++starts_[(entry.hash >> (32U - kSlotBits)) + 1];
    entries_.push_back(std::move(entry));
  }
  for (std::size_t slot = 1; slot < starts_.size(); ++slot) starts_[slot] += starts_[slot - 1];
  std::ranges::sort(entries_, {}, [](const Entry& entry) { return entry.hash; });
}

}  // namespace plumbline::conformance
