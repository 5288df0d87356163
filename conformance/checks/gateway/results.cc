// What a gateway hands back, and what it hands on: results, errors and requests, with every member.

#include "conformance/checks/gateway/compared.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kContent = "server/tools#structured-content";
constexpr std::string_view kReading = "server/resources#capabilities";

constexpr GatewayCheck kResultChecks[] = {
    {"gateway.keeps-content", "MUST", "Each item of a result's content is passed on, in order.",
     kContent, false, keeps_each, Ask::kRich, "/result/content/*"},
    {"gateway.keeps-text", "MUST", "Text is passed on unchanged.", kContent, false, keeps,
     Ask::kRich, "/result/content/*/text /result/content/*/type"},
    {"gateway.keeps-media", "MUST", "Images and audio keep data and mimeType.", kContent, false,
     keeps, Ask::kRich,
     "/result/content/1/data /result/content/1/mimeType /result/content/2/data "
     "/result/content/2/mimeType"},
    {"gateway.keeps-resource-links", "MUST", "Links to resources are passed on whole.",
     "server/tools#resource-links", false, keeps, Ask::kRich,
     "/result/content/3/uri /result/content/3/name /result/content/3/title "
     "/result/content/3/description /result/content/3/mimeType /result/content/3/size"},
    {"gateway.keeps-embedded-resources", "MUST", "Embedded resources are passed on whole.",
     "server/tools#embedded-resources", false, keeps, Ask::kRich, "/result/content/*/resource"},
    {"gateway.keeps-content-annotations", "MUST", "Annotations of content are passed on.", kContent,
     false, keeps, Ask::kRich, "/result/content/*/annotations"},
    {"gateway.keeps-content-meta", "MUST", "_meta of content is passed on.", "basic/index#meta",
     false, keeps, Ask::kRich, "/result/content/*/_meta"},
    {"gateway.keeps-structured-content", "MUST", "structuredContent is passed on whole.", kContent,
     false, keeps, Ask::kRich, "/result/structuredContent"},
    {"gateway.keeps-result-meta", "MUST", "_meta of a result is passed on.", "basic/index#meta",
     false, keeps, Ask::kRich, "/result/_meta"},
    {"gateway.keeps-is-error", "MUST", "That a tool failed is passed on, in its result.",
     "server/tools#error-handling", false, keeps, Ask::kRefuse, "/result/isError"},
    {"gateway.keeps-failures", "MUST",
     "content, structuredContent and _meta of a failure are passed on.",
     "server/tools#error-handling", false, keeps, Ask::kRefuse,
     "/result/content /result/structuredContent /result/_meta"},
    {"gateway.keeps-structure-alone", "MUST",
     "A result with structuredContent and empty content is passed on as it is.", kContent, false,
     keeps, Ask::kBare, "/result/structuredContent /result/isError /result/content/*"},
    {"gateway.adds-no-members", "MUST",
     "A result gets no member that the server has not given it, null or other.", kContent, false,
     adds_nothing, Ask::kPlain, "/result"},
    {"gateway.reads-streams", "MUST",
     "A stream with an empty first event, comments and data of several lines is read.",
     "basic/transports#sending-messages-to-the-server", false, goes_through, Ask::kStream},

    {"gateway.passes-prompts", "MUST", "prompts/get goes through, and its result back.",
     "server/prompts#capabilities", false, goes_through, Ask::kPrompt},
    {"gateway.keeps-prompt-messages", "MUST", "The messages of a prompt are passed on whole.",
     "server/prompts#capabilities", false, keeps, Ask::kPrompt,
     "/result/messages /result/description /result/_meta"},
    {"gateway.keeps-prompt-requests", "MUST", "The arguments for a prompt reach the server.",
     "server/prompts#capabilities", false, keeps_there, Ask::kPrompt, "/params/arguments"},
    {"gateway.passes-resources", "MUST", "resources/read goes through, and its result back.",
     kReading, false, goes_through, Ask::kText},
    {"gateway.keeps-resource-text", "MUST", "Text of resources is passed on, item by item.",
     kReading, false, keeps, Ask::kText,
     "/result/contents/*/text /result/contents/*/uri /result/contents/*/blob"},
    {"gateway.keeps-resource-blobs", "MUST", "Blobs of resources are passed on as such.", kReading,
     false, keeps, Ask::kBlob,
     "/result/contents/*/text /result/contents/*/uri /result/contents/*/blob"},
    {"gateway.keeps-contents-types", "MUST", "The mimeType of what is read is passed on.", kReading,
     false, keeps, Ask::kText, "/result/contents/*/mimeType"},
    {"gateway.keeps-contents-meta", "MUST", "_meta of what is read is passed on.",
     "basic/index#meta", false, keeps, Ask::kText, "/result/contents/*/_meta /result/_meta"},
    {"gateway.passes-completion", "MUST", "completion/complete goes through, and its result back.",
     "server/utilities/completion#requesting-completions", false, goes_through, Ask::kCompletion},
    {"gateway.keeps-completions", "MUST", "Completions are passed on whole.",
     "server/utilities/completion#completion-results", false, keeps, Ask::kCompletion,
     "/result/completion"},
    {"gateway.keeps-completion-requests", "MUST",
     "ref, argument and context of a completion reach the server.",
     "server/utilities/completion#requesting-completions", false, keeps_there, Ask::kCompletion,
     "/params/ref /params/argument /params/context"},
    {"gateway.passes-log-level", "SHOULD", "logging/setLevel reaches the server.",
     "server/utilities/logging#setting-log-level", true, goes_through, Ask::kLogLevel},
    {"gateway.passes-subscriptions", "MUST", "resources/subscribe goes through.",
     "server/resources#subscriptions", true, goes_through, Ask::kSubscribe},

    {"gateway.keeps-resource-errors", "MUST",
     "Code and data of the error for a resource that is not there are passed on.",
     "server/resources#error-handling", false, keeps, Ask::kMissing, "/error/code /error/data"},
    {"gateway.keeps-error-messages", "SHOULD", "The message of an error is passed on.",
     "basic/index#error-responses", false, keeps, Ask::kMissing, "/error/message"},
    {"gateway.keeps-request-meta", "MUST", "_meta of a request reaches the server.",
     "basic/index#meta", false, keeps_there, Ask::kRich, "/params/_meta"},
    {"gateway.keeps-empty-arguments", "MUST", "Arguments that are null or empty reach the server.",
     "server/tools#tool", false, keeps_there, Ask::kRefuse, "/params/arguments"},
};

}  // namespace

GatewayChecks result_checks() { return kResultChecks; }

}  // namespace plumbline::conformance
