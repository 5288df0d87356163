#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

const Deviation kProgressDeviations[] = {
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
