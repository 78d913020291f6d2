// The checkpoint of a job of several processes. If one of them dies, the job ends: so there is a checkpoint beside the model
// even if none was asked for. It is removed when the fit is done.
#pragma once

#include <string>

#include <induce/options.hpp>

#include "fit_arguments.hpp"

namespace induce::cli {

class JobCheckpoint {
 public:
  // Sets options.checkpoint if there is to be one: in such a job, and when a fit resumes from one.
  JobCheckpoint(const FitArguments& arguments, Options& options);

  // Says how to resume.
  void announce(Options& options, bool quiet) const;
  // The fit is done.
  void remove() const;

 private:
  std::string path_;  // empty: none, or the user's own
};

}  // namespace induce::cli
