// What the property tests of this folder share.

#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <rapidcheck.h>

namespace plumbline::wire {

// cut_anywhere draws pieces that make up `text`; some may be empty.
inline std::vector<std::string> cut_anywhere(const std::string& text) {
  const auto cuts =
      *rc::gen::container<std::set<std::size_t>>(rc::gen::inRange<std::size_t>(0, text.size() + 1));
  std::vector<std::string> pieces;
  std::size_t start = 0;
  for (const std::size_t cut : cuts) {
    pieces.push_back(text.substr(start, cut - start));
    start = cut;
  }
  pieces.push_back(text.substr(start));
  return pieces;
}

// cut_to_bytes returns the bytes of `text` one by one.
inline std::vector<std::string> cut_to_bytes(const std::string& text) {
  std::vector<std::string> pieces;
  for (const char byte : text) pieces.emplace_back(1, byte);
  return pieces;
}

// any_of_words draws a text made of `words`, up to 30 of them.
inline std::string any_of_words(const std::vector<std::string>& words) {
  const auto drawn =
      *rc::gen::resize(30, rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(words)));
  std::string text;
  for (const std::string& word : drawn) text += word;
  return text;
}

}  // namespace plumbline::wire
