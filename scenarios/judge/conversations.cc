#include "scenarios/judge/conversations.h"

#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/oracles/oracle.h"

namespace plumbline::scenarios {

namespace {

using conformance::LogEntry;
using conformance::Sender;

constexpr std::string_view kKeepsTheSpecification = "invariant.keeps-the-specification";

// revision_of returns the revision that was agreed on, or else the last that was asked for.
std::string revision_of(const std::vector<LogEntry>& entries) {
  std::string asked(conformance::kNewestStateful);
  for (const LogEntry& entry : entries) {
    const Json& message = *entry.message;
    if (const Json* const agreed = at_pointer(message, "/result/protocolVersion")) {
      if (agreed->is_string()) return agreed->get<std::string>();
    }
    for (const char* const place :
         {"/params/protocolVersion", "/params/_meta/io.modelcontextprotocol~1protocolVersion"}) {
      const Json* const wanted = at_pointer(message, place);
      if (wanted != nullptr && wanted->is_string()) asked = wanted->get<std::string>();
    }
  }
  return asked;
}

}  // namespace

void Conversations::on_event(const TraceEvent& event) {
  if (event.kind == EventKind::kConnection) {
    return on_connection(std::string(event.who), string_or(event.detail, "state", ""));
  }
  const bool sent = event.kind == EventKind::kMessageSent;
  if (!sent && event.kind != EventKind::kMessageReceived) return;
  auto place = current_.find(event.who);
  if (place == current_.end()) {
    spoken_.emplace_back();
    place = current_.emplace(event.who, spoken_.size() - 1).first;
  }
  LogEntry entry;
  entry.at = event.at;
  entry.sender = sent ? Sender::kSubject : Sender::kHarness;
  entry.connection = static_cast<std::uint32_t>(place->second + 1);
  entry.message = conformance::kept(event.detail);
  spoken_[place->second].push_back(std::move(entry));
}

// on_connection ends a conversation where our client knows that it has ended, for it goes on with
// what is still on its way when the process is gone. Over HTTP "started" comes after our opening.
void Conversations::on_connection(const std::string& server, std::string_view state) {
  if (state == "exited") {
    exited_.insert(server);
    return;
  }
  const bool next_process = exited_.erase(server) > 0;
  if (state != "started" || next_process) current_.erase(server);
}

std::vector<RunFailure> Conversations::failures() const {
  std::vector<RunFailure> failures;
  for (const Entries& entries : spoken_) judge(entries, failures);
  return failures;
}

void Conversations::judge(Entries entries, std::vector<RunFailure>& failures) const {
  const std::string revision = revision_of(entries);
  if (!conformance::allows_batches(revision)) {  // What a server says in an array is no answer.
    std::erase_if(entries, [](const LogEntry& entry) {
      return entry.sender == Sender::kHarness && entry.message->is_array();
    });
  }
  const conformance::Transcript transcript({log_, entries, revision, Sender::kSubject, false},
                                           conformance::Side::kClient);
  for (const conformance::Oracle& oracle : conformance::all_oracles()) {
    if (oracle.role != "client") continue;
    const conformance::Finding finding = oracle.judge(transcript);
    if (finding.verdict != Verdict::kFail) continue;
    failures.push_back({std::string(kKeepsTheSpecification),
                        std::string(oracle.id) + ": " + finding.message, std::string(oracle.id)});
  }
}

}  // namespace plumbline::scenarios
