// A DoorKeeper stands before the reference server and lets in who shows one of its tokens: a
// resource server that is right. Wrong ones change what it answers.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/broken/deviation.h"
#include "core/json/json.h"
#include "core/wire/http.h"

namespace plumbline::conformance {

// OwnResponse is what somebody between client and server answers; nothing: the request goes on.
using OwnResponse = std::optional<wire::HttpResponse>;

// What it knows. The JWT is signed by nobody: it is compared as a whole.
inline constexpr std::string_view kRightToken = "right";
inline constexpr std::string_view kWeakToken = "weak";  // It lacks a scope.
inline constexpr std::string_view kJwtToken =
    "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbGljZSIsImF1ZCI6Imh0dHA6Ly9tY3AifQ.c2lnbmVk";

// In which revision of each era wrong ones are judged.
inline constexpr std::string_view kJudgedStateful = "2025-11-25";
inline constexpr std::string_view kJudgedStateless = "2026-07-28";

// keep_door answers by itself who shows no good token, and who asks for the resource metadata; it
// answers nothing to others.
OwnResponse keep_door(wire::HttpRequest& request);

// keep_older_door is that of 2025-03-26: the server is its own authorization server.
OwnResponse keep_older_door(wire::HttpRequest& request);

// origin_of returns the origin to which `request` was sent.
std::string origin_of(const wire::HttpRequest& request);

// asks_for returns whether `request` is a GET for `path`, whatever its query.
bool asks_for(const wire::HttpRequest& request, std::string_view path);

// shown_token returns what stands behind "Bearer " in the request; empty: nothing.
std::string_view shown_token(const wire::HttpRequest& request);

// at_door returns a wrong server over HTTP that lets in who shows kRightToken, where `request`
// does.
Deviation at_door(std::string_view id, std::string_view revision, std::string_view what,
                  OwnResponse (*request)(wire::HttpRequest&));

// bearer returns the credentials that show `token`.
wire::HttpHeaders bearer(std::string_view token);

// with_member returns `answer` with another value of a member of its document, if it has one.
OwnResponse with_member(OwnResponse answer, std::string_view member, Json value);

}  // namespace plumbline::conformance
