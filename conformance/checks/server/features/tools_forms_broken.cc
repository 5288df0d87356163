#include <string>
#include <string_view>
#include <utility>

#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

// wants_arguments refuses tools/call without the member.
void wants_arguments(Interceptor& interceptor, Json message) {
  const Json* const params = find(message, "params");
  const bool call = edit::is_method(message, "tools/call") && params != nullptr;
  if (!call || find(*params, "arguments") != nullptr || find(*params, "name") == nullptr) {
    return interceptor.pass(message);
  }
  refuse(interceptor, id_of(message), -32602);
}

Deviation that_wants_arguments(std::string_view revision) {
  Deviation deviation;
  deviation.id = "tools.arguments-optional";
  deviation.revision = revision;
  deviation.what = "refuses a call without arguments of a tool that needs none";
  deviation.from_client_message = wants_arguments;
  return deviation;
}

// with_data_uri gives the first image a tool answers with as a data: URI.
void with_data_uri(Interceptor& interceptor, Json message) {
  Json* const result = edit::result_about(interceptor, message, "test_image_content");
  if (result != nullptr && result->contains("content")) {
    for (Json& block : (*result)["content"]) {
      const auto data = find_string(block, "data");
      if (data) block["data"] = "data:image/png;base64," + *data;
    }
  }
  interceptor.say(message);
}

// calls_png_jpeg gives the first image a tool answers with another type than its bytes have.
void calls_png_jpeg(Interceptor& interceptor, Json message) {
  Json* const result = edit::result_about(interceptor, message, "test_image_content");
  if (result != nullptr && result->contains("content")) {
    for (Json& block : (*result)["content"]) {
      if (block.contains("mimeType")) block["mimeType"] = "image/jpeg";
    }
  }
  interceptor.say(message);
}

// with_data gives each image a tool answers with other data than it has.
void with_data(Interceptor& interceptor, Json message, std::string_view data) {
  Json* const result = edit::result_about(interceptor, message, "test_image_content");
  if (result != nullptr && result->contains("content")) {
    for (Json& block : (*result)["content"]) {
      if (block.contains("data")) block["data"] = std::string(data);
    }
  }
  interceptor.say(message);
}

void encodes_twice(Interceptor& interceptor, Json message) {
  with_data(interceptor, std::move(message),
            "aVZCT1J3MEtHZ29BQUFBTlNVaEVVZ0FBQUFFQUFBQUJDQVlBQUFBZkZjU0o=");
}

void calls_text_png(Interceptor& interceptor, Json message) {
  with_data(interceptor, std::move(message), "VGhpcyBpcyBubyBwaWN0dXJlIGF0IGFsbC4=");
}

// fails_in_its_structure has a failed call of a tool with an outputSchema say so in a structure.
void fails_in_its_structure(Interceptor& interceptor, Json message) {
  Json* const result = edit::result_about(interceptor, message, "add_numbers");
  if (result != nullptr) {
    *result = edit::text_result("{\"error\":\"denied\"}");
    (*result)["isError"] = true;
    (*result)["structuredContent"]["error"] = "denied";
  }
  interceptor.say(message);
}

// refuses_in_its_structure has a call of a tool with an outputSchema fail of what is not a number.
void refuses_in_its_structure(Interceptor& interceptor, Json message) {
  const Json params = edit::params_asked(interceptor, message);
  const Json* const a = at_pointer(params, "/arguments/a");
  const bool adds = edit::result_about(interceptor, message, "add_numbers") != nullptr;
  if (adds && a != nullptr && !a->is_number()) {
    Json failure = edit::text_result("{\"error\":\"no number\"}");
    failure["isError"] = true;
    failure["structuredContent"]["error"] = "no number";
    edit::answer_instead(message, std::move(failure));
  }
  interceptor.say(message);
}

// writes_as_rust_does gives the type of each listed resource another name.
void writes_as_rust_does(Interceptor& interceptor, Json message) {
  if (Json* const result = edit::result_of(interceptor, message, "resources/list")) {
    for (Json& resource : (*result)["resources"]) {
      if (!resource.contains("mimeType")) continue;
      resource["mime_type"] = resource["mimeType"];
      resource.erase("mimeType");
    }
  }
  interceptor.say(message);
}

// lists_what_is_not_there has one resource more in its list than it can be asked for.
void lists_what_is_not_there(Interceptor& interceptor, Json message) {
  if (Json* const result = edit::result_of(interceptor, message, "resources/list")) {
    Json more = Json::object();
    more["name"] = "library";
    more["uri"] = "notes://library";
    (*result)["resources"].push_back(std::move(more));
  }
  interceptor.say(message);
}

// tells_whenever_it_lists says that its tools have changed, though they have not.
void tells_whenever_it_lists(Interceptor& interceptor, Json message) {
  const bool listed = edit::result_of(interceptor, message, "tools/list") != nullptr;
  interceptor.say(message);
  if (!listed) return;
  Json notice = Json::object();
  notice["jsonrpc"] = "2.0";
  notice["method"] = "notifications/tools/list_changed";
  interceptor.say(notice);
}

const Deviation kToolsFormsDeviations[] = {
    {.id = "tools.list-changed-only-then",
     .revision = "2025-11-25",
     .what = "says that its tools have changed whenever they are listed",
     .from_server = tells_whenever_it_lists},
    {.id = "tools.error-structure-fits",
     .revision = "2025-11-25",
     .what = "has a structure for failures that its schema does not know",
     .from_server = fails_in_its_structure},
    {.id = "tools.error-structure-fits",
     .revision = "2026-07-28",
     .what = "has such a structure for the failure of bad arguments alone",
     .from_server = refuses_in_its_structure},
    {.id = "schema.member-names-exact",
     .revision = "2025-11-25",
     .what = "writes mime_type for mimeType",
     .from_server = writes_as_rust_does},
    {.id = "schema.member-names-exact",
     .revision = "2025-11-25",
     .what = "lists what its prompts take as args",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, "prompts/list")) {
             for (Json& prompt : (*result)["prompts"]) {
               if (!prompt.contains("arguments")) continue;
               prompt["args"] = prompt["arguments"];
               prompt.erase("arguments");
             }
           }
           interceptor.say(message);
         }},
    {.id = "base.listed-is-served",
     .revision = "2025-11-25",
     .what = "lists a resource that it does not know",
     .from_server = lists_what_is_not_there},
    {.id = "base.listed-is-served",
     .revision = "2025-11-25",
     .what = "fails over a prompt that takes no arguments",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           const bool gets = edit::result_of(interceptor, message, "prompts/get") != nullptr;
           if (gets && string_or(params, "name", "") == "test_simple_prompt") {
             edit::refuse_instead(message, 0);
             message["error"]["message"] = "Could not convert the prompt to a message";
           }
           interceptor.say(message);
         }},
    {.id = "tools.media-encoded",
     .revision = "2025-11-25",
     .what = "gives an image as a data: URI",
     .from_server = with_data_uri},
    {.id = "tools.media-labelled",
     .revision = "2025-11-25",
     .what = "encodes a PNG twice",
     .from_server = encodes_twice},
    {.id = "tools.media-labelled",
     .revision = "2025-11-25",
     .what = "calls a text image/png",
     .from_server = calls_text_png},
    {.id = "tools.media-labelled",
     .revision = "2025-11-25",
     .what = "calls a PNG image/jpeg",
     .from_server = calls_png_jpeg},
    that_wants_arguments("2025-11-25"),
    that_wants_arguments("2026-07-28"),
    {.id = "tools.list-stable-under-calls",
     .revision = "2025-11-25",
     .what = "describes a tool otherwise once it has been called",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::result_of(interceptor, message, "tools/call")) ++interceptor.count;
           Json* const listed = edit::result_of(interceptor, message, "tools/list");
           Json* const tool = edit::in_list(listed, "tools", "greet");
           if (tool != nullptr && interceptor.count > 0) (*tool)["description"] = "Was called";
           interceptor.say(message);
         },
     .also = {"security.tools-stable"}},
};

}  // namespace

Deviations tools_forms_deviations() { return kToolsFormsDeviations; }

}  // namespace plumbline::conformance
