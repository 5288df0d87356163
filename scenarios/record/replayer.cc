#include "scenarios/record/replayer.h"

#include <algorithm>
#include <utility>

#include "scenarios/record/likeness.h"

namespace plumbline::scenarios {

namespace {

constexpr std::size_t kWordsBytesMax = 120;
constexpr std::string_view kPlaceholder = "[secret ";

bool same_params(const std::string& method, const Json& then, const Json& now) {
  if (method == "initialize") {
    return member_of(then, "protocolVersion") == member_of(now, "protocolVersion");
  }
  return same(then, now);
}

std::string in_few_words(const Json& message) {
  if (message.is_string()) return "a line that is no message";
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
  asked_.clear();
  answered_ = 0;
  std::vector<Duration> at = {Duration()};  // Of each step.
  bool client_done = false;
  for (const RecordedEvent& event : session.events) {
    if (event.kind == Kind::kMessage && event.to == Side::kServer) {
      if (is_request(event.message)) asked_[*find(event.message, "id")] = steps_.size();
      if (is_answer(event.message)) answered_ = steps_.size();
      steps_.push_back({event.message});
      at.push_back(event.at);
    } else if (event.kind == Kind::kText && event.to == Side::kServer) {
      steps_.push_back({Json(event.what)});
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
  by_key_.clear();
  masked_.clear();
  masked_played_.clear();
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    std::string key = key_of(steps_[i].message);
    if (key.find(kPlaceholder) != std::string::npos) masked_.push_back(i);
    by_key_[std::move(key)].steps.push_back(i);
  }
}

Replayer::Step& Replayer::step_of(const Json& to_client) {
  if (!is_answer(to_client)) return steps_.back();
  const auto asked = asked_.find(*find(to_client, "id"));
  if (asked == asked_.end()) return steps_.back();
  return steps_[std::max(asked->second, answered_)];
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

std::vector<Json> Replayer::unplayed() const {
  std::vector<Json> left;
  for (const Step& step : steps_) {
    if (!step.played && is_request(step.message)) left.push_back(step.message);
  }
  return left;
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

// key_of returns a text that two messages share when one is the other, placeholders aside.
std::string Replayer::key_of(const Json& message) const {
  if (message.is_string()) return "text " + dump_json(message);
  if (is_answer(message)) return "answer " + dump_json(*find(message, "id"));
  std::string key = is_request(message) ? "request " : "notification ";
  const std::string method = string_or(message, "method", "");
  key += method;
  if (match_ == Match::kMethod) return key;
  const Json params = steady_params(message);
  if (method == "initialize") return key + ' ' + dump_json(member_of(params, "protocolVersion"));
  return key + ' ' + dump_json(params);
}

// find_step returns the first one that fits and was not played yet, else the last one that was:
// who asks again is answered again.
Replayer::Step* Replayer::find_step(const Json& message) {
  if (match_ == Match::kStrict) {
    const bool is_next = next_ < steps_.size() && fits(steps_[next_], message);
    return is_next ? &steps_[next_] : nullptr;
  }
  const auto known = by_key_.find(key_of(message));
  if (known == by_key_.end()) return find_masked(message);
  Likes& likes = known->second;
  const std::size_t at = std::min(likes.next, likes.steps.size() - 1);
  likes.next = at + 1;
  return &steps_[likes.steps[at]];
}

Replayer::Step* Replayer::find_masked(const Json& message) {
  for (auto at = masked_.begin(); at != masked_.end();) {
    if (steps_[*at].played) {
      masked_played_.insert(*at);
      at = masked_.erase(at);
    } else if (fits(steps_[*at], message)) {
      return &steps_[*at];
    } else {
      ++at;
    }
  }
  for (auto at = masked_played_.rbegin(); at != masked_played_.rend(); ++at) {
    if (fits(steps_[*at], message)) return &steps_[*at];
  }
  return nullptr;
}

bool Replayer::fits(const Step& step, const Json& message) const {
  if (message.is_string()) return step.message == message;
  if (is_answer(message)) {
    return is_answer(step.message) && *find(step.message, "id") == *find(message, "id");
  }
  const std::string method = string_or(message, "method", "");
  if (is_request(step.message) != is_request(message)) return false;
  if (method.empty() || string_or(step.message, "method", "") != method) return false;
  return match_ == Match::kMethod ||
         same_params(method, steady_params(step.message), steady_params(message));
}

}  // namespace plumbline::scenarios
