#include "core/agents/supervisor/words/command_words.h"

#include "core/agents/command_line/run/output_keeper.h"
#include "core/base/text.h"

namespace plumbline::agents::supervisor {

std::string middle_cut(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return std::string(text);
  const std::string_view head = beginning(text, bytes_max / 2);
  std::size_t tail = text.size() - bytes_max / 2;
  const auto within_letter = [&] {
    return tail < text.size() && (static_cast<unsigned char>(text[tail]) & 0xC0U) == 0x80U;
  };
  while (within_letter()) ++tail;
  std::string out(head);
  if (!out.ends_with('\n')) out += '\n';
  out += command_line::cut_mark(tail - head.size());
  if (!out.ends_with('\n')) out += '\n';
  return out + std::string(text.substr(tail));
}

std::string command_text(const Json& result, std::size_t bytes_max) {
  std::string out =
      "$ " + string_or(result, "command", "") + "\n[" + string_or(result, "status", "");
  const Json* const code = find(result, "return_code");
  if (code != nullptr && code->is_number_integer()) out += ", exit status " + dump_json(*code);
  out += "]";
  const std::string error = string_or(result, "error", "");
  if (!error.empty()) out += " " + error;
  out += '\n';
  std::string said = string_or(result, "stdout", "");
  const std::string err = string_or(result, "stderr", "");
  if (!said.empty() && !said.ends_with('\n') && !err.empty()) said += '\n';
  said += err;
  out += middle_cut(said, bytes_max);
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

}  // namespace plumbline::agents::supervisor
