// What an HTTP answer that is no success says about the request that it answers.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/mcp/transport/message_channel.h"
#include "core/wire/http.h"

namespace plumbline::transport {

// describe_answer says for people what came: its status, where a redirect leads, that it is an HTML
// page, the beginning of what a short text or a JSON error says.
std::string describe_answer(int status, const wire::HttpHeaders& headers, std::string_view body);

// error_of returns the JSON-RPC error that an answer stands for when its status says more than that
// the request failed: who asks, whether one may, how fast. Its data has "httpStatus" and, where the
// answer says so, "retryAfter" in seconds. Nothing for any other status.
std::optional<Json> error_of(int status, const wire::HttpHeaders& headers, std::string_view body);

// tell_refusal tells `receiver` that the request `id` was refused with `answer`: by the error that
// it stands for (error_of), else that it is lost: kUnsupported for a status below 500,
// kDisconnected for others. `where` stands behind the words then.
void tell_refusal(MessageReceiver& receiver, const rpc::RpcId& id, const wire::HttpResponse& answer,
                  std::string_view where = "");

// add_status puts into the data of a JSON-RPC error what error_of would have said beside it.
void add_status(Json& error, int status, const wire::HttpHeaders& headers);

// speaks_of_lost_session returns whether `text` says that a session is unknown or over.
bool speaks_of_lost_session(std::string_view text);

}  // namespace plumbline::transport
