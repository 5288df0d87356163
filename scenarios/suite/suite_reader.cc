#include "scenarios/suite/suite_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "conformance/catalogue/revisions.h"
#include "core/base/errors/errors.h"
#include "core/base/limits.h"
#include "core/base/words/nearest_word.h"
#include "core/json/locate.h"
#include "core/json/object_reader.h"
#include "scenarios/suite/expectation.h"
#include "scenarios/suite/names.h"

namespace plumbline::suite {

namespace {

constexpr std::int64_t kFormat = 1;
constexpr std::size_t kTestsMax = 20'000;
constexpr std::int64_t kSeedMax = 4'294'967'295;  // What Python takes.
constexpr std::int64_t kStepTimesMax = 10'000;
constexpr std::array<Verb, 6> kAllVerbs = {Verb::kCall,     Verb::kRead, Verb::kPrompt,
                                           Verb::kComplete, Verb::kList, Verb::kSend};
constexpr std::array<std::string_view, 4> kListNames = {"tools", "resources", "templates",
                                                        "prompts"};

// SuiteReader reads one parsed file part by part.
class SuiteReader {
 public:
  explicit SuiteReader(const Json& file) : file_(file) {}

  const std::optional<Problem>& problem() const { return problem_; }
  Suite take() { return std::move(suite_); }

  void read() {
    ObjectReader fields(file_, "", "a test file", problem_);
    fields.require("mcptest", "the version of the format, 1");
    fields.integer("mcptest", kFormat, kFormat);
    fields.string("$schema");
    if (const Json* const servers = fields.object("servers")) read_servers(*servers);
    suite_.on = servers_named(fields);
    if (const Json* const users = fields.object("users")) read_users(*users);
    if (const auto seed = fields.integer("seed", 0, kSeedMax)) suite_.seed = std::to_string(*seed);
    suite_.clock = clock(fields);
    suite_.fixture = fields.string("fixture").value_or("");
    suite_.in_order = fields.boolean("in_order").value_or(false);
    suite_.writes = fields.boolean("writes").value_or(true);
    suite_.masks = masks(fields);
    suite_.answers = answers(fields);
    suite_.timeout = fields.milliseconds("timeout_ms").value_or(Duration{});
    suite_.before = steps(fields, "before", "a step");
    suite_.after = steps(fields, "after", "a step");
    fields.require("tests", "the tests");
    if (const Json* const tests = fields.array("tests")) read_tests(*tests);
    fields.finish();
    check_names();
  }

 private:
  static std::string at(const std::string& pointer, std::size_t index) {
    return pointer + '/' + std::to_string(index);
  }

  void read_servers(const Json& servers) {
    for (const auto& [name, server] : servers.items()) {
      const std::string pointer = "/servers/" + pointer_token(name);
      ObjectReader fields(server, pointer, "a server", problem_);
      SuiteServer read;
      read.name = name;
      if (const auto program = fields.string("command")) read.command.push_back(*program);
      for (std::string& word : fields.strings("args")) read.command.push_back(std::move(word));
      read.env = texts(fields, "env");
      read.cwd = fields.string("cwd").value_or("");
      read.url = fields.string("url").value_or("");
      read.start = fields.string("start").value_or("");
      read.headers = texts(fields, "headers");
      fields.finish();
      if ((find(server, "command") != nullptr) == !read.url.empty()) {
        add_problem(problem_, pointer,
                    "server \"" + name + "\": expected either \"command\" or \"url\"");
      }
      const bool web = !read.start.empty() || !read.headers.empty();
      if (web && read.url.empty()) {
        add_problem(problem_, pointer, "\"start\" and \"headers\" go with a \"url\"");
      }
      suite_.servers.push_back(std::move(read));
    }
  }

  void read_users(const Json& users) {
    for (const auto& [name, user] : users.items()) {
      ObjectReader fields(user, "/users/" + pointer_token(name), "a user", problem_);
      fields.require("headers", "what tells the user from others");
      suite_.users.push_back({name, texts(fields, "headers")});
      fields.finish();
    }
  }

  // is_time returns whether a text is a time of the years 1970 to 2999, in UTC.
  static bool is_time(std::string_view text) {
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
    const auto fits = [](char form, char c) {
      return form == 'd' ? c >= '0' && c <= '9' : form == c;
    };
    return std::ranges::equal(kForm, text, fits) && text >= "1970" && text < "3000";
  }

  std::string clock(ObjectReader& fields) {
    std::string text = fields.string("clock").value_or("");
    if (!text.empty() && !is_time(text)) {
      fields.refuse("clock", "\"clock\" is \"" + text +
                                 "\", expected a time such as "
                                 "\"2026-01-01T00:00:00Z\"");
    }
    return text;
  }

  // user returns who asks a step.
  std::string user(ObjectReader& fields) {
    std::string name = fields.string("as").value_or("");
    std::vector<std::string> known;
    for (const SuiteUser& one : suite_.users) known.push_back(one.name);
    if (!name.empty() && std::ranges::find(known, name) == known.end()) {
      fields.refuse("as", "\"" + name + "\" is not one of the users" + meant(name, known));
    }
    return name;
  }

  std::map<std::string, std::string> texts(ObjectReader& parent, std::string_view key) {
    std::map<std::string, std::string> read;
    const Json* const object = parent.object(key);
    if (object == nullptr) return read;
    ObjectReader fields(*object, parent.pointer_to(key), "the " + std::string(key), problem_);
    for (const auto& [name, unused] : object->items()) {
      read[name] = fields.text(name).value_or("");
    }
    return read;
  }

  std::vector<std::string> servers_named(ObjectReader& fields) {
    std::vector<std::string> on = fields.strings("on");
    std::vector<std::string> known;
    for (const SuiteServer& server : suite_.servers) known.push_back(server.name);
    for (std::size_t i = 0; i < on.size(); ++i) {
      if (std::ranges::find(known, on[i]) != known.end()) continue;
      add_problem(problem_, at(fields.pointer_to("on"), i),
                  "\"" + on[i] + "\" is not one of the servers" + meant(on[i], known));
    }
    return on;
  }

  match::Masks masks(ObjectReader& fields) {
    match::Masks read;
    const std::vector<std::string> all = fields.strings("mask");
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Status added = read.add(all[i]);
      if (added.ok()) continue;
      add_problem(problem_, at(fields.pointer_to("mask"), i), added.error().message);
    }
    return read;
  }

  Answers answers(ObjectReader& fields) {
    constexpr std::array<std::string_view, 4> kAsked = {"elicitation/create", "ping", "roots/list",
                                                        "sampling/createMessage"};
    Answers read;
    const Json* const all = fields.object("answers");
    if (all == nullptr) return read;
    ObjectReader methods(*all, fields.pointer_to("answers"), "the answers", problem_);
    for (const std::string_view method : kAsked) {
      if (const Json* const answer = methods.object(method)) read[std::string(method)] = *answer;
    }
    methods.finish();
    return read;
  }

  std::vector<Step> steps(ObjectReader& parent, std::string_view key, std::string_view what) {
    std::vector<Step> read;
    const Json* const all = parent.array(key);
    if (all == nullptr) return read;
    for (std::size_t i = 0; i < all->size(); ++i) {
      ObjectReader fields((*all)[i], at(parent.pointer_to(key), i), what, problem_);
      read.push_back(step(fields));
      fields.finish();
    }
    return read;
  }

  Step step(ObjectReader& fields) {
    Step read;
    read.pointer = fields.pointer();
    read_verb(fields, read);
    if (const Json* const expect = fields.object("expect")) {
      read.expect = *expect;
      check_expect(*expect, read.verb, fields.pointer_to("expect"), problem_);
    }
    read.keep = texts(fields, "keep");
    for (const auto& [name, pointer] : read.keep) {
      if (pointer.starts_with('/') || problem_) continue;
      fields.refuse("keep", "\"" + name + "\" is kept from \"" + pointer +
                                "\", expected a JSON pointer into the result such as "
                                "\"/structuredContent/id\"");
    }
    read.answers = answers(fields);
    read.as = user(fields);
    read.times = static_cast<std::size_t>(fields.integer("times", 1, kStepTimesMax).value_or(1));
    return read;
  }

  void read_verb(ObjectReader& fields, Step& read) {
    int verbs = 0;
    for (const Verb verb : kAllVerbs) {
      const std::string key(name_of(verb));
      if (!fields.has(key)) continue;
      ++verbs;
      read.verb = verb;
      if (verb == Verb::kComplete) {
        if (const Json* const params = fields.object(key)) read.with = *params;
      } else {
        read.what = fields.string(key).value_or("");
      }
    }
    if (verbs != 1) {
      add_problem(problem_, fields.pointer(),
                  "here is " + std::string(verbs == 0 ? "nothing that is" : "more than one thing") +
                      " asked, expected one of \"call\", \"read\", \"prompt\", \"complete\", "
                      "\"list\", \"send\"" +
                      misspelt_verb(fields));
    }
    const Json* const with = fields.object("with");
    const bool takes =
        read.verb == Verb::kCall || read.verb == Verb::kPrompt || read.verb == Verb::kSend;
    if (with != nullptr && !takes) {
      fields.refuse("with", "\"with\" goes with \"call\", \"prompt\" and \"send\"");
    }
    if (with != nullptr) read.with = *with;
    const bool known = std::ranges::find(kListNames, read.what) != kListNames.end();
    if (read.verb == Verb::kList && !read.what.empty() && !known) {
      const std::vector<std::string> lists(kListNames.begin(), kListNames.end());
      fields.refuse("list", "\"list\" is \"" + read.what +
                                "\", expected one of \"tools\", "
                                "\"resources\", \"templates\", \"prompts\"" +
                                meant(read.what, lists));
    }
  }

  std::string misspelt_verb(const ObjectReader& fields) const {
    const Json* const object = at_pointer(file_, fields.pointer());
    if (object == nullptr || !object->is_object()) return {};
    std::vector<std::string> verbs;
    for (const Verb verb : kAllVerbs) verbs.emplace_back(name_of(verb));
    const std::set<std::string> others = {"name", "with", "then", "on", "keep", "as"};
    for (const auto& [key, unused] : object->items()) {
      const std::string hint = others.contains(key) ? "" : meant(key, verbs);
      if (!hint.empty()) return "; here is \"" + key + "\"" + hint;
    }
    return {};
  }

  void read_tests(const Json& tests) {
    std::set<std::string> names;
    if (tests.size() > kTestsMax) add_problem(problem_, "/tests", "more than 20000 tests");
    for (std::size_t i = 0; i < tests.size() && !problem_; ++i) {
      ObjectReader fields(tests[i], at("/tests", i), "a test", problem_);
      Test test;
      test.name = fields.required_string("name");
      test.steps.push_back(step(fields));
      for (Step& next : steps(fields, "then", "a step")) test.steps.push_back(std::move(next));
      test.on = servers_named(fields);
      test.since = revision(fields, "since");
      test.until = revision(fields, "until");
      test.fresh = fields.boolean("fresh").value_or(false);
      test.promises = fields.boolean("promises").value_or(true);
      test.masks = masks(fields);
      fields.finish();
      if (!test.name.empty() && !names.insert(test.name).second) {
        fields.refuse("name", "there are two tests \"" + test.name + "\", expected each name once");
      }
      suite_.tests.push_back(std::move(test));
    }
    if (tests.empty()) add_problem(problem_, "/tests", "\"tests\" is empty, expected a test");
  }

  std::string revision(ObjectReader& fields, std::string_view key) {
    const auto which = fields.choice(key, conformance::kRevisions);
    return which ? std::string(conformance::kRevisions[*which]) : "";
  }

  // check_names refuses a name that nobody gives a value to before it is used.
  void check_names() {
    std::set<std::string> known = {"folder", "port"};
    for (const Step& step : suite_.before) check_names_of(step, known);
    for (const Test& test : suite_.tests) {
      for (const Step& step : test.steps) check_names_of(step, known);
    }
    for (const Step& step : suite_.after) check_names_of(step, known);
  }

  void check_names_of(const Step& step, std::set<std::string>& known) {
    std::vector<std::string> used = names_in_text(step.what);
    for (const Json* const part : {&step.with, &step.expect}) {
      const std::vector<std::string> inside = names_in(*part);
      used.insert(used.end(), inside.begin(), inside.end());
    }
    for (const std::string& name : used) {
      if (known.contains(name) || name.starts_with(kEnvPrefix)) continue;
      const std::vector<std::string> all(known.begin(), known.end());
      add_problem(problem_, step.pointer,
                  "{" + name + "}: nothing before it keeps \"" + name + "\"" + meant(name, all) +
                      "; as a text write {{" + name + "}");
    }
    for (const auto& [name, unused] : step.keep) known.insert(name);
  }

  const Json& file_;
  std::optional<Problem> problem_;
  Suite suite_;
};

std::string suite_name_of(std::string_view file_name) {
  const std::size_t slash = file_name.rfind('/');
  if (slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
  if (file_name.ends_with(kSuiteEnding)) file_name.remove_suffix(kSuiteEnding.size());
  return std::string(file_name.substr(0, file_name.rfind(".json")));
}

}  // namespace

Result<Suite> read_suite(std::string_view text, const std::string& file_name) {
  JsonLimits rules;
  rules.bytes_max = limits::kFileBytesMax;
  rules.comments = true;
  rules.duplicate_keys = false;
  Position failed_at;
  const auto error = [&](Position at, const std::string& message) {
    return Error{ErrorCode::kInvalidInput, place_in(file_name, at) + ": " + message, "file.where"};
  };
  const Result<Json> file = parse_json(text, rules, failed_at);
  if (!file.ok()) return error(failed_at, file.error().message + ", expected JSON with comments");
  SuiteReader reader(file.value());
  reader.read();
  if (reader.problem()) {
    return error(locate(text, reader.problem()->pointer), reader.problem()->message);
  }
  Suite suite = reader.take();
  suite.file = file_name;
  suite.name = suite_name_of(file_name);
  suite.text = text;
  return suite;
}

Result<std::vector<Suite>> load_suites(FileStore& files, const std::string& path) {
  Result<std::vector<std::string>> names = files.list_files(path, kSuiteEnding);
  if (!names.ok()) return std::move(names).error();
  std::vector<Suite> suites;
  for (const std::string& name : names.value()) {
    Result<std::string> text = files.read_file(name);
    if (!text.ok()) return std::move(text).error();
    Result<Suite> suite = read_suite(text.value(), name);
    if (!suite.ok()) return std::move(suite).error();
    suites.push_back(std::move(suite).value());
  }
  if (!suites.empty()) return suites;
  return the_error("test.no-file", path, "*");
}

}  // namespace plumbline::suite
