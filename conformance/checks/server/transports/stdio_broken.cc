#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kReadBytes = 65'536;

const Deviation kStdioDeviations[] = {
    {.id = "stdio.exit-on-stdin-eof",
     .revision = "2025-11-25",
     .what = "goes on when its input ends",
     .deaf = true},
    {.id = "stdio.crlf-lines-taken",
     .revision = "2025-11-25",
     .what = "ends over a line that ends in CR LF",
     .reads_lf_alone = true},
    {.id = "stdio.long-lines-read",
     .revision = "2025-11-25",
     .what = "reads nothing that is longer than 64 KiB",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (text.size() <= kReadBytes) interceptor.pass_text(std::move(text));
         }},
    {.id = "stdio.stdout-only-mcp",
     .revision = "2025-11-25",
     .what = "prints when a tool is called",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           if (method_of(read(text)) == "tools/call") interceptor.say_text("calling a tool");
           interceptor.pass_text(std::move(text));
         }},
    {.id = "stdio.no-embedded-newlines",
     .revision = "2026-07-28",
     .what = "writes lists over several lines",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) != "prompts/list") return interceptor.say(message);
           // What reads it line by line finds no answer, so that comes as well.
           interceptor.say_text("{\"jsonrpc\":\"2.0\",\n\"id\":null,\n\"result\":{}}");
           interceptor.say(message);
         },
     .also = {"stdio.stdout-only-mcp"}},
};

}  // namespace

Deviations stdio_deviations() { return kStdioDeviations; }

}  // namespace plumbline::conformance
