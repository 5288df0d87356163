#include "conformance/checks/server/features/pages/lost_entries.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/listings.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/base64.h"
#include "core/base/text.h"
#include "core/json/json.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kBordersMax = 4;  // Of one list, that are looked behind.
constexpr std::int64_t kEarlierMax = 3;

// Paged is a list of which there are several pages.
struct Paged {
  const char* method;
  const char* key;
  const char* identity;
  const Listing* listing;
};

std::vector<Paged> paged_lists(const Survey& survey) {
  std::vector<Paged> all = {
      {"tools/list", "tools", "name", &survey.tools},
      {"prompts/list", "prompts", "name", &survey.prompts},
      {"resources/list", "resources", "uri", &survey.resources},
      {"resources/templates/list", "resourceTemplates", "uriTemplate", &survey.templates},
  };
  std::erase_if(all, [](const Paged& list) {
    return !list.listing->whole || list.listing->pages.size() < 2;
  });
  return all;
}

std::vector<Json> entries_of(const Reply& page, const char* key) {
  const Json* const result = page.result();
  const Json* const items = result == nullptr ? nullptr : find(*result, key);
  return items != nullptr && items->is_array() ? items->get<std::vector<Json>>()
                                               : std::vector<Json>();
}

using Writing = std::function<std::string(std::string_view)>;

// Reading is what a cursor says, and how that is written.
struct Reading {
  std::string text;
  Writing written;
};

std::vector<Reading> cursor_readings(const std::string& cursor) {
  std::vector<Reading> all;
  all.push_back({cursor, [](std::string_view text) { return std::string(text); }});
  if (auto text = decode_base64(cursor)) all.push_back({*text, encode_base64});
  if (auto text = decode_base64url(cursor)) all.push_back({*text, encode_base64url});
  // It is read right only where the same is written again.
  std::erase_if(
      all, [&](const Reading& one) { return one.text.empty() || one.written(one.text) != cursor; });
  return all;
}

bool is_cursor_digit(char c) { return c >= '0' && c <= '9'; }

// earlier_numbers returns what a cursor with one number in it is with a smaller one: where a page
// begins, or which it is.
std::vector<std::string> earlier_numbers(const std::string& text) {
  const auto begin = std::ranges::find_if(text, is_cursor_digit);
  const auto end = std::find_if_not(begin, text.end(), is_cursor_digit);
  const bool other = std::any_of(end, text.end(), is_cursor_digit);
  if (begin == end || other || end - begin > 9) return {};
  if (begin != text.begin() && *(begin - 1) == '-') return {};
  const std::int64_t number = std::stoll(std::string(begin, end));
  std::vector<std::string> all;
  for (std::int64_t less = 1; less <= std::min(kEarlierMax, number); ++less) {
    all.push_back(std::string(text.begin(), begin) + std::to_string(number - less) +
                  std::string(end, text.end()));
  }
  return all;
}

// named_in_cursor returns the text of an entry that a cursor names, as the cursor writes it; empty:
// none.
std::string named_in_cursor(const std::string& text, const Json& entry, const char* member) {
  const std::string name = string_or(entry, member, "");
  if (name.size() < 2) return {};
  for (const std::string& one : {name, lower_case(name)}) {
    if (mentions(text, one)) return one;
  }
  return {};
}

// earlier_names returns what a cursor that names the last entry of a page is with one before it.
std::vector<std::string> earlier_names(const std::string& text, const std::vector<Json>& page) {
  std::vector<std::string> all;
  if (page.size() < 2) return all;
  for (const char* const member : {"uri", "name", "title", "uriTemplate"}) {
    const std::string last = named_in_cursor(text, page.back(), member);
    if (last.empty()) continue;
    const bool small = last != string_or(page.back(), member, "");
    for (std::size_t back = 2; back <= page.size() && all.size() < kEarlierMax; ++back) {
      const std::string whole = string_or(page[page.size() - back], member, "");
      if (whole.empty()) continue;
      std::string other = text;
      other.replace(other.find(last), last.size(), small ? lower_case(whole) : whole);
      all.push_back(std::move(other));
    }
    return all;
  }
  return all;
}

std::set<std::string> identities(const std::vector<Json>& items, const char* member) {
  std::set<std::string> all;
  for (const Json& item : items) all.insert(string_or(item, member, ""));
  return all;
}

// Lost is an entry that an earlier cursor shows.
struct Lost {
  std::string entry;
  std::string cursor;  // As it is read.
  std::string sent;
  Reply reply;
};

// lost_behind looks behind one cursor for what the walk has not met.
Task<std::optional<Lost>> lost_behind(Client client, Paged list, std::string cursor,
                                      std::vector<Json> page) {
  const std::set<std::string> known = identities(list.listing->items, list.identity);
  for (const Reading& reading : cursor_readings(cursor)) {
    std::vector<std::string> earlier = earlier_names(reading.text, page);
    if (earlier.empty()) earlier = earlier_numbers(reading.text);
    for (const std::string& text : earlier) {
      const std::string written = reading.written(text);
      Json params = Json::object();
      params["cursor"] = written;
      Reply reply = co_await client.request(list.method, std::move(params));
      const std::vector<Json> entries = entries_of(reply, list.key);
      // A page that begins earlier shares something with the walk: else it is of another list.
      const auto is_known = [&](const Json& one) {
        return known.contains(string_or(one, list.identity, ""));
      };
      if (std::ranges::none_of(entries, is_known)) continue;
      for (const Json& entry : entries) {
        if (is_known(entry) || string_or(entry, list.identity, "").empty()) continue;
        co_return Lost{string_or(entry, list.identity, ""), text, written, std::move(reply)};
      }
    }
  }
  co_return std::nullopt;
}

// judge_borders walks the list once more where something is lost: what came meanwhile is not.
Task<Finding> judge_borders(Probe& probe, Client client, Paged list) {
  std::size_t borders = 0;
  for (const Reply& page : list.listing->pages) {
    const Json* const result = page.result();
    const std::string cursor = result == nullptr ? "" : string_or(*result, "nextCursor", "");
    if (cursor.empty() || borders++ == kBordersMax) continue;
    const std::optional<Lost> lost =
        co_await lost_behind(client, list, cursor, entries_of(page, list.key));
    if (!lost) continue;
    const Listing again = co_await list_all(client.session(), probe.check(), list.method, list.key);
    const bool met = identities(again.items, list.identity).contains(lost->entry);
    if (!again.whole || met) co_return not_for_it("");
    Json params = Json::object();
    params["cursor"] = lost->sent;
    const Reply still = co_await client.request(list.method, std::move(params));
    const std::vector<Json> shown_again = entries_of(still, list.key);
    if (!identities(shown_again, list.identity).contains(lost->entry)) co_return not_for_it("");
    co_return about(
        broken(std::string(list.method) + " never gives \"" + shortened(lost->entry) +
               "\" to who follows nextCursor, and gives it for a cursor a little before \"" +
               shortened(cursor) + "\" (" + shortened(lost->cursor) +
               "): it is lost where one page ends and the next begins"),
        lost->reply, still);
  }
  co_return passes();
}

}  // namespace

Task<Finding> loses_nothing_between_pages(Probe& probe) {
  Client client = probe.client();
  std::size_t judged = 0;
  for (const Paged& list : paged_lists(probe.survey())) {
    Finding finding = co_await judge_borders(probe, client, list);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("no list has a second page");
}

}  // namespace plumbline::conformance
