// Lists in pages: spec, server/utilities/pagination.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/pages/forged_cursors.h"
#include "conformance/checks/server/features/pages/lost_entries.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kMadeUpCursor = "plumbline-made-up-cursor";
constexpr const char* kNothingListed = "it declares nothing that is listed";

// List is one method that lists, with what the survey got of it.
struct List {
  const char* method;
  const char* key;
  const char* identity;
  const Listing* listing;
};

std::vector<List> lists_of(const Survey& survey) {
  std::vector<List> all = {
      {"tools/list", "tools", "name", &survey.tools},
      {"prompts/list", "prompts", "name", &survey.prompts},
      {"resources/list", "resources", "uri", &survey.resources},
      {"resources/templates/list", "resourceTemplates", "uriTemplate", &survey.templates},
  };
  std::erase_if(all, [](const List& list) {
    return list.listing->pages.empty() || list.listing->pages.front().result() == nullptr;
  });
  return all;
}

const Json* items_of(const Reply& page, const char* key) {
  const Json* const result = page.result();
  const Json* const items = result == nullptr ? nullptr : find(*result, key);
  return items != nullptr && items->is_array() ? items : nullptr;
}

const Json* cursor_of(const Reply& page) {
  const Json* const result = page.result();
  return result == nullptr ? nullptr : find(*result, "nextCursor");
}

// Problem is what is wrong with a list that was walked over, and the page that shows it.
struct Problem {
  std::string what;  // Empty: nothing is.
  const Reply* page = nullptr;
};

// repeated_item finds what is on two pages, or twice on one: of tools another rule says that.
Problem repeated_item(const List& list) {
  std::map<std::string, const Reply*> seen;
  const bool of_tools = std::string_view(list.key) == "tools";
  for (const Reply& page : list.listing->pages) {
    const Json* const items = items_of(page, list.key);
    if (items == nullptr) continue;
    for (const Json& item : *items) {
      const auto identity = find_string(item, list.identity);
      if (!identity) continue;
      const auto [before, fresh] = seen.try_emplace(*identity, &page);
      const bool same_page = before->second == &page;
      if (fresh || (same_page && of_tools)) continue;
      return {std::string(list.method) + " has \"" + shortened(*identity) + "\" " +
                  (same_page ? "twice on one page" : "on more than one page"),
              &page};
    }
  }
  return {};
}

// walk_problem judges the walk of the survey over one list.
Problem walk_problem(const List& list) {
  const std::string method = list.method;
  std::set<std::string> cursors;
  for (const Reply& page : list.listing->pages) {
    const Json* const cursor = cursor_of(page);
    if (cursor == nullptr) continue;
    if (!cursor->is_string()) {
      return {method + " gave a nextCursor that is " + std::string(type_name(*cursor)) +
                  ", expected a string",
              &page};
    }
    if (!cursors.insert(dump_json(*cursor)).second) {
      return {method + " gave the nextCursor " + shortened(dump_json(*cursor)) +
                  " twice: the list has no end",
              &page};
    }
  }
  const Reply& last = list.listing->pages.back();
  const Json* const items = items_of(last, list.key);
  if (!list.listing->whole && items != nullptr && items->empty()) {
    return {method + " goes on with empty pages: the list has no end", &last};
  }
  if (last.error() != nullptr) {
    return {method + " answered its own cursor with " + last.describe(), &last};
  }
  return repeated_item(list);
}

Task<Finding> keeps_its_cursors(Probe& probe) {
  Client client = probe.client();
  Tally tally;
  for (const List& list : lists_of(probe.survey())) {
    const Reply& first = list.listing->pages.front();
    const Json* const cursor = cursor_of(first);
    if (cursor == nullptr || list.listing->pages.size() < 2) continue;
    tally.saw();
    if (const Problem wrong = walk_problem(list); wrong.page != nullptr) {
      tally.wrong(wrong.what, *wrong.page);
      continue;
    }
    Json params = Json::object();
    params["cursor"] = *cursor;
    const Reply again = co_await client.request(list.method, std::move(params));
    const Json* const before = items_of(list.listing->pages[1], list.key);
    const Json* const now = items_of(again, list.key);
    if (before != nullptr && now != nullptr && *before == *now) continue;
    const bool turned =
        before != nullptr && now != nullptr && std::ranges::is_permutation(*before, *now);
    tally.wrong(
        std::string(list.method) +
            (turned ? " gave the same page in another order for a cursor used before"
                    : " gave another page for a cursor used before: got " + again.describe()),
        again);
  }
  co_return tally.finding("no list has a second page");
}

// judge_forged asks for what comes behind an offset that is none, in cursors like its own. It
// returns what is wrong; empty: nothing.
Task<std::string> judge_forged(Client client, List list, Reply* reply) {
  const Reply& first = list.listing->pages.front();
  const auto* const own = cursor_of(first)->get_ptr<const std::string*>();
  const Json* const items = items_of(first, list.key);
  if (own == nullptr || items == nullptr) co_return "";
  for (const ForgedCursor& forged : forged_cursors(*own, items->size())) {
    Json params = Json::object();
    params["cursor"] = forged.cursor;
    *reply = co_await client.request(list.method, std::move(params));
    const bool fails = reply->code() == -32603;
    const bool serves = reply->result() != nullptr && forged.is_an_offset;
    if (!fails && !serves) continue;
    co_return std::string(list.method) + " with a cursor like its own, of the offset " +
        forged.offset + ": got " + reply->describe() + ", expected error -32602";
  }
  co_return "";
}

Task<Finding> refuses_made_up_cursors(Probe& probe) {
  Client client = probe.client();
  Tally tally;
  for (const List& list : lists_of(probe.survey())) {
    // Who never gives a cursor has none to tell from others.
    if (cursor_of(list.listing->pages.front()) == nullptr) continue;
    Json params = Json::object();
    params["cursor"] = kMadeUpCursor;
    const Reply reply = co_await client.request(list.method, std::move(params));
    if (!reply.answered() && reply.status == 0) co_return undecided("got " + reply.describe());
    tally.saw();
    const Finding finding = expect_error(reply, {-32602});
    if (finding.verdict != Verdict::kPass) {
      tally.wrong(std::string(list.method) + " with a made-up cursor: " + finding.message, reply);
      continue;
    }
    Reply forged;
    const std::string wrong = co_await judge_forged(client, list, &forged);
    if (!wrong.empty()) tally.wrong(wrong, forged);
  }
  co_return tally.finding("it gives no cursors: no list has a second page");
}

Task<Finding> survives_odd_cursors(Probe& probe) {
  const std::vector<List> lists = lists_of(probe.survey());
  if (lists.empty()) co_return not_for_it(kNothingListed);
  Client client = probe.client();
  const std::vector<std::string> odd = {kMadeUpCursor, "", std::string(20'000, 'a'), "-1"};
  for (const std::string& cursor : odd) {
    for (const List& list : lists) {
      Json params = Json::object();
      params["cursor"] = cursor;
      const Reply reply = co_await client.request(list.method, std::move(params));
      if (reply.answered() || reply.status != 0) continue;
      co_return broken("got " + reply.describe() + " to " + list.method + " with the cursor \"" +
                       shortened(cursor) + "\", expected an error");
    }
  }
  const bool alive = co_await client.alive();
  co_return alive ? passes() : broken("it no longer answers after odd cursors");
}

constexpr ServerCheck kPaginationChecks[] = {
    {"pagination.stable-cursors", Eras::kBoth, SessionUse::kShared, keeps_its_cursors},
    {"pagination.pages-make-the-whole", Eras::kBoth, SessionUse::kShared,
     loses_nothing_between_pages},
    {"pagination.invalid-cursor-error", Eras::kBoth, SessionUse::kShared, refuses_made_up_cursors},
    {"pagination.invalid-cursor-graceful", Eras::kStateless, SessionUse::kAlone,
     survives_odd_cursors},
};

}  // namespace

ServerChecks pagination_checks() { return kPaginationChecks; }

}  // namespace plumbline::conformance
