#include "scenarios/auth/issuers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/check.h"

namespace plumbline::scenarios {

namespace {

constexpr std::uint16_t kInnerPort = 80;
constexpr std::uint16_t kOuterPort = 443;

}  // namespace

// Issuer is the authorization server of one server, behind a proxy.
class Issuers::Issuer final {
 public:
  Issuer(Issuers& owner, const ServerSpec& server, std::string url)
      : name_(server.name),
        spec_(*server.authorization),
        url_(std::move(url)),
        domain_{server.name, issuer_name(server.name)},
        tokens_(owner.loop_, "https://" + domain_.issuer, spec_.issuer),
        http_(owner.loop_, tokens_, net::HttpAccess::anybody()),
        ends_([this] { tokens_.end_accesses(); }),
        revokes_([this] { tokens_.revoke_all(); }) {
    tokens_.on_secret([this, &owner](const fakes::Secret& secret) {
      owner.credentials_.given(domain_, secret, owner.loop_.now());
    });
    const net::Authority inner{domain_.issuer + ".1", kInnerPort};
    auto listening = owner.network_.listen(
        inner, std::nullopt,
        [this](std::unique_ptr<net::Pipe> pipe) { http_.accept(std::move(pipe)); });
    check(listening.ok(), "two authorization servers of one name");
    listener_ = std::move(listening).value();
    const net::Authority outer{domain_.issuer, kOuterPort};
    front_.emplace(owner.loop_, owner.network_, outer.host, outer, spec_.front, std::vector{inner},
                   owner.events_, [] { return false; });
    if (spec_.ends) owner.loop_.arm(ends_, after(owner.loop_.now(), *spec_.ends));
    if (spec_.revokes) owner.loop_.arm(revokes_, after(owner.loop_.now(), *spec_.revokes));
  }

  const std::string& name() const { return name_; }
  const std::string& url() const { return url_; }
  const WebFront& front() const { return *front_; }
  fakes::AuthorizationServer& tokens() { return tokens_; }

  std::unique_ptr<fakes::ProtectedResource> gate(Credentials& credentials) {
    auto gate = std::make_unique<fakes::ProtectedResource>(url_, "https://" + domain_.issuer,
                                                           tokens_, spec_.resource);
    gate->on_shown(
        [&credentials](const std::string& token, bool good) { credentials.shown(token, good); });
    gates_.push_back(gate.get());
    return gate;
  }

  void heal() {
    ends_.cancel();
    revokes_.cancel();
    const bool rotates = tokens_.script().rotates;
    tokens_.script() = fakes::AuthorizationScript();
    tokens_.script().rotates = rotates;
    // A name that covers it is no fault of it, and there are tokens for that name.
    fakes::ProtectionScript right;
    const std::string named = string_or(spec_.resource.metadata, "resource", url_);
    if (url_.starts_with(named)) right.metadata["resource"] = named;
    for (fakes::ProtectedResource* const gate : gates_) gate->script() = right;
    front_->heal();
  }

  void switch_off() {
    ends_.cancel();
    revokes_.cancel();
    gates_.clear();
    front_->switch_off();
    listener_.reset();
  }

 private:
  std::string name_;
  const AuthorizationSpec& spec_;
  std::string url_;
  Credentials::Domain domain_;
  fakes::AuthorizationServer tokens_;
  std::vector<fakes::ProtectedResource*> gates_;  // As long as their hosts are there.
  net::HttpServer http_;
  std::unique_ptr<net::Listener> listener_;
  std::optional<WebFront> front_;
  Alarm ends_;
  Alarm revokes_;
};

class Issuers::Stranger final : private net::HttpHandler {
 public:
  Stranger(Issuers& owner, const net::Authority& at)
      : owner_(owner), name_(at.host), http_(owner.loop_, *this, net::HttpAccess::anybody()) {
    auto listening = owner.network_.listen(at, std::nullopt,
                                           [this](auto pipe) { http_.accept(std::move(pipe)); });
    if (listening.ok()) listener_ = std::move(listening).value();
  }

  // listens returns whether nobody was there already.
  bool listens() const { return listener_ != nullptr; }

 private:
  // implements HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override {
    const std::string path = request.target.substr(0, request.target.find('?'));
    const Json detail = {{"method", request.method}, {"path", path}};
    owner_.events_.on_event(TraceEvent{owner_.loop_.now(), EventKind::kExchange, name_, detail});
    reply.respond(wire::HttpResponse{404, {}, ""});
  }

  Issuers& owner_;
  std::string name_;
  net::HttpServer http_;
  std::unique_ptr<net::Listener> listener_;
};

Issuers::Issuers(Loop& loop, net::Network& network, Credentials& credentials, EventSink& events)
    : loop_(loop), network_(network), credentials_(credentials), events_(events) {}

Issuers::~Issuers() = default;

void Issuers::add(const ServerSpec& server, const std::string& url) {
  issuers_.push_back(std::make_unique<Issuer>(*this, server, url));
}

Issuers::Issuer& Issuers::issuer_of(const std::string& server) {
  const auto found =
      std::ranges::find_if(issuers_, [&](const auto& one) { return one->name() == server; });
  check(found != issuers_.end(), "a server without authorization");
  return **found;
}

std::unique_ptr<fakes::ProtectedResource> Issuers::gate(const std::string& server) {
  return issuer_of(server).gate(credentials_);
}

fakes::AuthorizationServer& Issuers::of(const std::string& server) {
  return issuer_of(server).tokens();
}

const std::string& Issuers::url_of(const std::string& server) { return issuer_of(server).url(); }

void Issuers::meet(const net::Authority& to) {
  auto stranger = std::make_unique<Stranger>(*this, to);
  if (stranger->listens()) strangers_.push_back(std::move(stranger));
}

void Issuers::heal() {
  for (const auto& issuer : issuers_) issuer->heal();
}

void Issuers::switch_off() {
  for (const auto& issuer : issuers_) issuer->switch_off();
  strangers_.clear();
}

const WebFront* Issuers::front_of(const std::string& name) const {
  for (const auto& issuer : issuers_) {
    if (issuer->front().name() == name) return &issuer->front();
  }
  return nullptr;
}

}  // namespace plumbline::scenarios
