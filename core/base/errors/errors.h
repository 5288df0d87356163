// The complaints of the program. Each has a stable id, and its words stand once, in errors.def:
//
//   return the_error("scenario.twice", path, id, first);
//
// An id that is not there, or another number of words than it takes, does not compile.

#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace plumbline {

// KnownError is an entry of errors.def.
struct KnownError {
  std::string_view id;  // "world.seed".
  // Of the line behind "plumbline: ". What each complaint puts there is "*", or for a number "#" or
  // "#*".
  std::string_view wording;
  std::string_view advice;  // What to do about it.
};

inline constexpr KnownError kErrors[] = {
#include "core/base/errors/errors.def"
};

// places_of returns how many words a wording takes.
constexpr std::size_t places_of(std::string_view wording) {
  std::size_t places = 0;
  for (std::size_t at = 0; at < wording.size(); ++at) {
    if (wording[at] == '#' && wording.substr(at + 1).starts_with('*')) ++at;
    if (wording[at] == '*' || wording[at] == '#') ++places;
  }
  return places;
}

// ErrorName is the id of an error that takes `words` words.
template <std::size_t words>
class ErrorName {
 public:
  // Implicit on purpose: an id is written as it reads in errors.def.
  consteval ErrorName(const char* id) {  // NOLINT(google-explicit-constructor)
    for (const KnownError& error : kErrors) {
      if (error.id == id) error_ = &error;
    }
    if (error_ == nullptr) errors_def_has_no_such_id();
    if (places_of(error_->wording) != words) it_takes_another_number_of_words();
  }

  const KnownError& error() const { return *error_; }

 private:
  static void errors_def_has_no_such_id() {}
  static void it_takes_another_number_of_words() {}

  const KnownError* error_ = nullptr;
};

// worded returns an error with the wording of `known`, in which `words` stand in their order.
Error worded(ErrorCode code, const KnownError& known,
             std::initializer_list<std::string_view> words);

// the_error returns the error called `name`, for input that is wrong: with `words`, in the order of
// its wording. the_error_as returns it for another `code`.
template <class... Words>
Error the_error(ErrorName<sizeof...(Words)> name, const Words&... words) {
  return worded(ErrorCode::kInvalidInput, name.error(), {std::string_view(words)...});
}
template <class... Words>
Error the_error_as(ErrorCode code, ErrorName<sizeof...(Words)> name, const Words&... words) {
  return worded(code, name.error(), {std::string_view(words)...});
}

// behind returns `error` with `lead` before its words, called `id` where it has no name yet.
inline Error behind(std::string_view lead, Error error, std::string_view id = {}) {
  error.message.insert(0, lead);
  if (error.id.empty()) error.id = id;
  return error;
}

// known_error returns the entry of `id`; nullptr: there is none.
const KnownError* known_error(std::string_view id);

// pasted_error returns the entry whose wording says most of a line that a person has pasted without
// its id; nullptr: none fits.
const KnownError* pasted_error(std::string_view line);

}  // namespace plumbline
