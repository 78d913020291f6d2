// The side of a fit that has rows. It answers requests about sets of rows, which the driver numbers: each is a part of
// the rows of a stage with the sites of these rows (train/local_site_rows.hpp).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "machine/workers.hpp"

namespace induce::detail {

class MessageReader;
class MessageWriter;

class Shard {
 public:
  explicit Shard(Workers& workers);
  ~Shard();

  // Rows that this shard has read, of a table that is fitted as a whole. Labels are indices of classes; weights may be
  // null. `piece`: rows of a piece come after those of pieces with smaller numbers, whatever the shards.
  void add_rows(const double* x, Index rows, Index columns, const int* labels, const double* weights,
                Index piece = 0);

  // An answer begins with whether it is one, or the text of an error, and the seconds it took. Stopped is thrown on.
  std::string answer(std::string_view request);

 private:
  struct Placed;
  struct AllHere;  // of a large table
  std::string reply(std::string_view request);
  bool about_all_rows(Index what, MessageReader& in, MessageWriter& out);
  void answer_about(Placed& placed, Index what, MessageReader& in, MessageWriter& out);

  Workers& workers_;
  std::map<Index, std::unique_ptr<Placed>> placed_;
  std::unique_ptr<AllHere> all_;
};

}  // namespace induce::detail
