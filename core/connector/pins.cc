#include "core/connector/pins.h"

#include "core/base/sha256.h"

namespace plumbline::connector {

namespace {

// digest_of takes in all that a tool says of itself: its words tell a model what to do with it,
// its schema what to give it.
std::string digest_of(const Capability& tool, Sha256& hash) {
  hash.update(dump_json(to_json(tool)));
  return hash.finish_hex();
}

}  // namespace

void Pins::look(ServerManifest& manifest, bool whole) {
  const auto [at, first] = servers_.try_emplace(manifest.server);
  Pinned& pinned = at->second;
  const std::string server = manifest.name + " " + manifest.version;
  if (first) pinned.server = server;
  Sha256 hash;
  for (Capability& tool : manifest.capabilities) {
    if (tool.type != CapabilityType::kTool) continue;
    std::string digest = digest_of(tool, hash);
    const auto known = pinned.tools.find(tool.name);
    if (known == pinned.tools.end() && pinned.whole) {
      tool.drift = Drift::kNew;
    } else if (known == pinned.tools.end()) {
      pinned.tools.emplace(tool.name, std::move(digest));
    } else if (known->second != digest) {
      tool.drift = Drift::kChanged;
    } else if (pinned.server != server) {
      tool.drift = Drift::kOtherVersion;
    }
  }
  pinned.whole = pinned.whole || whole;
}

}  // namespace plumbline::connector
