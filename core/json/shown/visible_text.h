// Visible text: what a person sees of a text that a server wrote about itself. What nobody sees,
// nobody reviews, and it could still tell a model what to do.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/json/value.h"

namespace plumbline {

// Letter is the first character of a text. A broken one is a byte that stands for itself.
struct Letter {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

// first_letter reads it off `text`, which is not empty.
Letter first_letter(std::string_view text);

// hides_text returns whether `text` holds something that is not shown: control characters other
// than line breaks and tabs, characters without width or that turn the direction of writing, tag
// characters, comments of HTML.
//
// Source: Unicode 15, general category Cf and the block Tags; WHATWG HTML, Comments.
bool hides_text(std::string_view text);

// visible_text returns `text` without all that.
std::string visible_text(std::string_view text);

// show_schema_texts does so with every "title" and "description" inside a schema. Returns whether
// one of them hid something.
bool show_schema_texts(Json& schema);

}  // namespace plumbline
