#include <algorithm>
#include <cstddef>
#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"
#include "core/base/base64.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kTemplates = "resources/templates/list";

// pass_without_cursor hides cursors of ours, which begin with "bent", from the server.
void pass_without_cursor(Interceptor& interceptor, std::string text) {
  Json message = edit::read(text);
  const Json* const params = find(message, "params");
  if (params != nullptr && string_or(*params, "cursor", "").starts_with("bent")) {
    message["params"].erase("cursor");
    return interceptor.pass(message);
  }
  interceptor.pass_text(std::move(text));
}

// lists_by_offset has two pages of tools, of which the second is empty, and cursors that are base64
// of {"offset": ...}.
void lists_by_offset(Interceptor& interceptor, Json message) {
  Json* const result = edit::result_of(interceptor, message, "tools/list");
  if (result != nullptr && interceptor.memory.contains(dump_json(message["id"]))) {
    (*result)["tools"] = Json::array();
  } else if (result != nullptr) {
    const Json cursor = {{"offset", (*result)["tools"].size()}};
    (*result)["nextCursor"] = encode_base64(dump_json(cursor));
  }
  interceptor.say(message);
}

// takes_offsets refuses what has no offset. A negative one is as good as another, if not `texts`: a
// text, with which it fails, is looked at then.
template <bool texts>
void takes_offsets(Interceptor& interceptor, std::string text) {
  Json message = edit::read(text);
  const Json* const cursor = at_pointer(message, "/params/cursor");
  if (cursor == nullptr || !edit::is_method(message, "tools/list")) {
    return interceptor.pass_text(std::move(text));
  }
  const std::string given = cursor->is_string() ? cursor->get<std::string>() : "";
  const Json read = edit::read(decode_base64(given).value_or(""));
  const Json* const offset = read.is_object() ? find(read, "offset") : nullptr;
  const bool fails = texts && offset != nullptr && offset->is_string();
  const bool whole = offset != nullptr && offset->is_number_integer();
  if (fails) return refuse(interceptor, id_of(message), -32603);
  if (!whole || (texts && *offset < 0)) return refuse(interceptor, id_of(message), -32602);
  interceptor.memory[dump_json(message["id"])] = true;
  message["params"].erase("cursor");
  interceptor.pass(message);
}

// cursor_behind is what a list gives for what comes behind an entry: its number, or its name.
template <bool by_name>
std::string cursor_behind(const Json& list, std::size_t at) {
  return encode_base64url(by_name ? string_or(list[at], "name", "") : std::to_string(at + 1));
}

// lists_by_position has two pages of prompts, and leaves out the one between them: it counts it to
// the first page, which ends before it.
template <bool by_name>
void lists_by_position(Interceptor& interceptor, Json message) {
  Json* const result = edit::result_of(interceptor, message, "prompts/list");
  if (result == nullptr || (*result)["prompts"].size() < 4) return interceptor.say(message);
  const Json all = (*result)["prompts"];
  const std::size_t most = all.size() - 2;
  const Json* const asked = find(interceptor.memory, dump_json(message["id"]));
  std::size_t begin = 0;
  if (asked != nullptr) {
    while (begin < all.size() && Json(cursor_behind<by_name>(all, begin)) != *asked) ++begin;
    if (begin == all.size()) {
      edit::refuse_instead(message, -32602);
      return interceptor.say(message);
    }
    begin += by_name ? 2 : 1;
  }
  const std::size_t end = std::min(begin + most, all.size());
  Json page = Json::array();
  for (std::size_t i = begin; i < end; ++i) page.push_back(all[i]);
  (*result)["prompts"] = page;
  if (end < all.size())
    (*result)["nextCursor"] = cursor_behind<by_name>(all, by_name ? end - 1 : end);
  interceptor.say(message);
}

void notes_positions(Interceptor& interceptor, std::string text) {
  Json message = edit::read(text);
  const Json* const cursor = at_pointer(message, "/params/cursor");
  if (cursor == nullptr || !edit::is_method(message, "prompts/list")) {
    return interceptor.pass_text(std::move(text));
  }
  interceptor.memory[dump_json(message["id"])] = *cursor;
  message["params"].erase("cursor");
  interceptor.pass(message);
}

const Deviation kPaginationDeviations[] = {
    {.id = "pagination.pages-make-the-whole",
     .revision = "2025-11-25",
     .what = "begins the second page behind what its cursor counts",
     .from_server = lists_by_position<false>,
     .from_client = notes_positions},
    {.id = "pagination.pages-make-the-whole",
     .revision = "2026-07-28",
     .what = "begins the second page two behind what its cursor names",
     .from_server = lists_by_position<true>,
     .from_client = notes_positions},
    {.id = "pagination.invalid-cursor-error",
     .revision = "2025-11-25",
     .what = "reads any offset out of its cursors",
     .from_server = lists_by_offset,
     .from_client = takes_offsets<false>},
    {.id = "pagination.invalid-cursor-error",
     .revision = "2026-07-28",
     .what = "counts by an offset that is a text",
     .from_server = lists_by_offset,
     .from_client = takes_offsets<true>},
    {.id = "pagination.stable-cursors",
     .revision = "2025-11-25",
     .what = "gives one cursor for ever",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, kTemplates)) {
             (*result)["nextCursor"] = "bent";
           }
           interceptor.say(message);
         },
     .from_client = pass_without_cursor},
    {.id = "pagination.stable-cursors",
     .revision = "2026-07-28",
     .what = "goes on for ever with empty pages",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (Json* const result = edit::result_of(interceptor, message, kTemplates)) {
             const Json params = edit::params_asked(interceptor, message);
             const std::string cursor = string_or(params, "cursor", "bent");
             if (cursor != "bent") (*result)["resourceTemplates"] = Json::array();
             (*result)["nextCursor"] = cursor + "x";
           }
           interceptor.say(message);
         },
     .from_client = pass_without_cursor},
    {.id = "pagination.invalid-cursor-error",
     .revision = "2025-11-25",
     .what = "takes any cursor for its second page",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           Json* const result = edit::result_of(interceptor, message, "tools/list");
           if (result != nullptr && interceptor.memory.contains(dump_json(message["id"]))) {
             (*result)["tools"] = Json::array();
           } else if (result != nullptr) {
             (*result)["nextCursor"] = "second";
           }
           interceptor.say(message);
         },
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           if (at_pointer(message, "/params/cursor") == nullptr) {
             return interceptor.pass_text(std::move(text));
           }
           interceptor.memory[dump_json(message["id"])] = true;
           message["params"].erase("cursor");
           interceptor.pass(message);
         },
     .also = {"tasks.list-bad-cursor-32602"}},
    {.id = "pagination.invalid-cursor-graceful",
     .revision = "2026-07-28",
     .what = "falls silent on a long cursor",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json params = edit::params_asked(interceptor, message);
           if (string_or(params, "cursor", "").size() < 1000) interceptor.say(message);
         }},
};

}  // namespace

Deviations pagination_deviations() { return kPaginationDeviations; }

}  // namespace plumbline::conformance
