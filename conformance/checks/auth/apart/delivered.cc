// Whether a code gets to its client wherever that listens: at a loopback address, on the web, or
// under a scheme of its own. RFC 6749, section 4.1.2; RFC 8252, section 7.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/auth/registering.h"
#include "conformance/checks/server/auth/page_form.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// Listener is a place where clients wait for their code.
struct Listener {
  std::string uri;
  const char* who;
  bool advice = false;  // A server need not register it.
};

// Delivery is what became of the code for one redirect URI.
struct Delivery {
  Listener to;
  bool granted = false;
  std::string lost;  // Where its user was left without it; empty: nowhere that is known.
};

// may_go_on returns whether a page may still bring its reader to the client.
bool may_go_on(const Reply& page, const std::string& uri) {
  if (shows_text(page.body, uri) || form_on(page.body)) return true;
  const std::string text = lower_case(page.body);
  const bool fails = page.status >= 400;
  for (const std::string_view sign : {"code=", "<script", "http-equiv", "href="}) {
    if (text.find(sign) != std::string::npos) return true;
    if (fails) return false;  // What else it has leads nowhere for the client.
  }
  return false;
}

// lost_at says where a user who has said yes is left without a code for the client; empty: it is
// not known.
std::string lost_at(const Reply& end, const std::string& uri) {
  if (is_busy(end) || is_sent_to(end, uri)) return {};
  const std::string place = location_of(end);
  if (place.find("code") != std::string::npos) return {};
  if (!place.empty()) return "sent to \"" + clipped(place) + "\"";
  if (may_go_on(end, uri)) return {};
  return "left at a page with status " + std::to_string(end.status);
}

Delivery delivery_of(Listener to, const Reply& end) {
  Delivery delivery;
  delivery.granted = is_sent_to(end, to.uri) && answered_fields(end).count("code") > 0;
  delivery.lost = lost_at(end, to.uri);
  delivery.to = std::move(to);
  return delivery;
}

// delivery_to registers a client that listens there, and asks for a code as that.
Task<Delivery> delivery_to(AuthProbe* probe, Listener to) {
  Json about = client_metadata(to.uri);
  about["client_name"] = "Plumbline (another address)";  // Some know a client by its name.
  if (to.uri.starts_with("https")) about["application_type"] = "web";
  std::string endpoint = probe->authority().member("registration_endpoint");
  const Reply made = co_await probe->register_at(std::move(endpoint), std::move(about));
  Json registered = is_registered(made) ? json_in(made) : Json();
  const std::string id = string_or(registered, "client_id", "");
  Delivery delivery;
  if (!id.empty()) {
    const wire::Form form = changed(probe->usual_request(), "client_id", id);
    wire::Form asked = changed(form, "redirect_uri", to.uri);
    const Reply first = co_await probe->authorize(asked);
    // That it is refused at once is for auth.as-registered-is-served.
    const bool refused = first.status == 0 || first.status >= 400;
    if (!refused) {
      const Reply last = co_await probe->ask_for_code(std::move(asked));
      delivery = delivery_of(std::move(to), last);
    }
  }
  co_await probe->take_back(std::move(registered));
  co_return std::move(delivery);
}

}  // namespace

Task<Finding> delivers_to_each(AuthProbe* probe, Reply usual) {
  if (!probe->client().has_person || !has_registration(*probe)) co_return passes();
  Listener own = {probe->client().redirect_uri, "clients like it"};
  std::vector<Delivery> all;
  all.push_back(delivery_of(std::move(own), usual));
  const Listener others[] = {
      {"https://plumbline.example/callback", "clients on the web, such as Claude and ChatGPT,"},
      {"http://localhost:33418/callback", "clients at localhost, such as Claude Code,"},
      {"http://[::1]:33418/callback", "clients at the loopback address of IPv6", true},
      {"example.plumbline:/callback", "clients with a scheme of their own, such as Cursor,", true}};
  for (const Listener& other : others) {
    Listener to = other;
    Delivery delivery = co_await delivery_to(probe, std::move(to));
    all.push_back(std::move(delivery));
  }
  std::string reached;
  for (const Delivery& one : all) {
    if (one.granted && reached.empty()) reached = one.to.uri;
  }
  for (const Delivery& one : all) {
    if (reached.empty() || one.lost.empty()) continue;
    const std::string said = "it registers a client with the redirect URI \"" +
                             clipped(one.to.uri) +
                             "\", and when its user has said yes, the browser is " + one.lost +
                             " without a code for the client; one at \"" + clipped(reached) +
                             "\" gets its code: " + one.to.who + " cannot sign in";
    co_return one.to.advice ? risky(said) : broken(said);
  }
  co_return passes();
}

}  // namespace plumbline::conformance
