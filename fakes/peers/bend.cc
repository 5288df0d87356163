#include "fakes/peers/bend.h"

#include <utility>

#include "core/base/limits.h"
#include "fakes/peers/server_answers.h"

namespace plumbline::fakes {

namespace {

// Marks are put into values and replaced in the framed line: a value cannot hold the one, and
// dumping the other would cost more than the rest of a world.
constexpr std::string_view kBadByteMark = "@a-byte-that-is-not-utf-8@";
constexpr std::string_view kHugeMark = "@more-text-than-any-message-may-hold@";

void bend_initialize(const DeviationSet& wrong, Json& body) {
  if (wrong.has(Deviation::kUnsupportedVersion)) body["protocolVersion"] = "1999-12-31";
  if (wrong.has(Deviation::kEmptyVersion)) body["protocolVersion"] = "";
  if (wrong.has(Deviation::kVersionNumber)) body["protocolVersion"] = 20251125;
  if (wrong.has(Deviation::kMissingVersion)) body.erase("protocolVersion");
  if (wrong.has(Deviation::kMissingServerInfo)) body.erase("serverInfo");
  if (wrong.has(Deviation::kServerInfoWithoutName)) body["serverInfo"].erase("name");
  if (wrong.has(Deviation::kMissingCapabilities)) body.erase("capabilities");
  if (wrong.has(Deviation::kCapabilitiesArray)) body["capabilities"] = Json::array();
  if (wrong.has(Deviation::kToolsUndeclared)) body["capabilities"].erase("tools");
}

void bend_first_tool(const DeviationSet& wrong, Json& tool) {
  if (wrong.has(Deviation::kToolWithoutName)) tool.erase("name");
  if (wrong.has(Deviation::kToolNameNumber)) tool["name"] = 7;
  if (wrong.has(Deviation::kToolWithoutSchema)) tool.erase("inputSchema");
  if (wrong.has(Deviation::kSchemaNotObject)) tool["inputSchema"] = "object";
  if (wrong.has(Deviation::kSchemaTypeArray)) tool["inputSchema"] = {{"type", "array"}};
}

void bend_list(const DeviationSet& wrong, std::string_view method, Json& body) {
  if (wrong.has(Deviation::kCursorNumber)) {
    if (body.contains("nextCursor")) body["nextCursor"] = 1;
  }
  const std::string_view key = method == "tools/list"       ? "tools"
                               : method == "resources/list" ? "resources"
                                                            : "prompts";
  const auto list = body.find(key);
  if (list == body.end() || !list->is_array()) return;
  Json& items = *list;
  if (!items.empty()) {
    if (key == "tools") bend_first_tool(wrong, items[0]);
    if (key == "resources" && wrong.has(Deviation::kResourceWithoutUri)) items[0].erase("uri");
    if (key == "prompts" && wrong.has(Deviation::kPromptWithoutName)) items[0].erase("name");
  }
  if (key != "tools") return;
  if (wrong.has(Deviation::kDuplicateToolNames) && !items.empty()) {
    Json twin = items[0];
    items.push_back(std::move(twin));
  }
  if (wrong.has(Deviation::kToolsNotArray)) {
    Json by_name = Json::object();
    for (const Json& tool : items) by_name[string_or(tool, "name", "")] = tool;
    items = std::move(by_name);
  }
  if (wrong.has(Deviation::kManifestNull)) items = nullptr;
  if (wrong.has(Deviation::kManifestMissing)) body.erase("tools");
}

void bend_content(const DeviationSet& wrong, Json& body) {
  const auto content = body.find("content");
  if (content == body.end()) return;
  Json& items = *content;
  if (items.is_array() && !items.empty() && items[0].is_object()) {
    Json& first = items[0];
    if (wrong.has(Deviation::kUnknownContentType)) first["type"] = "hologram";
    if (wrong.has(Deviation::kTextWithoutText)) first.erase("text");
    if (wrong.has(Deviation::kBinaryAsText)) {
      first = {{"type", "text"}, {"text", std::string("%PDF-1.7\n%\x01\x02\x03\x00\x7f\n", 16)}};
    }
    if (wrong.has(Deviation::kHugeResult)) {
      first = {{"type", "text"}, {"text", kHugeMark}};
    }
  }
  if (wrong.has(Deviation::kContentNotArray)) {
    items = Json{{"type", "text"}, {"text", "not an array"}};
  }
  if (wrong.has(Deviation::kMissingContent)) body.erase("content");
}

void bend_call(const ServerScript& script, const Json& params, Json& body) {
  const DeviationSet& wrong = script.deviations;
  bend_content(wrong, body);
  if (wrong.has(Deviation::kIsErrorAsString)) body["isError"] = "false";
  if (wrong.has(Deviation::kDeepResult)) {
    Json deep = 1;
    for (std::size_t i = 0; i < limits::kJsonDepthMax; ++i) deep = Json::array({std::move(deep)});
    body["_meta"]["plumbline.dev/deep"] = std::move(deep);
  }
  const ToolScript* const tool = find_tool(script, params);
  if (tool == nullptr || find(tool->listed, "outputSchema") == nullptr) return;
  if (wrong.has(Deviation::kStructuredContentMismatch)) {
    body["structuredContent"] = {{"plumbline.dev/unexpected", Json::array({nullptr})}};
  }
  if (wrong.has(Deviation::kStructuredContentMissing)) body.erase("structuredContent");
  if (wrong.has(Deviation::kStructuredContentArray)) body["structuredContent"] = Json::array({1});
}

void bend_features(const DeviationSet& wrong, std::string_view method, Json& body) {
  if (method == "resources/read" && body.contains("contents")) {
    Json& contents = body["contents"];
    if (wrong.has(Deviation::kBlobNotBase64) && contents.is_array()) {
      for (Json& item : contents) {
        if (item.contains("blob")) item["blob"] = "*not base64*";
      }
    }
    if (wrong.has(Deviation::kContentsNotArray)) {
      Json first = contents.is_array() && !contents.empty() ? contents[0] : Json::object();
      contents = std::move(first);
    }
  }
  if (method == "prompts/get" && wrong.has(Deviation::kPromptRoleUnknown)) {
    for (Json& message : body["messages"]) message["role"] = "oracle";
  }
  if (method == "completion/complete" && wrong.has(Deviation::kCompletionOverLimit)) {
    Json values = Json::array();
    for (int i = 0; i < 101; ++i) values.push_back("value " + std::to_string(i));
    body["completion"] = {{"values", std::move(values)}, {"total", 101}, {"hasMore", false}};
  }
  if (method == "ping" && wrong.has(Deviation::kPingWithPayload)) body["pong"] = true;
}

void bend_error(const DeviationSet& wrong, Json& error) {
  if (wrong.has(Deviation::kErrorCodeAsString)) {
    error["code"] = std::to_string(int_or(error, "code", 0));
  }
  if (wrong.has(Deviation::kErrorCodeFraction)) {
    error["code"] = static_cast<double>(int_or(error, "code", 0)) - 0.5;
  }
  if (wrong.has(Deviation::kErrorWithoutMessage)) error.erase("message");
  if (wrong.has(Deviation::kErrorNotObject)) error = "it failed";
}

void mark_bad_byte(Json& response) {
  if (response.contains("result") && response["result"].is_object()) {
    response["result"]["_meta"]["plumbline.dev/byte"] = kBadByteMark;
  } else if (response.contains("error") && response["error"].is_object()) {
    response["error"]["data"] = kBadByteMark;
  }
}

}  // namespace

void bend_answer(const ServerScript& script, std::string_view method, const Json& params,
                 Answer& answer) {
  const DeviationSet& wrong = script.deviations;
  if (answer.failed) return bend_error(wrong, answer.body);
  if (!answer.body.is_object()) return;
  if (method == "initialize") return bend_initialize(wrong, answer.body);
  if (method == "tools/call") {
    bend_call(script, params, answer.body);
  } else if (method.ends_with("/list")) {
    bend_list(wrong, method, answer.body);
  } else {
    bend_features(wrong, method, answer.body);
  }
}

void bend_envelope(const DeviationSet& wrong, Json& response) {
  if (wrong.has(Deviation::kWrongResponseId)) response["id"] = "never-asked";
  if (wrong.has(Deviation::kStringIdForNumber) && response["id"].is_number()) {
    response["id"] = dump_json(response["id"]);
  }
  if (wrong.has(Deviation::kNullId)) response["id"] = nullptr;
  if (wrong.has(Deviation::kMissingId)) response.erase("id");
  if (wrong.has(Deviation::kMissingJsonrpc)) response.erase("jsonrpc");
  if (wrong.has(Deviation::kJsonrpc10)) response["jsonrpc"] = "1.0";
  if (response.contains("result")) {
    if (wrong.has(Deviation::kBothResultAndError)) {
      response["error"] = {{"code", -32603}, {"message", "Internal error"}};
    }
    if (wrong.has(Deviation::kNeitherResultNorError)) response.erase("result");
    if (wrong.has(Deviation::kResultNotObject)) response["result"] = Json::array({1});
  }
  if (wrong.has(Deviation::kInvalidUtf8)) mark_bad_byte(response);
  if (wrong.has(Deviation::kBatchReply)) response = Json::array({std::move(response)});
}

std::string frame(const DeviationSet& wrong, std::string_view method, const Json& message) {
  std::string line =
      wrong.has(Deviation::kPrettyPrintedJson) ? pretty_json(message) : dump_json(message);
  if (const std::size_t mark = line.find(kBadByteMark); mark != std::string::npos) {
    line.replace(mark, kBadByteMark.size(), "\xff");
  }
  if (const std::size_t mark = line.find(kHugeMark); mark != std::string::npos) {
    line.replace(mark, kHugeMark.size(), limits::kMessageBytesMax + 1, 'x');
  }
  if (wrong.has(Deviation::kBomLine)) line.insert(0, "\xef\xbb\xbf");
  if (wrong.has(Deviation::kTwoMessagesOneLine) && !method.empty()) {
    line += R"({"jsonrpc":"2.0","method":"notifications/message",)"
            R"("params":{"data":"on the same line","level":"info"}})";
  }
  if (wrong.has(Deviation::kLogOnStdout)) {
    line.insert(0, "[info] " + std::string(method.empty() ? "sending" : method) + "\n");
  }
  if (wrong.has(Deviation::kBlankLines)) line.insert(0, "\n");
  line += wrong.has(Deviation::kCrlfLines) ? "\r\n" : "\n";
  return line;
}

}  // namespace plumbline::fakes
