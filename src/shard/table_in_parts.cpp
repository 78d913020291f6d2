#include "shard/table_in_parts.hpp"

#include <algorithm>

#include <induce/error.hpp>

#include "rows/exact_sum.hpp"
#include "rows/machine_name.hpp"
#include "shard/read_request.hpp"
#include "shard/wire_table.hpp"

namespace induce {
namespace {

MessageWriter begin_reading(ReadRequest what) {
  MessageWriter out;
  out.count(static_cast<Index>(what));
  return out;
}

struct ReadAnswer {
  explicit ReadAnswer(std::string_view bytes) : in(bytes), error(in.text()), machine(in.text()) {}

  [[noreturn]] void fail() const {
    throw data_error(machine == machine_name() ? error : error + " (on " + machine + ")");
  }

  MessageReader in;
  std::string error, machine;
};

// Readers of the answers, which must not be errors.
std::vector<MessageReader> checked(const std::vector<std::string>& answers) {
  std::vector<MessageReader> readers;
  for (const std::string& bytes : answers) {
    const ReadAnswer answer(bytes);
    if (!answer.error.empty()) answer.fail();
    readers.push_back(answer.in);
  }
  return readers;
}

// What was seen in each part of the plan.
std::vector<std::string> seen_in(const std::vector<std::string>& answers, const ReadPlan& plan) {
  std::vector<std::string> seen;
  for (const std::string& bytes : answers) {
    ReadAnswer answer(bytes);
    if (!answer.error.empty()) {
      // A single process would not have read on after an error in an earlier part.
      std::vector<ReadPart> parts;
      for (const std::string& part : seen) parts.push_back(ReadPart::from_bytes(part));
      parts.resize(plan.parts.size());
      std::vector<const ReadPart*> pointers;
      for (const ReadPart& part : parts) pointers.push_back(&part);
      if (std::any_of(parts.begin(), parts.end(), [](const ReadPart& part) { return part.fault; }))
        find_shape(plan, pointers);
      answer.fail();
    }
    const Index parts = answer.in.count();
    if (static_cast<std::size_t>(parts) != plan.parts.size())
      throw data_error(plan.name() + ": not all processes see the same files: " + machine_name() +
                       " divides them into " + std::to_string(plan.parts.size()) + ", " + answer.machine +
                       " into " + std::to_string(parts));
    if (seen.size() < plan.parts.size()) seen.push_back(answer.in.text());
  }
  return seen;
}

}  // namespace

std::optional<TableInParts> TableInParts::read(Carrier& carrier, const std::vector<std::string>& files,
                                               const ReadOptions& how) {
  if (!std::all_of(files.begin(), files.end(), [](const std::string& file) { return facts_of(file).again; }))
    return std::nullopt;
  ReadPlan plan = plan_reading({files.begin(), files.end()}, how, static_cast<std::size_t>(carrier.count()));
  if (plan.format == Format::libsvm) return std::nullopt;
  TableInParts table(carrier, std::move(plan));
  table.read();
  return table;
}

void TableInParts::read() {
  MessageWriter request = begin_reading(ReadRequest::read);
  std::vector<std::string> files;
  for (const Source& file : plan_.files) files.push_back(file.path);
  write_texts(request, files);
  write_read_options(request, plan_.options);
  request.count(carrier_.count());
  std::vector<std::string> answers = carrier_.ask_all(request.take());
  for (;;) {
    const std::vector<std::string> seen = seen_in(answers, plan_);
    std::vector<ReadPart> parts;
    std::vector<const ReadPart*> pointers;
    for (const std::string& bytes : seen) parts.push_back(ReadPart::from_bytes(bytes));
    for (const ReadPart& part : parts) pointers.push_back(&part);
    shape_ = find_shape(plan_, pointers);  // if this fails, the others need not know
    MessageWriter find = begin_reading(ReadRequest::find);
    write_texts(find, seen);
    answers = carrier_.ask_all(find.take());
    if (!shape_.again) break;
    plan_ = *std::move(shape_.again);
  }
  checked(answers);
}

std::vector<double> TableInParts::class_weights() {
  std::vector<ExactSum> sums(shape_.names.classes.size());
  const std::vector<std::string> answers = carrier_.ask_all(begin_reading(ReadRequest::sum_weights).take());
  for (MessageReader& answer : checked(answers))
    for (ExactSum& sum : sums)
      for (const double part : answer.vector()) sum.add(part);
  std::vector<double> values;
  for (const ExactSum& sum : sums) values.push_back(sum.value());
  return values;
}

Dataset TableInParts::keep(const std::vector<double>& factors) {
  MessageWriter request = begin_reading(ReadRequest::keep);
  request.numbers(factors.data(), static_cast<Index>(factors.size()));
  const std::vector<std::string> answers = carrier_.ask_all(request.take());
  Dataset data = without_rows(shape_);
  data.X.resize(0, static_cast<Index>(shape_.features()));
  for (MessageReader& answer : checked(answers))
    add_gaps(read_gaps(answer), data.columns, data.rows_with_gaps);
  return data;
}

Dataset TableInParts::gather() {
  const bool weighted = shape_.weighted;
  Dataset data = without_rows(shape_);
  OwnedRows rows;
  const std::vector<std::string> answers = carrier_.ask_all(begin_reading(ReadRequest::give).take());
  for (MessageReader& answer : checked(answers)) {
    if (answer.rest().empty()) continue;  // it had no part
    add_gaps(read_gaps(answer), data.columns, data.rows_with_gaps);
    read_rows(answer, rows);
  }
  data.X = rows.matrix();
  data.y = std::move(rows.labels);
  if (weighted) data.weights = std::move(rows.weights);
  return data;
}

}  // namespace induce
