// HttpAccess is the door of every HTTP server: under which names it may be called, and from which
// web pages. HttpServer asks it before its handler sees a request, so that no listener is without.
//
// A web page can send requests to any address that its browser reaches, and a page that points its
// own name at us (DNS rebinding) can read the answers too. The browser tells on it: by Host, by
// Origin, or by Sec-Fetch-Site where a request has no Origin.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/http.h"

namespace plumbline::net {

// Stranger is why a request is refused: the status of the answer and one line.
struct Stranger {
  int status = 403;
  std::string why;
};

struct HttpAccess {
  // Names and addresses that Host may have, with any port.
  std::vector<std::string> hosts = {"localhost", "127.0.0.1", "::1"};
  // Besides: any address, and names that nobody can register (without a dot, *.local and so on).
  // For servers that listen at every address of a machine.
  bool private_hosts = false;
  bool only_hosts = false;  // `hosts` is all: listens_at never sets private_hosts.
  bool any_host = false;

  // Pages on one of `hosts` may call, over http or https and from any port. A page that the server
  // has served itself always may.
  bool host_origins = true;
  std::vector<std::string> origins;  // Other pages that may: "https://app.example.com".
  bool any_origin = false;           // Every web page may call.

  // A link or a redirect of another site may lead a browser here: for servers that show pages.
  bool pages = false;
  // Paths that answer GET whatever Host says: probes call by address.
  std::vector<std::string> probes;

  // at returns who may call a server that listens at `host`: by that name or address, and by those
  // of loopback. Where it is every address, by all private_hosts.
  static HttpAccess at(const std::string& host);

  // anybody lets everything in: for simulated networks, where no web page is.
  static HttpAccess anybody();

  // listens_at adds to `hosts` where the server listens. Where that is every address, private_hosts
  // is set in its place, unless only_hosts is.
  void listens_at(const std::string& host);
};

// refuse_stranger returns why `request` is refused; nothing: it may come in. A target in absolute
// form (RFC 9112, section 3.2.2) becomes a path, and has to name the same host as Host.
//
// Spec 2025-11-25, basic/transports, Security Warning (MUST); 2026-07-28, the same.
std::optional<Stranger> refuse_stranger(wire::HttpRequest& request, const HttpAccess& access);

}  // namespace plumbline::net
