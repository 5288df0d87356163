// What every implementation has to support: spec, basic.

#include <string>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"

namespace plumbline::conformance {

namespace {

Task<Finding> supports_the_base(Probe& probe) {
  Client client = probe.client();
  const Reply reply = co_await client.request("ping");
  co_return expect_result(reply);
}

// has_events returns whether there is anything to subscribe to.
bool has_events(const Survey& survey) {
  return survey.declares("/tools/listChanged") || survey.declares("/prompts/listChanged") ||
         survey.declares("/resources/listChanged") || survey.declares("/resources/subscribe");
}

Json subscription() {
  Json params(Json::value_t::object);
  params["notifications"]["toolsListChanged"] = true;
  return params;
}

Task<Finding> supports_core_components(Probe& probe) {
  Client client = probe.client();
  const Reply plain = co_await client.request("server/discover");
  if (plain.result() == nullptr) {
    co_return about(broken("server/discover got " + plain.describe() + ", expected a result"),
                    plain);
  }
  Json other = client.request_of("server/discover", Json::object());
  other["params"]["_meta"][kMetaVersion] = "1900-01-01";
  const wire::HttpHeaders headers({{"MCP-Protocol-Version", "1900-01-01"}});
  const Reply refused = co_await client.exchange(std::move(other), headers);
  if (refused.error() == nullptr) {
    co_return about(broken("version 1900-01-01 got " + refused.describe() + ", expected an error"),
                    refused);
  }
  if (!has_events(probe.survey())) co_return passes();
  Client::Begun begun = client.begin(client.request_of("subscriptions/listen", subscription()));
  const Json id = begun.id;
  const std::size_t exchange = begun.exchange;
  const Reply listening = co_await client.finish(std::move(begun), probe.pace().quiet());
  if (exchange != 0) {
    client.session().wire().drop(exchange);
  } else {
    Json params(Json::value_t::object);
    params["requestId"] = id;
    co_await client.notify("notifications/cancelled", std::move(params));
  }
  if (listening.error() == nullptr) co_return passes();
  co_return about(broken("subscriptions/listen got " + listening.describe() +
                         ", and changes are declared to be told"),
                  listening);
}

// answers_with_meta asks something harmless with more in _meta than there has to be.
Task<Finding> answers_with_meta(Probe& probe, Json more) {
  Client client = probe.client();
  Json request = client.request_of(std::string(client.harmless_method()), Json::object());
  for (const auto& [key, value] : more.items()) request["params"]["_meta"][key] = value;
  const Reply reply = co_await client.exchange(std::move(request));
  if (reply.result() != nullptr) co_return passes();
  const Reply plain = co_await client.request(std::string(client.harmless_method()));
  if (plain.result() == nullptr) co_return not_for_it("it gives no result without them either");
  co_return about(broken("got " + reply.describe() + " to a request with " + dump_json(more) +
                         " in _meta, expected a result"),
                  reply);
}

Task<Finding> assumes_nothing_of_reserved_keys(Probe& probe) {
  Json more(Json::value_t::object);
  more["io.modelcontextprotocol/plumbline-number"] = 5;
  more["io.modelcontextprotocol/plumbline-null"] = nullptr;
  more["io.modelcontextprotocol/plumbline-deep"]["a"]["b"] = Json::array();
  Finding finding = co_await answers_with_meta(probe, std::move(more));
  co_return finding;
}

Task<Finding> tolerates_unknown_keys(Probe& probe) {
  Json more(Json::value_t::object);
  more["com.example/plumbline"]["a"] = true;
  more["plumbline"] = "b";
  Finding finding = co_await answers_with_meta(probe, std::move(more));
  co_return finding;
}

constexpr ServerCheck kBaseChecks[] = {
    {"base.core-and-lifecycle-supported", Eras::kStateful, SessionUse::kShared, supports_the_base},
    {"base.support-core-components", Eras::kStateless, SessionUse::kAlone,
     supports_core_components},
    {"base.meta-reserved-no-assumptions", Eras::kBoth, SessionUse::kShared,
     assumes_nothing_of_reserved_keys},
    {"base.meta-unknown-keys-tolerated", Eras::kBoth, SessionUse::kShared, tolerates_unknown_keys},
};

}  // namespace

ServerChecks base_checks() { return kBaseChecks; }

}  // namespace plumbline::conformance
