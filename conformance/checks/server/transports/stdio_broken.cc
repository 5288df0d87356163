#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

const Deviation kStdioDeviations[] = {
    {.id = "stdio.exit-on-stdin-eof",
     .revision = "2025-11-25",
     .what = "goes on when its input ends",
     .deaf = true},
    {.id = "stdio.stdout-only-mcp",
     .revision = "2025-11-25",
     .what = "prints when a tool is called",
     .from_client =
         [](Hands& hands, std::string text) {
           if (method_of(read(text)) == "tools/call") hands.say_text("calling a tool");
           hands.pass_text(std::move(text));
         }},
    {.id = "stdio.no-embedded-newlines",
     .revision = "2026-07-28",
     .what = "writes lists over several lines",
     .from_server =
         [](Hands& hands, Json message) {
           if (hands.method_asked(message) != "prompts/list") return hands.say(message);
           // What reads it line by line finds no answer, so that comes as well.
           hands.say_text("{\"jsonrpc\":\"2.0\",\n\"id\":null,\n\"result\":{}}");
           hands.say(message);
         },
     .also = {"stdio.stdout-only-mcp"}},
};

}  // namespace

Deviations stdio_deviations() { return kStdioDeviations; }

}  // namespace plumbline::conformance
