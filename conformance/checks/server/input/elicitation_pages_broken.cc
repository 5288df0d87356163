#include <memory>
#include <utility>
#include <vector>

#include "conformance/broken/deviation.h"
#include "conformance/broken/door_keeper.h"
#include "conformance/broken/right_pages.h"

namespace plumbline::conformance {

namespace {

// What belongs to whom, as a vendor would say it.
constexpr const char* kWho =
    R"json({"tools": {"test_multiple_content_types": {"shows": ["user"]}}})json";

Deviation with_pages(std::string_view id, std::string_view revision, std::string_view what) {
  Deviation deviation = users_kept_apart();
  deviation.id = id;
  deviation.revision = revision;
  deviation.what = what;
  deviation.hints = kWho;
  return deviation;
}

// of_pages is a server that sends its user to pages, with one flaw.
template <bool PageFlaws::*kFlaw>
Deviation of_pages(std::string_view id, std::string_view revision, std::string_view what,
                   std::vector<std::string_view> also = {}) {
  Deviation deviation = with_pages(id, revision, what);
  deviation.keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
    PageFlaws flaws;
    flaws.*kFlaw = true;
    return std::make_unique<RightPages>(std::move(behind), flaws);
  };
  deviation.also = std::move(also);
  return deviation;
}

const Deviation kElicitationPageDeviations[] = {
    of_pages<&PageFlaws::opens_for_anybody>("elicitation.url-opener-verified", kJudgedStateful,
                                            "takes whoever opens its page for who asked",
                                            {"elicitation.url-identity-tamper-resistant"}),
    of_pages<&PageFlaws::opens_for_anybody>("elicitation.url-opener-verified", kJudgedStateless,
                                            "takes whoever opens its page for who asked",
                                            {"elicitation.url-identity-tamper-resistant"}),
    of_pages<&PageFlaws::trusts_names>("elicitation.url-identity-tamper-resistant", kJudgedStateful,
                                       "goes by the name in a page's address"),
    of_pages<&PageFlaws::trusts_names>("elicitation.url-identity-tamper-resistant",
                                       kJudgedStateless, "goes by the name in a page's address"),
    of_pages<&PageFlaws::has_token_in_address>("elicitation.url-no-sensitive-info", kJudgedStateful,
                                               "has the user's token in a page's address",
                                               {"elicitation.url-not-preauthenticated"}),
    of_pages<&PageFlaws::has_token_in_address>(
        "elicitation.url-no-sensitive-info", kJudgedStateless,
        "has the user's token in a page's address", {"elicitation.url-not-preauthenticated"}),
    of_pages<&PageFlaws::has_key_in_address>("elicitation.url-not-preauthenticated",
                                             kJudgedStateful,
                                             "has a key to itself in a page's address"),
    of_pages<&PageFlaws::has_key_in_address>("elicitation.url-not-preauthenticated",
                                             kJudgedStateless,
                                             "has a key to itself in a page's address"),
    of_pages<&PageFlaws::signs_in_by_it>("elicitation.url-not-for-own-authorization",
                                         kJudgedStateful, "asks its users to sign in to itself"),
    of_pages<&PageFlaws::signs_in_by_it>("elicitation.url-not-for-own-authorization",
                                         kJudgedStateless, "asks its users to sign in to itself"),
    of_pages<&PageFlaws::tells_everybody>("elicitation.complete-to-initiator-only", kJudgedStateful,
                                          "tells everybody what is complete",
                                          {"elicitation.complete-has-id"}),
    of_pages<&PageFlaws::hands_token_on>(
        "elicitation.no-client-token-for-third-party", kJudgedStateful,
        "shows the client's token to a third party", {"auth.no-token-passthrough"}),
    of_pages<&PageFlaws::hands_token_on>(
        "elicitation.no-client-token-for-third-party", kJudgedStateless,
        "shows the client's token to a third party", {"auth.no-token-passthrough"}),
    of_pages<&PageFlaws::shows_credentials>("elicitation.third-party-credentials-not-via-client",
                                            kJudgedStateful,
                                            "tells the client what the third party gave it"),
    of_pages<&PageFlaws::shows_credentials>("elicitation.third-party-credentials-not-via-client",
                                            kJudgedStateless,
                                            "tells the client what the third party gave it"),
    of_pages<&PageFlaws::sends_code_elsewhere>("elicitation.user-authorizes-server-directly",
                                               kJudgedStateless,
                                               "has the third party's code sent to the user"),
    of_pages<&PageFlaws::believes_claims>("elicitation.client-claimed-identity-not-trusted",
                                          kJudgedStateful, "believes who a client says it is"),
    of_pages<&PageFlaws::believes_claims>("elicitation.client-claimed-identity-not-trusted",
                                          kJudgedStateless, "believes who a client says it is"),
    {.id = "elicitation.decline-cancel-handled",
     .revision = "2026-07-28",
     .what = "asks on and on when the user declines",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = edit::read(text);
           const Json* const answers = at_pointer(message, "/params/inputResponses");
           if (answers != nullptr && dump_json(*answers).find("\"decline\"") != std::string::npos) {
             message["params"].erase("inputResponses");
             message["params"].erase("requestState");
             text = dump_json(message);
           }
           interceptor.pass_text(std::move(text));
         }},
};

}  // namespace

Deviations elicitation_page_deviations() { return kElicitationPageDeviations; }

const Deviation& right_pages() {
  static const Deviation kRight = [] {
    Deviation deviation = with_pages("", "", "sends its user to pages");
    deviation.keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
      return std::make_unique<RightPages>(std::move(behind), PageFlaws());
    };
    return deviation;
  }();
  return kRight;
}

}  // namespace plumbline::conformance
