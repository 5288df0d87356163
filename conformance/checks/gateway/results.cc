// What a gateway hands back, and what it hands on: results, errors and requests, with every member.

#include "conformance/checks/gateway/compared.h"

namespace plumbline::conformance {

namespace {

constexpr GatewayCheck kResultChecks[] = {
    {"gateway.keeps-content", keeps_each, Ask::kRich, "/result/content/*"},
    {"gateway.keeps-text", keeps, Ask::kRich, "/result/content/*/text /result/content/*/type"},
    {"gateway.keeps-media", keeps, Ask::kRich,
     "/result/content/1/data /result/content/1/mimeType /result/content/2/data "
     "/result/content/2/mimeType"},
    {"gateway.keeps-resource-links", keeps, Ask::kRich,
     "/result/content/3/uri /result/content/3/name /result/content/3/title "
     "/result/content/3/description /result/content/3/mimeType /result/content/3/size"},
    {"gateway.keeps-embedded-resources", keeps, Ask::kRich, "/result/content/*/resource"},
    {"gateway.keeps-content-annotations", keeps, Ask::kRich, "/result/content/*/annotations"},
    {"gateway.keeps-content-meta", keeps, Ask::kRich, "/result/content/*/_meta"},
    {"gateway.keeps-structured-content", keeps, Ask::kRich, "/result/structuredContent"},
    {"gateway.keeps-result-meta", keeps, Ask::kRich, "/result/_meta"},
    {"gateway.keeps-is-error", keeps, Ask::kRefuse, "/result/isError"},
    {"gateway.keeps-failures", keeps, Ask::kRefuse,
     "/result/content /result/structuredContent /result/_meta", Ask::kStrict},
    {"gateway.keeps-structure-alone", keeps, Ask::kBare,
     "/result/structuredContent /result/isError /result/content/*"},
    {"gateway.adds-no-members", adds_nothing, Ask::kPlain, "/result"},
    {"gateway.reads-streams", goes_through, Ask::kStream},

    {"gateway.passes-prompts", goes_through, Ask::kPrompt},
    {"gateway.keeps-prompt-messages", keeps, Ask::kPrompt,
     "/result/messages /result/description /result/_meta"},
    {"gateway.keeps-prompt-requests", keeps_there, Ask::kPrompt, "/params/arguments"},
    {"gateway.passes-resources", goes_through, Ask::kText},
    {"gateway.keeps-resource-text", keeps, Ask::kText,
     "/result/contents/*/text /result/contents/*/uri /result/contents/*/blob"},
    {"gateway.keeps-resource-blobs", keeps, Ask::kBlob,
     "/result/contents/*/text /result/contents/*/uri /result/contents/*/blob"},
    {"gateway.keeps-contents-types", keeps, Ask::kText, "/result/contents/*/mimeType"},
    {"gateway.keeps-contents-meta", keeps, Ask::kText, "/result/contents/*/_meta /result/_meta"},
    {"gateway.passes-completion", goes_through, Ask::kCompletion},
    {"gateway.keeps-completions", keeps, Ask::kCompletion, "/result/completion"},
    {"gateway.keeps-completion-requests", keeps_there, Ask::kCompletion,
     "/params/ref /params/argument /params/context"},
    {"gateway.passes-log-level", goes_through, Ask::kLogLevel},
    {"gateway.passes-subscriptions", goes_through, Ask::kSubscribe},

    {"gateway.keeps-resource-errors", keeps, Ask::kMissing, "/error/code /error/data"},
    {"gateway.keeps-error-messages", keeps, Ask::kMissing, "/error/message"},
    {"gateway.keeps-request-meta", keeps_there, Ask::kRich, "/params/_meta"},
    {"gateway.keeps-empty-arguments", keeps_empty_there, Ask::kRefuse, "/params/arguments"},
};

}  // namespace

GatewayChecks result_checks() { return kResultChecks; }

}  // namespace plumbline::conformance
