// Who calls a server that may stand behind proxies.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/wire/http.h"

namespace plumbline::wire {

// caller_of returns the address that a request comes from: that of the `peer` of the connection,
// or, where that is one of `proxies`, what it has added to X-Forwarded-For; and so on, where that
// is one of them, too.
std::string caller_of(std::string peer, const HttpHeaders& headers,
                      const std::vector<std::string>& proxies);

// network_of returns what one caller can call from at will: of an IPv6 address the first 64 bits
// ("2001:db8:0:7::/64"), any other address as it is.
std::string network_of(std::string_view address);

// guest_of names whose share of a server's budget a request takes: that of the `principal` whom a
// gate has let in, or else that of the caller's network. No other place decides that.
std::string guest_of(const std::string& principal, std::string_view address);

}  // namespace plumbline::wire
