// ReadPart as bytes: numbers as they are in memory, texts with their lengths. For processes of one program on machines of one
// kind; not a format for files.
#include <cstring>
#include <type_traits>

#include <induce/error.hpp>

#include "read/read_part.hpp"

namespace induce {
namespace {

class Writer {
 public:
  template <class Number>
  void number(const Number& value) {
    static_assert(std::is_trivially_copyable_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view text) {
    number(static_cast<std::uint64_t>(text.size()));
    bytes_ += text;
  }
  void place(const Place& at) {
    number(at.file);
    number(at.offset);
    number(at.line);
  }
  void texts(const TextCounts& counts) {
    number(static_cast<std::uint64_t>(counts.size()));
    for (const PlacedTexts::Entry& entry : counts.entries()) {
      text(entry.text);
      place(entry.first);
      number(static_cast<std::uint64_t>(entry.count));
    }
  }
  template <class Value, class Write>
  void optional(const std::optional<Value>& value, const Write& write) {
    number(value.has_value());
    if (value) write(*value);
  }
  void fault(const std::optional<ParseFault>& fault) {
    optional(fault, [&](const ParseFault& each) {
      text(each.what);
      number(each.fault);
      optional(each.place, [&](const Place& at) { place(at); });
    });
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  void number(Number& value) {
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
  }
  template <class Number>
  Number next() {
    Number value{};
    number(value);
    return value;
  }
  std::string_view text() { return take(next<std::uint64_t>()); }
  Place place() {
    Place at;
    number(at.file);
    number(at.offset);
    number(at.line);
    return at;
  }
  void texts(TextCounts& counts) {
    for (auto left = next<std::uint64_t>(); left > 0; --left) {
      const std::string_view each = text();
      const Place first = place();
      counts.add_new(each, first, next<std::uint64_t>());
    }
  }
  void place(std::optional<Place>& at) {
    if (next<bool>()) at = place();
  }
  void fault(std::optional<ParseFault>& fault) {
    if (!next<bool>()) return;
    fault.emplace(ParseFault{nullptr, std::string(text())});
    number(fault->fault);
    place(fault->place);
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw data_error("a part of a table was received incompletely");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::string_view rest_;
};

// Visits everything that is a number.
template <class Part, class Visit>
void for_each_number(Part& part, Visit&& visit) {
  visit(part.rows);
  visit(part.more_labels);
  visit(part.torn);
  visit(part.stopped);
  visit(part.pairs);
  visit(part.largest_index);
  visit(part.least_last_index);
  visit(part.complete);
}

}  // namespace

std::string ReadPart::to_bytes() const {
  Writer to;
  for_each_number(*this, [&](const auto& value) { to.number(value); });
  to.number(static_cast<std::uint64_t>(features.size()));
  for (const PartCells& cells : features) {
    to.number(cells.totals);
    to.number(cells.has_texts);
    to.texts(cells.texts);
    to.number(cells.many);
  }
  to.texts(labels);
  to.number(static_cast<std::uint64_t>(newlines.size()));
  for (const std::uint64_t count : newlines) to.number(count);
  to.fault(fault);
  to.fault(id_fault);
  to.optional(labelled, [&](const Place& at) { to.place(at); });
  to.optional(unlabelled, [&](const Place& at) { to.place(at); });
  return to.take();
}

ReadPart ReadPart::from_bytes(std::string_view bytes) {
  Reader from(bytes);
  ReadPart part;
  for_each_number(part, [&](auto& value) { from.number(value); });
  for (auto left = from.next<std::uint64_t>(); left > 0; --left) {
    PartCells& cells = part.features.emplace_back();
    from.number(cells.totals);
    from.number(cells.has_texts);
    from.texts(cells.texts);
    from.number(cells.many);
  }
  from.texts(part.labels);
  for (auto left = from.next<std::uint64_t>(); left > 0; --left)
    part.newlines.push_back(from.next<std::uint64_t>());
  from.fault(part.fault);
  from.fault(part.id_fault);
  from.place(part.labelled);
  from.place(part.unlabelled);
  return part;
}

}  // namespace induce
