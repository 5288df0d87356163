#include <memory>
#include <utility>

#include "conformance/broken/deviation.h"
#include "conformance/broken/door_keeper.h"
#include "conformance/broken/right_proxy.h"

namespace plumbline::conformance {

namespace {

// of_proxy is a server that is an OAuth proxy, with one flaw.
template <bool ProxyFlaws::*kFlaw>
Deviation of_proxy(std::string_view id, std::string_view revision, std::string_view what) {
  Deviation deviation = at_door(id, revision, what, nullptr);
  deviation.keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
    ProxyFlaws flaws;
    flaws.*kFlaw = true;
    return std::make_unique<RightProxy>(std::move(behind), flaws);
  };
  return deviation;
}

// asking_once goes by a cookie that stands for any client.
Deviation asking_once() {
  Deviation deviation =
      of_proxy<&ProxyFlaws::asks_once>("security.proxy-consent-registry", kJudgedStateful,
                                       "asks a person once, whatever client comes next");
  deviation.also = {"security.proxy-consent-cookie"};
  return deviation;
}

const Deviation kProxyDeviations[] = {
    of_proxy<&ProxyFlaws::asks_nobody>("auth.proxy-consent-per-client", kJudgedStateful,
                                       "sends everybody on to the third party and asks nobody"),
    of_proxy<&ProxyFlaws::asks_nobody>("auth.proxy-consent-per-client", kJudgedStateless,
                                       "sends everybody on to the third party and asks nobody"),
    asking_once(),
    of_proxy<&ProxyFlaws::shows_no_client>("security.proxy-consent-page", kJudgedStateful,
                                           "does not say who wants consent"),
    of_proxy<&ProxyFlaws::may_be_framed>("security.proxy-consent-page", "2025-06-18",
                                         "lets its page be put into a frame"),
    of_proxy<&ProxyFlaws::takes_forged_forms>("security.proxy-consent-page", kJudgedStateful,
                                              "takes the form of one visitor from another"),
    of_proxy<&ProxyFlaws::has_plain_cookie>("security.proxy-consent-cookie", kJudgedStateful,
                                            "has a cookie for consent that scripts can read"),
    of_proxy<&ProxyFlaws::signs_nothing>("security.proxy-consent-cookie", "2025-06-18",
                                         "has a cookie for consent that anybody can write"),
    of_proxy<&ProxyFlaws::takes_any_redirect>("security.proxy-redirect-uri-exact", kJudgedStateful,
                                              "takes each redirect_uri that begins as registered"),
    of_proxy<&ProxyFlaws::sets_state_early>("security.proxy-state-after-consent", kJudgedStateful,
                                            "sets the cookie with the state before it asks"),
    of_proxy<&ProxyFlaws::takes_any_state>("security.proxy-state-checked", kJudgedStateful,
                                           "looks at no state"),
    of_proxy<&ProxyFlaws::takes_states_again>("security.proxy-state-checked", "2025-06-18",
                                              "takes a state twice"),
    of_proxy<&ProxyFlaws::takes_refusals>("auth.third-party-flow-hardening", "2025-03-26",
                                          "takes the third party's refusal for consent"),
    of_proxy<&ProxyFlaws::gives_foreign_token>("auth.third-party-token-mapping", "2025-03-26",
                                               "gives the client what the third party gave it"),
    of_proxy<&ProxyFlaws::passes_tokens_on>("auth.no-token-passthrough", kJudgedStateful,
                                            "passes the client's token on"),
    of_proxy<&ProxyFlaws::passes_tokens_on>("auth.no-token-passthrough", kJudgedStateless,
                                            "passes the client's token on"),
};

}  // namespace

Deviations proxy_deviations() { return kProxyDeviations; }

const Deviation& right_proxy() {
  static const Deviation kRight = [] {
    Deviation deviation = at_door("", "", "is an OAuth proxy", nullptr);
    deviation.keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
      return std::make_unique<RightProxy>(std::move(behind), ProxyFlaws());
    };
    return deviation;
  }();
  return kRight;
}

}  // namespace plumbline::conformance
