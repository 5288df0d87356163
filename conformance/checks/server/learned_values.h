// LearnedValues are values that a server has shown: ids of what its tools list, names, parts of the
// URIs of its resources, and what it offers as completions. A tool that wants a station answers to
// "NO-SVB" as it does in use, and to a made-up word with an error at most.

#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/server/exercise.h"

namespace plumbline::conformance {

class LearnedValues {
 public:
  // Of one parameter, and of what is read for them in all.
  static constexpr std::size_t kValuesMax = 12;
  static constexpr std::size_t kLooksMax = 4'000;

  // learn takes in what `survey` lists and what `exercise` was answered.
  void learn(const Survey& survey, const Exercise& exercise);

  // of returns what a parameter of this name may be, what came first in front; empty: nothing is
  // known. What searches gets what things are called, and a word of that.
  std::vector<Json> of(std::string_view parameter) const;

  // texts returns what is known by any name and `takes` returns true of, at most `most`.
  template <typename Takes>
  std::vector<Json> texts(std::size_t most, const Takes& takes) const {
    std::vector<Json> found;
    for (const auto& [name, values] : values_) {
      for (const Json& value : values) {
        const bool known = std::ranges::find(found, value) != found.end();
        if (found.size() < most && value.is_string() && !known && takes(value)) {
          found.push_back(value);
        }
      }
    }
    return found;
  }

  // prompt_arguments returns further arguments for a prompt: `first` with learned texts; null where
  // nothing was learned.
  Json prompt_arguments(const Json& prompt, const Json& first) const;

  // uris_of returns what a template stands for with learned values in place of its variables: none
  // where something else than plain variables is in it, or one of them is not known.
  std::vector<std::string> uris_of(std::string_view uri_template) const;

 private:
  void add(std::string_view name, const Json& value);
  void count(const std::string& text);
  std::vector<std::string> common_words() const;
  void look(const Json& value, std::string_view within);
  void look_at_texts(const Json& result, const char* member, std::string_view tool);
  void look_at_lines(std::string_view text, std::string_view tool);
  void learn_uris(const Survey& survey);
  void learn_completions(const Exercise& exercise);
  std::vector<Json> offered(std::string_view what, std::string_view argument) const;
  std::vector<Json> searches() const;

  std::map<std::string, std::vector<Json>> values_;  // By the name, as key_of has it.
  std::map<std::string, std::size_t> words_;         // How often each came.
  std::vector<std::string> phrases_;                 // Texts of several words.
  std::size_t looks_ = 0;
};

// searches_by returns whether a parameter of this name says what to search for.
bool searches_by(std::string_view parameter);

}  // namespace plumbline::conformance
