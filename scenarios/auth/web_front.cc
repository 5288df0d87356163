#include "scenarios/auth/web_front.h"

#include <utility>

#include "core/json/redactor.h"

namespace plumbline::scenarios {

Json exchange_detail(const wire::HttpRequest& request) {
  Json headers = Json::object();
  for (const auto& [name, value] : request.headers.fields()) {
    headers[name] = names_secret(name, NamedAs::kHeader) ? "[redacted]" : value;
  }
  Json detail = Json::object();
  detail["method"] = request.method;
  detail["path"] = request.target;
  detail["headers"] = std::move(headers);
  return detail;
}

fakes::HttpProxyHooks WebFront::telling(EventSink& events) {
  fakes::HttpProxyHooks hooks;
  hooks.on_request = [this, &events](const wire::HttpRequest& request) {
    const Json detail = exchange_detail(request);
    events.on_event(TraceEvent{loop_.now(), EventKind::kExchange, name_, detail});
  };
  hooks.on_rule = [this, &events](std::size_t rule) {
    rules_used_[rule] = true;
    const Json detail = Json::object({{"fault", "http"}, {"rule", rule}});
    events.on_event(TraceEvent{loop_.now(), EventKind::kFault, name_, detail});
  };
  return hooks;
}

WebFront::WebFront(Loop& loop, net::Network& network, std::string name, net::Authority at,
                   fakes::HttpFront spec, std::vector<net::Authority> replicas, EventSink& events,
                   std::function<bool()> forget_sessions)
    : loop_(loop), name_(std::move(name)), spec_(std::move(spec)), rules_used_(spec_.rules.size()) {
  fakes::HttpProxyHooks hooks = telling(events);
  hooks.forget_sessions = std::move(forget_sessions);
  proxy_ = std::make_unique<fakes::HttpProxy>(loop, network, std::move(at), spec_,
                                              std::move(replicas), std::move(hooks));
}

std::int64_t WebFront::exchanges(const std::string& method) const {
  const auto& counts = healed_ || proxy_ == nullptr ? exchanges_ : proxy_->exchanges();
  const auto found = counts.find(method);
  return found == counts.end() ? 0 : found->second;
}

void WebFront::heal() {
  exchanges_ = proxy_->exchanges();
  healed_ = true;
  const Duration now = loop_.now().time_since_epoch();
  for (fakes::HttpRule& rule : spec_.rules) rule.match.until = now;
}

void WebFront::switch_off() {
  if (!healed_) exchanges_ = proxy_->exchanges();
  proxy_.reset();
}

}  // namespace plumbline::scenarios
