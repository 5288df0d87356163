// PageForm is a form on a page that a server shows to a person, as far as the judge has to fill one
// in: what it is sent to, its fields, and the button that says yes.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/wire/form.h"

namespace plumbline::conformance {

struct PageForm {
  std::string action;   // As it is written, a reference; empty: the page itself.
  bool posts = false;   // Else it is a GET.
  bool agrees = false;  // It has a button that says yes.
  wire::Form fields;    // With those of the button.
};

// form_on returns the form of an HTML page that has a button that says yes, else the first one.
// Texts to be filled in get a word. Nothing: the page has no form. Forms that a script writes are
// not seen.
std::optional<PageForm> form_on(std::string_view html);

// shows_text returns whether a page shows `text`, as it is or with its special characters written
// as HTML wants them.
bool shows_text(std::string_view html, std::string_view text);

}  // namespace plumbline::conformance
