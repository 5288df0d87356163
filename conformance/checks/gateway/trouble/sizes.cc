// Texts and messages of every size: a letter may lie across the border of any buffer, and a message
// may end at one.

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/checks/gateway/check.h"
#include "conformance/checks/gateway/questions.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kLargeBytes = 300U << 10U;
constexpr std::size_t kSplitBytes = 150U << 10U;  // More than one read of a socket brings.
constexpr std::size_t kBeyondBytes = 70U << 10U;  // More than the usual buffers hold.
constexpr std::size_t kIdLettersMax = 64;         // Of a mark and an id together.
constexpr const char* kLetterIsOne = "; a letter whose bytes arrive in two pieces is one letter";

// Letters is a text of one letter, many times, and how it is to come back.
struct Letters {
  std::string_view letter;
  std::size_t bytes;
  bool streamed;
};

constexpr Letters kLetterTexts[] = {
    {"日", kSplitBytes, false},
    {"日", kBeyondBytes, true},
    {"é", kBeyondBytes, false},
    {"🎉", kBeyondBytes, false},
};

// The sizes of buffers that programs read into.
constexpr std::size_t kBorders[] = {4'096, 8'192, 16'384, 32'768, 65'536};
constexpr std::size_t kBesideBytes = 10;  // A size that is none of them.

std::string repeated(std::string_view letter, std::size_t times) {
  std::string text;
  text.reserve(letter.size() * times);
  for (std::size_t i = 0; i < times; ++i) text += letter;
  return text;
}

std::string times_of(const Letters& kind) {
  return std::to_string(kind.bytes / kind.letter.size()) + " times " + std::string(kind.letter) +
         (kind.streamed ? ", answered by an event of a stream," : "");
}

// echo_text calls echo with `text`. Where its letters lie in the message does not depend on the
// mark or the id, but on `shift`.
Task<Reply> echo_text(GatewayProbe* probe, Session* session, std::string text, bool streamed,
                      std::size_t shift) {
  const std::string mark = probe->new_mark();
  const std::string id = std::to_string(session->next_id() + 1);
  const std::size_t lies = std::min(kIdLettersMax, mark.size() + id.size());
  Json sent = GatewayProbe::marked(mark, streamed ? "streamed" : "");
  sent["text"] = std::string(kIdLettersMax - lies + shift, 'x') + std::move(text);
  const Json token = streamed ? Json("token-" + mark) : Json();
  co_return co_await probe->call(*session, "echo", std::move(sent), token);
}

// judge_text says what became of `text`, which came back in `reply`, as structure and as a text.
Finding judge_text(const Reply& reply, const std::string& text, const Letters& kind) {
  const std::string back = string_or(*content_of(reply), "text", "");
  const std::string got = back.substr(std::min(back.size(), back.find_first_not_of('x')));
  if (got != text) {
    const auto [here, there] = std::ranges::mismatch(text, got);
    return about(
        broken("text of " + times_of(kind) + " came back with " + std::to_string(got.size()) +
               " bytes for " + std::to_string(text.size()) + ", other ones from byte " +
               std::to_string(here - text.begin()) + " on" + kLetterIsOne),
        reply);
  }
  const Json* const item = at_pointer(*reply.result(), "/content/0/text");
  const bool told = item != nullptr && item->is_string();
  if (!told || item->get_ref<const std::string&>().find(text) != std::string::npos) return passes();
  return about(broken("text of " + times_of(kind) +
                      " came back whole in structuredContent, and with other letters in the text "
                      "of its content" +
                      kLetterIsOne),
               reply);
}

// judge_letters sends one text, its letters one byte further on by `shift`. A call that comes to
// nothing says something of letters where as many bytes without them come to their result.
Task<Finding> judge_letters(GatewayProbe* probe, Session* session, const Letters* kind,
                            std::size_t shift) {
  const std::string text = repeated(kind->letter, kind->bytes / kind->letter.size());
  const Reply reply = co_await echo_text(probe, session, text, kind->streamed, shift);
  if (content_of(reply) != nullptr) co_return judge_text(reply, text, *kind);
  Session* const other = co_await probe->enter();
  if (other == nullptr) co_return undecided(probe->why());
  const std::string plain(text.size(), 'x');
  const Reply usual = co_await echo_text(probe, other, plain, kind->streamed, shift);
  if (content_of(usual) == nullptr) {
    co_return undecided("a call with " + std::to_string(kind->bytes >> 10U) + " KiB came to " +
                        usual.describe());
  }
  const Reply again = co_await echo_text(probe, other, text, kind->streamed, shift);
  if (content_of(again) != nullptr) co_return judge_text(again, text, *kind);
  co_return about(broken("a call with text of " + times_of(*kind) + " came to " + again.describe() +
                         ", and one with as many bytes of ASCII to its result" + kLetterIsOne),
                  again);
}

// Of two texts, one a byte further on than the other, one has a letter across each border.
Task<Finding> keeps_split_text(GatewayProbe& probe) {
  for (const Letters& kind : kLetterTexts) {
    for (const std::size_t shift : {std::size_t{0}, std::size_t{1}}) {
      Session* const session = co_await probe.enter();
      if (session == nullptr) co_return undecided(probe.why());
      Finding finding = co_await judge_letters(&probe, session, &kind, shift);
      if (finding.verdict != Verdict::kPass) co_return finding;
    }
  }
  co_return passes();
}

// sized_call calls echo by a message of `bytes` bytes.
Task<Reply> sized_call(GatewayProbe* probe, Session* session, std::size_t bytes) {
  Client client(*session, probe->check());
  Json params(Json::value_t::object);
  params["name"] = probe->exchanges().tool("echo");
  params["arguments"] = GatewayProbe::marked(probe->new_mark());
  params["arguments"]["text"] = "";
  Json message = client.request_of("tools/call", std::move(params));
  const std::size_t without = dump_json(message).size();
  message["params"]["arguments"]["text"] = std::string(bytes - std::min(bytes, without), 'x');
  co_return co_await client.exchange(std::move(message));
}

// answered_size returns how many bytes the server's last answer had.
std::size_t answered_size(const MirrorServer& mirror) {
  return mirror.said().empty() ? 0 : dump_json(mirror.said().back().response).size();
}

// sized_answer calls echo until the server answers by a message of `bytes` bytes, as far as that
// can be known before.
Task<Reply> sized_answer(GatewayProbe* probe, Session* session, std::size_t bytes) {
  // The text comes back twice, as structure and within a text: there a letter is two bytes, LF
  // five.
  constexpr std::ptrdiff_t kLineEndBytes = 5;
  constexpr int kTries = 3;
  std::ptrdiff_t letters = 0;
  bool ends_line = false;
  Reply reply;
  for (int times = 1; times <= kTries; ++times) {
    Json sent = GatewayProbe::marked(probe->new_mark());
    sent["text"] = std::string(static_cast<std::size_t>(letters), 'x') + (ends_line ? "\n" : "");
    probe->mirror().forget_said();
    reply = co_await probe->call(*session, "echo", std::move(sent));
    std::ptrdiff_t missing = static_cast<std::ptrdiff_t>(bytes) -
                             static_cast<std::ptrdiff_t>(answered_size(probe->mirror()));
    if (reply.result() == nullptr || missing == 0) break;
    if (missing % 2 != 0) {
      missing += ends_line ? kLineEndBytes : -kLineEndBytes;
      ends_line = !ends_line;
    }
    letters = std::max(std::ptrdiff_t{0}, letters + missing / 2);
  }
  co_return reply;
}

// Ending is a message that ends at a border: a call, or the server's answer to one.
struct Ending {
  const char* what;
  Task<Reply> (*call)(GatewayProbe* probe, Session* session, std::size_t bytes);
};

constexpr Ending kEndings[] = {
    {"a call by a message of ", sized_call},
    {"a call that the server answers by a message of ", sized_answer},
};

// ends_at sends messages whose last byte is the last of a buffer. What comes to nothing says
// something of that where another size comes to its result.
Task<Finding> ends_at(GatewayProbe* probe, Session* session, const Ending* ending,
                      std::size_t bytes) {
  const Reply reply = co_await ending->call(probe, session, bytes);
  if (reply.result() != nullptr) co_return passes();
  Session* const other = co_await probe->enter();
  if (other == nullptr) co_return undecided(probe->why());
  const Reply usual = co_await ending->call(probe, other, bytes + kBesideBytes);
  const Reply again = co_await ending->call(probe, other, bytes);
  if (usual.result() == nullptr || again.result() != nullptr) co_return passes();
  co_return about(
      broken(ending->what + std::to_string(bytes) + " bytes came to " + again.describe() +
             ", and one of " + std::to_string(bytes + kBesideBytes) + " bytes to its result"),
      again);
}

Task<Finding> ends_at_borders(GatewayProbe* probe) {
  Session* const session = co_await probe->enter();
  if (session == nullptr) co_return undecided(probe->why());
  for (const Ending& ending : kEndings) {
    for (const std::size_t border : kBorders) {
      // Over stdio a line feed follows.
      for (const std::size_t bytes : {border - 1, border}) {
        Finding finding = co_await ends_at(probe, session, &ending, bytes);
        if (finding.verdict != Verdict::kPass) co_return finding;
      }
    }
  }
  co_return passes();
}

// fails_small returns whether a call of a few bytes comes to nothing as well, sent alike.
Task<bool> fails_small(GatewayProbe* probe, Json sent, std::string token) {
  Session* const session = co_await probe->enter();
  if (session == nullptr) co_return true;
  sent["large"] = "x";
  const Reply reply = co_await probe->call(*session, "echo", std::move(sent), std::move(token));
  co_return reply.result() == nullptr;
}

Task<Finding> keeps_large_messages(GatewayProbe& probe) {
  Session* const session = co_await probe.enter();
  if (session == nullptr) co_return undecided(probe.why());
  for (const bool streamed : {false, true}) {
    Json sent = GatewayProbe::marked(probe.new_mark());
    sent["large"] = std::string(kLargeBytes, 'x');
    if (streamed) sent["how"] = "streamed";
    const std::string token = "token-" + string_or(sent, "mark", "");
    const Reply reply = co_await probe.call(*session, "echo", sent, token);
    const Json* const back = content_of(reply);
    const std::string form = streamed ? ", answered by an event of a stream," : "";
    if (back != nullptr && *back == sent) {
      const Json* const text = at_pointer(*reply.result(), "/content/0/text");
      const std::size_t length =
          text != nullptr && text->is_string() ? text->get_ref<const std::string&>().size() : 0;
      if (length > kLargeBytes) continue;
      co_return about(broken("a call with 300 KiB of arguments" + form +
                             " was answered with as much text, and " + std::to_string(length) +
                             " bytes of it came"),
                      reply);
    }
    if (reply.result() == nullptr && co_await fails_small(&probe, sent, token)) {
      co_return about(
          undecided("a call with a progressToken" + form + " came to " + reply.describe()), reply);
    }
    co_return about(
        broken("a call with 300 KiB of arguments" + form + " came to " + reply.describe()), reply);
  }
  co_return co_await ends_at_borders(&probe);
}

constexpr GatewayCheck kSizeChecks[] = {
    {"gateway.keeps-large-messages", keeps_large_messages},
    {"gateway.keeps-split-text", keeps_split_text},
};

}  // namespace

GatewayChecks size_checks() { return kSizeChecks; }

}  // namespace plumbline::conformance
