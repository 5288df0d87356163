// Wrong gateways: they know servers of one make, one client, and sessions in which nothing fails.

#include <memory>
#include <string>
#include <utility>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kVariantEra = kNewestStateful;

constexpr const char* kSessionName = "Mcp-Session-Id";

// Alone has one client at a time.
class Alone final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const bool opens = request.body.find("\"initialize\"") != std::string::npos;
    if (request.method == "DELETE") open_ = false;
    if (!opens) return std::nullopt;
    if (open_) return wire::HttpResponse{500, {}, "already connected"};
    open_ = true;
    return std::nullopt;
  }

 private:
  bool open_ = false;
};

// Spoilt serves no session any more in which a call has failed by status 503.
class Spoilt final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const std::string session(request.headers.get(kSessionName).value_or(""));
    if (session.empty()) return std::nullopt;
    if (session == spoilt_) return wire::HttpResponse{500, {}, "the resource is closed"};
    if (request.body.find("\"status 503\"") != std::string::npos) spoilt_ = session;
    return std::nullopt;
  }

 private:
  std::string spoilt_;
};

// Talkative says three times that prompts have changed once a stream stands.
class Talkative final : public Keeper {
 public:
  explicit Talkative(Behind behind) : behind_(std::move(behind)) {}

  std::optional<wire::HttpResponse> answer(wire::HttpRequest&) override { return std::nullopt; }

  void answered(const wire::HttpRequest& request, const wire::HttpHeaders&) override {
    if (request.method != "GET") return;
    Json told(Json::value_t::object);
    told["jsonrpc"] = "2.0";
    told["method"] = "notifications/prompts/list_changed";
    const std::string session(request.headers.get(kSessionName).value_or(""));
    for (int i = 0; i < 3; ++i) behind_.tell(session, told);
  }

 private:
  Behind behind_;
};

// Eager sends a call of ask once more by itself.
class Eager final : public Keeper {
 public:
  explicit Eager(Behind behind) : behind_(std::move(behind)) {}

  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    if (request.headers.get("MCP-Protocol-Version").value_or("") != kNewestStateless) {
      return std::nullopt;
    }
    const bool first = request.body.find("\"inputResponses\"") == std::string::npos;
    if (first && request.body.find("\"name\":\"ask\"") != std::string::npos) {
      wire::HttpRequest again = request;
      behind_.ask(std::move(again));
    }
    return std::nullopt;
  }

 private:
  Behind behind_;
};

void list_twice(Interceptor& interceptor, Json message) {
  if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
    Json& tools = (*result)["tools"];
    const Json first = tools.empty() ? Json() : tools.front();
    if (!first.is_null()) tools.push_back(first);
  }
  interceptor.say(message);
}

const Deviation kVariantDeviations[] = {
    {.id = "gateway.lists-all-tools",
     .revision = kVariantEra,
     .transport = Transport::kHttp,
     .what = "lists the first tool of each page twice",
     .from_server = list_twice},
    {.id = "gateway.opens-streams-at-once",
     .revision = kVariantEra,
     .transport = Transport::kHttp,
     .what = "answers 503 to GET while nothing is said",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           const bool resumes = request.headers.count("Last-Event-ID") > 0;
           if (request.method == "GET" && status == 200 && !resumes) status = 503;
         },
     .also = {"gateway.survives-second-stream"}},
    {.id = "gateway.serves-several-clients",
     .revision = kVariantEra,
     .transport = Transport::kHttp,
     .what = "has one client at a time",
     .also = {"gateway.lists-all-tools", "gateway.passes-prompts", "gateway.passes-resources",
              "gateway.speaks-with-older-servers", "gateway.serves-older-clients",
              "gateway.does-without-stream", "gateway.waits-between-streams"},
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<Alone>(); }},
    {.id = "gateway.survives-trouble",
     .revision = kVariantEra,
     .transport = Transport::kHttp,
     .what = "serves no session any more in which the server has failed",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<Spoilt>(); }},
    {.id = "gateway.makes-nothing-up",
     .revision = kVariantEra,
     .transport = Transport::kHttp,
     .what = "says by itself that lists have changed",
     .keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<Talkative>(std::move(behind));
     }},
    {.id = "gateway.asks-once",
     .revision = kNewestStateless,
     .transport = Transport::kHttp,
     .what = "asks again by itself where input is asked for",
     .keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<Eager>(std::move(behind));
     }},
    {.id = "gateway.reads-every-form",
     .revision = kVariantEra,
     .transport = Transport::kHttp,
     .what = "takes a type with parameters for none of its own",
     .response =
         [](const wire::HttpRequest& request, int&, wire::HttpHeaders& headers) {
           const std::string type(headers.get("Content-Type").value_or(""));
           if (request.method != "POST" || type.find("charset") == std::string::npos) return;
           headers.set("Content-Type", "text/plain");
         }},
    {.id = "gateway.does-without-sessions",
     .revision = kVariantEra,
     .transport = Transport::kHttp,
     .what = "wants a session, whatever the server gives",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       const bool opens = request.body.find("\"initialize\"") != std::string::npos;
       if (opens || request.method != "POST" || request.headers.get(kSessionName))
         return std::nullopt;
       return wire::HttpResponse{400, {}, "missing session ID"};
     }},
};

}  // namespace

Deviations variant_deviations() { return kVariantDeviations; }

}  // namespace plumbline::conformance
