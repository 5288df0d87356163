// What the mirror has to offer, from mirror.json: two pages of each list, members of every kind, in
// the words of the revision that is spoken with it.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::conformance {

// MirrorList is one of the lists of MCP.
struct MirrorList {
  std::string_view method;      // "tools/list".
  std::string_view member;      // Of the result: "tools".
  std::string_view key;         // What its items are known by: "name".
  std::string_view capability;  // "tools".
};

inline constexpr MirrorList kMirrorLists[] = {
    {"tools/list", "tools", "name", "tools"},
    {"prompts/list", "prompts", "name", "prompts"},
    {"resources/list", "resources", "uri", "resources"},
    {"resources/templates/list", "resourceTemplates", "uriTemplate", "resources"},
};

// The resources and the prompt that others are asked for.
inline constexpr std::string_view kMirrorText = "mirror://text/caf%C3%A9?q=1#top";
inline constexpr std::string_view kMirrorBlob = "mirror://blob";
inline constexpr std::string_view kMirrorRow = "mirror://row/";    // And which: of a template.
inline constexpr std::string_view kMirrorPage = "mirror://page/";  // Likewise.
inline constexpr std::string_view kMirrorOwn =
    "own-tool-of-";  // And of whom. See set_lists_apart().
inline constexpr std::string_view kMirrorPrompt = "greet";

// MirrorNotice is a change that clients of 2026-07-28 may listen for.
struct MirrorNotice {
  std::string_view wish;        // The member of "notifications" that asks for it.
  std::string_view capability;  // Where a server declares it.
  std::string_view method;
};

inline constexpr std::string_view kWishForResources = "resourceSubscriptions";
inline constexpr MirrorNotice kMirrorNotices[] = {
    {"toolsListChanged", "tools.listChanged", "notifications/tools/list_changed"},
    {"promptsListChanged", "prompts.listChanged", "notifications/prompts/list_changed"},
    {kWishForResources, "resources.subscribe", "notifications/resources/updated"},
};

// mirror_list_of returns the list that `method` asks for, nullptr for another method.
const MirrorList* mirror_list_of(std::string_view method);

// mirror_part returns a member of mirror.json, without what came after `revision`. Null: none.
Json mirror_part(std::string_view member, std::string_view revision);

// mirror_items returns the items of all the pages of a list.
Json mirror_items(const MirrorList& listing, std::string_view revision);

// mirror_page returns the result of a list at `cursor`, which is null for the first page; null: the
// cursor is none of ours. Not `paged`: everything is on one.
Json mirror_page(const MirrorList& listing, std::string_view revision, const Json* cursor,
                 bool paged);

// mirror_answer returns the result of a method that asks for what is written down, null for another
// method and for what there is not.
Json mirror_answer(std::string_view method, const Json& params, std::string_view revision);

// row_text returns the text of a resource that is made by the template of a row.
std::string row_text(const std::string& uri);

// mirror_notification returns one without params.
Json mirror_notification(const std::string& method);

// add_cache_hints adds what each result of a list has since 2026-07-28.
void add_cache_hints(Json& result);

}  // namespace plumbline::conformance
