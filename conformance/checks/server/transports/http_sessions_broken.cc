// Wrong servers that mix up sessions of HTTP, or name and end them wrongly.

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "conformance/broken/deviation.h"
#include "conformance/broken/message_edits.h"

namespace plumbline::conformance {

namespace {

using wire::HttpHeaders;
using wire::HttpRequest;
using wire::HttpResponse;

// OneForEachId knows calls by their ids alone, of whichever session they are.
class OneForEachId final : public Keeper {
 public:
  std::optional<HttpResponse> answer(HttpRequest& request) override {
    const Json message = edit::read(request.body);
    const Json* const id = find(message, "id");
    const bool calls = edit::is_method(message, "tools/call") && id != nullptr && id->is_string();
    if (!calls) return std::nullopt;
    const std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
    const std::string& owner = owners_.emplace(id->get<std::string>(), session).first->second;
    if (owner == session) return std::nullopt;
    return HttpResponse{400, {{"Content-Type", "text/plain"}}, "There is such a call"};
  }

 private:
  std::map<std::string, std::string> owners_;
};

// LogsToTheNewest says what a call logs to the session whose stream was opened last.
class LogsToTheNewest final : public Keeper {
 public:
  explicit LogsToTheNewest(Behind behind) : behind_(std::move(behind)) {}
  std::optional<HttpResponse> answer(HttpRequest& request) override {
    const std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
    if (request.method == "GET" && !session.empty()) newest_ = session;
    const bool logs = request.body.find("\"test_tool_with_logging\"") != std::string::npos;
    if (!logs || newest_.empty() || newest_ == session) return std::nullopt;
    Json log = Json::object();
    log["jsonrpc"] = "2.0";
    log["method"] = "notifications/message";
    log["params"]["level"] = "emergency";
    log["params"]["data"] = "Somebody calls a tool";
    behind_.tell(newest_, std::move(log));
    return std::nullopt;
  }

 private:
  Behind behind_;
  std::string newest_;
};

// ServesInTheNewest takes what names no session for that which was opened last.
class ServesInTheNewest final : public Keeper {
 public:
  std::optional<HttpResponse> answer(HttpRequest& request) override {
    const std::string session(request.headers.get("Mcp-Session-Id").value_or(""));
    const bool opened = request.body.find("\"notifications/initialized\"") != std::string::npos;
    if (opened && !session.empty()) newest_ = session;
    const bool opens = request.body.find("\"initialize\"") != std::string::npos;
    if (session.empty() && !opens && request.method == "POST" && !newest_.empty()) {
      request.headers.set("Mcp-Session-Id", newest_);
    }
    return std::nullopt;
  }

 private:
  std::string newest_;
};

const Deviation kHttpSessionsDeviations[] = {
    {.id = "http.session-id-missing-400",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "serves what names no session in the newest",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<ServesInTheNewest>();
     }},
    {.id = "http.sessions-side-by-side",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "logs what one session does to another",
     .keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<LogsToTheNewest>(std::move(behind));
     }},
    {.id = "http.session-id-visible-ascii",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "has sessions with spaces",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       std::string id(request.headers.get("Mcp-Session-Id").value_or(""));
       if (id.ends_with(" x")) request.headers.set("Mcp-Session-Id", id.substr(0, id.size() - 2));
       return std::nullopt;
     },
     .response =
         [](const HttpRequest&, int&, HttpHeaders& headers) {
           const std::string id(headers.get("Mcp-Session-Id").value_or(""));
           if (!id.empty()) headers.set("Mcp-Session-Id", id + " x");
         }},
    {.id = "http.session-id-unguessable",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "numbers its sessions",
     .also = {"security.session-ids-non-deterministic"},
     .counts_sessions = true},
    {.id = "http.session-id-missing-400",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "answers what has no session with 403",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       const bool opens = request.body.find("\"initialize\"") != std::string::npos;
       if (opens || request.headers.count("Mcp-Session-Id")) return std::nullopt;
       return HttpResponse{403, {}, ""};
     }},
    {.id = "http.session-ended-404",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "answers what comes too late with 400",
     .response =
         [](const HttpRequest&, int& status, HttpHeaders&) {
           if (status == 404) status = 400;
         }},
    {.id = "http.sessions-side-by-side",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "takes no call whose id, a text, another session has used",
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<OneForEachId>(); }},
    {.id = "http.session-delete-accepted-or-405",
     .revision = "2025-11-25",
     .transport = Transport::kHttp,
     .what = "breaks down at DELETE",
     .request = [](HttpRequest& request) -> std::optional<HttpResponse> {
       if (request.method != "DELETE" || request.headers.count("Origin")) return std::nullopt;
       return HttpResponse{500, {}, ""};
     }},
};

}  // namespace

Deviations http_sessions_deviations() { return kHttpSessionsDeviations; }

}  // namespace plumbline::conformance
