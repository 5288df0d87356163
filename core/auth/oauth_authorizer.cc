#include "core/auth/oauth_authorizer.h"

#include <string_view>
#include <utility>

#include "core/auth/steps/addresses.h"

namespace plumbline::auth {

namespace {

constexpr int kStepsUpMax = 3;

}  // namespace

std::string OAuthAuthorizer::token_in(const wire::HttpHeaders& sent) const {
  const std::string_view value = sent.get(shown_in_).value_or("");
  return std::string(value.starts_with(shown_behind_) ? value.substr(shown_behind_.size()) : "");
}

OAuthAuthorizer::OAuthAuthorizer(Loop& loop, wire::Url server, TokenManager& tokens,
                                 SignIn* sign_in, std::string hint)
    : server_(as_http(std::move(server))),
      name_(canonical_resource(server_)),
      tokens_(tokens),
      sign_in_(sign_in),
      hint_(std::move(hint)),
      signing_in_(loop) {}

Task<Result<wire::HttpHeaders>> OAuthAuthorizer::headers_for(wire::Url to) {
  wire::HttpHeaders headers;
  if (as_http(std::move(to)).origin() != server_.origin()) co_return headers;
  const Result<std::optional<Token>> token = co_await tokens_.get(name_);
  if (!token.ok()) co_return token.error();
  if (!token.value()) co_return headers;
  shown_in_ = token.value()->header;
  shown_behind_ = token.value()->prefix;
  headers.set(shown_in_, shown_behind_ + token.value()->access_token);
  co_return headers;
}

Task<Result<bool>> OAuthAuthorizer::on_refused(net::HttpRefusal refusal) {
  if (as_http(refusal.to).origin() != server_.origin()) co_return false;
  const Challenge challenge = challenge_of(refusal.headers);
  const std::string sent = token_in(refusal.sent);
  const bool spare = refusal.worth == net::Worth::kOptional && !sent.empty() && sent == good_;
  if (refusal.status == 401) co_return co_await on_unauthorized(challenge, sent, spare);
  // Any other 403 is the server's decision about who has shown who they are.
  if (!challenge.asks_for_more_scope()) co_return false;
  co_return co_await on_forbidden(challenge, sent);
}

void OAuthAuthorizer::on_answered(const wire::HttpHeaders& sent) {
  const std::string token = token_in(sent);
  if (!token.empty() && token != good_) good_ = token;
}

Task<Result<bool>> OAuthAuthorizer::on_unauthorized(Challenge challenge, std::string sent,
                                                    bool spare) {
  if (!sent.empty() && sent == signed_in_ && sent != good_) {
    co_return Error{ErrorCode::kUnsupported, name_ + " refuses the token that was given for it"};
  }
  const Result<bool> renewed = co_await tokens_.renew(name_, sent, sent == good_);
  if (renewed.ok() && renewed.value()) co_return true;
  const bool for_now = !renewed.ok() && renewed.error().code != ErrorCode::kUnsupported;
  if (for_now) co_return renewed.error();
  if (spare) co_return false;
  co_return co_await sign_in(std::move(challenge), std::move(sent));
}

Task<Result<bool>> OAuthAuthorizer::on_forbidden(Challenge challenge, std::string sent) {
  const Result<std::optional<Token>> token = co_await tokens_.find(name_);
  if (!token.ok()) co_return token.error();
  if (token.value() && token.value()->access_token != sent) co_return true;
  const std::vector<std::string> wanted = split_scope(challenge.scope);
  const bool more = united(asked_, wanted).size() > asked_.size();
  if (!more || steps_up_ == kStepsUpMax) {
    co_return Error{
        ErrorCode::kUnsupported,
        name_ + " asks for a scope that its token was asked for already: " + challenge.scope};
  }
  ++steps_up_;
  co_return co_await sign_in(std::move(challenge), std::move(sent));
}

Task<Result<bool>> OAuthAuthorizer::sign_in(Challenge challenge, std::string sent) {
  if (sign_in_ == nullptr) {
    co_return Error{ErrorCode::kUnsupported, name_ + " wants a sign-in: " + hint_};
  }
  const Result<std::optional<Token>> now = co_await tokens_.get(name_);
  if (now.ok() && now.value() && now.value()->access_token != sent) co_return true;
  const bool ours = signing_in_.begin();
  if (ours) work_.spawn(sign_in_work(*this, std::move(challenge)));
  co_await signing_in_.landed();
  if (trouble_)
    co_return Error{trouble_->code, "the sign-in for " + name_ + ": " + trouble_->message};
  co_return true;
}

Task<void> OAuthAuthorizer::sign_in_work(OAuthAuthorizer& self, Challenge challenge) {
  self.trouble_.reset();
  self.asked_ = united(std::move(self.asked_), split_scope(challenge.scope));
  Result<std::optional<Token>> before = co_await self.tokens_.find(self.name_);
  std::optional<Token> used;
  if (before.ok()) used = std::move(before).value();
  Result<Token> token =
      co_await self.sign_in_->run(self.server_, std::move(challenge), std::move(used));
  if (token.ok()) {
    self.asked_ = united(std::move(self.asked_), token.value().scopes);
    self.signed_in_ = token.value().access_token;
    const Status kept = co_await self.tokens_.store(std::move(token).value());
    if (!kept.ok()) self.trouble_ = kept.error();
  } else {
    self.trouble_ = token.error();
  }
  self.signing_in_.land();
}

}  // namespace plumbline::auth
