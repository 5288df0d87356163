// KeywordReader reads the keywords of one schema, each as the type that it has to be.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/schema/compile/first_error.h"
#include "core/schema/program.h"

namespace plumbline::schema {

class KeywordReader {
 public:
  // Reads the schema of `node`, an object. All three must outlive the reader.
  KeywordReader(const Node& node, Locations& locations, FirstError& error)
      : node_(node), locations_(locations), error_(error) {}

  const Node& node() const { return node_; }

  // at returns where the keyword stands; item, where one of its items does.
  const Location& at(std::string_view keyword) const {
    return locations_.step(*node_.location, keyword);
  }
  const Location& step(const Location& outer, std::string_view name) const {
    return locations_.step(outer, name);
  }
  const Location& item(const Location& outer, std::size_t index) const {
    return locations_.item(outer, index);
  }

  // The readers below return nothing when the keyword is absent, and fail() when it is malformed.
  const Json* any(std::string_view keyword) const { return find(*node_.source, keyword); }
  const Json* number(std::string_view keyword) const;
  std::size_t count(std::string_view keyword, std::size_t fallback) const;
  bool flag(std::string_view keyword) const;
  const std::string* text(std::string_view keyword) const;
  const Json::object_t* object(std::string_view keyword) const;
  const Json* array(std::string_view keyword, std::string_view expected) const;

  // names returns the strings that `value` lists, the keyword's own or a member's of it.
  std::vector<std::string_view> names(std::string_view keyword, const Json& value) const;

  // types returns what "type" allows.
  TypeSet types() const;

  void fail(std::string_view keyword, const std::string& why,
            ErrorCode code = ErrorCode::kInvalidInput) const {
    error_.note(code, at(keyword), why);
  }

 private:
  TypeSet types_in(const Json& type) const;

  const Node& node_;
  Locations& locations_;
  FirstError& error_;
};

}  // namespace plumbline::schema
