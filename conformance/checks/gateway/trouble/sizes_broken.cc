// Wrong gateways: they stumble over sizes, over names that there are not, over forms of calls, and
// ask by themselves outside of sessions.

#include <memory>
#include <string>
#include <utility>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/broken/replies.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kSizesEra = kNewestStateful;

std::optional<wire::HttpResponse> refused_where(bool so, int status) {
  if (!so) return std::nullopt;
  return wire::HttpResponse{status, {{"Content-Type", "text/plain"}}, "Bad Request\n"};
}

bool says(const wire::HttpRequest& request, std::string_view text) {
  return request.body.find(text) != std::string::npos;
}

std::optional<wire::HttpResponse> peek(wire::HttpRequest& request) {
  constexpr std::size_t kPeeked = 4'096;
  const bool longer = request.body.size() > kPeeked;
  return refused_where(longer && (request.body[kPeeked] & 0xc0) == 0x80, 500);
}

std::optional<wire::HttpResponse> take_no_filled_buffer(wire::HttpRequest& request) {
  return refused_where(request.body.size() == 8'192, 400);
}

std::optional<wire::HttpResponse> refuse_unlisted(wire::HttpRequest& request) {
  return refused_where(says(request, "tools/call") && says(request, "plumbline_of_nobody"), 400);
}

void make_contents_up(Interceptor& interceptor, Json message) {
  const Json* const uri = at_pointer(message, "/params/uri");
  const bool nobodys = uri != nullptr && *uri == Json("mirror://of-nobody");
  if (!edit::is_method(message, "resources/read") || !nobodys) return interceptor.pass(message);
  answer(interceptor, id_of(message), {{"contents", Json::array()}});
}

std::optional<wire::HttpResponse> leave_version_off(wire::HttpRequest& request) {
  if (request.method == "DELETE") request.headers.erase("MCP-Protocol-Version");
  return std::nullopt;
}

std::optional<wire::HttpResponse> leave_session_off(wire::HttpRequest& request) {
  if (request.method == "DELETE") request.headers.erase("Mcp-Session-Id");
  return std::nullopt;
}

// fail_result answers an error for the result of one tool.
void fail_result(Interceptor& interceptor, Json message, std::string_view tool) {
  const Json asked = interceptor.asked(message);
  const Json* const name = at_pointer(asked, "/params/name");
  const bool of_it = name != nullptr && *name == Json(tool) && message.contains("result");
  if (of_it) return refuse(interceptor, id_of(message), -32603);
  interceptor.say(message);
}

// Pinging pings the server with each call of echo, in no session.
class Pinging final : public Keeper {
 public:
  explicit Pinging(Behind behind) : behind_(std::move(behind)) {}

  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    if (!says(request, "\"name\":\"echo\"")) return std::nullopt;
    wire::HttpRequest ping;
    ping.method = "POST";
    ping.target = "/mcp?tenant=world";
    ping.headers.set("Content-Type", "application/json");
    ping.headers.set("Accept", "application/json, text/event-stream");
    ping.body = R"({"jsonrpc":"2.0","id":"health","method":"ping"})";
    behind_.ask(std::move(ping));
    return std::nullopt;
  }

 private:
  Behind behind_;
};

// Fragile answers nothing any longer once a tool was called that there is not.
class Fragile final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    dead_ = dead_ || says(request, "plumbline_unknown");
    return refused_where(dead_, 502);
  }

 private:
  bool dead_ = false;
};

// OneToken takes a token that it knows for one that is in use.
class OneToken final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    if (!says(request, "\"same-token\"")) return std::nullopt;
    const bool known = std::exchange(known_, true);
    return refused_where(known, 409);
  }

 private:
  bool known_ = false;
};

const Deviation kSizesDeviations[] = {
    {.id = "gateway.keeps-split-text",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "peeks into messages, and into letters",
     .request = peek},
    {.id = "gateway.keeps-large-messages",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "waits for more where a message fills its buffer",
     .request = take_no_filled_buffer},
    {.id = "gateway.answers-unknown-names",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "refuses tools that it does not list by a text",
     .request = refuse_unlisted},
    {.id = "gateway.answers-unknown-names",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "makes contents up for resources that there are not",
     .from_client_message = make_contents_up},
    {.id = "gateway.keeps-error-status",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "answers 400 with the error of a tool that there is not",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           const bool unknown = says(request, "plumbline_of_nobody") && says(request, "tools/call");
           if (unknown && status == 200) status = 400;
         }},
    {.id = "gateway.names-its-session",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "ends sessions without saying which",
     .request = leave_session_off,
     .also = {"gateway.ends-sessions"}},
    {.id = "gateway.passes-headers",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "ends sessions without MCP-Protocol-Version",
     .request = leave_version_off},
    {.id = "gateway.names-its-session",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "pings the server by itself outside of sessions",
     .keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<Pinging>(std::move(behind));
     }},
    {.id = "gateway.survives-trouble",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "dies of tools that there are not",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<Fragile>(); }},
    {.id = "gateway.keeps-progress-apart",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "takes no token that another client uses",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<OneToken>(); }},
    {.id = "gateway.keeps-content",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "fails results that have sound in them",
     .from_server = [](Interceptor& interceptor,
                       Json message) { fail_result(interceptor, std::move(message), "rich"); }},
    {.id = "gateway.keeps-log-messages",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "takes a log message for the answer",
     .from_server = [](Interceptor& interceptor,
                       Json message) { fail_result(interceptor, std::move(message), "log"); }},
    {.id = "gateway.keeps-order",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "fails calls that have much progress",
     .from_server = [](Interceptor& interceptor,
                       Json message) { fail_result(interceptor, std::move(message), "count"); }},
    {.id = "gateway.keeps-values",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "refuses control characters",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       return refused_where(says(request, "\\u0001"), 400);
     }},
    {.id = "gateway.keeps-big-numbers",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "refuses numbers of 64 bits",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       return refused_where(says(request, "18446744073709551615"), 400);
     }},
    {.id = "gateway.keeps-hop-headers-back",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "refuses what names headers of its connection",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       return refused_where(request.headers.count("X-Plumbline-Hop") > 0, 400);
     }},
    {.id = "gateway.calls-by-name",
     .revision = kSizesEra,
     .transport = Transport::kHttp,
     .what = "takes no tool that is called log",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       return refused_where(says(request, "\"name\":\"log\""), 400);
     }},
};

}  // namespace

Deviations sizes_deviations() { return kSizesDeviations; }

}  // namespace plumbline::conformance
