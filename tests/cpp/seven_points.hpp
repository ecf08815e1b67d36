#pragma once

#include <vector>

#include "kernelect/base/types.hpp"

// The worked example: seven points in the plane, two classes and a regression target, and what is
// known of the Gaussian kernel with tau = 2 on them, to twelve digits.
namespace kernelect::seven_points {

inline constexpr double kTau = 2.0;

inline Matrix points() {
    Matrix x(7, 2);
    x << 0, 0, 1, 0, 0, 1, 2, 2, 3, 2, 2, 3, 1, 2;
    return x;
}
inline const std::vector<int> kLabels = {1, 1, 1, 0, 0, 0, 0};
inline Vector target() {
    Vector t(7);
    t << 0.1, 0.9, 1.2, 3.8, 5.1, 4.9, 3.2;
    return t;
}
inline const std::vector<std::vector<Index>> kFolds{{0, 3}, {1, 4}, {2, 5, 6}};

// Criteria of O(n^2) evidence for the two classes.
struct Scored {
    const char* criterion;
    int degree;
    bool entry_sum, plain, relative, variant;
    double value;
};
inline const std::vector<Scored> kScores = {
    {"sm", 1, true, true, false, false, 0.0840794584122},
    {"sm", 1, true, false, false, false, 0.330850429878},
    {"sm", 2, true, true, false, false, 0.00760944381462},
    {"sm", 2, true, false, false, false, 0.0284093527145},
    {"sm", 3, true, true, false, false, 0.000716115209867},
    {"sm", 3, true, false, false, false, 0.00246910972793},
    {"sm", 4, true, true, false, false, 7.07638608546e-05},
    {"sm", 4, true, false, false, false, 0.00021712416078},
    {"sm", 3, true, false, true, false, 0.207405217146},
    {"sm", 1, false, false, false, false, 1.14031136879},
    {"sm", 2, false, false, false, false, 0.337477513548},
    {"sm", 3, false, false, false, false, 0.101091733404},
    {"sm", 4, false, false, false, false, 0.0306390402146},
    {"sm", 1, false, true, false, false, 0.289788840065},
    {"sm", 2, false, true, false, false, 0.0903933364428},
    {"sm", 3, false, true, false, false, 0.029319607413},
    {"sm", 4, false, true, false, false, 0.00998570021261},
    {"sm", 3, false, false, true, false, 8.49170560594},
    {"ncut", 0, false, false, false, false, 0.411443791114},
    {"ncut", 0, false, false, false, true, 0.426317428091},
    {"mmd", 0, false, false, false, false, 1.14031136879},
    {"kta", 0, false, false, false, false, 0.489332727634},
    {"ekta", 0, false, false, false, false, 0.471553776165},
    {"ckta", 0, false, false, false, false, 0.874964599106},
    {"ckta", 0, false, false, false, true, 0.857108178716},
    {"fsm", 0, false, false, false, false, 0.251965892607},
    {"kcsm", 0, false, false, false, false, 1.22285233241},
    {"kcsm", 0, false, false, false, true, 1.22285233241 / 2.22285233241},
    {"stability", 0, false, false, false, false, 2.00069237863}};
// And for the regression target.
inline constexpr double kRegressionCkta = 0.898982871312, kRegressionStability = 2.00069237863;

// Mean squared held-out residuals and generalised cross-validation of the classes as +-1.
struct Ridged {
    bool bias;
    double rho, loo, folds, gcv;
};
inline const std::vector<Ridged> kRidges = {
    {true, 1.0, 0.374689761744, 0.3106870594, 0.376071829714},
    {true, 0.1, 0.251246008072, 0.152042920056, 0.26083108941},
    {false, 1.0, 0.336753181825, 0.304743087901, 0.334574371148},
    {false, 0.1, 0.239528830742, 0.1520522394, 0.244583128717}};
// With a bias and rho = 1.
inline constexpr double kBias = -0.0786220161551, kBayesian = -0.783996702677,
                        kRegressionLoo = 1.33028138308;
// BIF of order 3 on the folds, lambda = 0.05 in the mean convention.
inline constexpr double kBifWithBias = 0.132109455836, kBifWithout = 0.13329861771;

}  // namespace kernelect::seven_points
