// What is shown of any bytes, parsed back, are these bytes, and nothing of it is hidden; a question
// about any call shows another text, or has another digest, than one about any other.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/agents/approvals/approval.h"
#include "core/agents/approvals/shown_reader.h"
#include "core/agents/approvals/shown_text.h"
#include "core/base/check.h"

namespace {

using plumbline::check;
using plumbline::Json;
namespace approvals = plumbline::agents::approvals;

void check_shown(std::string_view text) {
  const std::string shown = approvals::shown(text);
  check(approvals::read_shown(shown) == std::string(text), "what is shown, parsed back, differs");
  check(!shown.empty() && shown.front() != ' ' && shown.back() != ' ', "a blank at an end");
  for (const std::string_view hidden : {"<!--", "  ", "…", "•", "\u202e", "\u200b", "\u200d"}) {
    check(shown.find(hidden) == std::string::npos, "something is hidden");
  }
  for (const char c : shown) {
    check(static_cast<unsigned char>(c) >= ' ' && c != 127, "a control character is shown");
  }
  check(approvals::cut_shown(shown, 100).size() < 200, "a cut one is long");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  check_shown(all);
  const std::string_view first = all.substr(0, size / 2);
  const std::string_view second = all.substr(size / 2);
  check_shown(first);
  approvals::Action one;
  one.type = "command";
  one.line = first;
  approvals::Action other = one;
  other.line = second;
  const Json asked = approvals::question_about(one, {"command-0", {}, ""});
  const Json yes = approvals::answer_to(asked, {{"approve", true}});
  const bool approved = approvals::judge(other, &yes).standing == approvals::Standing::kApproved;
  check(approved == (first == second), "an approval of one line lets another run");
  bool cut = false;
  check(approvals::text_of(asked, 1'000, cut).find('\n') == std::string::npos,
        "one row has two lines");
  return 0;
}
