// What the pieces of MCP have to look like, read by our own eyes: content blocks, contents of
// resources, annotations, URIs. Each function returns what is wrong, an empty string for nothing.

#pragma once

#include <string>
#include <string_view>

#include "conformance/catalogue/mentions.h"
#include "conformance/wire/measured.h"
#include "core/json/json.h"

namespace plumbline::conformance {

// is_uri returns whether `text` is an absolute URI. RFC 3986.
bool is_uri(std::string_view text);

// is_mime_type returns whether `text` has the form type/subtype, parameters allowed.
bool is_mime_type(std::string_view text);

// is_base64 returns whether `text` is base64 with its padding. RFC 4648, section 4.
bool is_base64(std::string_view text);

// template_problem judges a URI template. RFC 6570.
std::string template_problem(std::string_view text);

// contents_problem judges one entry of the contents of a resource.
std::string contents_problem(const Json& contents);

// binary_problem judges its blob alone; "" where there is none.
std::string binary_problem(const Json& contents);

// encoding_problem judges whether what is binary in a content block is base64; "" where nothing is.
std::string encoding_problem(const Json& block);

// label_problem judges whether the data of an image or a sound begins as its mimeType says; ""
// where the beginning tells nothing.
std::string label_problem(const Json& block);

// media_problem judges an image or audio block: base64 data and a MIME type.
std::string media_problem(const Json& block);

// block_problem judges one content block of a result or a prompt message, its members by its type.
std::string block_problem(const Json& block);

// annotations_problem judges the "annotations" of `item`; "" where there are none.
// `last_modified` says whether the revision knows that member.
std::string annotations_problem(const Json& item, bool last_modified);

// schema_problem judges a JSON Schema by the metaschema of its dialect.
std::string schema_problem(const Json& schema, Measured& measured);

// offered_in returns the values that the result of completion/complete offers; none: it has none.
std::vector<std::string> offered_in(const Json* result);

// shortened returns `text`, or its beginning when it is too long to be shown.
std::string shortened(std::string_view text);

}  // namespace plumbline::conformance
