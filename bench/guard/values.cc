// JSON, a schema that judges it, and records and files that are kept.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/guard/work.h"
#include "core/base/check.h"
#include "core/json/json.h"
#include "core/os/real_file_store.h"
#include "core/os/store/sqlite_record_store.h"
#include "core/schema/schema.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::guard {

namespace {

Json listing() {
  Json content = Json::array();
  for (int i = 0; i < 20; ++i) {
    Json item = Json::object();
    item["type"] = "text";
    item["text"] = "line " + std::to_string(i) + " of a listing";
    content.push_back(std::move(item));
  }
  Json message = Json::object();
  message["jsonrpc"] = "2.0";
  message["id"] = 7;
  message["result"]["content"] = std::move(content);
  return message;
}

class ParseAndPrint final : public Work {
 public:
  void once() override {
    const Result<Json> value = parse_json(text_);
    check(value.ok() && dump_json(value.value()) == text_, "what was printed is read again");
  }

 private:
  std::string text_ = dump_json(listing());
};

class JudgeBySchema final : public Work {
 public:
  JudgeBySchema()
      : text_(parse_json(R"({"type": "object", "required": ["jsonrpc", "result"], "properties": {
          "result": {"type": "object", "properties": {"content": {"type": "array", "items": {
            "type": "object", "required": ["type", "text"], "properties": {
              "type": {"const": "text"}, "text": {"type": "string", "minLength": 1}}}}}}}})")
                  .value()) {}
  void once() override {
    const Result<schema::Schema> schema = schema::Schema::compile(text_);
    check(schema.ok() && !schema.value().validate(value_).has_value(), "the value is valid");
  }

 private:
  Json text_;
  Json value_ = listing();
};

// KeptRecord puts the next version of a record into a database in the current folder.
class KeptRecord final : public Work {
 public:
  KeptRecord() : value_(4'000, 'v') {
    auto opened = os::SqliteRecordStore::open(loop_, "guard.db");
    check(opened.ok(), "the database opens");
    store_ = std::move(opened).value();
  }
  void once() override {
    std::vector<Put> puts;
    puts.push_back({"thread", version_++, value_});
    Task<Result<bool>> putting = store_->put(std::move(puts));
    check(loop_.run_task(putting).ok() && putting.result().ok() && putting.result().value(),
          "the record is kept");
  }

 private:
  fakes::SimLoop loop_;
  std::unique_ptr<RecordStore> store_;
  std::string value_;
  std::int64_t version_ = 0;
};

class WrittenFile final : public Work {
 public:
  void once() override {
    check(files_.write_file("guard.txt", text_).ok(), "the file is written");
    const Result<std::string> read = files_.read_file("guard.txt");
    check(read.ok() && read.value() == text_, "the file is read");
  }

 private:
  os::RealFileStore files_;
  std::string text_ = std::string(10'000, 't');
};

}  // namespace

Pieces value_pieces() {
  return {
      {"value.parse-and-print", 200, made<ParseAndPrint>},
      {"value.schema", 100, made<JudgeBySchema>},
      {"record.kept", 20, made<KeptRecord>},
      {"file.written", 20, made<WrittenFile>},
  };
}

}  // namespace plumbline::guard
