#include "core/auth/admission/key_source.h"

#include <chrono>
#include <utility>

#include "core/auth/steps/metadata.h"

namespace plumbline::auth {

namespace {

constexpr Duration kKeysAgeMax = std::chrono::minutes(10);
constexpr Duration kKeysPause = std::chrono::seconds(30);

}  // namespace

KeySource::KeySource(Loop& loop, std::vector<VerifyingKey> keys)
    : loop_(loop), keys_(std::move(keys)), fetching_(loop) {}

KeySource::KeySource(Loop& loop, net::Network& network, wire::Url address)
    : loop_(loop),
      address_(std::move(address)),
      http_(std::make_unique<DocumentClient>(loop, network, net::TlsClient())),
      fetching_(loop) {}

Task<Status> KeySource::refresh(bool anew) {
  if (!address_) co_return Done();
  const Duration age_max = anew || keys_.empty() ? kKeysPause : kKeysAgeMax;
  const bool old = !asked_ || loop_.now() >= after(*asked_, age_max);
  if (old && fetching_.begin()) work_.spawn(fetch(*this));
  if (old || keys_.empty()) co_await fetching_.landed();
  if (!keys_.empty()) co_return Done();
  co_return Error{ErrorCode::kDisconnected,
                  "the keys at " + address_->origin() + address_->target + ": " + trouble_};
}

Task<void> KeySource::fetch(KeySource& self) {
  self.asked_ = self.loop_.now();
  const Result<wire::HttpResponse> answer = co_await self.http_->get(*self.address_);
  if (!answer.ok()) {
    self.trouble_ = answer.error().message;
  } else if (answer.value().status != 200) {
    self.trouble_ = "HTTP " + std::to_string(answer.value().status);
  } else {
    const Result<Json> document = read_document(answer.value().body);
    Result<std::vector<VerifyingKey>> keys =
        read_key_set(document.ok() ? document.value() : Json::object());
    if (keys.ok()) self.keys_ = std::move(keys).value();
    if (!keys.ok()) self.trouble_ = keys.error().message;
  }
  self.fetching_.land();
}

}  // namespace plumbline::auth
