// The words of a request, with their places in it.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::agents {

// SaidWord is letters and digits that stand together; a number keeps its signs: "14.90", "10:30".
struct SaidWord {
  std::string text;  // In lower case.
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<SaidWord> said_words(std::string_view request);

// number_said returns the number that a word is, as digits or spelled out: "1,500", "seven", "3rd".
std::optional<double> number_said(std::string_view word);

}  // namespace plumbline::agents
