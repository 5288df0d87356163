#include "scenarios/judge/credentials.h"

#include <algorithm>
#include <chrono>

#include "core/json/dump.h"
#include "core/wire/form.h"
#include "core/wire/url.h"

namespace plumbline::scenarios {

namespace {

constexpr std::string_view kStaysHome = "invariant.tokens-stay-home";
constexpr std::string_view kNoStorm = "invariant.no-refresh-storm";
constexpr std::string_view kShowsToken = "invariant.shows-its-token";
constexpr std::string_view kTellsNoSecret = "invariant.no-secret";

// A renewal that had no answer may be tried again after so long.
constexpr Duration kRenewalPause = std::chrono::seconds(29);

// Whoever renews a token reckons from when they asked, in whole seconds. An answer comes within
// this.
constexpr Duration kAnswerMax = std::chrono::seconds(16);
constexpr Duration kSecond = std::chrono::seconds(1);

// Whoever gets a token knows only within so much when it ends.
constexpr Duration kEndMargin = std::chrono::seconds(20);

constexpr std::string_view kBearer = "Bearer ";

bool is_part_of_secret(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
}

// secrets_in returns what in `text` is a secret, or looks like one.
std::vector<std::string_view> secrets_in(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t at = text.find(fakes::kSecretMark); at != std::string_view::npos;
       at = text.find(fakes::kSecretMark, at + 1)) {
    std::size_t begin = at;
    std::size_t end = at;
    while (begin > 0 && is_part_of_secret(text[begin - 1])) --begin;
    while (end < text.size() && is_part_of_secret(text[end])) ++end;
    found.push_back(text.substr(begin, end - begin));
  }
  return found;
}

std::string path_of(const std::string& target) { return target.substr(0, target.find('?')); }

std::string place(const net::Authority& to, const wire::HttpRequest& request) {
  return request.method + " https://" + to.host + path_of(request.target);
}

}  // namespace

void Credentials::fail(std::string_view id, std::string message) {
  const auto same = [&](const RunFailure& failure) { return failure.check == id; };
  if (std::ranges::any_of(failures_, same)) return;
  failures_.push_back(RunFailure{std::string(id), std::move(message)});
}

Credentials::Known* Credentials::find_secret(std::string_view text) {
  const auto found =
      std::ranges::find_if(secrets_, [&](const Known& one) { return one.secret.text == text; });
  return found == secrets_.end() ? nullptr : &*found;
}

void Credentials::given(const Domain& domain, const fakes::Secret& secret, Instant at) {
  if (find_secret(secret.text) == nullptr) secrets_.push_back({domain, secret, at});
}

// A token that was good, or that somebody signed in for, is a reason to renew it once it is not.
// One that came of a renewal and was never good is none: the next one will be no better.
void Credentials::shown(const std::string& token, bool good) {
  Known* const known = find_secret(token);
  if (known == nullptr) return;
  const bool counts = !good && !known->refused && (known->taken || !known->secret.renewed);
  if (counts) ++causes_[known->domain.issuer];
  (good ? known->taken : known->refused) = true;
}

void Credentials::sent(std::size_t agent, Instant at, const net::Authority& to,
                       const wire::HttpRequest& request) {
  std::string all = request.target + '\n' + request.body;
  for (const auto& [name, value] : request.headers.fields()) all += '\n' + value;
  for (const std::string_view text : secrets_in(all)) {
    const Known* const known = find_secret(text);
    if (known != nullptr) check_home(*known, to, request);
  }
  const wire::Form form = wire::Form::parse(request.body);
  if (form.get("grant_type") == "refresh_token") check_renewal(agent, at, to.host);
  check_shows(agent, at, to, request);
}

// check_home judges where a secret goes: an access token to its server, in the header that is for
// it; what is to be exchanged, to who gave it out, in the body.
void Credentials::check_home(const Known& known, const net::Authority& to,
                             const wire::HttpRequest& request) {
  const bool access = known.secret.kind == fakes::SecretKind::kAccess;
  const std::string& home = access ? known.domain.server : known.domain.issuer;
  const std::string what = access ? "an access token" : "what a token is got with";
  if (to.host != home || to.port != 443) {
    return fail(kStaysHome, what + " of " + known.domain.server + " went to " + place(to, request));
  }
  const std::string shown(request.headers.get("Authorization").value_or(""));
  const bool in_place = access ? shown == std::string(kBearer) + known.secret.text
                               : request.method == "POST" && shown.empty();
  const bool only_there = request.target.find(fakes::kSecretMark) == std::string::npos &&
                          (!access || request.body.find(fakes::kSecretMark) == std::string::npos);
  if (!in_place || !only_there) {
    fail(kStaysHome, what + " stands where it must not in " + place(to, request));
  }
  const Result<wire::Url> resource = wire::parse_url(known.secret.resource);
  if (access && (!resource.ok() || resource.value().host != to.host)) {
    fail(kStaysHome, "an access token for " + known.secret.resource + " went to " + to.host);
  }
}

// check_renewal judges whether there is a reason to renew: a token that was refused, one whose life
// is half over, or an earlier try that came to nothing a while ago.
void Credentials::check_renewal(std::size_t agent, Instant at, const std::string& issuer) {
  Record& record = records_[{agent, issuer}];
  const std::size_t causes = causes_[issuer];
  bool due = true;
  for (const Known& known : secrets_) {
    if (known.domain.issuer != issuer || known.secret.kind != fakes::SecretKind::kAccess) continue;
    const Duration life = known.secret.ends - known.given;
    Instant asked = known.given;
    if (record.has_renewed && record.renewed <= asked) {
      // Before it was sent it may have waited for a connection.
      asked = std::max(record.renewed - life / 4, asked - kAnswerMax);
    }
    due = at + kSecond >= asked + life / 2;
  }
  const bool first = !record.has_renewed;
  const bool again = at - record.renewed >= kRenewalPause;
  if (!first && !again && !due && causes == record.causes) {
    fail(kNoStorm, "tokens were renewed twice at " + issuer + " within " +
                       std::to_string(milliseconds_of(at - record.renewed)) +
                       " ms, and neither was one refused nor about to end");
  }
  record.has_renewed = true;
  record.renewed = at;
  record.causes = causes;
}

// check_shows judges requests without a token, once the agent has had one that is still good.
void Credentials::check_shows(std::size_t agent, Instant at, const net::Authority& to,
                              const wire::HttpRequest& request) {
  if (request.target.starts_with("/.well-known/")) return;
  Record& record = records_[{agent, to.host}];
  const std::string shown(request.headers.get("Authorization").value_or(""));
  if (shown.starts_with(kBearer)) {
    record.shows = shown.substr(kBearer.size());
    if (record.shows.empty()) fail(kShowsToken, "an empty token was shown to " + to.host);
    return;
  }
  const Known* const had = record.shows.empty() ? nullptr : find_secret(record.shows);
  if (had == nullptr || had->refused || at + kEndMargin >= had->secret.ends) return;
  fail(kShowsToken, place(to, request) + " was sent without the token that is still good");
}

void Credentials::restarted(std::size_t agent) {
  std::erase_if(records_, [&](const auto& entry) { return entry.first.first == agent; });
}

void Credentials::on_event(const TraceEvent& event) {
  check_text("the trace", dump_json(event.detail));
  check_text("the trace", event.who);
}

void Credentials::check_text(std::string_view where, std::string_view text) {
  if (text.find(fakes::kSecretMark) == std::string_view::npos) return;
  fail(kTellsNoSecret, "a token or a code stands in " + std::string(where));
}

}  // namespace plumbline::scenarios
