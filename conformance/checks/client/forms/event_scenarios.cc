// Answers that are streams of events, in each form that a server may give them: spec,
// basic/transports, Streamable HTTP, and the HTML standard, Server-sent events.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kBothTypes = "http.client-supports-both-response-types";
constexpr std::string_view kSseFormat = "http.sse-format";
constexpr std::string_view kSseComments = "http.sse-comments-ignored";
constexpr std::string_view kSseEmptyData = "http.sse-empty-data-ignored";
constexpr std::string_view kEventsIds[] = {kBothTypes, kSseFormat, kSseComments, kSseEmptyData};

// All forms are in one run. Where that fails they are played one by one, in this order, until one
// shows what it was: the first tells whether events are read at all. What fails alone is played a
// second time before anybody is blamed: the first time the client may have been too slow for
// itself.
enum class StreamForm {
  kTogether,
  kUnnamed,
  kNamed,  // Where those without a name are not read.
  kBeside,
  kComments,
  kPriming,
  kRetry,
  kLines,
  kLineEnds,
  kTight,
  kOtherName,
  kTogetherAgain
};

// Shape is what one stream of events has beside its answer.
struct Shape {
  bool named = false;     // "event: message".
  bool beside = false;    // A notification before it.
  bool comments = false;  // Lines that begin with a colon.
  bool priming = false;   // An event with an id and empty data: since 2025-11-25.
  bool retry = false;     // A line with the time to wait before the stream is taken up again.
  bool lines = false;     // Its data in several lines.
  bool crlf = false;      // Lines end with CRLF.
  bool tight = false;     // No blank behind the colons.
  bool other = false;     // An event of another name before it.
};

struct FormOf {
  StreamForm form;
  std::string_view tool;
  std::string_view how;
  Shape shape;
};

constexpr Shape kAllShapes = {true, true, true, true, true, true, true, true, true};
constexpr FormOf kForms[] = {
    {StreamForm::kTogether, "add_from_events",
     "events with and without a name, and what may stand between", kAllShapes},
    {StreamForm::kUnnamed, "add_from_unnamed_events", "an answer in one event without a name", {}},
    {StreamForm::kNamed,
     "add_from_named_events",
     "an answer in one event with \"event: message\"",
     {.named = true}},
    {StreamForm::kBeside,
     "add_from_second_event",
     "a notification in the stream, before the answer",
     {.beside = true}},
    {StreamForm::kComments,
     "add_from_commented_events",
     "comments in the stream, before the answer",
     {.comments = true}},
    {StreamForm::kPriming,
     "add_from_primed_events",
     "a first event with an id and empty data, before the answer",
     {.priming = true}},
    {StreamForm::kRetry,
     "add_from_stream_with_retry",
     "a line with \"retry: 3000\" in the stream, before the answer",
     {.retry = true}},
    {StreamForm::kLines,
     "add_from_lines",
     "an answer whose data stands in several lines",
     {.lines = true}},
    {StreamForm::kLineEnds,
     "add_from_line_ends",
     "a stream whose lines end with CRLF",
     {.crlf = true}},
    {StreamForm::kTight,
     "add_from_tight_events",
     "a stream with no blank behind its colons (\"data:{\")",
     {.tight = true}},
    {StreamForm::kOtherName,
     "add_from_other_events",
     "an event of another name in the stream, before the answer",
     {.other = true}},
    {StreamForm::kTogetherAgain, "add_from_events_again",
     "events with and without a name, and what may stand between, all together", kAllShapes},
};

constexpr const FormOf& form_of(StreamForm form) {
  return *std::ranges::find(kForms, form, &FormOf::form);
}

// field_of returns one line of an event.
std::string field_of(const char* name, const std::string& value, const Shape& shape) {
  return name + std::string(shape.tight ? ":" : ": ") + value + (shape.crlf ? "\r\n" : "\n");
}

// event_with returns one event.
std::string event_with(const std::string& text, const Shape& shape) {
  std::string event = shape.named ? field_of("event", "message", shape) : "";
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t to = std::min(text.find('\n', begin), text.size());
    event += field_of("data", text.substr(begin, to - begin), shape);
    begin = to + 1;
  }
  return event + (shape.crlf ? "\r\n" : "\n");
}

std::string stream_of(const Json& response, const Shape& shape) {
  const std::string end = shape.crlf ? "\r\n" : "\n";
  std::string stream;
  if (shape.comments) stream += ": a comment" + end + end + ":" + end;
  if (shape.priming) stream += field_of("id", "e1", shape) + "data:" + end + end;
  if (shape.retry) stream += field_of("retry", "3000", shape) + end;
  if (shape.beside) {
    const Json told = notification("notifications/message",
                                   json_of(R"({"level": "info", "data": "before the answer"})"));
    stream += event_with(dump_json(told), shape);
  }
  if (shape.other) {
    stream += field_of("event", "plumbline", shape) + field_of("data", "for somebody else", shape);
    stream += end;
  }
  if (shape.priming) stream += field_of("id", "e2", shape);
  // Indented, so that it takes several lines of data, and its line ends are blanks to a reader.
  stream += event_with(shape.lines ? pretty_json(response) : dump_json(response), shape);
  if (shape.comments) stream += ": the end" + end + end;
  return stream;
}

const ClientScenario* form_alone(StreamForm form);
const ClientScenario* form_again(StreamForm form);

template <StreamForm kForm, bool kAgain>
class Events final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.capabilities["logging"] = Json::object();
    peer.offer.tools = {plain_tool(std::string(kIts.tool))};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    const Answer answer = usual_answer(peer.offer, peer.revision(), asked.message);
    if (answer.result.is_null()) return false;
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = asked.id();
    response["result"] = answer.result;
    peer.bytes(asked.exchange, stream_of(response, shape_for(peer)), true);
    peer.record().heard[asked.heard].answered = peer.now();
    ++answers_;
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const bool lists = !record.requests("tools/list").empty();
    const bool reads = record.called(kIts.tool) != nullptr;
    if (!reads && !lists && !record.lists_tools) {
      const Finding never = not_for_it("it never asked for the tools: " + record.how_it_ended());
      for (const std::string_view id : kEventsIds) verdicts.say(id, never);
      return;
    }
    next_ = next_after(reads);
    if (reads) return holds(record, verdicts);
    if (next_ != nullptr) return;  // What it was is to be found.
    fails(record, verdicts,
          broken("a server that answers in JSON is asked for its tools, but it did not "
                 "go on after " +
                 std::string(kIts.how) + "; " + record.how_it_ended()));
  }

  std::vector<const ClientScenario*> left() const override {
    if (next_ == nullptr) return {};
    return {next_};
  }

  std::string_view explains() const override { return explains_; }

 private:
  static constexpr const FormOf& kIts = form_of(kForm);
  static constexpr bool kWhole =
      kForm == StreamForm::kTogether || kForm == StreamForm::kTogetherAgain;

  // shape_for returns the form of the next answer: together, the first has no name.
  Shape shape_for(const ScriptedPeer& peer) const {
    Shape shape = kIts.shape;
    if (answers_ == 0) {
      shape.beside = false;  // Nothing may come before a session is open.
      if (kWhole) shape.named = shape.other = shape.tight = false;
    }
    if (peer.stateless()) shape.beside = false;  // Nobody has asked for it.
    if (peer.stateless() || peer.revision() < since::kPolling) shape.priming = false;
    return shape;
  }

  // next_after returns what is to be played after this one; null: nothing.
  static const ClientScenario* next_after(bool reads) {
    if (kForm == StreamForm::kTogether) return reads ? nullptr : form_alone(StreamForm::kUnnamed);
    if (kForm == StreamForm::kTogetherAgain) return nullptr;
    if (kForm == StreamForm::kNamed && reads) return form_again(StreamForm::kUnnamed);
    if (kForm == StreamForm::kUnnamed && !reads)
      return kAgain ? nullptr : form_alone(StreamForm::kNamed);
    if (!reads) return kAgain ? nullptr : form_again(kForm);
    if (kForm == StreamForm::kUnnamed) return form_alone(StreamForm::kBeside);
    return form_alone(static_cast<StreamForm>(static_cast<int>(kForm) + 1));
  }

  void holds(const Record& record, Verdicts& verdicts) {
    verdicts.say(kBothTypes,
                 record.lists_tools
                     ? passes()
                     : broken("it asks for the tools of a server that answers in streams of "
                              "events, but not of one that answers in JSON"));
    if (kForm == StreamForm::kNamed) return;  // Those without a name are tried again.
    if (kForm == StreamForm::kComments || kWhole) verdicts.say(kSseComments, passes());
    if (kForm == StreamForm::kPriming || kWhole) verdicts.say(kSseEmptyData, passes());
    verdicts.say(kSseFormat, passes());
  }

  void fails(const Record& record, Verdicts& verdicts, Finding finding) {
    if (kForm == StreamForm::kUnnamed) {
      return fail(verdicts, format_rule(record),
                  broken("events without a name are not read, only those with \"event: message\": "
                         "without a name it is a message (HTML, Server-sent events)"));
    }
    if (kForm == StreamForm::kNamed) return fail(verdicts, kBothTypes, std::move(finding));
    if (kForm == StreamForm::kBeside)
      return fail(verdicts, format_rule(record), std::move(finding));
    // Of a name that is not "message" no clause says anything.
    if (kForm == StreamForm::kOtherName) finding = at_most_risky(std::move(finding));
    const bool by_comments = kForm == StreamForm::kComments && record.stateless();
    const std::string_view rule = by_comments                     ? kSseComments
                                  : kForm == StreamForm::kPriming ? kSseEmptyData
                                                                  : format_rule(record);
    verdicts.say(rule, std::move(finding));
  }

  // format_rule returns the rule of the format: a stateless revision has none but that streams are
  // read.
  static std::string_view format_rule(const Record& record) {
    return record.stateless() ? kBothTypes : kSseFormat;
  }

  // fail says what other scripts cannot do without.
  void fail(Verdicts& verdicts, std::string_view id, Finding finding) {
    explains_ = id;
    verdicts.say(id, std::move(finding));
    for (const std::string_view other : kEventsIds) {
      if (other != id) verdicts.say(other, undecided("not told apart: see " + std::string(id)));
    }
  }

  std::size_t answers_ = 0;
  const ClientScenario* next_ = nullptr;
  std::string_view explains_;
};

template <StreamForm kForm, bool kAgain = false>
constexpr ClientScenario events_as(std::string_view name) {
  return {"tools_call",
          name,
          Eras::kBoth,
          Over::kHttp,
          "",
          kEventsIds,
          make_script<Events<kForm, kAgain>>};
}

constexpr ClientScenario kEventScenarios[] = {events_as<StreamForm::kTogether>("event-streams")};

// In the order of StreamForm, from kUnnamed on.
template <bool kAgain>
constexpr ClientScenario kEventsAlone[] = {
    events_as<StreamForm::kUnnamed, kAgain>("unnamed-events"),
    events_as<StreamForm::kNamed, kAgain>("named-events"),
    events_as<StreamForm::kBeside, kAgain>("second-events"),
    events_as<StreamForm::kComments, kAgain>("commented-events"),
    events_as<StreamForm::kPriming, kAgain>("primed-events"),
    events_as<StreamForm::kRetry, kAgain>("stream-with-retry"),
    events_as<StreamForm::kLines, kAgain>("events-in-lines"),
    events_as<StreamForm::kLineEnds, kAgain>("events-with-crlf"),
    events_as<StreamForm::kTight, kAgain>("tight-events"),
    events_as<StreamForm::kOtherName, kAgain>("other-events"),
    events_as<StreamForm::kTogetherAgain, kAgain>("event-streams-again"),
};

constexpr std::size_t place_of(StreamForm form) {
  return static_cast<std::size_t>(form) - static_cast<std::size_t>(StreamForm::kUnnamed);
}

const ClientScenario* form_alone(StreamForm form) { return &kEventsAlone<false>[place_of(form)]; }
const ClientScenario* form_again(StreamForm form) { return &kEventsAlone<true>[place_of(form)]; }

}  // namespace

ClientScenarios event_scenarios() { return kEventScenarios; }

}  // namespace plumbline::conformance
