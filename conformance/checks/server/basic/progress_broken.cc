#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

// hears_later keeps what is asked during a call until that is answered.
void hears_later(Interceptor& interceptor, std::string text) {
  const Json message = read(text);
  const Json* const token = at_pointer(message, "/params/_meta/progressToken");
  if (token != nullptr && *token == Json("plumbline-meanwhile")) {
    interceptor.memory["call"] = id_of(message);
  } else if (interceptor.memory.contains("call")) {
    interceptor.memory["kept"].push_back(text);
    return;
  }
  interceptor.pass_text(std::move(text));
}

void answers_first(Interceptor& interceptor, Json message) {
  interceptor.say(message);
  const Json* const call = find(interceptor.memory, "call");
  const bool done = call != nullptr && find(message, "result") && *call == id_of(message);
  if (!done) return;
  const Json kept = find(interceptor.memory, "kept") ? interceptor.memory["kept"] : Json::array();
  interceptor.memory = Json::object();
  for (const Json& text : kept) interceptor.pass_text(text.get<std::string>());
}

// fails_beside fails a call that comes while the same is at work, once the answer to that is there.
void fails_beside(Interceptor& interceptor, std::string text) {
  const Json message = read(text);
  const Json* const id = find(message, "id");
  const std::string token = string_or(value_at(message, "/params/_meta"), "progressToken", "");
  if (method_of(message) != "tools/call" || id == nullptr || token != "plumbline-" + dump_json(*id))
    return interceptor.pass_text(std::move(text));
  const Json before = value_at(interceptor.memory, "/running");
  if (!before.is_null()) return refuse(interceptor, *id, -32603);
  interceptor.memory["running"] = *id;
  interceptor.pass_text(std::move(text));
}

void frees_for_others(Interceptor& interceptor, Json message) {
  const Json running = value_at(interceptor.memory, "/running");
  if (find(message, "result") && !running.is_null() && running == id_of(message)) {
    interceptor.memory.erase("running");
  }
  interceptor.say(message);
}

const Deviation kProgressDeviations[] = {
    {.id = "jsonrpc.answers-meanwhile",
     .revision = "2026-07-28",
     .what = "fails the call that comes while another is at work",
     .from_server = frees_for_others,
     .from_client = fails_beside},
    {.id = "jsonrpc.answers-meanwhile",
     .revision = "2025-11-25",
     .what = "hears nobody while a call is at work",
     .from_server = answers_first,
     .from_client = hears_later},
    {.id = "progress.zero-is-a-token",
     .revision = "2025-11-25",
     .what = "takes the token 0 for none",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = read(text);
           const Json* const token = at_pointer(message, "/params/_meta/progressToken");
           if (token == nullptr || *token != Json(0)) return interceptor.pass_text(text);
           message["params"]["_meta"].erase("progressToken");
           interceptor.pass(message);
         }},
    {.id = "progress.zero-is-a-token",
     .revision = "2026-07-28",
     .what = "tells nothing of a request with the id 0",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = read(text);
           const Json* const token = at_pointer(message, "/params/_meta/progressToken");
           if (token == nullptr || id_of(message) != Json(0)) return interceptor.pass_text(text);
           message["params"]["_meta"].erase("progressToken");
           interceptor.pass(message);
         }},
    {.id = "progress.track-tokens",
     .revision = "2025-11-25",
     .what = "complains about progress of unknown tokens",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (text.find("plumbline-nobody") != std::string::npos)
             refuse(interceptor, nullptr, -32602);
           interceptor.pass_text(std::move(text));
         }},
    {.id = "progress.increases",
     .revision = "2026-07-28",
     .transport = Transport::kHttp,
     .what = "reports the same progress again and again",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool progress = method_of(message) == "notifications/progress";
           if (progress) message["params"]["progress"] = 1;
           interceptor.say(message);
         }},
};

}  // namespace

Deviations progress_deviations() { return kProgressDeviations; }

}  // namespace plumbline::conformance
