#include "shard/part_reader.hpp"

#include <numeric>

#include "read/final_rows.hpp"
#include "rows/exact_sum.hpp"
#include "rows/machine_name.hpp"
#include "shard/read_request.hpp"
#include "shard/shard.hpp"
#include "shard/wire_table.hpp"

namespace induce {
namespace {

constexpr std::size_t rows_together = 8192;

// Room for some rows of the table.
struct RowsOfTable {
  explicit RowsOfTable(const TableShape& shape)
      : x(rows_together * shape.features()), weight(rows_together, 1), y(rows_together) {}
  std::size_t next(const TableShape& shape, FinalRows& rows) {
    return rows.next(rows_together, x.data(), y.data(), shape.weighted ? weight.data() : nullptr);
  }

  std::vector<double> x, weight;  // weights are 1 if the table has none
  std::vector<int> y;
};

}  // namespace

PartReader::PartReader(int number, int threads, Shard& shard)
    : number_(static_cast<std::size_t>(number)), threads_(threads), shard_(shard) {}

std::optional<std::string> PartReader::answer(std::string_view request) {
  MessageReader in(request);
  if (MessageReader(request).count() < static_cast<Index>(ReadRequest::read)) return std::nullopt;
  MessageWriter failure, out;
  std::string error;
  try {
    out.text("");
    out.text(machine_name());
    reply(in, out);
    return out.take();
  } catch (const std::bad_alloc&) {
    error = "out of memory";
  } catch (const std::exception& caught) {
    error = caught.what();
  }
  failure.text(error);
  failure.text(machine_name());
  return failure.take();
}

void PartReader::reply(MessageReader& in, MessageWriter& out) {
  switch (static_cast<ReadRequest>(in.count())) {
    case ReadRequest::read: {
      const std::vector<std::string> files = read_texts(in);
      ReadOptions how = read_read_options(in);
      how.threads = threads_;
      plan_ = plan_reading({files.begin(), files.end()}, how, static_cast<std::size_t>(in.count()));
      return read(out);
    }
    case ReadRequest::find:
      return find(in, out);
    case ReadRequest::sum_weights:
      return sum_weights(out);
    case ReadRequest::keep:
      return keep(in, out);
    case ReadRequest::give:
      return give(out);
  }
  throw data_error("a message has an unknown kind");
}

void PartReader::read(MessageWriter& out) {
  out.count(static_cast<Index>(plan_->parts.size()));
  if (has_part()) out.text(read_part(*plan_, number_, rows_).to_bytes());
}

void PartReader::find(MessageReader& in, MessageWriter& out) {
  std::vector<ReadPart> parts;
  std::vector<const ReadPart*> pointers;
  for (const std::string& bytes : read_texts(in)) parts.push_back(ReadPart::from_bytes(bytes));
  for (const ReadPart& part : parts) pointers.push_back(&part);
  shape_ = find_shape(*plan_, pointers);
  if (!shape_.again) return;
  plan_ = std::move(shape_.again);
  rows_.restart(0);
  read(out);
}

void PartReader::sum_weights(MessageWriter& out) {
  std::vector<ExactSum> sums(shape_.names.classes.size());
  if (has_part()) {
    FinalRows rows(shape_, number_, rows_);
    RowsOfTable some(shape_);
    while (const std::size_t count = some.next(shape_, rows))
      for (std::size_t i = 0; i < count; ++i) sums[static_cast<std::size_t>(some.y[i])].add(some.weight[i]);
  }
  for (const ExactSum& sum : sums) out.numbers(sum.parts().data(), static_cast<Index>(sum.parts().size()));
}

void PartReader::keep(MessageReader& in, MessageWriter& out) {
  const Vector factors = in.vector();
  if (factors.size() != 0 && static_cast<std::size_t>(factors.size()) != shape_.names.classes.size())
    throw data_error("a message has the wrong number of classes");
  Gaps gaps;
  gaps.missing.assign(shape_.features(), 0);
  if (has_part()) {
    FinalRows rows(shape_, number_, rows_, true);
    RowsOfTable some(shape_);
    while (const std::size_t count = some.next(shape_, rows)) {
      if (factors.size() != 0)
        for (std::size_t i = 0; i < count; ++i)
          some.weight[i] = (shape_.weighted ? some.weight[i] : 1) * factors[some.y[i]];
      shard_.add_rows(some.x.data(), static_cast<Index>(count), static_cast<Index>(shape_.features()),
                      some.y.data(), some.weight.data());
    }
    gaps = rows.gaps();
  }
  rows_.restart(0);
  write_gaps(out, gaps);
}

void PartReader::give(MessageWriter& out) {
  if (!has_part()) return;
  OwnedRows all;
  FinalRows rows(shape_, number_, rows_, true);
  all.columns = static_cast<Index>(shape_.features());
  all.x.resize(rows.rows() * shape_.features());
  all.labels.resize(rows.rows());
  all.weights.assign(rows.rows(), 1);
  rows.next(rows.rows(), all.x.data(), all.labels.data(), all.weights.data());
  rows_.restart(0);
  write_gaps(out, rows.gaps());
  write_rows(out, all.view(), all.labels, all.weights, 0, all.labels.size());
}

}  // namespace induce
