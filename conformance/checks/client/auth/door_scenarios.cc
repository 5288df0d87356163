// The door: a server that is right in everything and wants a token. Of a client that gets none
// there, no other scenario tells: spec, basic/authorization, Authorization Server Discovery.

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/auth/auth_script.h"

namespace plumbline::conformance {

namespace {

const ClientScenario* at_its_own_address();
const ClientScenario* elsewhere_again();

bool asks_beyond(const Record& record) {
  return record.auth.first(AuthStep::kRegistration) != nullptr ||
         record.auth.first(AuthStep::kAuthorization) != nullptr ||
         record.auth.first(AuthStep::kToken) != nullptr;
}

// stops_at_the_issuer returns whether the client got the metadata of the authorization server, and
// that was the last it asked for.
bool stops_at_the_issuer(const Record& record) {
  const std::vector<const AuthHeard*> asked = record.auth.all(AuthStep::kServerMetadata);
  const bool told =
      std::ranges::any_of(asked, [](const AuthHeard* one) { return one->status == 200; });
  return told && !asks_beyond(record);
}

// ForAnyClient takes any kind of client: the doors differ in nothing but their address.
class ForAnyClient : public AuthScript {
 protected:
  Json metadata(std::size_t index) const override {
    Json document = AuthScript::metadata(index);
    document["client_id_metadata_document_supported"] = true;
    return document;
  }
};

// Ordinary is right in everything.
class Ordinary final : public ForAnyClient {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    if (has_resource_metadata()) verdicts.say("auth.client-uses-prm", uses_resource(record));
    const AuthHeard* const asked = passed_by(record);
    if (has_resource_metadata() && asked != nullptr) {
      verdicts.say("auth.client-prm-header-first",
                   at(record, *asked,
                      broken("it asked " + asked->url + ", and never " + named_place() +
                             ", which the challenge names")));
    }
    verdicts.say("auth.client-reads-as-metadata", uses_endpoints(record));
    if (has_resource_metadata()) keeps_to_issuer(record, verdicts);
    if (!has_resource_metadata()) verdicts.say("auth.base-url-drops-path", drops_path(record));
    if (has_resource_metadata() && stops_at_the_issuer(record)) left_ = {at_its_own_address()};
  }
  std::vector<const ClientScenario*> left() const override { return left_; }

 private:
  // passed_by returns the first request for metadata of the resource, where none went to the place
  // that the challenge names; nullptr: one did, or there is none.
  const AuthHeard* passed_by(const Record& record) const {
    const std::vector<const AuthHeard*> asked = record.auth.all(AuthStep::kResourceMetadata);
    const auto is_named = [&](const AuthHeard* one) { return one->url == named_place(); };
    return asked.empty() || std::ranges::any_of(asked, is_named) ? nullptr : asked.front();
  }

  // keeps_to_issuer says of a client that looks for the metadata of the issuer elsewhere alone.
  void keeps_to_issuer(const Record& record, Verdicts& verdicts) const {
    const AuthHeard* const strayed = strayed_from_issuer(record);
    if (strayed == nullptr) return;
    verdicts.say(record.stateless() ? "auth.as-metadata-order-without-path"
                                    : "auth.client-reads-as-metadata",
                 at(record, *strayed,
                    broken("it was told of the issuer " + issuer() + ", asked " + strayed->url +
                           ", and never " + issuer() + std::string(kAuthorizationServerPath) +
                           ", where the metadata of this issuer is")));
  }

  // strayed_from_issuer returns the first request for metadata of an authorization server, where
  // the client knows the issuer and none went to its place; nullptr: one did, or there is none.
  const AuthHeard* strayed_from_issuer(const Record& record) const {
    const auto is_told = [](const AuthHeard* one) { return one->status == 200; };
    if (std::ranges::none_of(record.auth.all(AuthStep::kResourceMetadata), is_told)) return nullptr;
    const std::vector<const AuthHeard*> asked = record.auth.all(AuthStep::kServerMetadata);
    return asked.empty() || std::ranges::any_of(asked, is_told) ? nullptr : asked.front();
  }

  static Finding uses_resource(const Record& record) {
    const AuthHeard* const asked = record.auth.first(AuthStep::kResourceMetadata);
    if (asked != nullptr) return passes();
    for (const AuthHeard& heard : record.auth.heard) {
      return at(record, heard,
                broken("it asked " + heard.url + " and never for the resource's metadata, " +
                       "which names another authorization server"));
    }
    return not_for_it("it asks for no token: MCP's authorization is optional");
  }

  static Finding uses_endpoints(const Record& record) {
    const AuthHeard* const read = record.auth.first(AuthStep::kServerMetadata);
    if (read == nullptr)
      return never_asked(record, "asked for the authorization server's metadata");
    const AuthHeard* const guessed = record.auth.first(AuthStep::kGuess);
    if (guessed != nullptr) {
      return at(record, *guessed,
                broken("it asked " + guessed->url + ", which the metadata does not name"));
    }
    const bool used = record.auth.first(AuthStep::kAuthorization) != nullptr ||
                      record.auth.first(AuthStep::kToken) != nullptr;
    return used ? passes() : never_asked(record, "asked for authorization");
  }

  Finding drops_path(const Record& record) const {
    const std::vector<const AuthHeard*> read = record.auth.all(AuthStep::kServerMetadata);
    if (read.empty()) return never_asked(record, "asked for the authorization server's metadata");
    for (const AuthHeard* const one : read) {
      if (one->url == origin() + std::string(kAuthorizationServerPath)) return passes();
    }
    return at(record, *read.front(),
              broken("it asked " + read.front()->url + ", expected " + origin() +
                     std::string(kAuthorizationServerPath)));
  }

  std::vector<const ClientScenario*> left_;
};

// AtItsOwnAddress has the address of the MCP server for the issuer: whoever stops at the metadata
// of another, and not here, is stopped by the address.
class AtItsOwnAddress final : public ForAnyClient {
 public:
  void judge(const Record& record, Verdicts&) override {
    if (asks_beyond(record)) left_ = {elsewhere_again()};
  }
  std::vector<const ClientScenario*> left() const override { return left_; }

 protected:
  bool gives_its_own_tokens() const override { return true; }

 private:
  std::vector<const ClientScenario*> left_;
};

// ElsewhereAgain is the ordinary one once more. A client may ask somebody before it goes to another
// address, and nobody was there: it is only warned.
class ElsewhereAgain final : public ForAnyClient {
 public:
  void judge(const Record& record, Verdicts& verdicts) override {
    if (!stops_at_the_issuer(record)) return;
    verdicts.say("auth.as-metadata-issuer-validated",
                 at(record, *record.auth.all(AuthStep::kServerMetadata).back(),
                    risky("it read the metadata of the authorization server " + issuer() +
                          ", whose issuer is that, and went no further; where the issuer was the "
                          "address of the MCP server it went on: issuer is compared with the "
                          "entry of authorization_servers, which stands elsewhere at most "
                          "providers")));
  }
};

constexpr std::string_view kOrdinaryIds[] = {
    "auth.client-uses-prm", "auth.client-prm-header-first", "auth.client-reads-as-metadata",
    "auth.as-metadata-order-without-path", "auth.base-url-drops-path"};
constexpr std::string_view kIssuerIds[] = {"auth.as-metadata-issuer-validated"};

constexpr ClientScenario kDoorScenarios[] = {
    {"auth/metadata-default", "auth-ordinary", Eras::kBoth, Over::kHttp, since::kStreamableHttp,
     kOrdinaryIds, make_script<Ordinary>, true},
};

constexpr ClientScenario kAtItsOwnAddress = {"auth/metadata-default",
                                             "auth-own-issuer",
                                             Eras::kBoth,
                                             Over::kHttp,
                                             since::kResourceMetadata,
                                             kIssuerIds,
                                             make_script<AtItsOwnAddress>,
                                             true};
constexpr ClientScenario kElsewhereAgain = {"auth/metadata-default",
                                            "auth-ordinary-again",
                                            Eras::kBoth,
                                            Over::kHttp,
                                            since::kResourceMetadata,
                                            kIssuerIds,
                                            make_script<ElsewhereAgain>,
                                            true};

const ClientScenario* at_its_own_address() { return &kAtItsOwnAddress; }
const ClientScenario* elsewhere_again() { return &kElsewhereAgain; }

}  // namespace

ClientScenarios auth_door_scenarios() { return kDoorScenarios; }

}  // namespace plumbline::conformance
