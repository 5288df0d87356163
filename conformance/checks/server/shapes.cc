#include "conformance/checks/server/shapes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/schema/schema.h"
#include "core/schema/text/format.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kShownBytes = 120;

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$&-^_.+";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           mentions(kMarks, c);
  });
}

bool has_format(std::string_view name, std::string_view text) {
  const schema::Format* const format = schema::find_format(name);
  return format != nullptr && format->accepts(text);
}

std::string lacks(const Json& object, std::string_view member) {
  if (find_string(object, member)) return "";
  return "has no \"" + std::string(member) + "\" that is a string";
}

bool is_variable_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '%';
}

bool is_percent_encoded(std::string_view text) {
  const auto hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  return text.size() > 2 && hex(text[1]) && hex(text[2]);
}

std::string expression_problem(std::string_view expression) {
  constexpr std::string_view kOperators = "+#./;?&";
  const std::string shown = "\"{" + std::string(expression) + "}\"";
  if (!expression.empty() && mentions(kOperators, expression.front())) expression.remove_prefix(1);
  while (true) {
    const std::size_t end = std::min(expression.find(','), expression.size());
    std::string_view name = expression.substr(0, end);
    if (name.ends_with('*')) name.remove_suffix(1);
    name = name.substr(0, std::min(name.find(':'), name.size()));
    if (name.empty() || !std::ranges::all_of(name, is_variable_char)) {
      return shown + " is no expression of RFC 6570";
    }
    if (end == expression.size()) return "";
    expression.remove_prefix(end + 1);
  }
}

}  // namespace

bool is_uri(std::string_view text) { return has_format("uri", text); }

bool is_mime_type(std::string_view text) {
  const std::string_view bare = text.substr(0, std::min(text.find(';'), text.size()));
  const std::size_t slash = bare.find('/');
  if (slash == std::string_view::npos) return false;
  std::string_view subtype = bare.substr(slash + 1);
  while (subtype.ends_with(' ')) subtype.remove_suffix(1);
  return is_token(bare.substr(0, slash)) && is_token(subtype);
}

bool is_base64(std::string_view text) { return decode_base64(text).has_value(); }

std::string template_problem(std::string_view text) {
  if (text.empty()) return "is empty";
  constexpr std::string_view kNeverLiteral = " \"<>\\^`|}";
  while (!text.empty()) {
    if (text.front() != '{') {
      if (mentions(kNeverLiteral, text.front())) {
        return "has a '" + std::string(1, text.front()) + "' outside of an expression";
      }
      if (text.front() == '%' && !is_percent_encoded(text)) {
        return "has a '%' that encodes nothing outside of an expression";
      }
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = text.find('}');
    if (end == std::string_view::npos) return "has a '{' without its '}'";
    std::string wrong = expression_problem(text.substr(1, end - 1));
    if (!wrong.empty()) return wrong;
    text.remove_prefix(end + 1);
  }
  return "";
}

std::string contents_problem(const Json& contents) {
  if (!contents.is_object()) return "is " + std::string(type_name(contents));
  if (std::string wrong = lacks(contents, "uri"); !wrong.empty()) return wrong;
  const Json* const text = find(contents, "text");
  const Json* const blob = find(contents, "blob");
  if (text == nullptr && blob == nullptr) return "has neither text nor blob";
  if (text != nullptr && blob != nullptr) return "has both text and blob";
  if (text != nullptr) return lacks(contents, "text");
  return lacks(contents, "blob");
}

std::string binary_problem(const Json& contents) {
  const auto blob = find_string(contents, "blob");
  if (!blob || is_base64(*blob)) return "";
  return "has a blob that is no base64: \"" + shortened(*blob) + "\"";
}

std::string encoding_problem(const Json& block) {
  const std::string type = string_or(block, "type", "");
  const Json* const resource = find(block, "resource");
  if (type == "resource" && resource != nullptr) return binary_problem(*resource);
  if (type != "image" && type != "audio") return "";
  const auto data = find_string(block, "data");
  if (!data || is_base64(*data)) return "";
  if (data->starts_with("data:")) {
    return "has a data: URI as its data, expected the base64 alone: \"" + shortened(*data) + "\"";
  }
  return "has data that is no base64: \"" + shortened(*data) + "\"";
}

// Signature is how the data of one format begins, and the types that it may be called.
struct Signature {
  std::string_view format;
  std::string_view begins;
  std::string_view inside = {};  // From the ninth byte on.
  std::array<std::string_view, 3> types;
};

constexpr std::array<Signature, 8> kSignatures = {{
    {"PNG", "\x89PNG\r\n\x1a\n", "", {"image/png", "image/apng", "image/x-png"}},
    {"JPEG", "\xff\xd8\xff", "", {"image/jpeg", "image/jpg", "image/pjpeg"}},
    {"GIF", "GIF8", "", {"image/gif", "", ""}},
    {"WebP", "RIFF", "WEBP", {"image/webp", "", ""}},
    {"WAV", "RIFF", "WAVE", {"audio/wav", "audio/x-wav", "audio/wave"}},
    {"Ogg", "OggS", "", {"audio/ogg", "audio/opus", "audio/vorbis"}},
    {"FLAC", "fLaC", "", {"audio/flac", "audio/x-flac", ""}},
    {"PDF", "%PDF-", "", {"application/pdf", "", ""}},
}};

// format_in returns the format that bytes begin as; nullptr: none that is known.
const Signature* format_in(std::string_view bytes) {
  const std::string_view inside = bytes.substr(std::min<std::size_t>(8, bytes.size()));
  const auto begins = [&](const Signature& one) {
    return bytes.starts_with(one.begins) && inside.starts_with(one.inside);
  };
  const auto found = std::ranges::find_if(kSignatures, begins);
  return found == kSignatures.end() ? nullptr : &*found;
}

// unknown_problem judges data that begins as nothing known, though it is called so: it may have
// been encoded twice.
std::string unknown_problem(std::string_view bytes, std::string_view data, std::string_view label) {
  constexpr std::size_t kLettersRead = 16;
  const std::string whole = decode_base64(data).value_or("");
  const std::optional<std::string> inside =
      is_base64(whole) ? decode_base64(whole.substr(0, kLettersRead)) : std::nullopt;
  if (const Signature* const twice = inside ? format_in(*inside) : nullptr) {
    return "is Base64 of Base64: decoded once more it is " + std::string(twice->format);
  }
  constexpr std::array<std::string_view, 2> kOtherWaves = {"RF64", "BW64"};
  const auto is = [&](const Signature& one) {
    return std::ranges::find(one.types, label) != one.types.end();
  };
  const auto called = std::ranges::find_if(kSignatures, is);
  const bool wave = std::ranges::find(kOtherWaves, bytes.substr(0, 4)) != kOtherWaves.end();
  if (called == kSignatures.end() || wave) return "";
  return "has the mimeType \"" + shortened(label) + "\" and does not begin as " +
         std::string(called->format) + " does";
}

std::string label_problem(const Json& block) {
  constexpr std::size_t kLettersRead = 16;  // Of Base64: the first twelve bytes.
  const std::string type = string_or(block, "type", "");
  if (type != "image" && type != "audio") return "";
  const auto data = find_string(block, "data");
  const auto called = find_string(block, "mimeType");
  if (!data || !called || data->size() < kLettersRead) return "";
  const std::optional<std::string> bytes = decode_base64(data->substr(0, kLettersRead));
  if (!bytes) return "";
  const std::string label = lower_case(called->substr(0, called->find(';')));
  const Signature* const format = format_in(*bytes);
  if (format == nullptr) return unknown_problem(*bytes, *data, label);
  if (std::ranges::find(format->types, label) != format->types.end()) return "";
  return "has the mimeType \"" + shortened(*called) + "\" and is " + std::string(format->format) +
         " by its first bytes";
}

std::string media_problem(const Json& block) {
  if (std::string wrong = lacks(block, "data"); !wrong.empty()) return wrong;
  if (std::string wrong = encoding_problem(block); !wrong.empty()) return wrong;
  const auto mime_type = find_string(block, "mimeType");
  if (!mime_type) return lacks(block, "mimeType");
  if (!is_mime_type(*mime_type)) return "has the mimeType \"" + shortened(*mime_type) + "\"";
  return "";
}

std::string block_problem(const Json& block) {
  if (!block.is_object()) return "is " + std::string(type_name(block));
  const std::string type = string_or(block, "type", "");
  if (type == "text") return lacks(block, "text");
  if (type == "image" || type == "audio") return media_problem(block);
  if (type == "resource_link") {
    std::string wrong = lacks(block, "uri");
    return wrong.empty() ? lacks(block, "name") : wrong;
  }
  if (type == "resource") {
    const Json* const resource = find(block, "resource");
    return resource == nullptr ? "has no resource" : contents_problem(*resource);
  }
  if (type == "tool_use" || type == "tool_result") return "";
  return type.empty() ? "has no type" : "has the unknown type \"" + shortened(type) + "\"";
}

std::string annotations_problem(const Json& item, bool last_modified) {
  const Json* const found = find(item, "annotations");
  if (found == nullptr) return "";
  if (!found->is_object()) return "annotations are " + std::string(type_name(*found));
  if (const Json* const audience = find(*found, "audience")) {
    const auto known = [](const Json& one) { return one == Json("user") || one == "assistant"; };
    if (!audience->is_array() || !std::ranges::all_of(*audience, known)) {
      return "audience is " + shortened(dump_json(*audience)) +
             ", expected an array of \"user\" and \"assistant\"";
    }
  }
  if (const Json* const priority = find(*found, "priority")) {
    const bool fits = priority->is_number() && *priority >= Json(0) && *priority <= Json(1);
    if (!fits) return "priority is " + shortened(dump_json(*priority)) + ", expected 0 to 1";
  }
  const Json* const modified = last_modified ? find(*found, "lastModified") : nullptr;
  if (modified == nullptr) return "";
  const std::string text = string_or(*found, "lastModified", "");
  if (has_format("date", text.substr(0, 10))) return "";
  return "lastModified is " + shortened(dump_json(*modified)) + ", expected an ISO 8601 date";
}

std::string schema_problem(const Json& schema, Measured& measured) {
  if (!schema.is_object()) return "is " + std::string(type_name(schema));
  const std::string dialect = string_or(schema, "$schema", "");
  const bool seventh = mentions(dialect, "draft-07");
  if (!dialect.empty() && !seventh && !mentions(dialect, "2020-12")) return "";
  const schema::Schema& judge =
      schema::metaschema(seventh ? schema::Dialect::kDraft7 : schema::Dialect::k202012);
  if (const auto violation = measured.violation(judge, schema)) {
    return "is no JSON Schema: " + violation->message;
  }
  return "";
}

std::string shortened(std::string_view text) {
  if (text.size() <= kShownBytes) return std::string(text);
  return std::string(beginning(text, kShownBytes)) + "...";
}

std::vector<std::string> offered_in(const Json* result) {
  std::vector<std::string> values;
  const Json* const found = result == nullptr ? nullptr : at_pointer(*result, "/completion/values");
  if (found == nullptr || !found->is_array()) return values;
  for (const Json& one : *found) {
    const auto* const text = one.get_ptr<const std::string*>();
    if (text != nullptr && !text->empty()) values.push_back(*text);
  }
  return values;
}

}  // namespace plumbline::conformance
