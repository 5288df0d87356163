// How a client loads icons, if it does: spec 2025-11-25, basic#icons. Over HTTP, where a server has
// an origin.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"
#include "core/base/base64.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kOwnIcons = "/icon-";

// Icons stand on the server's own origin, one of them moved to another, and one is there.
class Icons final : public Script {
 public:
  void prepare(ScriptedPeer&) override {}

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    const wire::HttpHeaders& headers = peer.record().http[asked.exchange].request.headers;
    const std::string origin = "http://" + std::string(headers.get("Host").value_or(""));
    Json tool = bare_tool("with_icons_to_load");
    for (const std::string& source :
         {origin + "/icon-plain.png", origin + "/icon-second.png", origin + "/icon-moved.png",
          peer.trap().url("/icon-foreign.png")}) {
      Json icon(Json::value_t::object);
      icon["src"] = source;
      icon["mimeType"] = "image/png";
      tool["icons"].push_back(std::move(icon));
    }
    peer.offer.tools = {std::move(tool)};
    return false;
  }

  std::optional<wire::HttpResponse> on_document(ScriptedPeer& peer, const std::string& origin,
                                                const wire::HttpRequest& request) override {
    const bool own = origin != peer.trap().url("");
    if (!own || !request.target.starts_with(kOwnIcons)) return std::nullopt;
    HttpHeard heard;
    heard.at = peer.now();
    heard.request = request;
    loaded_.push_back(std::move(heard));
    wire::HttpResponse response;
    response.status = 200;
    response.headers.set("Content-Type", "image/png");
    response.headers.set("Set-Cookie", "judge=1; Path=/");
    response.body = "\x89PNG\r\n\x1a\n";
    if (request.target == "/icon-moved.png") {
      response.status = 302;
      response.headers.set("Location", peer.trap().url("/icon-behind.png"));
    }
    return response;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Finding none = record.requests("tools/list").empty()
                             ? never_came(record, "asked for the tools")
                             : not_for_it("it loads no icons");
    Finding bare = none;
    Finding moved = none;
    for (const HttpHeard& heard : loaded_) {
      hold_to_no_credentials(heard, bare);
      if (heard.request.target == "/icon-moved.png") moved = passes();
    }
    Finding own = bare.verdict == Verdict::kSkip ? none : passes();
    for (const HttpHeard& heard : record.trapped) {
      hold_to_no_credentials(heard, bare);
      if (heard.request.target == "/icon-behind.png") {
        moved = at(record, heard, broken("it followed the redirect of an icon to another origin"));
      }
      if (heard.request.target == "/icon-foreign.png") {
        own = at(record, heard, broken("it loaded an icon from another origin than the server's"));
      }
    }
    verdicts.say("base.icons-fetch-without-credentials", std::move(bare));
    verdicts.say("base.icons-redirects-restricted", std::move(moved));
    verdicts.say("base.icons-same-origin", std::move(own));
  }

 private:
  static void hold_to_no_credentials(const HttpHeard& heard, Finding& finding) {
    if (finding.verdict == Verdict::kSkip) finding = passes();
    for (const char* const name : {"Authorization", "Cookie"}) {
      if (heard.request.headers.count(name) == 0) continue;
      finding = broken("it loaded the icon " + heard.request.target + " with the header " + name);
    }
  }

  std::vector<HttpHeard> loaded_;  // From the server's own origin.
};

// data_icon returns an icon that is in the list itself.
Json data_icon(const std::string& type, const std::string& bytes) {
  Json icon(Json::value_t::object);
  icon["src"] = "data:" + type + ";base64," + encode_base64(bytes);
  icon["mimeType"] = type;
  return icon;
}

std::string four_bytes(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) {
    bytes += static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xffU);
  }
  return bytes;
}

// BadIcons come as data: a file that is large, a picture that says it is huge, one of many frames,
// and one that is none. Who decodes icons stumbles here, whoever does not is none the worse.
class BadIcons final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    constexpr std::size_t kLargeBytes = 1U << 20U;
    constexpr std::uint32_t kHuge = 0x7fffffff;
    constexpr int kFrames = 2'000;
    const std::string png = "\x89PNG\r\n\x1a\n";
    std::string frames("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff", 19);
    const std::string frame(
        "\x21\xf9\x04\x00\x00\x00\x00\x00\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01"
        "\x00",
        23);
    for (int count = 0; count < kFrames; ++count) frames += frame;
    Json tool = bare_tool(kLooksSafe);
    tool["icons"] = Json::array();
    tool["icons"].push_back(data_icon("image/png", png + std::string(kLargeBytes, 'x')));
    tool["icons"].push_back(data_icon(
        "image/png", png + four_bytes(13) + "IHDR" + four_bytes(kHuge) + four_bytes(kHuge) +
                         std::string("\x08\x06\x00\x00\x00", 5) + four_bytes(0)));
    tool["icons"].push_back(data_icon("image/gif", frames + ";"));
    tool["icons"].push_back(data_icon("image/jpeg", "<svg onload='alert(1)'/>"));
    peer.offer.tools = {std::move(tool)};
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Finding finding =
        went_on(record, kLooksSafe, "a tool with icons that are too large, or no pictures");
    verdicts.say("base.icons-size-limits-resilient", finding);
    verdicts.say("base.icons-security-precautions", finding);
  }

 private:
  static constexpr const char* kLooksSafe = "with_bad_icons";
};

constexpr std::string_view kBadIconsIds[] = {"base.icons-size-limits-resilient",
                                             "base.icons-security-precautions"};
constexpr std::string_view kIconsIds[] = {"base.icons-fetch-without-credentials",
                                          "base.icons-redirects-restricted",
                                          "base.icons-same-origin"};

constexpr ClientScenario kIconScenarios[] = {
    {"tools_call", "icons", Eras::kBoth, Over::kHttp, since::kIcons, kIconsIds, make_script<Icons>},
    {"tools_call", "bad-icons", Eras::kBoth, Over::kAny, since::kIcons, kBadIconsIds,
     make_script<BadIcons>},
};

}  // namespace

ClientScenarios icon_scenarios() { return kIconScenarios; }

}  // namespace plumbline::conformance
