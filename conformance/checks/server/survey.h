// Survey is what a server says of itself in one revision, asked once: checks choose by it what
// applies, and read it.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/peer/session.h"

namespace plumbline::conformance {

// Listing is one list, all of its pages.
struct Listing {
  std::vector<Reply> pages;  // As they came; the last may be an error.
  std::vector<Json> items;
  bool whole = false;  // Every page was a result, and the last had no nextCursor.
};

struct Survey {
  std::string revision;
  Reply opening;      // Of initialize, or of server/discover.
  Json capabilities;  // An object; empty where there are none.
  Json server_info;   // Likewise.
  Listing tools;      // Asked for only where the capability is declared. So are the others.
  Listing resources;
  Listing templates;
  Listing prompts;
  // Lists that were asked for at once were lost, and came when they were asked for in turn: so is
  // everything else.
  bool one_at_a_time = false;
  bool judged_whole = false;  // Else a few rules alone: a newer revision is judged whole.

  // answered_method returns one that needs no params and that the server has answered.
  std::string answered_method() const;

  // declares returns whether there is a value at `pointer` of the capabilities: "/tools",
  // "/resources/subscribe". false and null do not count.
  bool declares(std::string_view pointer) const;

  // item returns the member of `listing` whose `key` is `value`, nullptr when there is none.
  static const Json* item(const Listing& listing, std::string_view key, std::string_view value);
  const Json* tool(std::string_view name) const { return item(tools, "name", name); }
};

// take_survey asks for everything. `session` is open; lists of more than `pages_max` pages are not
// whole.
Task<Survey> take_survey(Session& session, std::uint32_t check);

// completable returns the params of completion/complete for each argument of a prompt and each
// plain variable of a template, with nothing typed yet.
std::vector<Json> completable(const Survey& survey);

// list_all asks for every page of one list: `method` "tools/list", its items under `key` "tools".
Task<Listing> list_all(Session& session, std::uint32_t check, std::string method, std::string key);

}  // namespace plumbline::conformance
