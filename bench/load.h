// What programs share that put a service under load, over sockets of the loopback interface.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

#include "core/net/http_client.h"

namespace plumbline::load {

constexpr Duration kPatience = std::chrono::minutes(2);
constexpr std::size_t kConnectionsMax = 30'000;

// print_line prints a line at once, for whoever reads it.
inline void print_line(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

inline net::HttpClientOptions client_options() {
  net::HttpClientOptions made;
  made.connections_max = kConnectionsMax;
  made.waiting_max = kConnectionsMax;
  return made;
}

}  // namespace plumbline::load
