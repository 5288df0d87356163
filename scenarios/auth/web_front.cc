#include "scenarios/auth/web_front.h"

#include <utility>

#include "core/json/redactor.h"
#include "scenarios/auth/telling_hooks.h"

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

fakes::HttpProxyHooks telling_hooks(const Loop& loop, EventSink& events, const std::string& name,
                                    std::vector<bool>& rules_used) {
  fakes::HttpProxyHooks hooks;
  hooks.on_request = [&](const wire::HttpRequest& request) {
    const Json detail = exchange_detail(request);
    events.on_event(TraceEvent{loop.now(), EventKind::kExchange, name, detail});
  };
  hooks.on_rule = [&](std::size_t rule) {
    rules_used[rule] = true;
    const Json detail = Json::object({{"fault", "http"}, {"rule", rule}});
    events.on_event(TraceEvent{loop.now(), EventKind::kFault, name, detail});
  };
  return hooks;
}

WebFront::WebFront(Loop& loop, net::Network& network, net::Authority at, fakes::HttpFront spec,
                   std::vector<net::Authority> replicas, EventSink& events,
                   std::function<bool()> forget_sessions)
    : loop_(loop), name_(at.host), spec_(std::move(spec)), rules_used_(spec_.rules.size()) {
  fakes::HttpProxyHooks hooks = telling_hooks(loop, events, name_, rules_used_);
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
