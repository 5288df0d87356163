#include "conformance/peer/session.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/wire/header_names.h"
#include "conformance/wire/mirrored.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// is_safe_to_repeat returns whether a header can carry `text` everywhere. Spaces are against the
// specification, which is a finding of its own, but they do no harm.
bool is_safe_to_repeat(std::string_view text) {
  return wire::is_header_value(text) &&
         std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7e; });
}

}  // namespace

Json all_capabilities(std::string_view revision) {
  Json all(Json::value_t::object);
  all["roots"] = all["sampling"] = Json::object();
  if (!is_stateless(revision)) all["roots"]["listChanged"] = true;
  if (knows_elicitation(revision)) all["elicitation"] = Json::object();
  if (knows_url_elicitation(revision)) {
    all["elicitation"]["form"] = all["elicitation"]["url"] = Json::object();
  }
  if (knows_tools_in_sampling(revision)) {
    all["sampling"]["tools"] = all["sampling"]["context"] = Json::object();
  }
  return all;
}

Session::Session(Subject& subject, std::unique_ptr<Wire> wire, SessionOptions options)
    : subject_(subject),
      wire_(std::move(wire)),
      options_(std::move(options)),
      revision_(options_.revision),
      life_(subject.presence().lives()),
      answerers_(usual_answers()) {}

Session::~Session() = default;

void Session::begin_answering() { tasks_.spawn(answer_requests()); }

void Session::opened_by(Reply opening) {
  opening_ = std::move(opening);
  const Json* const result = opening_.result();
  if (result == nullptr) return;
  const std::string version = string_or(*result, "protocolVersion", options_.revision);
  if (std::ranges::find(kRevisions, version) != kRevisions.end()) {
    revision_ = version;
  } else {
    disagreement_ = "initialize was answered with the version " +
                    clipped(dump_json(Json(version))) + ", which is no revision of MCP";
  }
  const std::string_view id = opening_.headers.get(kSessionHeader).value_or("");
  if (is_safe_to_repeat(id)) session_id_ = std::string(id);
}

bool Session::usable() const {
  if (wire_->inbox().closed || life_ != subject_.presence().lives()) return false;
  return is_stateless(revision_) || !options_.handshake || opening_.result() != nullptr;
}

void Session::forget_answers() { answerers_ = usual_answers(); }

void Session::mirror_parameters(const std::vector<Json>& tools) {
  for (const Json& tool : tools) {
    const Json* const schema = find(tool, "inputSchema");
    if (schema != nullptr && mirrors(*schema)) schemas_[string_or(tool, "name", "")] = *schema;
  }
}

wire::HttpHeaders Session::headers_for(const Json& message) const {
  wire::HttpHeaders headers;
  if (is_stateless(revision_)) {
    const Json* const params = find(message, "params");
    const auto schema = schemas_.find(params ? string_or(*params, "name", "") : "");
    return mirrored_headers(message, revision_,
                            schema == schemas_.end() ? nullptr : &schema->second);
  }
  if (string_or(message, "method", "") == "initialize") return headers;
  if (has_version_header(revision_)) headers.set(kVersionHeader, revision_);
  if (!session_id_.empty()) headers.set(kSessionHeader, session_id_);
  return headers;
}

Task<void> Session::close() {
  if (wire_->http() && !session_id_.empty() && !wire_->inbox().closed) {
    wire::HttpRequest request;
    request.method = "DELETE";
    request.headers = headers_for(nullptr);
    const std::size_t exchange = wire_->request(std::move(request), 0);
    const Instant deadline = after(subject_.loop().now(), subject_.pace().quiet());
    while (!wire_->inbox().exchanges[exchange].ended) {
      if (!co_await wire_->inbox().change(deadline)) break;
    }
  }
  tasks_.cancel();
  co_await wire_->close();
}

Task<void> Session::answer_requests() {
  Inbox& inbox = wire_->inbox();
  std::size_t next = 0;
  while (!inbox.closed) {
    for (; next < inbox.frames.size() && !inbox.closed; ++next) {
      const KeptJson message = inbox.frames[next].message;
      if (find(*message, "method") && find(*message, "id")) answer(*message);
      if (!late_.empty()) note_late(inbox.frames[next]);
    }
    if (!late_.empty()) note_late_exchanges();
    co_await inbox.change(kNever);
  }
}

void Session::await_late(Json id, std::size_t exchange, Instant asked, bool crowded) {
  const bool headed = exchange != 0 && wire_->inbox().exchanges[exchange].status != 0;
  late_.push_back({std::move(id), headed ? 0 : exchange, asked, crowded});
}

void Session::note_late(const Frame& frame) {
  const Json* const id = find(*frame.message, "id");
  if (id == nullptr || find(*frame.message, "method")) return;
  const auto answered = std::ranges::find(late_, *id, &Late::id);
  if (answered == late_.end()) return;
  subject_.pace().saw(frame.at - answered->asked, answered->crowded);
  late_.erase(answered);
}

void Session::note_late_exchanges() {
  const std::vector<Exchange>& exchanges = wire_->inbox().exchanges;
  const Instant now = subject_.loop().now();
  std::erase_if(late_, [&](const Late& late) {
    if (late.exchange == 0 || exchanges[late.exchange].status == 0) return false;
    subject_.pace().lasted(now - late.asked);
    return true;
  });
}

void Session::answer(const Json& request) {
  const auto answerer = answerers_.find(string_or(request, "method", ""));
  Json response = answerer == answerers_.end() ? method_not_found() : answerer->second(request);
  if (response.is_null()) return;
  response["jsonrpc"] = "2.0";
  response["id"] = *find(request, "id");
  const wire::HttpHeaders headers = headers_for(response);
  wire_->send(dump_json(response), headers, 0);
}

}  // namespace plumbline::conformance
