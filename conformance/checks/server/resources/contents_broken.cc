// Wrong peers for contents.cc.

#include <string>

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

const Deviation kContentsDeviations[] = {
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
