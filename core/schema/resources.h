// Resources knows every schema resource of a document by URI, and finds what references mean.
//
// A resource is a schema with its own "$id", or the document itself. Only places where the dialect
// expects a schema are searched for "$id" and anchors: an "$id" inside "enum" is plain data.

#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/schema/location.h"
#include "core/schema/options.h"

namespace plumbline::schema {

struct Resource;

// Place is a schema in a document: what a reference leads to.
struct Place {
  const Json* schema = nullptr;
  const Resource* resource = nullptr;  // The one that the schema lies in or begins.
  const Location* location = nullptr;
  std::string dynamic_anchor;  // Not empty: the reference named this "$dynamicAnchor".
};

struct Resource {
  std::string uri;  // Without fragment; empty for a document without "$id".
  Dialect dialect = Dialect::k202012;
  Place root;
  std::map<std::string, Place, std::less<>> anchors;  // Both kinds.
};

class Resources {
 public:
  // add makes `document` known. `uri` is its address where it has no "$id", and the base of it
  // where it has. `document` must outlive this object.
  // Locations in it begin with `name`.
  Status add(const Json& document, std::string_view uri, std::string name, Dialect dialect,
             std::size_t depth_max);

  // begun_by returns the resource whose root `schema` is, nullptr when it begins none.
  const Resource* begun_by(const Json& schema) const;

  // resolve returns where `reference`, standing in `from`, leads. A metaschema is added when it is
  // first referred to. kUnsupported: to another document; kInvalidInput: to nowhere.
  Result<Place> resolve(const Resource& from, std::string_view reference);

  const std::list<Resource>& all() const { return resources_; }

  Locations& locations() { return locations_; }

 private:
  Status scan(const Json& schema, Resource* resource, const Location& location,
              std::size_t depth_left);
  Status scan_children(const Json& schema, Resource* resource, const Location& location,
                       std::size_t depth_left);
  Status identify(const Json& schema, Resource*& resource, const Location& location);
  Status read_dialect(const Json& schema, Resource& resource);
  void name_anchors(const Json& schema, Resource& resource, const Location& location);
  Resource& begin(const Json& schema, std::string uri, Dialect dialect, const Location& location);
  const Resource* by_uri(std::string_view uri);
  Result<Place> follow(const Resource& resource, std::string_view pointer);

  Locations locations_;
  std::list<Resource> resources_;
  std::list<Json> metaschemas_;
  std::map<std::string, Resource*, std::less<>> by_uri_;
  std::map<const Json*, Resource*> by_root_;  // Looked up, never iterated.
};

// dialect_of returns the dialect that a "$schema" names; kUnsupported for any other.
Result<Dialect> dialect_of(std::string_view uri);

}  // namespace plumbline::schema
