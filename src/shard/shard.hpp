// The side of a fit that has rows. It answers requests about sets of rows, which the driver numbers: each is a part of
// the rows of a stage with the sites of these rows (train/local_site_rows.hpp).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "rows/workers.hpp"

namespace induce {

class Shard {
 public:
  explicit Shard(Workers& workers);
  ~Shard();

  // An answer begins with whether it is one, or the text of an error, and the seconds it took. Stopped is thrown on.
  std::string answer(std::string_view request);

 private:
  struct Placed;
  std::string reply(std::string_view request);

  Workers& workers_;
  std::map<Index, std::unique_ptr<Placed>> placed_;
};

}  // namespace induce
