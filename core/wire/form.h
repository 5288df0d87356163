// Form is application/x-www-form-urlencoded: the query of a URL, and the body of a form.
//
// Source: RFC 3986, section 2; WHATWG URL, section 5.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline::wire {

// append_percent_encoded writes every byte but A-Z, a-z, 0-9 and "-._~" as %41.
void append_percent_encoded(std::string& out, std::string_view text);

// Form keeps its fields in order.
class Form {
 public:
  Form() = default;
  Form(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}

  // parse reads fields between "&"; a "+" is a space.
  static Form parse(std::string_view text);

  // get returns the first value of `name`; count returns how many there are.
  std::optional<std::string> get(std::string_view name) const;
  std::size_t count(std::string_view name) const;

  // add appends a field; add_filled does so unless the value is empty.
  void add(std::string name, std::string value);
  void add_filled(std::string name, std::string value);

  std::string text() const;
  const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// query_of returns the fields of a URL's or a target's query; none without one.
Form query_of(std::string_view url);

}  // namespace plumbline::wire
