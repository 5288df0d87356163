#include "core/schema/resources.h"

#include <utility>

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/schema/keywords.h"
#include "core/schema/metaschema.h"
#include "core/schema/text/uri.h"

namespace plumbline::schema {

namespace {

// hides_siblings: in draft-07 a schema with "$ref" is that reference and nothing else.
bool hides_siblings(const Json& schema, Dialect dialect) {
  return dialect == Dialect::kDraft7 && find_string(schema, "$ref").has_value();
}

// Child is what stands at one token of a pointer. Null: nothing.
struct Child {
  const Json* value = nullptr;
  std::string_view name;  // Of a member, as the document has it.
  std::size_t index = Location::kNoIndex;
};

Child child(const Json& value, const std::string& token) {
  if (const auto* const members = value.get_ptr<const Json::object_t*>()) {
    const auto found = members->find(token);
    return found == members->end() ? Child{} : Child{&found->second, found->first};
  }
  const auto* const items = value.get_ptr<const Json::array_t*>();
  if (items == nullptr || token.empty() || token.size() > 9) return {};
  if (token.size() > 1 && token.front() == '0') return {};
  std::size_t index = 0;
  for (const char c : token) {
    if (c < '0' || c > '9') return {};
    index = index * 10 + static_cast<std::size_t>(c - '0');
  }
  return index < items->size() ? Child{&(*items)[index], {}, index} : Child{};
}

// Every schema with an "$id" holds the address of the one around it.
constexpr std::size_t kUriBytesMax = 4'096;

Error too_long(std::string_view uri) {
  return {ErrorCode::kLimitReached, "an address of more than " + std::to_string(kUriBytesMax) +
                                        " bytes: \"" + clipped(uri) + "\""};
}

std::string unescape(std::string_view token) {
  std::string out;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size();
    if (escape && token[i + 1] == '0') {
      out += '~';
    } else if (escape && token[i + 1] == '1') {
      out += '/';
    } else {
      out += token[i];
      continue;
    }
    ++i;
  }
  return out;
}

}  // namespace

Result<Dialect> dialect_of(std::string_view uri) {
  const std::string_view name = split_fragment(uri).uri;
  if (name == kMetaschema202012) return Dialect::k202012;
  if (name == kMetaschemaDraft7 || name == "https://json-schema.org/draft-07/schema") {
    return Dialect::kDraft7;
  }
  return Error{ErrorCode::kUnsupported,
               "dialect \"" + clipped(uri) + "\" is unknown, only 2020-12 and draft-07 are"};
}

Status Resources::add(const Json& document, std::string_view uri, std::string name, Dialect dialect,
                      std::size_t depth_max) {
  const Location& root = locations_.document(std::move(name));
  Resource& resource = begin(document, std::string(uri), dialect, root);
  return scan(document, &resource, root, depth_max);
}

Resource& Resources::begin(const Json& schema, std::string uri, Dialect dialect,
                           const Location& location) {
  Resource& resource = resources_.emplace_back();
  resource.uri = std::move(uri);
  resource.dialect = dialect;
  resource.root = Place{&schema, &resource, &location, {}};
  by_uri_.try_emplace(resource.uri, &resource);
  by_root_[&schema] = &resource;
  return resource;
}

const Resource* Resources::begun_by(const Json& schema) const {
  const auto found = by_root_.find(&schema);
  return found == by_root_.end() ? nullptr : found->second;
}

Status Resources::scan(const Json& schema, Resource* resource, const Location& location,
                       std::size_t depth_left) {
  if (!schema.is_object()) return Done{};
  if (depth_left == 0) {
    return Error{ErrorCode::kLimitReached, pointer_to(location) + ": nested too deep"};
  }
  if (Status named = identify(schema, resource, location); !named.ok()) return named;
  return scan_children(schema, resource, location, depth_left - 1);
}

Status Resources::scan_children(const Json& schema, Resource* resource, const Location& location,
                                std::size_t depth_left) {
  for (const auto& [name, value] : *schema.get_ptr<const Json::object_t*>()) {
    const Keyword* const keyword = keyword_of(name);
    if (keyword == nullptr || keyword->holds == Holds::kNone) continue;
    const Location& here = locations_.step(location, keyword->name);
    Status scanned = Done{};
    if (keyword->may_hold_list() && value.is_array()) {
      for (std::size_t i = 0; i < value.size() && scanned.ok(); ++i) {
        scanned = scan(value[i], resource, locations_.item(here, i), depth_left);
      }
    } else if (keyword->may_hold_one()) {
      scanned = scan(value, resource, here, depth_left);
    } else if (keyword->holds == Holds::kMap && value.is_object()) {
      for (const auto& [inner, member] : *value.get_ptr<const Json::object_t*>()) {
        scanned = scan(member, resource, locations_.step(here, inner), depth_left);
        if (!scanned.ok()) break;
      }
    }
    if (!scanned.ok()) return scanned;
  }
  return Done{};
}

// identify reads "$schema", "$id" and the anchors, and moves `resource` to the one that begins
// here.
Status Resources::identify(const Json& schema, Resource*& resource, const Location& location) {
  if (&schema == resource->root.schema) {
    if (Status read = read_dialect(schema, *resource); !read.ok()) return read;
  }
  if (hides_siblings(schema, resource->dialect)) return Done{};
  const std::optional<std::string> id = find_string(schema, "$id");
  const auto [uri, fragment] = split_fragment(id ? std::string_view(*id) : std::string_view());
  if (uri.size() + resource->uri.size() > kUriBytesMax) return too_long(uri);
  if (!fragment.empty() && resource->dialect == Dialect::kDraft7) {
    resource->anchors.try_emplace(std::string(fragment), Place{&schema, resource, &location, {}});
  }
  if (!uri.empty() && &schema == resource->root.schema) {
    resource->uri = resolve_uri(resource->uri, uri);
    by_uri_.try_emplace(resource->uri, resource);
  } else if (!uri.empty()) {
    resource = &begin(schema, resolve_uri(resource->uri, uri), resource->dialect, location);
    if (Status read = read_dialect(schema, *resource); !read.ok()) return read;
  }
  name_anchors(schema, *resource, location);
  return Done{};
}

Status Resources::read_dialect(const Json& schema, Resource& resource) {
  const std::optional<std::string> uri = find_string(schema, "$schema");
  if (!uri) return Done{};
  Result<Dialect> known = dialect_of(*uri);
  if (!known.ok()) {
    return Error{known.error().code,
                 pointer_to(locations_.step(*resource.root.location, "$schema")) + ": " +
                     known.error().message};
  }
  resource.dialect = known.value();
  return Done{};
}

void Resources::name_anchors(const Json& schema, Resource& resource, const Location& location) {
  if (resource.dialect != Dialect::k202012) return;
  if (const std::optional<std::string> name = find_string(schema, "$dynamicAnchor")) {
    resource.anchors.try_emplace(*name, Place{&schema, &resource, &location, *name});
  }
  if (const std::optional<std::string> name = find_string(schema, "$anchor")) {
    resource.anchors.try_emplace(*name, Place{&schema, &resource, &location, {}});
  }
}

const Resource* Resources::by_uri(std::string_view uri) {
  if (const auto found = by_uri_.find(uri); found != by_uri_.end()) return found->second;
  const std::string_view text = metaschema_text(uri);
  if (text.empty()) return nullptr;
  Result<Json> parsed = parse_json(text);
  check(parsed.ok(), "a built-in metaschema is no JSON");
  const Json& document = metaschemas_.emplace_back(std::move(parsed).value());
  const Status added =
      add(document, uri, std::string(uri) + "#", Dialect::k202012, limits::kJsonDepthMax);
  check(added.ok(), "a built-in metaschema cannot be read");
  return by_uri_.find(uri)->second;
}

Result<Place> Resources::resolve(const Resource& from, std::string_view reference) {
  const auto [uri, raw_fragment] = split_fragment(reference);
  if (uri.size() > kUriBytesMax) return too_long(uri);
  const std::string full = uri.empty() ? "" : resolve_uri(from.uri, uri);
  const Resource* const resource = uri.empty() ? &from : by_uri(full);
  if (resource == nullptr) {
    return Error{ErrorCode::kUnsupported,
                 "\"" + clipped(full) + "\" is another document, and nothing is fetched"};
  }
  const std::string fragment = percent_decode(raw_fragment);
  if (fragment.empty() || fragment.front() == '/') return follow(*resource, fragment);
  const auto found = resource->anchors.find(fragment);
  if (found != resource->anchors.end()) return found->second;
  return Error{ErrorCode::kInvalidInput, "no anchor is called \"" + clipped(fragment) + "\""};
}

Result<Place> Resources::follow(const Resource& resource, std::string_view pointer) {
  Place place = resource.root;
  const std::string_view whole = pointer;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const std::string token = unescape(pointer.substr(0, end));
    pointer.remove_prefix(end);
    const Child next = child(*place.schema, token);
    if (next.value == nullptr) {
      return Error{ErrorCode::kInvalidInput, "nothing stands at \"" + clipped(whole) + "\""};
    }
    place.schema = next.value;
    place.location = next.index == Location::kNoIndex
                         ? &locations_.step(*place.location, next.name)
                         : &locations_.item(*place.location, next.index);
    if (const Resource* const inner = begun_by(*place.schema)) place = inner->root;
  }
  return place;
}

}  // namespace plumbline::schema
