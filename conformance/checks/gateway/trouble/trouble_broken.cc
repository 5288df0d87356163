// Wrong gateways: what must not travel does, and what fails, hangs or ends is met wrongly.

#include <set>
#include <string>

#include "conformance/broken/gateway_world.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kTroubleEra = kNewestStateful;
constexpr const char* kOwnPrefix = "gateway-";

// Own sessions: its clients know them by other ids than the server.
std::optional<wire::HttpResponse> as_own_session(wire::HttpRequest& request) {
  const std::string id(request.headers.get("Mcp-Session-Id").value_or(""));
  if (id.starts_with(kOwnPrefix)) {
    request.headers.set("Mcp-Session-Id", id.substr(std::string_view(kOwnPrefix).size()));
  }
  return std::nullopt;
}

void own_session(const wire::HttpRequest&, int&, wire::HttpHeaders& headers) {
  const auto id = headers.get("Mcp-Session-Id");
  if (id) headers.set("Mcp-Session-Id", kOwnPrefix + std::string(*id));
}

// fallen is whether a FallenKeeper serves nobody who is there.
bool fallen = false;

// FallenKeeper serves nobody once it has fallen, until somebody enters anew.
class FallenKeeper final : public Keeper {
 public:
  explicit FallenKeeper(int status) : status_(status) { fallen = false; }

  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    if (request.body.find("\"initialize\"") != std::string::npos) fallen = false;
    if (!fallen || request.method != "POST") return std::nullopt;
    return wire::HttpResponse{status_, {}, ""};
  }

 private:
  int status_;
};

// CutKeeper falls over when it has asked for what is cut off.
class CutKeeper final : public Keeper {
 public:
  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const bool known = request.headers.count("Mcp-Session-Id") > 0;
    if (request.method == "DELETE") dead_ = false;
    if (dead_ && request.method == "POST") return wire::HttpResponse{500, {}, ""};
    dead_ = dead_ || (known && request.body.find("\"cut\"") != std::string::npos);
    return std::nullopt;
  }

 private:
  bool dead_ = false;
};

// HoldKeeper serves no call of the same client, or of all others, while one hangs.
class HoldKeeper final : public Keeper {
 public:
  explicit HoldKeeper(bool same) : same_(same) {}

  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    const std::string id(request.headers.get("Mcp-Session-Id").value_or(""));
    if (request.method == "DELETE" && id == holder_) holder_.clear();
    const bool calls = request.body.find("\"echo\"") != std::string::npos;
    if (calls && !holder_.empty() && (id == holder_) == same_) {
      return wire::HttpResponse{503, {}, ""};
    }
    if (request.body.find("\"hold\"") != std::string::npos) holder_ = id;
    return std::nullopt;
  }

  void answered(const wire::HttpRequest& request, const wire::HttpHeaders&) override {
    if (request.body.find("\"hold\"") != std::string::npos) holder_.clear();
  }

 private:
  bool same_;
  std::string holder_;
};

// StormKeeper asks for stream after stream.
class StormKeeper final : public Keeper {
 public:
  explicit StormKeeper(Behind behind) : behind_(std::move(behind)) {}

  std::optional<wire::HttpResponse> answer(wire::HttpRequest& request) override {
    constexpr int kTimes = 30;
    const std::string id(request.headers.get("Mcp-Session-Id").value_or(""));
    const bool calls = request.body.find("\"tools/call\"") != std::string::npos;
    if (!calls || id.empty() || !stormed_.insert(id).second) return std::nullopt;
    for (int time = 0; time < kTimes; ++time) {
      wire::HttpRequest again;
      again.method = "GET";
      again.target = request.target;
      behind_.ask(std::move(again));
    }
    return std::nullopt;
  }

 private:
  Behind behind_;
  std::set<std::string> stormed_;
};

const Deviation kTroubleDeviations[] = {
    {.id = "gateway.keeps-tokens-back",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "has sessions of its own, and hands tokens on",
     .request = as_own_session,
     .response = own_session},
    {.id = "gateway.passes-challenges",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "drops WWW-Authenticate",
     .response = [](const wire::HttpRequest&, int&,
                    wire::HttpHeaders& headers) { headers.erase("WWW-Authenticate"); }},
    {.id = "gateway.tells-of-refusals",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "answers 202 when the server is not there",
     .response =
         [](const wire::HttpRequest&, int& status, wire::HttpHeaders&) {
           if (status == 503) status = 202;
         }},
    {.id = "gateway.ends-cut-streams",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "leaves streams open that the server has ended",
     .streams_never_end = true},
    {.id = "gateway.survives-cuts",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "dies of an answer that is cut off",
     .also = {"gateway.survives-trouble"},
     .keeper = [](Behind) -> std::unique_ptr<Keeper> { return std::make_unique<CutKeeper>(); }},
    {.id = "gateway.serves-others-meanwhile",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "serves no other client while a call hangs",
     .also = {"gateway.survives-leaving"},
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<HoldKeeper>(false);
     }},
    {.id = "gateway.serves-calls-at-once",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "serves the calls of a client one after the other",
     .also = {"gateway.survives-trouble"},
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<HoldKeeper>(true);
     }},
    {.id = "gateway.spares-other-sessions",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "ends all sessions when one has ended",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           const bool calls = request.body.find("\"tools/call\"") != std::string::npos;
           fallen = fallen || (status == 404 && calls);
         },
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<FallenKeeper>(404);
     }},
    {.id = "gateway.does-without-stream",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "dies of a server without streams",
     .response =
         [](const wire::HttpRequest& request, int& status, wire::HttpHeaders&) {
           fallen = fallen || (status == 405 && request.method == "GET");
         },
     .keeper = [](Behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<FallenKeeper>(500);
     }},
    {.id = "gateway.waits-between-streams",
     .revision = kTroubleEra,
     .transport = Transport::kHttp,
     .what = "asks for stream after stream without a pause",
     .keeper = [](Behind behind) -> std::unique_ptr<Keeper> {
       return std::make_unique<StormKeeper>(std::move(behind));
     }},
};

}  // namespace

Deviations trouble_deviations() { return kTroubleDeviations; }

}  // namespace plumbline::conformance
