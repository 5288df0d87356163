// Wrong peers for http_two_gets.cc.

#include <string>

#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

const Deviation kHttpTwoGetsDeviations[] = {
    {.id = "http.change-told-on-one-stream",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "tells every GET stream of a session of a change",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           interceptor.say(message);
           const bool tells = method_of(message).ends_with("/list_changed");
           if (tells && interceptor.streams() > 1) interceptor.say_on_stream(message);
         },
     .joins_gets = true},
};

}  // namespace

Deviations http_two_gets_deviations() { return kHttpTwoGetsDeviations; }

}  // namespace plumbline::conformance
