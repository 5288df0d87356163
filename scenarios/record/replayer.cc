#include "scenarios/record/replayer.h"

#include <algorithm>
#include <utility>

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kWordsBytesMax = 120;
const Json kNothing = Json::object();

bool is_request(const Json& message) {
  return find(message, "method") != nullptr && find(message, "id") != nullptr;
}

bool is_answer(const Json& message) {
  return find(message, "method") == nullptr && find(message, "id") != nullptr;
}

const Json& member_or_nothing(const Json& object, std::string_view key) {
  const Json* const found = find(object, key);
  return found == nullptr ? kNothing : *found;
}

// same returns whether `now` says what `then` said; a secret of then may be any text.
bool same(const Json& then, const Json& now) {
  if (then.is_string() && now.is_string()) {
    const std::string& pattern = then.get_ref<const std::string&>();
    const std::size_t secret = pattern.find("[secret ");
    if (secret == std::string::npos) return then == now;
    const std::string& text = now.get_ref<const std::string&>();
    const std::size_t end = pattern.find(']', secret);
    if (end == std::string::npos) return then == now;
    return text.starts_with(std::string_view(pattern).substr(0, secret)) &&
           text.ends_with(std::string_view(pattern).substr(pattern.rfind(']') + 1));
  }
  if (then.is_array() && now.is_array()) {
    return std::ranges::equal(then, now, [](const Json& a, const Json& b) { return same(a, b); });
  }
  if (then.is_object() && now.is_object()) {
    if (then.size() != now.size()) return false;
    for (const auto& [key, member] : then.items()) {
      const Json* const other = find(now, key);
      if (other == nullptr || !same(member, *other)) return false;
    }
    return true;
  }
  return then == now;
}

// without_tokens returns the parameters of a message without what each client makes up anew.
Json without_tokens(Json params) {
  Json* const meta = part_of(params, "/_meta");
  if (meta == nullptr || !meta->is_object()) return params;
  meta->erase("progressToken");
  if (meta->empty()) params.erase("_meta");
  return params;
}

bool same_params(const std::string& method, const Json& then, const Json& now) {
  if (method == "initialize") {
    return member_or_nothing(then, "protocolVersion") == member_or_nothing(now, "protocolVersion");
  }
  return same(without_tokens(then), without_tokens(now));
}

std::string in_few_words(const Json& message) {
  std::string words = string_or(message, "method", "an answer");
  if (const Json* const params = find(message, "params")) words += ' ' + dump_json(*params);
  if (words.size() > kWordsBytesMax) words = words.substr(0, kWordsBytesMax) + " ...";
  return words;
}

ReplayedOutput not_recorded(const Json& request) {
  Json error = Json::object();
  error["code"] = Replayer::kNotRecorded;
  error["message"] = "not in the recording: " + in_few_words(request);
  Json answer = Json::object();
  answer["jsonrpc"] = "2.0";
  answer["id"] = *find(request, "id");
  answer["error"] = std::move(error);
  return {Duration(), dump_json(answer), std::nullopt};
}

}  // namespace

Replayer::Replayer(std::vector<RecordedSession> sessions, Match match)
    : match_(match), sessions_(std::move(sessions)) {
  read(sessions_.back());
}

// choose goes on with the session that begins with `first`.
void Replayer::choose(const Json& first) {
  for (auto session = sessions_.rbegin(); session != sessions_.rend(); ++session) {
    read(*session);
    if (steps_.size() > 1 && fits(steps_[1], first)) return;
  }
  read(sessions_.back());
}

// read puts every output to the step that it follows: an answer to its request, or to what the
// client has answered since, anything else to the latest message.
void Replayer::read(const RecordedSession& session) {
  using Kind = RecordedEvent::Kind;
  steps_.clear();
  steps_.emplace_back();
  std::vector<Duration> at = {Duration()};  // Of each step.
  bool client_done = false;
  for (const RecordedEvent& event : session.events) {
    if (event.kind == Kind::kMessage && event.to == Side::kServer) {
      steps_.push_back({event.message});
      at.push_back(event.at);
    } else if (event.kind == Kind::kMessage) {
      Step& step = step_of(event.message);
      const Duration since = at[static_cast<std::size_t>(&step - steps_.data())];
      step.outputs.push_back({event.at - since, event.message});
    } else if (event.kind == Kind::kText && event.to == Side::kClient) {
      steps_.back().outputs.push_back({event.at - at.back(), {}, event.what});
    } else if (event.kind == Kind::kExit && !client_done) {
      steps_.back().outputs.push_back({event.at - at.back(), {}, {}, event.what});
    } else if (event.kind == Kind::kEnd && event.to == Side::kServer) {
      client_done = true;
    }
  }
  counts_.recorded = steps_.size() - 1;
}

Replayer::Step& Replayer::step_of(const Json& to_client) {
  if (!is_answer(to_client)) return steps_.back();
  Step* answered_since = nullptr;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    if (is_answer(step->message) && answered_since == nullptr) answered_since = &*step;
    if (is_request(step->message) && *find(step->message, "id") == *find(to_client, "id")) {
      return answered_since == nullptr ? *step : *answered_since;
    }
  }
  return steps_.back();
}

std::vector<ReplayedOutput> Replayer::begin() const {
  std::vector<ReplayedOutput> outputs;
  for (const Step::Output& output : steps_.front().outputs) {
    outputs.push_back({output.after, output.text, output.exit});
    if (!output.text && !output.exit) outputs.back().line = dump_json(output.message);
  }
  return outputs;
}

std::vector<ReplayedOutput> Replayer::take(const Json& message) {
  if (counts_.played == 0 && counts_.missed.empty()) choose(message);
  std::vector<ReplayedOutput> outputs;
  Step* const step = find_step(message);
  if (step == nullptr) {
    counts_.missed.push_back(in_few_words(message));
    if (is_request(message)) outputs.push_back(not_recorded(message));
    return outputs;
  }
  if (!step->played) ++counts_.played;
  step->played = true;
  learn(step->message, message);
  next_ = static_cast<std::size_t>(step - steps_.data()) + 1;
  for (const Step::Output& output : step->outputs) {
    outputs.push_back({output.after, output.text, output.exit});
    if (output.text || output.exit) continue;
    outputs.back().line = dump_json(for_now(output.message));
  }
  return outputs;
}

// learn keeps by which id and which token the client that asks now goes by.
void Replayer::learn(const Json& then, const Json& now) {
  if (is_request(now)) ids_[dump_json(*find(then, "id"))] = *find(now, "id");
  const Json* const token_then = at_pointer(then, "/params/_meta/progressToken");
  const Json* const token_now = at_pointer(now, "/params/_meta/progressToken");
  if (token_then != nullptr && token_now != nullptr) tokens_[dump_json(*token_then)] = *token_now;
}

Json Replayer::for_now(Json out) const {
  const auto replace = [](Json* value, const std::map<std::string, Json>& known) {
    const auto found = value == nullptr ? known.end() : known.find(dump_json(*value));
    if (found != known.end()) *value = found->second;
  };
  if (is_answer(out)) replace(&out["id"], ids_);
  replace(part_of(out, "/params/progressToken"), tokens_);
  return out;
}

// find_step returns the first one that fits and was not played yet, else the last one that was:
// who asks again is answered again.
Replayer::Step* Replayer::find_step(const Json& message) {
  if (match_ == Match::kStrict) {
    const bool is_next = next_ < steps_.size() && fits(steps_[next_], message);
    return is_next ? &steps_[next_] : nullptr;
  }
  Step* found = nullptr;
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    if (!fits(steps_[i], message)) continue;
    found = &steps_[i];
    if (!found->played) break;
  }
  return found;
}

bool Replayer::fits(const Step& step, const Json& message) const {
  if (is_answer(message)) {
    return is_answer(step.message) && *find(step.message, "id") == *find(message, "id");
  }
  const std::string method = string_or(message, "method", "");
  if (is_request(step.message) != is_request(message)) return false;
  if (method.empty() || string_or(step.message, "method", "") != method) return false;
  return match_ == Match::kMethod || same_params(method, member_or_nothing(step.message, "params"),
                                                 member_or_nothing(message, "params"));
}

}  // namespace plumbline::scenarios
