// The parts of a page, in its order. Each is the markup of one <section>.
#pragma once

#include <string>
#include <vector>

#include <induce/explain.hpp>
#include <induce/page.hpp>

#include "page/tested.hpp"
#include "page/what_if.hpp"

namespace induce::detail {

// `tested`: nullptr without rows.
std::string learned_part(const Model& model, const PageRows& rows, const FitFacts& fit, const Tested* tested);
std::string quality_part(const Model& model, const PageRows& rows, const FitFacts& fit, const Tested* tested);
std::string effects_part(const Model& model, const Explanation& explanation, bool training_rows);
std::string pairs_part(const Model& model, const Explanation& explanation, int threads);

// `surprising`: rows with the least probability of their label, the least first.
std::string unsure_part(const Model& model, const PageRows& rows, const Explanation* explanation,
                        const Tested& tested, const std::vector<std::size_t>& surprising);
std::vector<std::size_t> surprising_rows(const Tested& tested);

std::string what_if_part(const Model& model, const WhatIf& what_if);

// <section> with a heading and an explanation in plain words, which is markup.
std::string section(const std::string& id, const std::string& heading, const std::string& lead,
                    const std::string& markup);
std::string percent(double share, int digits = 0);  // "12 %"; NaN: "-"
// The value of a column in words: a number, a date, a level, "(missing)".
std::string cell_text(const Names& names, std::size_t column, double value, int digits = 4);

}  // namespace induce::detail
