// See arrow_columns.hpp.
#include "read/arrow_columns.hpp"

#include <cstdint>
#include <utility>

namespace induce::detail {
namespace {

// Whoever reads a stream releases its schema, its batches and itself, in any order: each of them shares the columns.
struct SharedColumns {
  std::vector<std::string> names;
  std::vector<std::unique_ptr<ArrowCells>> columns;
  std::size_t rows = 0;
  std::vector<ArrowSchema> named{};  // the types of the columns, with their names
  std::vector<ArrowSchema*> schemas{};
  std::vector<ArrowArray*> arrays{};
  bool given = false;             // the batch
  const void* no_bits = nullptr;  // the buffer of the batch: all rows are there
};
using Share = std::shared_ptr<SharedColumns>;

template <class Struct>
void release_share(Struct* given) {
  delete static_cast<Share*>(given->private_data);
  given->release = nullptr;
}
template <class Struct>
void release_with_parent(Struct* given) {
  given->release = nullptr;
}

template <class Struct>
void share(const Share& columns, Struct* to) {
  to->private_data = new Share(columns);
  to->release = release_share<Struct>;
}
const Share& shared_by(const ArrowArrayStream* stream) { return *static_cast<Share*>(stream->private_data); }

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  *out = {};
  out->format = "+s";
  out->n_children = static_cast<std::int64_t>(shared_by(stream)->schemas.size());
  out->children = shared_by(stream)->schemas.data();
  share(shared_by(stream), out);
  return 0;
}

// The first time all rows, then no more.
int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  *out = {};
  SharedColumns& columns = *shared_by(stream);
  if (std::exchange(columns.given, true)) return 0;
  out->length = static_cast<std::int64_t>(columns.rows);
  out->n_buffers = 1;
  out->buffers = &columns.no_bits;
  out->n_children = static_cast<std::int64_t>(columns.arrays.size());
  out->children = columns.arrays.data();
  share(shared_by(stream), out);
  return 0;
}

}  // namespace

ArrowCells::ArrowCells(std::string format, std::size_t rows, std::vector<const void*> buffers,
                       std::shared_ptr<const void> owner, std::unique_ptr<ArrowCells> levels)
    : format_(std::move(format)),
      buffers_(std::move(buffers)),
      owner_(std::move(owner)),
      levels_(std::move(levels)) {
  schema.format = format_.c_str();
  schema.name = "";
  schema.flags = 2;  // cells may be missing
  schema.dictionary = levels_ ? &levels_->schema : nullptr;
  schema.release = release_with_parent<ArrowSchema>;
  array.length = static_cast<std::int64_t>(rows);
  array.null_count = -1;  // nobody has counted
  array.n_buffers = static_cast<std::int64_t>(buffers_.size());
  array.buffers = buffers_.data();
  array.dictionary = levels_ ? &levels_->array : nullptr;
  array.release = release_with_parent<ArrowArray>;
}

ArrowCells::ArrowCells(ArrowSchema& taken_schema, ArrowArray& taken_array)
    : schema(taken_schema), array(taken_array) {
  taken_schema.release = nullptr;
  taken_array.release = nullptr;
}

ArrowCells::~ArrowCells() {
  if (schema.release) schema.release(&schema);
  if (array.release) array.release(&array);
}

ArrowArrayStream stream_of_columns(std::vector<std::string> names,
                                   std::vector<std::unique_ptr<ArrowCells>> columns, std::size_t rows) {
  const Share held = std::make_shared<SharedColumns>();
  held->names = std::move(names);
  held->columns = std::move(columns);
  held->rows = rows;
  for (std::size_t k = 0; k < held->columns.size(); ++k) {
    ArrowSchema& named = held->named.emplace_back(held->columns[k]->schema);
    named.name = held->names[k].c_str();
    named.release = release_with_parent<ArrowSchema>;
    held->arrays.push_back(&held->columns[k]->array);
  }
  for (ArrowSchema& named : held->named) held->schemas.push_back(&named);
  ArrowArrayStream stream{};
  stream.get_schema = get_schema;
  stream.get_next = get_next;
  stream.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  share(held, &stream);
  return stream;
}

}  // namespace induce::detail
