// What contents are, wherever they come: text that is text, and links that lead somewhere.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kLinksMax = 4;                       // Of one result.
constexpr std::size_t kOtherUrisMax = 4;                   // URIs that nobody asked for.
constexpr std::size_t kLinkingMax = 4;                     // Tools that are called for theirs.
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD: of bytes that are no text.

constexpr std::array<std::string_view, 4> kBinaryKinds = {"image/", "audio/", "video/", "font/"};
constexpr std::array<std::string_view, 12> kBinaryTypes = {
    "application/gzip",    "application/x-gzip",  "application/zip",
    "application/pdf",     "application/x-tar",   "application/octet-stream",
    "application/wasm",    "application/x-bzip2", "application/x-7z-compressed",
    "application/vnd.rar", "application/msword",  "application/x-sqlite3"};

bool is_binary(std::string_view mime_type) {
  const std::string type = lower_case(mime_type.substr(0, mime_type.find(';')));
  if (type == "image/svg+xml") return false;
  const auto begins = [&type](std::string_view kind) { return type.starts_with(kind); };
  return std::ranges::any_of(kBinaryKinds, begins) ||
         std::ranges::find(kBinaryTypes, type) != kBinaryTypes.end();
}

// is_no_text returns whether a text was made of bytes that are none: a decoder has put its sign in
// their place, or a NUL is in it.
bool is_no_text(std::string_view text) {
  return text.find(kReplacement) != text.npos || text.find('\0') != text.npos;
}

// Only what is called binary is looked at: a text may well speak of U+FFFD.
Task<Finding> writes_text_as_text_alone(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Call* const call : exercise.completed("resources/read")) {
    const Json* const contents = find(*call->complete(), "contents");
    if (contents == nullptr || !contents->is_array()) continue;
    for (const Json& item : *contents) {
      const std::string type = string_or(item, "mimeType", "");
      if (!is_binary(type)) continue;
      tally.saw();
      if (!is_no_text(string_or(item, "text", ""))) continue;
      tally.wrong("reading \"" + shortened(string_or(item, "uri", "")) + "\" gave " + type +
                      " as text, in which bytes are lost; expected a blob in base64",
                  call->evidence);
    }
  }
  co_return tally.finding("nothing that was read is binary");
}

std::string_view scheme_of(std::string_view uri) { return uri.substr(0, uri.find(':')); }

// serves_scheme returns whether the server has resources of the scheme of `uri` itself: others are
// the client's to fetch.
bool serves_scheme(const Survey& survey, std::string_view uri) {
  const auto is_same = [uri](const Json& item, const char* member) {
    const std::string other = string_or(item, member, "");
    return !other.empty() && scheme_of(other) == scheme_of(uri);
  };
  return std::ranges::any_of(survey.resources.items,
                             [&](const Json& one) { return is_same(one, "uri"); }) ||
         std::ranges::any_of(survey.templates.items,
                             [&](const Json& one) { return is_same(one, "uriTemplate"); });
}

// links_in returns the URIs of a result's links that lead to the server itself.
std::vector<std::string> links_in(const Survey& survey, const Json* result) {
  std::vector<std::string> links;
  const Json* const content = result == nullptr ? nullptr : find(*result, "content");
  if (content == nullptr || !content->is_array()) return links;
  for (const Json& block : *content) {
    std::string uri = string_or(block, "uri", "");
    const bool is_link = string_or(block, "type", "") == "resource_link" && !uri.empty();
    if (!is_link || !serves_scheme(survey, uri) || links.size() == kLinksMax) continue;
    links.push_back(std::move(uri));
  }
  return links;
}

// what_links returns a call of each tool whose result links to the server's own resources.
std::vector<const Call*> what_links(const Survey& survey, const Exercise& exercise) {
  std::vector<const Call*> calls;
  for (const Call* const call : exercise.completed("tools/call")) {
    const auto is_same = [call](const Call* other) {
      return string_or(other->params, "name", "") == string_or(call->params, "name", "");
    };
    if (links_in(survey, call->complete()).empty() || calls.size() == kLinkingMax) continue;
    if (std::ranges::none_of(calls, is_same)) calls.push_back(call);
  }
  return calls;
}

// The tools are called once more: what one makes may be there in its own session alone.
Task<Finding> serves_what_it_links_to(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Client client = probe.client();
  Tally tally;
  for (const Call* const call : what_links(probe.survey(), exercise)) {
    const Reply made = co_await client.request("tools/call", call->params);
    for (const std::string& uri : links_in(probe.survey(), made.result())) {
      Json params = Json::object();
      params["uri"] = uri;
      const Reply reply = co_await client.request("resources/read", std::move(params));
      if (!reply.answered()) continue;
      tally.saw();
      if (reply.error() == nullptr) continue;
      tally.wrong("the tool \"" + shortened(string_or(call->params, "name", "")) +
                      "\" links to \"" + shortened(uri) + "\", and resources/read of it got " +
                      reply.describe(),
                  made);
    }
  }
  co_return tally.finding("no tool that was called links to a resource of the server");
}

// bare_contents returns the only entry of what was read, without its uri; null: there are others.
Json bare_contents(const Json* result) {
  const Json* const contents = result == nullptr ? nullptr : find(*result, "contents");
  if (contents == nullptr || !contents->is_array() || contents->size() != 1) return nullptr;
  Json entry = contents->front();
  if (entry.is_object()) entry.erase("uri");
  return entry;
}

// judge_other_uri reads what contents say that they are, in place of what was asked for: that may
// be another name of the same. It returns what is wrong; empty: nothing.
Task<std::string> judge_other_uri(Client client, std::string asked, std::string said, Json bare) {
  Json params = Json::object();
  params["uri"] = said;
  const Reply reply = co_await client.request("resources/read", std::move(params));
  if (!reply.answered()) co_return "";
  const std::string gave =
      "reading \"" + shortened(asked) + "\" gave contents with the uri \"" + shortened(said) + "\"";
  if (reply.error() != nullptr) {
    co_return gave + ", and resources/read of that got " + reply.describe() +
        "; expected the uri that was asked for";
  }
  const Json other = bare_contents(reply.result());
  if (other.is_null() || other == bare) co_return "";
  co_return gave +
      ", which has other contents when it is read; expected the uri that was asked for";
}

// A client keeps contents by their uri. Where there are several, each has one of its own; what is
// no URI at all is another rule's.
Task<Finding> names_contents_by_their_uri(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Client client = probe.client();
  Tally tally;
  std::size_t others = 0;
  for (const Call* const call : exercise.completed("resources/read")) {
    Json bare = bare_contents(call->complete());
    if (bare.is_null()) continue;
    const std::string asked = string_or(call->params, "uri", "");
    const std::string said = string_or((*call->complete())["contents"][0], "uri", "");
    tally.saw();
    if (said == asked || !is_uri(said) || ++others > kOtherUrisMax) continue;
    const std::string wrong = co_await judge_other_uri(client, asked, said, std::move(bare));
    if (!wrong.empty()) tally.wrong(wrong, call->evidence);
  }
  co_return tally.finding("nothing was read that is one text or blob");
}

constexpr ServerCheck kContentsChecks[] = {
    {"resources.contents-uri-asked", Eras::kBoth, SessionUse::kShared, names_contents_by_their_uri},
    {"resources.text-is-text", Eras::kBoth, SessionUse::kOpens, writes_text_as_text_alone},
    {"tools.resource-links-served", Eras::kBoth, SessionUse::kAlone, serves_what_it_links_to},
};

}  // namespace

ServerChecks contents_checks() { return kContentsChecks; }

}  // namespace plumbline::conformance
