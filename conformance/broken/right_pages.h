// RightPages is a server that sends its user to pages and is right: one of its own, where the user
// has to be who asked, and one of the third party behind it. Wrong ones lack one thing.

#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "conformance/broken/door_keeper.h"
#include "core/wire/form.h"

namespace plumbline::conformance {

// PageFlaws are the ways of being wrong.
struct PageFlaws {
  bool opens_for_anybody = false;
  bool trusts_names = false;          // In the address of the page.
  bool has_token_in_address = false;  // The user's own.
  bool has_key_in_address = false;    // Another with which the door opens.
  bool signs_in_by_it = false;        // To the server itself.
  bool tells_everybody = false;       // That a question is answered.
  bool hands_token_on = false;        // The client's, to the third party.
  bool shows_credentials = false;     // Of the third party, to the client.
  bool sends_code_elsewhere = false;
  bool believes_claims = false;  // Of who somebody is.
};

class RightPages final : public Keeper {
 public:
  RightPages(Behind behind, PageFlaws flaws) : behind_(std::move(behind)), flaws_(flaws) {}

  // implements Keeper ---
  OwnResponse answer(wire::HttpRequest& request) override;
  void answered(const wire::HttpRequest& request, const wire::HttpHeaders& headers) override;

 private:
  // Question is one that waits for its page, or whose page was done with.
  struct Question {
    std::string user;
    std::string tool;
    std::string session;
    std::string shown;  // What came from the third party.
  };

  OwnResponse called(const wire::HttpRequest& request, const Json& message);
  wire::HttpResponse asked(const wire::HttpRequest& request, const Json& message,
                           Question question);
  std::string address_of(const wire::HttpRequest& request, const Question& question,
                         const std::string& id) const;
  wire::HttpResponse paged(const wire::HttpRequest& request);
  wire::HttpResponse called_back(const wire::HttpRequest& request);
  void done_with(const std::string& id);
  bool asks_by_url(const wire::HttpRequest& request, const Json& message) const;

  Behind behind_;
  PageFlaws flaws_;
  std::set<std::string> knowing_;  // Sessions of clients that can open pages.
  std::map<std::string, Question> waiting_;
  std::map<std::string, Question> done_;  // By the question, and by session and tool.
  int names_ = 0;
};

}  // namespace plumbline::conformance
