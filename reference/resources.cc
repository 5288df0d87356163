// The resources and the resource template.

#include <string>
#include <string_view>
#include <utility>

#include "core/base/base64.h"
#include "reference/contents.h"
#include "reference/offer.h"

namespace plumbline::reference {

namespace {

using mcp::Reply;
using mcp::ServerCall;

Json resource_of(const char* uri, const char* name, const char* what, const char* mime_type) {
  Json resource(Json::value_t::object);
  resource["uri"] = uri;
  resource["name"] = name;
  resource["description"] = what;
  resource["mimeType"] = mime_type;
  return resource;
}

mcp::ServerHandler contents(const char* uri, const char* mime_type, const char* kind,
                            std::string value) {
  return mcp::at_once([result = contents_of(uri, mime_type, kind, std::move(value))](
                          const Json&) -> Reply<Json> { return result; });
}

constexpr std::string_view kBeforeId = "test://template/";
constexpr std::string_view kAfterId = "/data";

// The handler of everything that has no own: what the template stands for.
Reply<Json> read_template(const Json& params) {
  const std::string uri = string_or(params, "uri", "");
  const std::size_t around = kBeforeId.size() + kAfterId.size();
  if (!uri.starts_with(kBeforeId) || !uri.ends_with(kAfterId) || uri.size() <= around) {
    return mcp::Failure(rpc::kInternalError, "nobody reads " + uri);
  }
  const std::string id = uri.substr(kBeforeId.size(), uri.size() - around);
  Json data(Json::value_t::object);
  data["id"] = id;
  data["templateTest"] = true;
  data["data"] = "Data for ID: " + id;
  return contents_of(uri, "application/json", "text", dump_json(data));
}

Json template_description() {
  Json item(Json::value_t::object);
  item["uriTemplate"] = "test://template/{id}/data";
  item["name"] = "template";
  item["description"] = "Data by its id";
  item["mimeType"] = "application/json";
  return item;
}

}  // namespace

void add_resources(Offer& offer) {
  offer.options.subscribe = true;
  offer.resource(resource_of("test://static-text", "static-text", "A text", "text/plain"),
                 contents("test://static-text", "text/plain", "text",
                          "This is the content of the static text resource."));
  Json image = resource_of("test://static-binary", "static-binary", "An image", "image/png");
  image["size"] = decode_base64(kRedPixel).value_or("").size();
  offer.resource(std::move(image),
                 contents("test://static-binary", "image/png", "blob", std::string(kRedPixel)));
  offer.options.resources.push_back(
      resource_of("test://watched-resource", "watched-resource", "Can be watched", "text/plain"));
  offer.options.templates.push_back(template_description());
  offer.answer("resources/read", "", mcp::at_once(read_template));
}

}  // namespace plumbline::reference
