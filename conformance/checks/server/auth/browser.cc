#include "conformance/checks/server/auth/browser.h"

#include <utility>

#include "conformance/checks/server/auth/door.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr int kRedirectsMax = 5;
constexpr int kPageFormsMax = 3;

// without_spaces returns what may stand in a request line.
std::string without_spaces(std::string_view target) {
  std::string safe;
  for (const char c : target) {
    if (static_cast<unsigned char>(c) > 0x20 && c != 0x7f) safe += c;
  }
  return safe;
}

Cookie cookie_of(std::string_view text) {
  Cookie cookie;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view part = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string key(trimmed(part.substr(0, equals)));
    const std::string value(trimmed(part.substr(std::min(equals + 1, part.size()))));
    if (first) {
      cookie.name = key;
      cookie.value = value;
    }
    if (!first && equals_ignoring_case(key, "secure")) cookie.secure = true;
    if (!first && equals_ignoring_case(key, "httponly")) cookie.http_only = true;
    if (!first && equals_ignoring_case(key, "samesite")) cookie.same_site = lower_case(value);
    if (!first && equals_ignoring_case(key, "max-age") && value.starts_with("0")) {
      cookie.removed = true;
    }
    first = false;
  }
  if (cookie.value.empty()) cookie.removed = true;
  return cookie;
}

}  // namespace

std::vector<Cookie> cookies_in(const Reply& reply) {
  std::vector<Cookie> cookies;
  for (const auto& [name, value] : reply.headers.fields()) {
    if (equals_ignoring_case(name, "Set-Cookie")) cookies.push_back(cookie_of(value));
  }
  return cookies;
}

bool is_at_server(const Probe& probe, const std::string& address) {
  const Result<wire::Url> url = wire::parse_url(address);
  return url.ok() && is_here(url.value(), probe.server_url());
}

Task<Page> Browser::go(wire::HttpRequest request) {
  Page page;
  for (int redirects = 0;; ++redirects) {
    page.target = request.target = without_spaces(request.target);
    std::string cookies;
    for (const auto& [name, value] : cookies_) {
      cookies += (cookies.empty() ? "" : "; ") + name + "=" + value;
    }
    if (!cookies.empty()) request.headers.set("Cookie", cookies);
    Client raw = probe_.open_raw(always_);
    page.reply = co_await raw.http(std::move(request));
    raw.session().wire().drop(page.reply.exchange);
    for (Cookie& cookie : cookies_in(page.reply)) {
      if (cookie.removed) cookies_.erase(cookie.name);
      if (!cookie.removed) cookies_[cookie.name] = cookie.value;
      page.cookies.push_back(std::move(cookie));
    }
    const std::string to(page.reply.headers.get("Location").value_or(""));
    const bool redirects_on = page.reply.status >= 300 && page.reply.status < 400 && !to.empty();
    if (!redirects_on || redirects == kRedirectsMax) break;
    wire::Url here = probe_.server_url();
    here.target = page.target;
    const Result<wire::Url> next = wire::resolve_url(here, to);
    if (!next.ok() || !is_here(next.value(), here)) {
      page.leads_to = to;
      break;
    }
    request = wire::HttpRequest();
    request.method = "GET";
    request.headers.set("Accept", "text/html, application/json");
    request.target = next.value().target;
  }
  co_return std::move(page);
}

Task<Page> Browser::open(std::string address) {
  const Result<wire::Url> url = wire::parse_url(address);
  wire::HttpRequest request;
  request.method = "GET";
  request.target = url.ok() ? url.value().target : address;
  request.headers.set("Accept", "text/html, application/json");
  Page page = co_await go(std::move(request));
  co_return std::move(page);
}

Task<Page> Browser::send(Page page, PageForm form, std::string from) {
  wire::Url here = probe_.server_url();
  here.target = page.target;
  const Result<wire::Url> to = wire::resolve_url(here, form.action);
  if (!to.ok() || !is_here(to.value(), here)) {
    page.leads_to = form.action;
    co_return std::move(page);
  }
  wire::HttpRequest request;
  request.method = form.posts ? "POST" : "GET";
  request.target = form.action.empty() ? page.target : to.value().target;
  request.headers.set("Accept", "text/html, application/json");
  request.headers.set("Origin", from.empty() ? here.origin() : from);
  if (form.posts) {
    request.headers.set("Content-Type", "application/x-www-form-urlencoded");
    request.body = form.fields.text();
  } else {
    request.target = request.target.substr(0, request.target.find('?')) + "?" + form.fields.text();
  }
  Page next = co_await go(std::move(request));
  co_return std::move(next);
}

Task<Page> Browser::open_and_agree(std::string address) {
  Page page = co_await open(std::move(address));
  for (int forms = 0; forms < kPageFormsMax && page.reply.status == 200; ++forms) {
    std::optional<PageForm> form = form_on(page.reply.body);
    if (!form) break;
    std::string own;
    page = co_await send(std::move(page), std::move(*form), std::move(own));
  }
  co_return std::move(page);
}

}  // namespace plumbline::conformance
