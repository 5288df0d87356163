// Exchanges are what the judge asks through a gateway once, to compare at all four places: what its
// client said, what the server got, what that said, and what the client got.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/gateway/differences.h"
#include "conformance/checks/gateway/mirror_server.h"
#include "conformance/checks/gateway/names.h"
#include "conformance/peer/client.h"
#include "core/base/task.h"

namespace plumbline::conformance {

enum class Ask {
  kOpening,  // Capabilities and instructions, from initialize or server/discover.
  kTools,    // The lists: every page.
  kPrompts,
  kResources,
  kTemplates,
  kRich,  // tools/call.
  kRefuse,
  kStream,
  kBare,        // A result with structuredContent and no content.
  kPlain,       // One with a text alone.
  kStrict,      // A failure with a text alone, of a tool with an output schema.
  kPrompt,      // prompts/get.
  kBarePrompt,  // With arguments that are {}.
  kText,        // resources/read.
  kBlob,
  kMissing,  // Of what there is not.
  kCompletion,
  kLogLevel,
  kSubscribe,
};

// Exchanged is what became of one.
struct Exchanged {
  std::string lacks;  // Why a client would not ask; empty: it would.
  std::string why;    // Why it cannot be compared; empty: it can.
  bool reached = false;
  std::string twice;    // Of a list: what it has more often than the server; empty: nothing.
  bool turned = false;  // A failure of a tool, in its result, came to the client as an error.
  Reply reply;          // The last, of several pages.
  std::vector<Difference> there;
  std::vector<Difference> back;
  std::vector<Evidence> evidence;
};

class Exchanges {
 public:
  // Everything must outlive the exchanges.
  Exchanges(Subject& subject, MirrorServer& mirror, std::string revision,
            const GatewayManner& manner)
      : subject_(subject), mirror_(mirror), revision_(std::move(revision)), manner_(manner) {}

  // of makes the exchange, for `check`, or returns what became of it.
  Task<const Exchanged*> of(Ask ask, std::uint32_t check);

  // tool returns what clients call a tool of the mirror, as far as it is known.
  std::string tool(std::string_view name) const { return names_of("tools").of(name); }

  // resource returns the uri by which clients know a resource of the mirror, likewise.
  std::string resource(std::string_view uri) const { return names_of("resources").of(uri); }

  // prompt returns the name by which clients know a prompt of the mirror, likewise.
  std::string prompt(std::string_view name) const { return names_of("prompts").of(name); }

  // note_lost_answers notes that a client got no answer where the server gave one behind other
  // messages; loses_answers returns whether that was seen.
  void note_lost_answers() { loses_answers_ = true; }
  bool loses_answers() const { return loses_answers_; }

  // manner returns what the gateway does on purpose.
  const GatewayManner& manner() const { return manner_; }

  // close gives up the session.
  Task<void> close();

 private:
  struct Row;

  Task<Session*> enter(std::uint32_t check);
  Task<Exchanged> make(const Row* row, std::uint32_t check);
  Task<Exchanged> open(std::uint32_t check);
  Task<Exchanged> list(const Row* row, std::uint32_t check);
  Task<Exchanged> ask(const Row* row, std::uint32_t check);
  Task<Exchanged> read_pages(const Row* row, std::uint32_t check, Json* items, Json* first);
  Json params_of(Ask ask) const;
  Json named_as_here(const MirrorList& listing, const Json& there, const Json& items,
                     std::string* twice);
  void add_evidence(Exchanged& exchanged, std::uint32_t check) const;
  const Renaming& names_of(std::string_view member) const;
  bool offers(std::string_view capability) const;
  std::string revision_behind() const;

  static const Row kRows[];

  Subject& subject_;
  MirrorServer& mirror_;
  std::string revision_;
  const GatewayManner& manner_;
  std::string why_;  // There is no session.
  std::unique_ptr<Session> session_;
  std::vector<std::unique_ptr<Session>> given_up_;
  Json offered_;  // What the gateway's opening says; null: nothing yet.
  std::map<std::string, Renaming, std::less<>> names_;  // By the member of the list.
  std::map<Ask, Exchanged> made_;
  bool loses_answers_ = false;
};

}  // namespace plumbline::conformance
