// Streams whose pieces end anywhere: in the name of a field, between lines, in the middle of data,
// within the end of an event. The HTML standard, Server-sent events: a stream is lines, of whatever
// pieces it arrives; RFC 9112, section 7.1: the sizes of chunks mean nothing.
//
// One run has all of the cuts. Where that fails each is played alone, and what fails alone a second
// time before anybody is blamed.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kSplitLines = "http.sse-split-lines";
constexpr std::string_view kPiecesIds[] = {kSplitLines};
constexpr Duration kBetweenPieces = std::chrono::milliseconds(40);

// In the order in which they are played.
enum class PieceCut {
  kTogether,
  kInName,
  kBetweenLines,
  kInData,
  kBeforeEnd,
  kNone,  // Whether lines that end with CRLF are read.
  kInCrlf,
  kTogetherAgain
};

struct CutOf {
  PieceCut cut;
  std::string_view tool;
  std::string_view where;
  bool crlf;
};

constexpr CutOf kCuts[] = {
    {PieceCut::kTogether, "after_many_cuts", "in five places of one event", true},
    {PieceCut::kInName, "after_a_cut_in_a_name", "within the name of the first field", false},
    {PieceCut::kBetweenLines, "after_a_cut_between_lines", "behind the first line", false},
    {PieceCut::kInData, "after_a_cut_in_data", "within its second line, in the data", false},
    {PieceCut::kBeforeEnd, "after_a_cut_at_the_end", "between its last line and the empty one",
     false},
    {PieceCut::kNone, "after_no_cut", "nowhere", true},
    {PieceCut::kInCrlf, "after_a_cut_in_crlf", "between the CR and the LF that end a line", true},
    {PieceCut::kTogetherAgain, "after_many_cuts_again", "in five places of one event", true},
};

constexpr const CutOf& cut_of(PieceCut cut) { return *std::ranges::find(kCuts, cut, &CutOf::cut); }

constexpr bool is_whole_of(PieceCut cut) {
  return cut == PieceCut::kTogether || cut == PieceCut::kTogetherAgain;
}

// pieces_of cuts an event, of two lines and an empty one.
std::vector<std::string> pieces_of(const std::string& event, PieceCut cut) {
  const bool all = is_whole_of(cut);
  const std::size_t line = event.find('\n') + 1;
  const std::size_t end = event.find_last_not_of("\r\n") + 1;
  const std::size_t last = event.size() - (event[line - 2] == '\r' ? 2 : 1);
  std::vector<std::size_t> cuts;
  if (all || cut == PieceCut::kInName) cuts.push_back(3);
  if (all || cut == PieceCut::kInCrlf) cuts.push_back(line - 1);
  if (all || cut == PieceCut::kBetweenLines) cuts.push_back(line);
  if (all || cut == PieceCut::kInData) cuts.push_back((line + end) / 2);
  if (all || cut == PieceCut::kBeforeEnd) cuts.push_back(last);
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (const std::size_t to : cuts) {
    pieces.push_back(event.substr(begin, to - begin));
    begin = to;
  }
  pieces.push_back(event.substr(begin));
  return pieces;
}

const ClientScenario* cut_alone(PieceCut cut);
const ClientScenario* cut_again(PieceCut cut);

// Pieces answers the list of the tools in a stream that comes in pieces.
template <PieceCut kCut, bool kAgain>
class Pieces final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.tools = {plain_tool(std::string(kIts.tool))};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list") return false;
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = asked.id();
    response["result"] = usual_answer(peer.offer, peer.revision(), asked.message).result;
    const std::string end = kIts.crlf ? "\r\n" : "\n";
    const std::string event = "event: message" + end + "data: " + dump_json(response) + end + end;
    peer.record().heard[asked.heard].answered = peer.now();
    const std::vector<std::string> pieces = pieces_of(event, kCut);
    peer.bytes(asked.exchange, pieces.front(), pieces.size() == 1);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      const bool last = i + 1 == pieces.size();
      peer.later(i * kBetweenPieces, [&peer, exchange = asked.exchange, piece = pieces[i], last] {
        peer.bytes(exchange, piece, last);
      });
    }
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const Finding went =
        went_on(record, kIts.tool,
                "a stream of events that came in pieces, cut " + std::string(kIts.where) +
                    ": a line is whole at its end, not where a piece ends");
    const bool fails = went.verdict == Verdict::kFail;
    if (kCut == PieceCut::kNone && fails) {
      return verdicts.say(kSplitLines, not_for_it("it reads no lines that end with CRLF"));
    }
    next_ = fails && !record.calls_tools ? nullptr : next_after(fails);
    if (next_ != nullptr && fails) return;  // Where it was is to be found.
    if (fails && !record.calls_tools) {
      return verdicts.say(kSplitLines, not_for_it("it calls no tool"));
    }
    verdicts.say(kSplitLines, went);
  }

  std::vector<const ClientScenario*> left() const override {
    if (next_ == nullptr) return {};
    return {next_};
  }

 private:
  static constexpr const CutOf& kIts = cut_of(kCut);

  // next_after returns what is to be played after this one; null: nothing.
  static const ClientScenario* next_after(bool fails) {
    if (kCut == PieceCut::kTogetherAgain) return nullptr;
    if (kCut == PieceCut::kTogether) return fails ? cut_alone(PieceCut::kInName) : nullptr;
    if (fails) return kAgain ? nullptr : cut_again(kCut);
    return cut_alone(static_cast<PieceCut>(static_cast<int>(kCut) + 1));
  }

  const ClientScenario* next_ = nullptr;
};

template <PieceCut kCut, bool kAgain = false>
constexpr ClientScenario pieces_as(std::string_view name) {
  return {"tools_call",
          name,
          Eras::kBoth,
          Over::kHttp,
          "",
          kPiecesIds,
          make_script<Pieces<kCut, kAgain>>};
}

constexpr ClientScenario kCutScenarios[] = {pieces_as<PieceCut::kTogether>("stream-in-pieces")};

// In the order of PieceCut, from kInName on.
template <bool kAgain>
constexpr ClientScenario kCutsAlone[] = {
    pieces_as<PieceCut::kInName, kAgain>("cut-in-a-name"),
    pieces_as<PieceCut::kBetweenLines, kAgain>("cut-between-lines"),
    pieces_as<PieceCut::kInData, kAgain>("cut-in-data"),
    pieces_as<PieceCut::kBeforeEnd, kAgain>("cut-at-the-end"),
    pieces_as<PieceCut::kNone, kAgain>("no-cut-with-crlf"),
    pieces_as<PieceCut::kInCrlf, kAgain>("cut-in-crlf"),
    pieces_as<PieceCut::kTogetherAgain, kAgain>("stream-in-pieces-again"),
};

constexpr std::size_t cut_place(PieceCut cut) {
  return static_cast<std::size_t>(cut) - static_cast<std::size_t>(PieceCut::kInName);
}

const ClientScenario* cut_alone(PieceCut cut) { return &kCutsAlone<false>[cut_place(cut)]; }
const ClientScenario* cut_again(PieceCut cut) { return &kCutsAlone<true>[cut_place(cut)]; }

}  // namespace

ClientScenarios cut_scenarios() { return kCutScenarios; }

}  // namespace plumbline::conformance
