// Which addresses an authorization may lead to. Servers say where to go next, and a hostile one
// must not have us ask machines that only we can reach, nor send a secret in the clear.
//
// Names are judged as they are written: a name that resolves to a private address is not seen.

#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/wire/url.h"

namespace plumbline::auth {

// is_loopback returns whether `host` is this machine: localhost, 127.0.0.0/8, ::1.
bool is_loopback(std::string_view host);

// is_private returns whether `host` is a literal address that is not of the public Internet
// (loopback, 10.0.0.0/8, 169.254.0.0/16, fc00::/7 and the like), or a name of this machine.
bool is_private(std::string_view host);

// as_http returns the URL of the same place with http or https in place of ws or wss.
wire::Url as_http(wire::Url url);

// allowed_url returns the URL that a document of `from` names. kInvalidInput: no URL, neither https
// nor http of this machine, or a private address named by a public one.
//
// Spec 2025-11-25, basic/authorization, Communication Security (MUST).
Result<wire::Url> allowed_url(std::string_view text, const wire::Url& from);

// canonical_resource returns what names the server in resource indicators: its URL without
// fragment, and without the path where that is "/".
//
// Spec 2025-11-25, basic/authorization, Canonical Server URI; RFC 8707.
std::string canonical_resource(const wire::Url& server);

// covers returns whether `resource` is `server`, or one above it at the same origin, so that a
// token for it may be sent there.
bool covers(std::string_view resource, const wire::Url& server);

// well_known returns "ORIGIN/.well-known/NAME/PATH" for a URL with a path, RFC 8414 and RFC 9728,
// section 3.1.
std::string well_known(const wire::Url& url, std::string_view name);

// path_of returns the path of a URL, empty for "/", without the slash at its end.
std::string path_of(const wire::Url& url);

}  // namespace plumbline::auth
