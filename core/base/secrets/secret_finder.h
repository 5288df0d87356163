// SecretFinder finds every occurrence of many texts in one pass (Aho-Corasick): the time depends on
// the text that is searched, neither on how many secrets there are nor on how they are built.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline {

// Span is a part of a text, from `begin` up to `end`.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Named is where a named secret stands. `quote` is what it has to be put into where it stood in
// JSON without, as a number does; empty: nothing.
struct Named : Span {
  std::string_view quote;
};

class SecretFinder {
 public:
  SecretFinder() = default;

  // None of `secrets` is empty.
  explicit SecretFinder(const std::vector<std::string>& secrets);

  // find returns where secrets stand in `text`, in order. Those that overlap are one span: of none
  // of them a part is left over.
  std::vector<Span> find(std::string_view text) const;

 private:
  struct Node {
    std::vector<std::pair<unsigned char, std::uint32_t>> next;  // Sorted.
    std::uint32_t shorter = 0;    // The longest other node that this one ends in.
    std::size_t found_bytes = 0;  // Of the longest secret that ends here; 0: none does.
  };

  // child returns the node behind `node` by `c`; 0: there is none.
  std::uint32_t child(std::uint32_t node, unsigned char c) const;
  std::uint32_t step(std::uint32_t node, unsigned char c) const;
  void insert(std::string_view secret);
  void link();

  std::array<bool, 256> begins_{};  // Whether a secret begins with this byte.
  std::vector<Node> nodes_{1};      // The first is where every search begins.
};

}  // namespace plumbline
