// Wrong peers for contents.cc and sizes.cc.

#include <string>
#include <utility>

#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

// reads_archives_as_text gives what is in a file as a text, whatever it is.
void reads_archives_as_text(Interceptor& interceptor, Json message) {
  Json* const result = edit::result_of(interceptor, message, "resources/read");
  if (result != nullptr && result->contains("contents") && !(*result)["contents"].empty()) {
    Json& item = (*result)["contents"][0];
    item.erase("blob");
    item["mimeType"] = "application/gzip";
    item["text"] = "\x1f\xEF\xBF\xBD\b";
  }
  interceptor.say(message);
}

// links_to_nothing names a resource otherwise than it serves it.
void links_to_nothing(Interceptor& interceptor, Json message) {
  Json* const result = edit::result_about(interceptor, message, "test_simple_text");
  if (result != nullptr && result->contains("content")) {
    (*result)["content"].push_back(
        {{"type", "resource_link"}, {"uri", "test://static-texts"}, {"name", "text"}});
  }
  interceptor.say(message);
}

// reads_by_another_uri names what was read otherwise than it was asked for.
void reads_by_another_uri(Interceptor& interceptor, Json message, const char* uri) {
  Json* const result = edit::result_about(interceptor, message, "test://static-text");
  if (result != nullptr && result->contains("contents")) (*result)["contents"][0]["uri"] = uri;
  interceptor.say(message);
}

// says_size gives a resource of the list another size.
void says_size(Interceptor& interceptor, Json& message, std::string_view uri, std::size_t size) {
  Json* const list = edit::result_of(interceptor, message, "resources/list");
  if (Json* const item = edit::in_list(list, "resources", uri)) (*item)["size"] = size;
}

// counts_characters has a text of ten characters twice, which are thirty bytes each.
void counts_characters(Interceptor& interceptor, Json message) {
  const std::string_view once = "資料館の利用案内です";
  says_size(interceptor, message, "test://static-text", 20);
  Json* const result = edit::result_about(interceptor, message, "test://static-text");
  if (result != nullptr && result->contains("contents")) {
    (*result)["contents"][0]["text"] = std::string(once) + std::string(once);
  }
  interceptor.say(message);
}

const Deviation kContentsDeviations[] = {
    {.id = "resources.size-in-bytes",
     .revision = "2025-11-25",
     .what = "says how long the base64 is",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           says_size(interceptor, message, "test://static-binary", 92);
           interceptor.say(message);
         }},
    {.id = "resources.size-in-bytes",
     .revision = "2026-07-28",
     .what = "counts the characters of a text",
     .from_server = counts_characters},
    {.id = "resources.contents-uri-asked",
     .revision = "2025-11-25",
     .what = "names what was read by a URI that it does not know",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           reads_by_another_uri(interceptor, std::move(message), "test://static-texts");
         }},
    {.id = "resources.contents-uri-asked",
     .revision = "2026-07-28",
     .what = "names what was read by the URI of something else",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           reads_by_another_uri(interceptor, std::move(message), "test://static-binary");
         }},
    {.id = "resources.text-is-text",
     .revision = "2025-11-25",
     .what = "reads an archive as UTF-8",
     .from_server = reads_archives_as_text,
     .also = {"resources.type-as-listed"}},
    {.id = "tools.resource-links-served",
     .revision = "2025-11-25",
     .what = "links to a resource by another URI than it serves it by",
     .from_server = links_to_nothing},
};

constexpr const char* kReadUp = "test://static-text";

const Deviation kAgainDeviations[] = {
    {.id = "base.served-again",
     .revision = "2025-11-25",
     .what = "has no contents for a resource that was read twice",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_of(interceptor, message, "resources/read");
           if (result != nullptr && edit::is_of(interceptor, message, kReadUp) &&
               ++interceptor.count > 1) {
             (*result)["contents"] = Json::array();
           }
           interceptor.say(message);
         }},
};

}  // namespace

Deviations contents_deviations() { return kContentsDeviations; }

Deviations again_deviations() { return kAgainDeviations; }

}  // namespace plumbline::conformance
