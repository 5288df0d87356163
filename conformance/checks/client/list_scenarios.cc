// Lists in pages: spec, server/utilities/pagination.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

// Cursors that a client must give back as they are, in the order of the pages they lead to.
const std::vector<std::string>& cursors_of(bool stateless) {
  static const std::vector<std::string> kOdd = {
      "7", R"({"page": 2,  "a":"\/"})", " d\xC3\xBC n \xE4\xB8\x96\xE7\x95\x8C ", "a%20b/c?d=e&f"};
  static const std::vector<std::string> kWithEmpty = {kOdd[0], "", kOdd[1], kOdd[2], kOdd[3]};
  return stateless ? kWithEmpty : kOdd;
}

constexpr std::string_view kAllPagesIds[] = {
    "pagination.cursor-opaque", "pagination.no-fixed-page-size", "pagination.empty-cursor-not-end",
    "pagination.missing-cursor-is-end", "pagination.both-flows"};

// Pages gives the tools in pages of different sizes; the last page holds the one to call.
class Pages final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools.clear();
    for (int i = 0; i < 6; ++i) peer.offer.tools.push_back(plain_tool("t" + std::to_string(i)));
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    const std::vector<std::string>& cursors = cursors_of(peer.stateless());
    const Json* const params = find(asked.message, "params");
    const Json* const cursor = params ? find(*params, "cursor") : nullptr;
    std::size_t page = 0;
    if (cursor != nullptr) {
      const auto known =
          std::ranges::find_if(cursors, [&](const std::string& one) { return *cursor == one; });
      if (known == cursors.end()) {
        peer.error(asked, -32602, "Invalid cursor");
        return true;
      }
      page = static_cast<std::size_t>(known - cursors.begin()) + 1;
    }
    // The second page is empty, the third has three tools, the others one.
    Json result(Json::value_t::object);
    Json& tools = result["tools"] = Json::array();
    const std::size_t count = page == 1 ? 0 : page == 2 ? 3 : 1;
    for (std::size_t i = 0; i < count; ++i) {
      tools.push_back(plain_tool("page_" + std::to_string(page) + "_" + std::to_string(i)));
    }
    if (page < cursors.size()) result["nextCursor"] = cursors[page];
    peer.result(asked, std::move(result));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const std::vector<const Heard*> asked = record.requests("tools/list");
    const std::vector<std::string>& cursors = cursors_of(record.stateless());
    const bool follows = std::ranges::any_of(
        asked, [](const Heard* one) { return one->params() && find(*one->params(), "cursor"); });
    if (!follows) {
      for (const std::string_view id : kAllPagesIds) {
        verdicts.say(id, never_came(record, "asked for a second page"));
      }
      // Who goes on to use what it was shown takes it for all that there is.
      const bool takes_it_for_all = !asked.empty() && !record.requests("tools/call").empty();
      if (takes_it_for_all) {
        verdicts.say("pagination.both-flows",
                     at(record, *asked.front(),
                        broken("it asked for the first page of the tools alone, which had a "
                               "nextCursor, and called tools: those of the other pages are lost "
                               "to it")));
      }
      return;
    }
    verdicts.say("pagination.cursor-opaque", opaque(record, asked, cursors));
    const bool all = std::ranges::any_of(asked, [&](const Heard* one) {
      return one->params() && one->param("cursor") == cursors.back();
    });
    const bool beyond_empty_page = reached(asked, record.stateless() ? "" : cursors[1]);
    verdicts.say("pagination.no-fixed-page-size",
                 beyond_empty_page ? passes()
                                   : broken("it asked for no more after a page without a tool, "
                                            "which had a nextCursor"));
    if (record.stateless()) {
      verdicts.say("pagination.empty-cursor-not-end",
                   reached(asked, "")
                       ? passes()
                       : broken("it took the nextCursor \"\" for the end of the list"));
    }
    verdicts.say("pagination.missing-cursor-is-end", ends(record, asked, all));
    verdicts.say("pagination.both-flows", both(record, all));
  }

 private:
  static bool reached(const std::vector<const Heard*>& asked, const std::string& cursor) {
    return std::ranges::any_of(asked, [&](const Heard* one) {
      const Json* const given = one->params() ? find(*one->params(), "cursor") : nullptr;
      return given != nullptr && *given == cursor;
    });
  }

  static Finding opaque(const Record& record, const std::vector<const Heard*>& asked,
                        const std::vector<std::string>& cursors) {
    for (const Heard* const one : asked) {
      const Json* const cursor = one->params() ? find(*one->params(), "cursor") : nullptr;
      if (cursor == nullptr) continue;
      const bool known =
          std::ranges::any_of(cursors, [&](const std::string& given) { return *cursor == given; });
      if (!known) {
        return at(record, *one,
                  broken("it asked with the cursor " + shown(cursor) +
                         ", which the server did not give"));
      }
    }
    return passes();
  }

  static Finding ends(const Record& record, const std::vector<const Heard*>& asked, bool all) {
    if (!all) return not_for_it("it did not come to the last page");
    const std::size_t pages = cursors_of(record.stateless()).size() + 1;
    const auto first = std::ranges::count_if(asked, [](const Heard* one) {
      return one->params() == nullptr || find(*one->params(), "cursor") == nullptr;
    });
    if (asked.size() <= pages * static_cast<std::size_t>(first)) return passes();
    return broken("it asked " + std::to_string(asked.size()) + " times for a list of " +
                  std::to_string(pages) + " pages");
  }

  static Finding both(const Record& record, bool all) {
    return all ? passes() : broken("it did not come to the last page; " + record.how_it_ended());
  }
};

// PromptPages gives the prompts in pages.
class PromptPages final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.capabilities["prompts"] = Json::object();
    peer.offer.prompts = {json_of(R"({"name": "first"})"), json_of(R"({"name": "second"})")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "prompts/list") return false;
    const bool second = asked.param("cursor") == "more";
    Json result(Json::value_t::object);
    result["prompts"] = Json::array();
    result["prompts"].push_back(peer.offer.prompts[second ? 1 : 0]);
    if (!second) result["nextCursor"] = "more";
    peer.result(asked, std::move(result));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const std::vector<const Heard*> asked = record.requests("prompts/list");
    Finding finding = never_came(record, "asked for the prompts");
    if (!asked.empty()) {
      const bool more = std::ranges::any_of(
          asked, [](const Heard* one) { return one->param("cursor") == "more"; });
      finding = more ? passes() : broken("it did not ask for the second page of prompts");
    }
    verdicts.say("prompts.client-paginates", std::move(finding));
  }
};

constexpr std::string_view kPromptPagesIds[] = {"prompts.client-paginates"};

constexpr ClientScenario kListScenarios[] = {
    {"tools_call", "pages", Eras::kBoth, Over::kAny, "", kAllPagesIds, make_script<Pages>},
    {"prompts", "prompts", Eras::kBoth, Over::kAny, "", kPromptPagesIds, make_script<PromptPages>},
};

}  // namespace

ClientScenarios list_scenarios() { return kListScenarios; }

}  // namespace plumbline::conformance
