// Json sorts its keys, and a person reads a report from the top: id and verdict first. So the outer
// levels of a report are written here, one member after the other, and only values through
// dump_json.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::reports {

// JsonObject writes `{"key": value, ...}` without the closing brace; `gap` stands before every
// member but the first.
class JsonObject {
 public:
  JsonObject(std::string& out, std::string_view open, std::string_view gap) : out_(out), gap_(gap) {
    out_ += open;
  }

  // raw appends a member whose value is JSON text already.
  void raw(std::string_view key, std::string_view value) {
    this->key(key);
    out_ += value;
  }
  void text(std::string_view key, const std::string& value) { raw(key, dump_json(Json(value))); }

  // key appends a key; the caller appends its value.
  void key(std::string_view key) {
    if (!first_) out_ += gap_;
    first_ = false;
    append_json(out_, Json(key));
    out_ += ": ";
  }

 private:
  std::string& out_;
  std::string_view gap_;
  bool first_ = true;
};

}  // namespace plumbline::reports
