#include "state/keeper.hpp"

#include <new>

#include <induce/error.hpp>

namespace induce::detail {
namespace {

constexpr const char* parts_name = "parts";  // the number of parts, that is, the depth of the computation

}  // namespace

Keeper::Keeper(std::optional<NamedArrays> resumed, Write write, double every)
    : resumed_(std::move(resumed)), write_(std::move(write)), every_(every) {
  if (resumed_) Archive(*resumed_, Archive::Direction::load)(parts_name, left_);
}

Keeper::Part::Part(Keeper* keeper, const std::string& name, std::function<void(Archive&)> archive)
    : keeper_(keeper) {
  if (!keeper) return;
  if (keeper->resuming()) {
    Archive stored = Archive(*keeper->resumed_, Archive::Direction::load).inside(name);
    archive(stored);
    if (--keeper->left_ == 0) keeper->resumed_.reset();
  }
  keeper->parts_.push_back({name, std::move(archive)});
}

Keeper::Part::~Part() {
  if (keeper_) keeper_->parts_.pop_back();
}

void Keeper::safe_point(bool now) {
  if (!write_ || (!now && std::chrono::duration<double>(Clock::now() - written_).count() < every_)) return;
  try {
    NamedArrays arrays;
    Archive all(arrays, Archive::Direction::save);
    int count = static_cast<int>(parts_.size());
    all(parts_name, count);
    for (const Named& part : parts_) {
      Archive within = all.inside(part.name);
      part.archive(within);
    }
    write_(std::move(arrays));
    out_of_memory_ = false;
  } catch (const std::bad_alloc&) {  // a checkpoint must not abort the fit
    out_of_memory_ = true;
  }
  written_ = Clock::now();
}

}  // namespace induce::detail
