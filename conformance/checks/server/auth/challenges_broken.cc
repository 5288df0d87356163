#include <string>
#include <utility>

#include "conformance/broken/deviation.h"
#include "conformance/broken/door_keeper.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;

// with_challenge changes the challenge of a 401.
OwnResponse with_challenge(HttpRequest& request, std::string (*change)(std::string challenge)) {
  OwnResponse answer = keep_door(request);
  if (!answer || answer->status != 401) return answer;
  const std::string challenge(answer->headers.get("WWW-Authenticate").value_or(""));
  answer->headers.set("WWW-Authenticate", change(challenge));
  return answer;
}

OwnResponse without_commas(HttpRequest& request) {
  return with_challenge(request, [](std::string challenge) {
    std::erase(challenge, ',');
    return challenge;
  });
}

OwnResponse with_umlauts(HttpRequest& request) {
  return with_challenge(request, [](std::string challenge) {
    return challenge + ", error_description=\"ung\u00fcltig\"";
  });
}

OwnResponse by_commas(HttpRequest& request) {
  OwnResponse answer = with_challenge(request, [](std::string challenge) {
    const std::string_view scope = "mcp:use";
    const std::size_t at = challenge.find(scope);
    if (at != std::string::npos) challenge.replace(at, scope.size(), "mcp:use,mcp:more");
    return challenge;
  });
  return with_member(std::move(answer), "scopes_supported", Json::array({"mcp:use", "mcp:more"}));
}

// lets_pages_in lets pages of each origin in, at the door as behind it.
OwnResponse lets_pages_in(HttpRequest& request) {
  OwnResponse answer = keep_door(request);
  if (answer) answer->headers.set("Access-Control-Allow-Origin", "*");
  return answer;
}

void to_pages(const HttpRequest& request, int& status, wire::HttpHeaders& headers) {
  if (status == 401 || request.method == "OPTIONS") return;
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", "Mcp-Session-Id");
}

Deviation for_pages(std::string_view revision, std::string_view what,
                    OwnResponse (*request)(HttpRequest&)) {
  Deviation deviation = at_door("auth.challenge-for-pages", revision, what, request);
  deviation.response = to_pages;
  deviation.also = {"http.preflight-answered"};
  return deviation;
}

const Deviation kChallengeDeviations[] = {
    at_door("auth.challenge-well-formed", kJudgedStateful, "puts no commas between parameters",
            without_commas),
    at_door("auth.challenge-well-formed", kJudgedStateless,
            "writes its reason in letters outside ASCII", with_umlauts),
    at_door("auth.challenge-well-formed", kJudgedStateful, "parts its scopes by commas", by_commas),
    for_pages(kJudgedStateful, "hides its challenge from the pages it lets in", lets_pages_in),
    for_pages(kJudgedStateless, "hides its 401 from the pages it lets in", keep_door),
};

}  // namespace

Deviations challenge_deviations() { return kChallengeDeviations; }

}  // namespace plumbline::conformance
