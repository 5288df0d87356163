// Pins remember what each server offered when it was first seen: what a person agreed to then is
// not what stands under the same name later.

#pragma once

#include <map>
#include <string>

#include "core/connector/capability.h"

namespace plumbline::connector {

// Pins live as long as the assistant that fills them; a server that changes for good is trusted
// again after a restart.
class Pins {
 public:
  // look pins the server of `manifest` and its tools at the first sight, and from then on marks
  // the tools that differ (Capability::drift). What is not among the tools of a `whole` list is new
  // later; what a cut one did not get to is pinned when it is first seen.
  void look(ServerManifest& manifest, bool whole);

 private:
  struct Pinned {
    std::string server;                        // What it calls itself, and its version.
    std::map<std::string, std::string> tools;  // Digests of their definitions, by name.
    bool whole = false;                        // A list was seen to its end.
  };
  std::map<std::string, Pinned> servers_;
};

}  // namespace plumbline::connector
