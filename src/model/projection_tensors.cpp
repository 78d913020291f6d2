#include "model/projection_tensors.hpp"

#include "model/tensor_lists.hpp"
#include "rows/sparse_rows.hpp"

namespace induce::detail {

std::map<std::string, Tensor> projection_tensors(const Projection& projection) {
  const RowMatrix& W = projection.W;
  std::map<std::string, Tensor> out;
  out["projection_width"] = list_of({static_cast<double>(projection.width)});
  out["projection_columns"] = list_of({projection.column.begin(), projection.column.end()});
  out["projection"] = {{static_cast<std::size_t>(W.rows()), static_cast<std::size_t>(W.cols())},
                       {W.data(), W.data() + W.size()}};
  return out;
}

std::map<std::string, std::vector<std::size_t>> shapes_of_projection(const CheckedTensors& file,
                                                                     std::size_t q) {
  const auto found = file.shapes().find("projection");
  if (found == file.shapes().end()) return {};
  const std::size_t used = found->second.empty() ? 0 : found->second[0];
  return {{"projection", {used, q}}, {"projection_columns", {used}}, {"projection_width", {1}}};
}

std::string read_projection(const CheckedTensors& file, std::shared_ptr<const Projection>& out) {
  constexpr double largest_slope = 1e150;
  const double width = numbers(file, "projection_width")[0];
  if (!is_index(width, most_sparse_columns + 1) || width == 0)
    return "has a projection_width that is not a number of columns";
  auto made = std::make_shared<Projection>();
  made->width = static_cast<std::size_t>(width);
  for (const double column : numbers(file, "projection_columns")) {
    if (!is_index(column, made->width)) return "has a projection of a column that it does not have";
    if (!made->column.empty() && made->column.back() >= static_cast<std::int32_t>(column))
      return "has projection_columns that do not increase";
    made->column.push_back(static_cast<std::int32_t>(column));
  }
  const std::vector<std::size_t>& shape = file.shapes().at("projection");
  made->W.resize(static_cast<Index>(shape[0]), static_cast<Index>(shape[1]));
  file.copy("projection", made->W.data());
  if (made->W.size() > 0 && !(made->W.array().abs() <= largest_slope).all())
    return "has a projection out of range";
  out = std::move(made);
  return "";
}

}  // namespace induce::detail
