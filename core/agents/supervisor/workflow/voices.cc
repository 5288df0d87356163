#include "core/agents/supervisor/workflow/voices.h"

#include <set>
#include <utility>

namespace plumbline::agents::supervisor {

// voices_of returns who is asked: those of the request, of the settings, or the default model on
// all three sides.
Json voices_of(const SupervisorState& state, const SupervisorServices& services) {
  const Json* const asked = find(state.asked.request_data, "models");
  if (asked != nullptr && asked->is_array() && !asked->empty()) {
    return *asked;
  }
  Json out = Json::array();
  for (const Voice& voice : services.voices) {
    out.push_back({{"model", voice.model}, {"stance", voice.stance}});
  }
  if (!out.empty()) return out;
  for (const char* stance : {"for", "against", "neutral"}) {
    out.push_back({{"model", state.model.model_name}, {"stance", stance}});
  }
  return out;
}

std::optional<Trouble> voices_trouble(const Json& voices, const SupervisorServices& services) {
  if (voices.size() > services.limits.voices_max) {
    return Trouble{"bad_arguments",
                   "\"models\" names " + std::to_string(voices.size()) + " voices, and at most " +
                       std::to_string(services.limits.voices_max) + " are asked.",
                   "Leave some out."};
  }
  std::set<std::pair<std::string, std::string>> seen;
  for (const Json& voice : voices) {
    const std::string name = string_or(voice, "model", "");
    const std::string stance = string_or(voice, "stance", "neutral");
    if (!seen.emplace(name, stance).second) {
      return Trouble{"bad_arguments",
                     "\"models\" names \"" + name + "\" twice on the side \"" + stance + "\".",
                     "Give it another stance, or leave it out."};
    }
    const std::optional<Trouble> trouble = model_trouble(services, name);
    const bool nobody = trouble && (trouble->code == "unknown_model" || name.empty());
    if (nobody) return trouble;
  }
  return std::nullopt;
}

}  // namespace plumbline::agents::supervisor
