#include "cli/config/toml_text.h"

#include <sstream>
#include <utility>

#include <toml++/toml.h>

#include "core/base/errors/errors.h"

namespace plumbline::cli {

namespace {

Position position_at(const toml::source_position& at) { return {at.line, at.column}; }

// Converter makes the Json of a document, and notes where each value stands.
class Converter {
 public:
  explicit Converter(TomlText& out) : out_(out) {}

  Json table(const toml::table& from, const std::string& pointer) {
    Json object = Json::object();
    for (const auto& [key, value] : from) {
      const std::string inner = pointer + "/" + pointer_token(key.str());
      out_.places[inner] = position_at(key.source().begin);
      object[std::string(key.str())] = node(value, inner);
    }
    return object;
  }

 private:
  Json array(const toml::array& from, const std::string& pointer) {
    Json list = Json::array();
    for (const toml::node& value : from) {
      const std::string inner = pointer + "/" + std::to_string(list.size());
      out_.places[inner] = position_at(value.source().begin);
      list.push_back(node(value, inner));
    }
    return list;
  }

  Json node(const toml::node& value, const std::string& pointer) {
    if (const auto* const inner = value.as_table()) return table(*inner, pointer);
    if (const auto* const inner = value.as_array()) return array(*inner, pointer);
    if (const auto* const text = value.as_string()) return text->get();
    if (const auto* const number = value.as_integer()) return number->get();
    if (const auto* const number = value.as_floating_point()) return number->get();
    if (const auto* const flag = value.as_boolean()) return flag->get();
    std::ostringstream date;
    value.visit([&date](const auto& other) { date << other; });
    return date.str();
  }

  TomlText& out_;
};

}  // namespace

Position TomlText::place_of(std::string pointer) const {
  while (true) {
    const auto found = places.find(pointer);
    if (found != places.end()) return found->second;
    if (pointer.empty()) return {};
    pointer.resize(pointer.rfind('/') == std::string::npos ? 0 : pointer.rfind('/'));
  }
}

Result<TomlText> parse_toml(std::string_view text, Position& failed_at) {
  try {
    const toml::table parsed = toml::parse(text);
    TomlText out;
    out.root = Converter(out).table(parsed, "");
    return out;
  } catch (const toml::parse_error& error) {
    failed_at = position_at(error.source().begin);
    return the_error("config.toml", std::string(error.description()));
  }
}

}  // namespace plumbline::cli
