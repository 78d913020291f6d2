// A model as a safetensors file; docs/format.md specifies the format. The tensors, all F64:
//   inducing_inputs (m, d)   Z in the model's units        whitener (m, m)           L of K_mm = L L'
//   feature_shift   (d)      x_model = (x - shift)/scale   posterior_mean (m)        a = L^-1 mu
//   feature_scale   (d)                                    posterior_shrink (m, m)   D = I - L^-1 Sigma L^-T
//   kernel.NAME     (1 or d) each parameter of the kernel  mean, jitter (1)
// and, if features are warped before they are shifted and scaled (table/feature_map.hpp),
//   warp_origin, warp_unit, warp_exponent (d)
// and those of columns, of a projection and of an explanation (model_tensors.hpp).
// With C >= 3 classes that are not ordered there are C latent functions: mean has C numbers, the posterior's tensors and the curves (but not
// their values) have a first dimension C, and there is
//   class_scale (C)          amplitude of each latent function, times the kernel's
// The metadata has format ("induce-model"), format_version, the version of the library, and under "model" the
// rest as text (model_text.hpp). Version 1 has no warps; version 3 requires a hash; version 5 adds explanations, version 6 more than two classes. Before version 4 there were
//   lengthscales (1 or d)    theta (4)   sigma_f, sigma_n (0: no noise), mean, jitter
// instead of named parameters. Version 7 adds columns that are not numbers, and gaps. Then d above is the
// number of features of the kernel, p that of columns, and effects and importance are those of columns. A model of sparse rows
// has a projection: its columns are then the features of the projection, and it has no effects.
// Version 8 adds the ranges of the columns. Version 9 adds terms (term/terms.hpp): m may then be 0, and the posterior has M = m +
// all values of the terms instead of m, the terms in the order of the kernel's name. For the number of each of their columns
//   knots.COLUMN, pair_knots.COLUMN (2, k)   knots in the model's units, and their ranks
// Version 10 adds ordered classes, which have one latent function and
//   thresholds (C - 1)       increasing
// and what updates need (learned.hpp):
//   trained_rows (1), class_weights (C), updates (k, 6), column_moments (p, 3), level_shares
#pragma once

#include <string>
#include <string_view>

#include <induce/model.hpp>

namespace induce::detail {

inline constexpr const char* model_format = "induce-model";
inline constexpr int oldest_version = 1, first_with_warps = 2, first_with_hash = 3, first_with_names = 4,
                     first_with_effects = 5, first_with_classes = 6, first_with_columns = 7,
                     first_with_ranges = 8, first_with_terms = 9, first_with_learned = 10,
                     first_with_thresholds = 10, newest_version = 10;
inline const std::string parameter_prefix = "kernel.";

// Throws a data Error that names the origin and the fault.
Model read_model(std::string_view bytes, const std::string& origin);

}  // namespace induce::detail
