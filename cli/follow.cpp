#include "follow.hpp"

#include <iostream>
#include <string>
#include <vector>

#include <induce/doubt.hpp>
#include <induce/error.hpp>

#include "notice.hpp"
#include "text/utf8.hpp"
#include "read/read.hpp"

namespace induce::cli {
namespace {

// A row is a table of its own: the header, if there is one, and the line.
class Line {
 public:
  Line(const Model& model, ReadOptions how, bool novelty)
      : model_(model), how_(std::move(how)), novelty_(novelty) {}

  void keep_header(const std::string& line) { header_ = line + "\n"; }

  void predict(const std::string& line, const std::function<void(const PredictedBatch&)>& use) const {
    const StreamedTable table =
        stream_text(header_ + line + "\n", "standard input", how_, [&](const Dataset& row) {
          const auto answer = [&](const auto& view) {
            use({model_.predict(view, 1), row.y, row.ids, row.id_name, row.weights,
                 novelty_ ? novelty(model_, view, 1) : std::vector<double>()});
          };
          if (row.sparse)
            answer(row.sparse->view());
          else
            answer(row.view());
        });
    if (table.rows != 1) throw data_error("it is not one row");
  }

 private:
  const Model& model_;
  ReadOptions how_;
  bool novelty_;
  std::string header_;
};

// Without what is only true of the table that a line was made into.
std::string about_line(const std::string& what) {
  const std::size_t end = what.find(": ");
  const bool of_table = what.find("standard input") < end && end != std::string::npos;
  return of_table ? what.substr(end + 2) : what;
}

}  // namespace

void follow_lines(const Model& model, ReadOptions how, const std::function<void(const PredictedBatch&)>& use,
                  const std::function<void()>& skip, bool novelty) {
  how.threads = 1;
  Line rows(model, how, novelty);
  std::string line;
  for (std::size_t number = 1; std::getline(std::cin, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (number == 1 && is_header(line + "\n", how)) {
      rows.keep_header(line);
      continue;
    }
    bool answered = false;
    try {
      if (line.find_first_not_of(' ') == std::string::npos) throw data_error("the line is blank");
      rows.predict(line, [&](const PredictedBatch& batch) {
        answered = true;
        use(batch);
      });
    } catch (const Error& error) {
      notice("induce: line " + std::to_string(number) + ": " + detail::clean(about_line(error.what())) +
             "\n");
      if (!answered) skip();
    }
  }
}

}  // namespace induce::cli
