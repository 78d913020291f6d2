#include "state/state_saver.hpp"

#include <new>

#include <induce/error.hpp>

namespace induce::detail {
namespace {

// The number of sections, that is, the depth of the computation.
constexpr const char* sections_name = "sections";

}  // namespace

StateSaver::StateSaver(std::optional<NamedArrays> resumed, Write write, double every)
    : resumed_(std::move(resumed)), write_(std::move(write)), every_(every) {
  if (resumed_) Archive(*resumed_, Archive::Direction::load)(sections_name, left_);
}

StateSaver::Section::Section(StateSaver* saver, const std::string& name,
                             std::function<void(Archive&)> archive)
    : saver_(saver) {
  if (!saver) return;
  if (saver->resuming()) {
    Archive stored = Archive(*saver->resumed_, Archive::Direction::load).inside(name);
    archive(stored);
    if (--saver->left_ == 0) saver->resumed_.reset();
  }
  saver->sections_.push_back({name, std::move(archive)});
}

StateSaver::Section::~Section() {
  if (saver_) saver_->sections_.pop_back();
}

void StateSaver::safe_point(bool now) {
  if (!write_ || (!now && std::chrono::duration<double>(Clock::now() - written_).count() < every_)) return;
  try {
    NamedArrays arrays;
    Archive all(arrays, Archive::Direction::save);
    int count = static_cast<int>(sections_.size());
    all(sections_name, count);
    for (const Named& section : sections_) {
      Archive within = all.inside(section.name);
      section.archive(within);
    }
    write_(std::move(arrays));
    out_of_memory_ = false;
  } catch (const std::bad_alloc&) {  // a checkpoint must not abort the fit
    out_of_memory_ = true;
  }
  written_ = Clock::now();
}

}  // namespace induce::detail
