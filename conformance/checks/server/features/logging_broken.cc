#include <set>
#include <string>
#include <utility>

#include "conformance/broken/replies.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

// OneLevelForTwo sets the level of who wanted silence when a session without a GET stream sets its
// own.
class OneLevelForTwo final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
    const Json message = read(request.body);
    if (request.method == "GET") listening_.insert(session);
    if (method_of(message) != "logging/setLevel") return std::nullopt;
    const Json level = value_at(message, "/params/level");
    if (level == "emergency") silent_ = session;
    if (!listening_.contains(session) && !silent_.empty())
      request.headers.set("Mcp-Session-Id", silent_);
    return std::nullopt;
  }

 private:
  std::set<std::string> listening_;
  std::string silent_;
};

// LogsStreams tells each GET stream of a session that has set its level that it was opened.
class LogsStreams final : public Keeper {
 public:
  explicit LogsStreams(Behind behind) : behind_(std::move(behind)) {}

  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const Json message = read(request.body);
    if (value_at(message, "/params/level") == "emergency") set_.insert(session_of(request));
    return std::nullopt;
  }

  void streams(const wire::HttpRequest& request) override {
    const std::string session = session_of(request);
    if (request.method != "GET" || !set_.contains(session)) return;
    Json notice = {{"jsonrpc", "2.0"}, {"method", "notifications/message"}};
    notice["params"] = {{"level", "debug"}, {"data", "A stream was opened"}};
    behind_.tell(session, std::move(notice));
  }

 private:
  static std::string session_of(const wire::HttpRequest& request) {
    return std::string(request.headers.get("Mcp-Session-Id").value_or(""));
  }

  Behind behind_;
  std::set<std::string> set_;
};

const Deviation kLoggingDeviations[] = {
    {.id = "logging.level-respected",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "logs on each stream that is opened, whatever the level is",
     .keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<LogsStreams>(std::move(behind));
     }},
    {.id = "logging.level-respected",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "sets the level of one session when another sets its own",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<OneLevelForTwo>();
     }},
    {.id = "logging.level-declared",
     .revision = "2025-11-25",
     .what = "sets levels and does not say that it logs",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const Json* const capabilities = at_pointer(message, "/result/capabilities");
           if (capabilities != nullptr) message["result"]["capabilities"].erase("logging");
           if (method_of(message) != "notifications/message") interceptor.say(message);
         }},
    {.id = "logging.no-sensitive-data",
     .revision = "2025-11-25",
     .what = "logs the password of who signs in",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_of(message) == "notifications/message" &&
               value_at(message, "/params/data") == "Somebody signs in") {
             message["params"]["data"] = "Somebody signs in with plumbline-secret-7f3a9c";
           }
           interceptor.say(message);
         }},
    {.id = "logging.no-sensitive-data",
     .revision = "2026-07-28",
     .what = "logs the password of who signs in",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_of(message) == "notifications/message" &&
               value_at(message, "/params/data") == "Somebody signs in") {
             message["params"]["data"] = "Somebody signs in with plumbline-secret-7f3a9c";
           }
           interceptor.say(message);
         }},
    {.id = "logging.no-sensitive-data",
     .revision = "2025-11-25",
     .what = "logs the key with which it asks another service",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (method_of(message) == "notifications/message") {
             message["params"]["data"] = {
                 {"url",
                  "https://tides.example/v2?station=N&api_key=tk_live_9fJ2sQ81mXbV04ZtRk7c"}};
           }
           interceptor.say(message);
         }},
    {.id = "logging.level-respected",
     .revision = "2025-11-25",
     .what = "says it set a level and does not",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           const bool quiet = value_at(message, "/params/level") == "emergency";
           if (!quiet || method_of(message) != "logging/setLevel")
             return interceptor.pass_text(text);
           answer(interceptor, id_of(message), Json::object());
         }},
    {.id = "logging.level-respected",
     .revision = "2025-11-25",
     .what = "logs what is read whatever the level is",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           if (interceptor.method_asked(message) == "resources/read") {
             Json notice = {{"jsonrpc", "2.0"}, {"method", "notifications/message"}};
             notice["params"] = {{"level", "info"}, {"data", "Somebody reads"}};
             interceptor.say(notice);
           }
           interceptor.say(message);
         }},
    {.id = "logging.invalid-level-error",
     .revision = "2025-11-25",
     .what = "takes any level",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           const Json message = read(text);
           if (value_at(message, "/params/level") != "verbose") return interceptor.pass_text(text);
           answer(interceptor, id_of(message), Json::object());
         }},
    {.id = "logging.invalid-level-error",
     .revision = "2026-07-28",
     .what = "takes any level",
     .from_client =
         [](Interceptor& interceptor, std::string text) {
           Json message = read(text);
           const char* const place = "/params/_meta/io.modelcontextprotocol~1logLevel";
           if (value_at(message, place) != "verbose") return interceptor.pass_text(text);
           message["params"]["_meta"].erase(kMetaLogLevel);
           interceptor.pass(message);
         }},
    {.id = "logging.level-values",
     .revision = "2025-11-25",
     .what = "writes levels in capitals",
     .from_server =
         [](Interceptor& interceptor, Json message) {
           const bool log = method_of(message) == "notifications/message";
           if (log && value_at(message, "/params/level") == "info") {
             message["params"]["level"] = "INFO";
           }
           interceptor.say(message);
         },
     .also = {"logging.level-respected"}},
};

}  // namespace

Deviations logging_deviations() { return kLoggingDeviations; }

}  // namespace plumbline::conformance
