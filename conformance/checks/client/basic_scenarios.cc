// The ordinary life of a client: it opens, lists the tools, calls one and leaves.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"
#include "conformance/wire/header_names.h"

namespace plumbline::conformance {

namespace {

// exists returns whether `offered` is a revision, or could be one that is yet to come.
bool exists(const std::string& offered) {
  const bool known = std::ranges::find(kRevisions, offered) != std::end(kRevisions);
  const bool dated = offered.size() == 10 && offered[4] == '-' && offered[7] == '-' &&
                     offered.find_first_not_of("0123456789-") == std::string::npos;
  return known || (dated && offered > kRevisions.back());
}

bool is_draft(const std::string& offered) {
  return offered.find("draft") != std::string::npos || offered.find("DRAFT") != std::string::npos;
}

class Opening final : public Script {
 public:
  void prepare(ScriptedPeer&) override {}

  void judge(const Record& record, Verdicts& verdicts) override {
    if (record.stateless()) {
      const bool asks = !record.requests().empty();
      verdicts.say("base.support-core-components",
                   asks
                       ? passes()
                       : broken("it asked a correct server for nothing; " + record.how_it_ended()));
      return;
    }
    const std::vector<const Heard*> openings = record.requests("initialize");
    if (openings.empty()) {
      const Finding never = broken("it never initialized; " + record.how_it_ended());
      verdicts.say("base.core-and-lifecycle-supported", never);
      if (record.requests().empty()) verdicts.say("lifecycle.client-sends-initialize", never);
      return;
    }
    const Heard& opening = *openings.front();
    const bool agreed = opening.param("protocolVersion") == record.revision;
    // That it goes on without a word is told by lifecycle.initialized-notification.
    const bool goes_on = record.requests().size() > record.requests("initialize").size();
    const bool ready = goes_on || !record.notifications("notifications/initialized").empty();
    Finding finding = passes();
    const std::string offered = opening.param("protocolVersion");
    if (!exists(offered)) {
      finding = at(record, opening,
                   is_draft(offered)
                       ? risky("it offered \"" + offered + "\", a draft")
                       : broken("it offered the revision \"" + offered + "\", which there is not"));
    } else if (!agreed) {
      finding = not_for_it("the server was told to agree to another version than the one offered");
    } else if (!ready) {
      finding = broken("it offered " + record.revision +
                       ", but did not go on when the server agreed; " + record.how_it_ended());
    }
    verdicts.say("versioning.client-offers-supported", std::move(finding));
    const bool died = ready && !goes_on && record.exit && record.exit->code != 0;
    std::string last =
        "it opened a session with a correct server and ended before it asked for "
        "anything";
    if (record.over_http) last += ", when notifications/initialized got status 202 and no body";
    verdicts.say("base.core-and-lifecycle-supported",
                 died    ? broken(last + "; " + record.how_it_ended())
                 : ready ? passes()
                         : broken("it did not open a session with a correct server; " +
                                  record.how_it_ended()));
  }
};

// The server answers with a revision that nobody knows.
class UnknownVersion final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.gives_session = false; }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "initialize") return false;
    Json result = usual_answer(peer.offer, peer.revision(), asked.message).result;
    result["protocolVersion"] = "1999-12-31";
    peer.result(asked, std::move(result));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Heard* const more = record.first([](const Heard& message) {
      return message.is_request() && message.method() != "initialize" &&
             message.method() != "server/discover";
    });
    if (record.requests("initialize").empty()) {
      verdicts.say("versioning.client-disconnects-on-unsupported",
                   never_came(record, "sent initialize"));
    } else if (more != nullptr) {
      verdicts.say("versioning.client-disconnects-on-unsupported",
                   at(record, *more,
                      broken("the server answered with the version 1999-12-31, and got " +
                             more->method() + ", expected the end of the connection")));
    } else {
      verdicts.say("versioning.client-disconnects-on-unsupported", passes());
    }
    verdicts.say("versioning.mismatch-handled", mismatch(record, more));
  }

 private:
  static Finding mismatch(const Record& record, const Heard* more) {
    if (record.exit && record.exit->signal != 0) {
      return broken("it crashed when the server answered with another version: " +
                    record.how_it_ended());
    }
    return more == nullptr ? passes() : not_for_it("it took no notice of the version");
  }
};

// The server agrees to an older version than the one offered: what the client says in its headers
// from then on is that one.
class OlderVersion final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override { peer.record().two_eras = true; }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "initialize") return false;
    Json result = usual_answer(peer.offer, peer.revision(), asked.message).result;
    result["protocolVersion"] = kOlder;
    peer.result(asked, std::move(result));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding said = each_after_opening(record, [](const HttpHeard& heard) -> std::string {
      const std::string header = whole_header(heard.request.headers, kVersionHeader).value_or("");
      // One that names no revision is told by http.protocol-version-header.
      if (header == kOlder || header.size() != std::string_view(kOlder).size()) return "";
      const std::string& method = heard.request.method;
      return "the server agreed to " + std::string(kOlder) + ", and MCP-Protocol-Version " +
             (method == "POST" ? "" : "of " + method + " ") + "is " + header;
    });
    if (said.verdict == Verdict::kSkip) {
      said = not_for_it("it did not go on when the server agreed to " + std::string(kOlder));
    }
    verdicts.say("http.protocol-version-is-negotiated", std::move(said));
  }

 private:
  static constexpr const char* kOlder = "2025-06-18";
};

// A stateless server that does not know the version it is asked in, at first.
class VersionRefused final : public Script {
 public:
  void prepare(ScriptedPeer&) override {}

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (refused_) return false;
    refused_ = true;
    Json data(Json::value_t::object);
    data["supported"] = Json::array();
    data["supported"].push_back(peer.revision());
    data["requested"] = kNoRevision;
    peer.error(asked, -32022, "Unsupported protocol version", std::move(data));
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const std::vector<const Heard*> asked = record.requests();
    if (asked.empty()) return;
    const Heard* const fallen =
        record.first([](const Heard& message) { return message.method() == "initialize"; });
    Finding stays = passes();
    if (fallen != nullptr) {
      stays =
          at(record, *fallen, broken("error -32022 is one of a modern server, and got initialize"));
    }
    verdicts.say("versioning.modern-error-no-fallback", std::move(stays));
    const bool again = asked.size() > 1 && fallen == nullptr;
    verdicts.say("versioning.client-selects-supported",
                 again ? passes()
                       : broken("it did not ask again in " + record.revision +
                                ", which the server had named; " + record.how_it_ended()));
  }

 private:
  bool refused_ = false;
};

constexpr std::string_view kOpeningIds[] = {"versioning.client-offers-supported",
                                            "base.core-and-lifecycle-supported",
                                            "base.support-core-components"};
constexpr std::string_view kUnknownVersionIds[] = {"versioning.client-disconnects-on-unsupported",
                                                   "versioning.mismatch-handled"};
constexpr std::string_view kOlderVersionIds[] = {"http.protocol-version-is-negotiated"};
constexpr std::string_view kVersionRefusedIds[] = {"versioning.modern-error-no-fallback",
                                                   "versioning.client-selects-supported"};

constexpr ClientScenario kBasicScenarios[] = {
    {"tools_call", "opening", Eras::kBoth, Over::kAny, "", kOpeningIds, make_script<Opening>},
    {"initialize", "unknown-version", Eras::kStateful, Over::kAny, "", kUnknownVersionIds,
     make_script<UnknownVersion>},
    {"tools_call", "older-version", Eras::kStateful, Over::kHttp, since::kPolling, kOlderVersionIds,
     make_script<OlderVersion>},
    {"request-metadata", "version-refused", Eras::kStateless, Over::kAny, "", kVersionRefusedIds,
     make_script<VersionRefused>},
};

}  // namespace

ClientScenarios basic_scenarios() { return kBasicScenarios; }

}  // namespace plumbline::conformance
