#include "fakes/world/effect_ledger.h"

#include <algorithm>
#include <utility>

#include "core/base/sha256.h"

namespace plumbline::fakes {

namespace {

constexpr std::size_t kKeyBytesMax = 200;

}  // namespace

void EffectLedger::commit(std::string server, std::string tool, std::string key, bool idempotent) {
  auto effect = std::ranges::find_if(effects_, [&](const Effect& known) {
    return known.key == key && known.tool == tool && known.server == server;
  });
  if (effect == effects_.end()) {
    effects_.push_back({std::move(server), std::move(tool), std::move(key), idempotent, 0,
                        loop_.now(), loop_.now()});
    effect = effects_.end() - 1;
  }
  ++total_;
  ++effect->count;
  effect->idempotent = effect->idempotent && idempotent;
  effect->last_at = loop_.now();
  const Json detail = {{"tool", effect->tool},
                       {"key", effect->key},
                       {"count", effect->count},
                       {"idempotent", effect->idempotent}};
  events_.on_event({loop_.now(), EventKind::kEffect, effect->server, detail});
}

std::vector<Effect> EffectLedger::duplicates() const {
  std::vector<Effect> found;
  for (const Effect& effect : effects_) {
    if (effect.count > 1 && !effect.idempotent) found.push_back(effect);
  }
  return found;
}

std::string effect_key(const Json& arguments) {
  std::string key = dump_json(arguments);
  if (key.size() <= kKeyBytesMax) return key;
  Sha256 hash;
  hash.update(key);
  return "sha256:" + hash.finish_hex();
}

}  // namespace plumbline::fakes
