#include "fakes/peers/answer.h"

#include <utility>

namespace plumbline::fakes {

Answer make_error(int code, std::string_view message, Json data) {
  Json body = {{"code", code}, {"message", message}};
  if (!data.is_null()) body["data"] = std::move(data);
  return {true, std::move(body)};
}

}  // namespace plumbline::fakes
