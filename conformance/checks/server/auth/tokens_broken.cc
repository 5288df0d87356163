#include <string>

#include "conformance/broken/deviation.h"
#include "conformance/broken/door_keeper.h"

namespace plumbline::conformance {

namespace {

using wire::HttpRequest;
using wire::HttpResponse;

// instead gives `status` to who is refused with 401 and shows a token, or with `none` shows none.
OwnResponse instead(HttpRequest& request, bool none, int status) {
  OwnResponse answer = keep_door(request);
  const bool shows = !shown_token(request).empty();
  if (answer && answer->status == 401 && shows != none) answer->status = status;
  return answer;
}

OwnResponse with_error(HttpRequest& request, const char* challenge) {
  OwnResponse answer = keep_door(request);
  if (answer && answer->status == 401 && !shown_token(request).empty()) {
    answer->headers.set("WWW-Authenticate", challenge);
  }
  return answer;
}

// takes_unsigned goes by what a token says, not by who has signed it.
OwnResponse takes_unsigned(HttpRequest& request) {
  const std::string token(shown_token(request));
  const std::string payload(kJwtToken.substr(0, kJwtToken.rfind('.')).substr(kJwtToken.find('.')));
  if (token.find(payload + ".") != std::string::npos) return std::nullopt;
  return keep_door(request);
}

OwnResponse takes_all(HttpRequest& request) {
  if (!shown_token(request).empty() && shown_token(request) != "elsewhere") return std::nullopt;
  return keep_door(request);
}

OwnResponse reads_the_query(HttpRequest& request) {
  if (request.target.find("access_token=right") != std::string::npos) {
    request.target.resize(request.target.find('?'));
    return std::nullopt;
  }
  return keep_door(request);
}

OwnResponse stumbles(HttpRequest& request) {
  const bool empty = request.headers.count("Authorization") > 0 && shown_token(request).empty();
  if (empty) return HttpResponse{500, {}, ""};
  return keep_door(request);
}

OwnResponse takes_foreign(HttpRequest& request) {
  if (shown_token(request) == "elsewhere") return std::nullopt;
  return keep_door(request);
}

Deviation of_tokens(std::string_view id, std::string_view revision, std::string_view what,
                    OwnResponse (*request)(HttpRequest&), std::string_view token = kRightToken) {
  Deviation deviation = at_door(id, revision, what, request);
  deviation.credentials = bearer(token);
  deviation.foreign_credentials = bearer("elsewhere");
  return deviation;
}

OwnResponse reads_letter_by_letter(HttpRequest& request) {
  const std::string shown(request.headers.get("Authorization").value_or(""));
  if (shown.starts_with("bearer ")) request.headers.set("Authorization", "Bearer no-token");
  return keep_door(request);
}

bool is_behind(const HttpRequest& request) {
  const bool opens = request.body.find("\"initialize\"") != std::string::npos ||
                     request.body.find("\"server/discover\"") != std::string::npos;
  return !opens && !request.target.starts_with("/.well-known/");
}

// looks_once takes every token behind the opening.
OwnResponse looks_once(HttpRequest& request) {
  const bool shows = !shown_token(request).empty();
  if (is_behind(request) && shows) request.headers.set("Authorization", "Bearer right");
  return keep_door(request);
}

OwnResponse reads_the_beginning(HttpRequest& request) {
  if (shown_token(request).starts_with(kRightToken)) return std::nullopt;
  return keep_door(request);
}

OwnResponse hides_behind(HttpRequest& request) {
  return is_behind(request) ? instead(request, false, 404) : keep_door(request);
}

OwnResponse says_nothing_behind(HttpRequest& request) {
  OwnResponse answer = keep_door(request);
  const bool unknown = answer && answer->status == 401 && !shown_token(request).empty();
  if (unknown && is_behind(request)) answer->headers.erase("WWW-Authenticate");
  return answer;
}

OwnResponse stumbles_at_forms(HttpRequest& request) {
  const std::string_view token = shown_token(request);
  const bool formed = token.find('.') != std::string_view::npos;
  return formed ? instead(request, false, 500) : keep_door(request);
}

OwnResponse stumbles_at_schemes(HttpRequest& request) {
  const std::string_view shown = request.headers.get("Authorization").value_or("");
  if (shown.starts_with("Basic ")) return HttpResponse{500, {}, ""};
  return keep_door(request);
}

OwnResponse forbids(HttpRequest& request) { return instead(request, true, 403); }
OwnResponse forbids_unknown(HttpRequest& request) { return instead(request, false, 403); }

// forbids_lists opens a conversation with everybody.
OwnResponse forbids_lists(HttpRequest& request) {
  const bool listed = request.body.find("/list\"") != std::string::npos;
  return listed               ? instead(request, true, 403)
         : is_behind(request) ? keep_door(request)
                              : std::nullopt;
}

// wants_it_in_the_query refuses each Authorization header with `status`, and takes the token in the
// query by `name`.
OwnResponse wants_it_in_the_query(HttpRequest& request, const std::string& name, int status) {
  if (request.target.find("?" + name + "=right") != std::string::npos) {
    request.target.resize(request.target.find('?'));
    return std::nullopt;
  }
  const bool shows = !shown_token(request).empty();
  if (shows) request.headers.set("Authorization", "Bearer no-token");
  OwnResponse answer = keep_door(request);
  if (answer && shows) answer->status = status;
  return answer;
}

const Deviation kTokenDeviations[] = {
    of_tokens("auth.token-from-header", kJudgedStateful, "wants the token in the address",
              [](HttpRequest& request) { return wants_it_in_the_query(request, "token", 400); }),
    of_tokens("auth.token-from-header", kJudgedStateless, "wants the token in the address",
              [](HttpRequest& request) { return wants_it_in_the_query(request, "token", 401); }),
    of_tokens("auth.missing-token-401", kJudgedStateful, "forbids who shows no token what it lists",
              forbids_lists),
    of_tokens("auth.missing-token-401", kJudgedStateful, "reads the token from the address",
              reads_the_query),
    of_tokens("auth.missing-token-401", kJudgedStateful, "gives 403 to who shows no token",
              forbids),
    of_tokens("auth.error-status-codes", kJudgedStateless, "gives 403 to who shows no token",
              forbids),
    of_tokens("auth.error-status-codes", kJudgedStateless, "gives 500 to a header without a token",
              stumbles),
    of_tokens("auth.token-validated", kJudgedStateful, "takes every token", takes_all),
    of_tokens("auth.token-validated", kJudgedStateless, "takes tokens that nobody has signed",
              takes_unsigned, kJwtToken),
    of_tokens("auth.token-validated", kJudgedStateful, "looks at the token of the opening alone",
              looks_once),
    of_tokens("auth.token-validated", kJudgedStateless, "looks at the token of the opening alone",
              looks_once),
    of_tokens("auth.token-validated", kJudgedStateful, "goes by the beginning of a token",
              reads_the_beginning),
    of_tokens("auth.invalid-token-401", kJudgedStateful,
              "gives 404 to an unknown token behind the opening", hides_behind),
    of_tokens("auth.invalid-token-401", kJudgedStateless, "gives 500 to a token of another form",
              stumbles_at_forms),
    of_tokens("auth.validation-failure-response", kJudgedStateful,
              "has no challenge behind the opening", says_nothing_behind),
    of_tokens("auth.malformed-request-400", kJudgedStateful, "gives 500 to another scheme",
              stumbles_at_schemes),
    of_tokens("auth.error-status-codes", kJudgedStateless, "gives 500 to another scheme",
              stumbles_at_schemes),
    of_tokens("auth.audience-validated", kJudgedStateful, "takes tokens for others", takes_foreign),
    of_tokens("auth.audience-validated", kJudgedStateless, "takes tokens for others",
              takes_foreign),
    of_tokens("auth.invalid-token-401", kJudgedStateful, "gives 403 to an unknown token",
              forbids_unknown),
    of_tokens("auth.invalid-token-401", kJudgedStateless, "gives 403 to an unknown token",
              forbids_unknown),
    of_tokens("auth.validation-failure-response", kJudgedStateful,
              "calls an unknown token a bad request",
              [](HttpRequest& request) {
                return with_error(request, "Bearer error=\"invalid_request\"");
              }),
    of_tokens("auth.validation-failure-response", kJudgedStateless,
              "has no challenge for unknown tokens",
              [](HttpRequest& request) { return with_error(request, "Basic realm=\"mcp\""); }),
    of_tokens("auth.malformed-request-400", kJudgedStateful,
              "gives 500 to a header without a token", stumbles),
    of_tokens("auth.scheme-in-any-case", kJudgedStateful, "reads Bearer letter by letter",
              reads_letter_by_letter),
    of_tokens("auth.scheme-in-any-case", kJudgedStateless, "reads Bearer letter by letter",
              reads_letter_by_letter),
};

}  // namespace

Deviations token_deviations() { return kTokenDeviations; }

}  // namespace plumbline::conformance
