// quick_text takes one text out of the JSON of an object whose shape is known, and makes no value
// of the rest: streams of language models are a hundred bytes of JSON around each word.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plumbline {

// TextShape is what a member has to be. Members that no shape names may be anything.
struct TextShape {
  enum class Kind : std::uint8_t {
    kText,     // The text that is looked for: a string.
    kToken,    // `token` as it stands in JSON: null, 0, "word".
    kObject,   // An object of `members`.
    kOnlyItem  // An array of one item, an object of `members`.
  };
  std::string_view name;
  Kind kind = Kind::kText;
  std::string_view token{};
  bool required = false;
  std::span<const TextShape> members{};  // At most 32.
};

// quick_text returns whether `json` is an object of these members, in which each that is required
// is there; then `text` is the text. false says nothing: it may be of that shape all the same, in
// JSON that is not plain (letters beyond ASCII, \u, exponents, members that come twice), or no JSON
// at all. Then `text` is of no meaning.
bool quick_text(std::string_view json, std::span<const TextShape> members, std::string& text);

}  // namespace plumbline
