// The sections of a page, in its order, as markup.
#pragma once

#include <string>
#include <vector>

#include <induce/explain.hpp>
#include <induce/page.hpp>

#include "page/tested.hpp"
#include "page/what_if.hpp"

namespace induce::detail {

// `tested`: nullptr without rows.
std::string learned_section(const Model& model, const PageRows& rows, const FitFacts& fit,
                            const Tested* tested);
std::string quality_section(const Model& model, const PageRows& rows, const FitFacts& fit,
                            const Tested* tested);
std::string effects_section(const Model& model, const Explanation& explanation, bool training_rows);
std::string pairs_section(const Model& model, const Explanation& explanation, int threads);

// `surprising`: rows with the least probability of their label, the least first.
std::string unsure_section(const Model& model, const PageRows& rows, const Explanation* explanation,
                           const Tested& tested, const std::vector<std::size_t>& surprising);
std::vector<std::size_t> surprising_rows(const Tested& tested);

std::string what_if_section(const Model& model, const WhatIf& what_if);

// <section> with a heading and an explanation in plain words, which is markup.
std::string section(const std::string& id, const std::string& heading, const std::string& lead,
                    const std::string& markup);
std::string percent(double share, int digits = 0);  // "12 %"; NaN: "-"
// At most so many indices below `count`, the first and the last among them.
std::vector<std::size_t> evenly_spread(std::size_t count, std::size_t most);
// All features, the most important first; without an explanation, as they are.
std::vector<std::size_t> by_importance(const Model& model, const Explanation* explanation);

}  // namespace induce::detail
