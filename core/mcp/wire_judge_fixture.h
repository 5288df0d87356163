// WireJudge holds every message of a conversation to the published schema of its revision.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "core/mcp/revision.h"

namespace plumbline::mcp {

class WireJudge {
 public:
  WireJudge();
  ~WireJudge();

  // sent learns of one message, in order. Batches are left out.
  void sent(bool by_client, const Json& message);

  // problems returns what has been wrong so far, one line each; empty where the schemas are not at
  // hand: in the folder that PLUMBLINE_SPEC_SCHEMA names, or beside the source tree.
  const std::vector<std::string>& problems() const { return problems_; }

  // judged returns how many messages have been held to a definition of their own.
  int judged() const { return judged_; }

  // absent returns whether there are no schemas to judge by.
  static bool absent();

 private:
  struct Schemas;
  struct Asked {
    std::string method;
    Revision revision;
  };

  void judge(Revision revision, const std::string& definition, const Json& value);

  Schemas* schemas_ = nullptr;
  Revision session_ = kLatestStateful;
  std::map<std::string, Asked> asked_[2];  // By id; what the client asked, what the server asked.
  std::vector<std::string> problems_;
  int judged_ = 0;
};

}  // namespace plumbline::mcp
