// The parts of a result: what a tool, a resource or a prompt has given, as everybody reads it who
// puts it before a person or a model. Nothing of a result is lost: what is no text is named.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace plumbline::connector {

struct ResultPart {
  enum class Kind {
    kText,
    kMedia,      // An image or a recording, in base64.
    kBinary,     // Bytes that are neither.
    kMalformed,  // Not what MCP knows.
  };
  Kind kind = Kind::kText;

  // text is what a part of text says. Of another it is what the part is, for people: "image of type
  // image/png", "binary content of type application/pdf at file:///a.pdf".
  std::string text;

  std::string mime_type{};    // Of kMedia, as the server says it.
  std::string data_base64{};  // Of kMedia.
};

// part_of_block reads one content block: of a tool's result, or of a prompt's message.
ResultPart part_of_block(const Json& block);

// part_of_contents reads one of the contents of a resource. A blob of a type that is text is text.
ResultPart part_of_contents(const Json& contents);

// parts_of reads the content of a tool's result; none where it has no array of that name.
std::vector<ResultPart> parts_of(const Json& result);

// is_opaque_text returns whether "text" is binary in disguise: control characters, replacement
// characters, the bytes of a PDF, or one long run of base64.
bool is_opaque_text(std::string_view text);

// unsaid_structure returns the structuredContent of a result, null where there is none or where its
// texts say the same: one is the same JSON, or every value in it is a text that stands in one of
// them as a whole. Its strings that are binary data are "[binary data]".
Json unsaid_structure(const Json& result);

}  // namespace plumbline::connector
