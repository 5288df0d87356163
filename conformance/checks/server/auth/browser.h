// Browser is what a person sits at: it goes to the server's own pages, keeps the cookies that they
// set, and follows redirects among them. It never leaves the server; where it would be led stands
// in the Page.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "conformance/checks/server/auth/page_form.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

// Cookie is one that a page has set.
struct Cookie {
  std::string name;
  std::string value;
  bool secure = false;
  bool http_only = false;
  std::string same_site;  // Lower case; empty: it says nothing.
  bool removed = false;   // It was set to be forgotten.
};

// cookies_in returns what the Set-Cookie fields of a reply say.
std::vector<Cookie> cookies_in(const Reply& reply);

struct Page {
  Reply reply;                  // The last one.
  std::string target;           // Its path and query.
  std::string leads_to;         // An address elsewhere, to which it sends; empty: nowhere.
  std::vector<Cookie> cookies;  // That were set on the way.

  bool refused() const { return reply.status >= 400; }
};

class Browser {
 public:
  // `always` goes with each request: who the person is, where that is no cookie. `probe` must
  // outlive the browser.
  Browser(Probe& probe, wire::HttpHeaders always) : probe_(probe), always_(std::move(always)) {}

  // open goes to an address, whole or of the server, and follows at most five redirects.
  Task<Page> open(std::string address);

  // send sends a form of `page`, as a person does who says yes. `from` is what Origin says; empty:
  // the server's own.
  Task<Page> send(Page page, PageForm form, std::string from);

  // open_and_agree opens a page and, while it shows a form, sends that: at most three.
  Task<Page> open_and_agree(std::string address);

  // cookies returns those that are kept, by their names.
  std::map<std::string, std::string>& cookies() { return cookies_; }

 private:
  Task<Page> go(wire::HttpRequest request);

  Probe& probe_;
  wire::HttpHeaders always_;
  std::map<std::string, std::string> cookies_;
};

// is_at_server returns whether `address` is of the server's origin, by whatever name this machine
// goes.
bool is_at_server(const Probe& probe, const std::string& address);

}  // namespace plumbline::conformance
