// Wrong gateways that know one form of a value alone: texts for tokens, short descriptions, 401,
// elicitation by form.

#include <map>
#include <string>

#include "conformance/broken/gateway_world.h"
#include "conformance/broken/message_edits.h"
#include "conformance/checks/gateway/mirror_content.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kOneFormEra = kNewestStateful;
constexpr std::size_t kShortEventBytes = 64U << 10U;
constexpr std::size_t kShortDescriptionBytes = 2'048;

// answer_wrong answers a request by an error of the gateway's own.
void answer_wrong(Interceptor& interceptor, const Json& request, std::string text) {
  Json response(Json::value_t::object);
  response["jsonrpc"] = "2.0";
  response["id"] = request["id"];
  response["error"]["code"] = -32603;
  response["error"]["message"] = std::move(text);
  interceptor.say(response);
}

void leave_off_manuals(Interceptor& interceptor, Json message) {
  if (Json* const result = edit::result_of(interceptor, message, "tools/list")) {
    Json kept = Json::array();
    for (const Json& tool : (*result)["tools"]) {
      if (string_or(tool, "description", "").size() <= kShortDescriptionBytes) kept.push_back(tool);
    }
    (*result)["tools"] = std::move(kept);
  }
  interceptor.say(message);
}

void hold_against_schema(Interceptor& interceptor, Json message) {
  Json* const result = edit::result_about(interceptor, message, "strict");
  if (result != nullptr && result->contains("isError") && !result->contains("structuredContent")) {
    (*result)["content"][0]["text"] = "Output validation error";
  }
  interceptor.say(message);
}

// LikeIdsKeeper takes the ids 1 and "1" of two requests under way for one.
class LikeIdsKeeper final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const Json id = id_of(request);
    if (id.is_null()) return std::nullopt;
    const auto [running, is_new] = running_.emplace(key_of(request, id), id);
    if (is_new || running->second.is_string() == id.is_string()) return std::nullopt;
    return wire::HttpResponse{409, {}, ""};
  }

  void answered(const wire::HttpRequest& request, const wire::HttpHeaders&) override {
    const Json id = id_of(request);
    if (!id.is_null()) running_.erase(key_of(request, id));
  }

 private:
  static Json id_of(const wire::HttpRequest& request) {
    const Json message = edit::read(request.body);
    const Json* const id = find(message, "method") == nullptr ? nullptr : find(message, "id");
    return id == nullptr ? Json() : *id;
  }

  static std::string key_of(const wire::HttpRequest& request, const Json& id) {
    const std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
    return session + " " + (id.is_string() ? id.get<std::string>() : dump_json(id));
  }

  std::map<std::string, Json> running_;
};

const Deviation kOneFormDeviations[] = {
    {.id = "gateway.lists-all-tools",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "leaves tools off whose description is long",
     .from_server = leave_off_manuals},
    {.id = "gateway.keeps-failures",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "holds failures against the schema of results",
     .from_server = hold_against_schema},
    {.id = "gateway.keeps-progress",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "fails calls whose token is a number",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           const Json* const token = at_pointer(message, "/params/_meta/progressToken");
           if (token == nullptr || !token->is_number()) return interceptor.pass(message);
           answer_wrong(interceptor, message, "'int' object is not subscriptable");
         }},
    {.id = "gateway.keeps-large-messages",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "drops events longer than 64 KiB",
     .event = [](const wire::HttpRequest&,
                 wire::SseEvent& event) { return event.data.size() <= kShortEventBytes; }},
    {.id = "gateway.keeps-ids",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "takes a number and its digits for one id",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<LikeIdsKeeper>(); }},
    {.id = "gateway.reads-templates",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "cannot read what a template with a query makes",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           const Json* const uri = at_pointer(message, "/params/uri");
           const bool page = uri != nullptr && uri->is_string() &&
                             uri->get_ref<const std::string&>().starts_with(kMirrorPage);
           if (!page) return interceptor.pass(message);
           answer_wrong(interceptor, message, "Error reading resource");
         }},
    {.id = "gateway.passes-challenges",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "drops the challenge of 403",
     .response =
         [](const wire::HttpRequest&, int& status, wire::HttpHeaders& headers) {
           if (status == 403) headers.erase("WWW-Authenticate");
         }},
    {.id = "gateway.tells-of-refusals",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "drops Retry-After",
     .response = [](const wire::HttpRequest&, int&,
                    wire::HttpHeaders& headers) { headers.erase("Retry-After"); }},
    {.id = "gateway.passes-headers",
     .revision = kNewestStateless,
     .transport = Transport::kHttp,
     .what = "drops Mcp-Param headers",
     .request = [](wire::HttpRequest& request) -> std::optional<wire::HttpResponse> {
       request.headers.erase("Mcp-Param-Region");
       return std::nullopt;
     }},
    {.id = "gateway.asks-by-elicitation",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "knows elicitation by form alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, "elicitation/create")) {
             for (const char* const name : {"mode", "url", "elicitationId"}) {
               message["params"].erase(name);
             }
           }
           interceptor.say(message);
         }},
    {.id = "gateway.asks-by-elicitation",
     .revision = kOneFormEra,
     .transport = Transport::kHttp,
     .what = "swallows that an elicitation is complete",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (edit::is_method(message, "notifications/elicitation/complete")) return;
           interceptor.say(message);
         }},
    {.id = "gateway.passes-listening",
     .revision = kNewestStateless,
     .transport = Transport::kHttp,
     .what = "drops wishes for lists beside those for resources",
     .from_client_message =
         [](Interceptor& interceptor, Json message) {
           const Json* const wish =
               at_pointer(message, "/params/notifications/resourceSubscriptions");
           if (wish != nullptr) {
             const Json kept = *wish;
             message["params"]["notifications"] = {{"resourceSubscriptions", kept}};
           }
           interceptor.pass(message);
         }},
    {.id = "gateway.passes-listening",
     .revision = kNewestStateless,
     .transport = Transport::kHttp,
     .what = "tells those who listen of tools alone",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool listens = at_pointer(message, "/params/_meta") != nullptr;
           const bool prompts = edit::is_method(message, "notifications/prompts/list_changed");
           if (!listens || !prompts) interceptor.say(message);
         }},
};

}  // namespace

Deviations one_form_deviations() { return kOneFormDeviations; }

}  // namespace plumbline::conformance
