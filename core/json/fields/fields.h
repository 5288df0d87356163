// Fields is the table of what an object in a file of ours may hold, a row each member: the reader
// of the file, the JSON Schema that editors take and the tables of the docs all come from it.
//
//   const Fields<Trouble> kTrouble("a trouble", {
//       field::choice("what", &Trouble::what, kNames).must("what goes wrong"),
//       field::milliseconds("at_ms", &Trouble::at).says("when it begins"),
//   });
//
// A member that is missing leaves what it is for as it was.

#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/fields/shape.h"
#include "core/json/object_reader.h"

namespace plumbline {

template <typename T>
struct Field {
  std::string_view key;
  Json shape;                                   // Of its value, as JSON Schema says it.
  std::function<void(ObjectReader&, T&)> read;  // It may be missing.
  std::string needed = {};                      // What is expected where it is; "": nothing is.

  // must returns the row of a member that has to be there.
  Field must(std::string_view expected) && {
    needed = expected;
    return std::move(*this);
  }

  // of returns the row with a narrower shape than its type has.
  Field of(Json narrower) && {
    shape = std::move(narrower);
    return std::move(*this);
  }

  // usually returns the row with what holds where nothing is said, for editors.
  Field usually(Json value) && {
    shape["default"] = std::move(value);
    return std::move(*this);
  }

  // within returns the row of an object of which `member` is what this row is of.
  template <typename U>
  Field<U> within(T U::*member) const {
    return {key, shape, [=, read = read](ObjectReader& f, U& out) { read(f, out.*member); },
            needed};
  }

  // says returns the row with a line about it, for editors and for the docs.
  Field says(std::string_view words) && {
    shape["description"] = words;
    return std::move(*this);
  }
};

template <typename T>
class Fields {
 public:
  using Rows = std::vector<Field<T>>;

  // `what` names the object in messages ("a fault"), and must outlive the table. `also` are members
  // of its JSON Schema beside what the rows say.
  Fields(std::string_view what, Rows rows, Json also = Json::object())
      : what_(what), rows_(std::move(rows)), also_(std::move(also)) {}

  // and_those returns a table with the rows of `more` behind these.
  Fields and_those(const Fields& more) const {
    Fields both = *this;
    std::ranges::copy(more.rows_, std::back_inserter(both.rows_));
    return both;
  }

  // within returns the table of an object of which `member` is what these rows are of.
  template <typename U>
  Fields<U> within(T U::*member) const {
    typename Fields<U>::Rows rows;
    for (const Field<T>& row : rows_) rows.push_back(row.within(member));
    return Fields<U>(what_, std::move(rows), also_);
  }

  // read takes each row from `fields`, in order. Members of which no row tells are still unknown.
  void read(ObjectReader& fields, T& out) const {
    for (const Field<T>& row : rows_) {
      if (!row.needed.empty()) fields.require(row.key, row.needed);
      row.read(fields, out);
    }
  }

  // read takes the object at `pointer`, in which nothing else may stand.
  void read(const Json& object, std::string pointer, std::optional<Problem>& problem,
            T& out) const {
    ObjectReader fields(object, std::move(pointer), what_, problem);
    read(fields, out);
    fields.finish();
  }

  // shape returns the JSON Schema of the object.
  Json shape() const {
    Json out = shape::closed(Json::object());
    Json& members = out["properties"];
    for (const Field<T>& row : rows_) {
      members[std::string(row.key)] = row.shape;
      if (!row.needed.empty()) out["required"].push_back(row.key);
    }
    for (const auto& [key, value] : also_.items()) out[key] = value;
    return out;
  }

 private:
  std::string_view what_;
  Rows rows_;
  Json also_;
};

// The rows. Each is of the member of that type, or of an optional one.
namespace field {

template <typename M>
struct Plain {
  using Type = M;
};
template <typename M>
struct Plain<std::optional<M>> {
  using Type = M;
};

// own reads a member in a way of its own.
template <typename T>
Field<T> own(std::string_view key, Json shape, std::function<void(ObjectReader&, T&)> read) {
  return {key, std::move(shape), std::move(read)};
}

// shown is a member that is looked at, and kept elsewhere as it stands.
template <typename T, typename Look>
Field<T> shown(std::string_view key, Json shape, Look look) {
  return own<T>(key, std::move(shape), [key, look](ObjectReader& f, T&) { look(f, key); });
}

template <typename T, typename M>
Field<T> whole(std::string_view key, M T::*member, std::int64_t min, std::int64_t max) {
  return own<T>(key, shape::whole(min, max), [=](ObjectReader& f, T& out) {
    if (const auto n = f.integer(key, min, max)) {
      out.*member = static_cast<typename Plain<M>::Type>(*n);
    }
  });
}

// yes is a switch.
template <typename T, typename M>
Field<T> yes(std::string_view key, M T::*member) {
  return own<T>(key, shape::yes(), [=](ObjectReader& f, T& out) {
    if (const auto said = f.boolean(key)) out.*member = *said;
  });
}

// words is a text that holds something, text any.
template <typename T, typename M>
Field<T> words(std::string_view key, M T::*member) {
  return own<T>(key, shape::words(), [=](ObjectReader& f, T& out) {
    if (auto said = f.string(key)) out.*member = *std::move(said);
  });
}

template <typename T, typename M>
Field<T> text(std::string_view key, M T::*member) {
  return own<T>(key, shape::text(), [=](ObjectReader& f, T& out) {
    if (auto said = f.text(key)) out.*member = *std::move(said);
  });
}

template <typename T, typename M>
Field<T> texts(std::string_view key, M T::*member) {
  return own<T>(key, shape::list(shape::text()), [=](ObjectReader& f, T& out) {
    if (f.has(key)) out.*member = f.strings(key);
  });
}

template <typename T, typename M>
Field<T> milliseconds(std::string_view key, M T::*member) {
  return own<T>(key, shape::milliseconds(), [=](ObjectReader& f, T& out) {
    if (const auto span = f.milliseconds(key)) out.*member = *span;
  });
}

// choice is one of `names`, which outlive the row: the n-th is the n-th value of an enumeration,
// from `first` on, or the name itself where the member is a text.
template <typename T, typename M>
Field<T> choice(std::string_view key, M T::*member, std::span<const std::string_view> names,
                int first = 0) {
  using Value = typename Plain<M>::Type;
  return own<T>(key, shape::one_of(names), [=](ObjectReader& f, T& out) {
    const auto which = f.choice(key, names);
    if (!which) return;
    if constexpr (std::constructible_from<Value, std::string_view>) {
      out.*member = Value(names[*which]);
    } else {
      out.*member = static_cast<Value>(static_cast<int>(*which) + first);
    }
  });
}

// any is a member that is kept as it stands.
template <typename T, typename M>
Field<T> any(std::string_view key, M T::*member) {
  return own<T>(key, Json::object(), [=](ObjectReader& f, T& out) {
    if (const Json* const said = f.take(key)) out.*member = *said;
  });
}

// object is a member that `table` reads; items an array of such.
template <typename T, typename M>
Field<T> object(std::string_view key, M T::*member, Fields<typename Plain<M>::Type> table,
                Json shape = nullptr) {
  if (shape.is_null()) shape = table.shape();
  return own<T>(key, std::move(shape), [=, table = std::move(table)](ObjectReader& f, T& out) {
    const Json* const said = f.take(key);
    if (said == nullptr) return;
    typename Plain<M>::Type value{};
    table.read(*said, f.pointer_to(key), f.problem(), value);
    out.*member = std::move(value);
  });
}

// part is a member that `table` reads into the same value.
template <typename T>
Field<T> part(std::string_view key, Fields<T> table) {
  Json shape = table.shape();
  return own<T>(key, std::move(shape), [key, table = std::move(table)](ObjectReader& f, T& out) {
    if (const Json* const said = f.take(key)) {
      table.read(*said, f.pointer_to(key), f.problem(), out);
    }
  });
}

// part_of does so into `member` of it.
template <typename T, typename V>
Field<T> part_of(std::string_view key, V T::*member, const Fields<V>& table) {
  return part(key, Fields<V>(table)).within(member);
}

template <typename T, typename V>
Field<T> items(std::string_view key, std::vector<V> T::*member, Fields<V> table,
               Json shape = nullptr) {
  if (shape.is_null()) shape = shape::list(table.shape());
  return own<T>(key, std::move(shape), [=, table = std::move(table)](ObjectReader& f, T& out) {
    const Json* const list = f.array(key);
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const std::string at = f.pointer_to(key) + '/' + std::to_string(i);
      table.read((*list)[i], at, f.problem(), (out.*member).emplace_back());
    }
  });
}

}  // namespace field
}  // namespace plumbline
