// RightProxy is a server that is an OAuth proxy and right: clients register with it, a page of its
// own asks for consent to each, and it has one client of the third party behind it for all of them.
// Wrong ones lack one thing.

#pragma once

#include <map>
#include <string>
#include <utility>

#include "conformance/broken/door_keeper.h"
#include "core/wire/form.h"

namespace plumbline::conformance {

// ProxyFlaws are the ways of being wrong.
struct ProxyFlaws {
  bool asks_nobody = false;
  bool asks_once = false;        // A person, whatever client comes next.
  bool shows_no_client = false;  // On the page that asks.
  bool may_be_framed = false;    // Likewise.
  bool takes_forged_forms = false;
  bool has_plain_cookie = false;  // For consent: neither Secure nor __Host-.
  bool signs_nothing = false;     // Of the cookie that stands for consent.
  bool takes_any_redirect = false;
  bool sets_state_early = false;
  bool takes_any_state = false;
  bool takes_states_again = false;
  bool takes_refusals = false;  // Of the third party, for consent.
  bool gives_foreign_token = false;
  bool passes_tokens_on = false;  // What the client shows, to what stands behind.
};

class RightProxy final : public Keeper {
 public:
  RightProxy(Behind behind, ProxyFlaws flaws)
      : behind_(std::move(behind)), flaws_(std::move(flaws)) {}

  // implements Keeper ---
  OwnResponse answer(wire::HttpRequest& request) override;

 private:
  struct Client {
    std::string name;
    std::string redirect_uri;
  };
  // Pending is a request that the person is asked about, or with which they are at the third party.
  struct Pending {
    std::string client;
    std::string redirect_uri;
    std::string client_state;
    std::string browser;  // Of whom: a cookie.
    std::string state;    // At the third party.
  };

  wire::HttpResponse metadata(const std::string& origin) const;
  wire::HttpResponse registered(const wire::HttpRequest& request);
  wire::HttpResponse authorized(const wire::HttpRequest& request);
  wire::HttpResponse page_for(const Pending& pending, const std::string& id) const;
  wire::HttpResponse consented(const wire::HttpRequest& request);
  wire::HttpResponse called_back(const wire::HttpRequest& request);
  wire::HttpResponse sent_on(const wire::HttpRequest& request, Pending pending, bool asked);
  wire::HttpResponse token(const wire::HttpRequest& request);
  bool has_consent(const wire::HttpRequest& request, const std::string& client) const;
  std::string new_name();

  Behind behind_;
  ProxyFlaws flaws_;
  std::map<std::string, Client> clients_;
  std::map<std::string, Pending> asked_;      // By what the form has.
  std::map<std::string, Pending> states_;     // By that of the third party.
  std::map<std::string, std::string> codes_;  // What each is good for.
  int names_ = 0;
};

}  // namespace plumbline::conformance
