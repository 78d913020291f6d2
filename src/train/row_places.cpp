#include "train/row_places.hpp"

#include "train/local_site_rows.hpp"

namespace induce {

std::unique_ptr<SiteRows> PlacesHere::place(const RowMatrix& X, const Targets& targets,
                                            const StageNeeds& needs) {
  return rows_of_table(X, targets, needs.m, needs.likelihood, needs.rule, workers_, needs.memory);
}

}  // namespace induce
