#include "kernelect/moments/slopes.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "kernelect/base/simd.hpp"
#include "kernelect/linalg/serial.hpp"
#include "kernelect/moments/scoring.hpp"

namespace kernelect {
namespace {

// Powers of the kernel that are kept at a time; higher degrees are of no use.
constexpr int kMostPowers = 30;
constexpr double kMemory = 64e6;

double checked(const criteria::Score& score) {
    if (!score.reason.empty()) throw std::domain_error(score.reason);
    return score.value;
}

// Symmetric products l_k r_k' gathered one after the other.
class Pairs {
  public:
    explicit Pairs(Index n) : left_(0, n), right_(0, n) {}

    void add(const Vector& left, const Vector& right, double factor) {
        const Index k = left_.rows();
        left_.conservativeResize(k + 1, Eigen::NoChange);
        right_.conservativeResize(k + 1, Eigen::NoChange);
        left_.row(k) = factor * left.transpose();
        right_.row(k) = right.transpose();
    }
    EntryWeights weights() const {
        EntryWeights made;
        made.left = left_;
        made.right = right_;
        return made;
    }

  private:
    Matrix left_, right_;
};

// T = sum_p s_p v_p v_p', the matrix that kernels are aligned with.
struct TargetMatrix {
    Matrix vectors;  // one per row
    Vector signs;

    double norm() const {
        const Matrix products = serial::product(vectors, Matrix(vectors.transpose()));
        return std::sqrt(signs.dot(Vector(products.cwiseAbs2() * signs)));
    }
};

// Rows that are constant on classes, from their values there.
Matrix spread_over_classes(const Matrix& coding, const Sample& sample) {
    Matrix rows(coding.rows(), sample.size());
    for (int q = 0; q < sample.classes(); ++q)
        rows.middleCols(sample.class_begin(q), sample.class_sizes()[place(q)]).colwise() =
            coding.col(q);
    return rows;
}

TargetMatrix plain_target(const Moments& m) {
    if (m.target().regression())
        return {m.target().centred.colwise() + m.target().means,
                Vector::Ones(m.target().centred.rows())};
    const int c = m.classes();
    const double between = -1.0 / (c - 1.0);
    Matrix coding = Matrix::Ones(c + 1, c);
    coding.topRows(c).setIdentity();
    Vector signs = Vector::Constant(c + 1, 1.0 - between);
    signs(c) = between;
    return {spread_over_classes(coding, m.sample()), signs};
}

TargetMatrix class_target(const Moments& m, bool balanced) {
    if (m.target().regression())
        return {m.target().centred, Vector::Ones(m.target().centred.rows())};
    const int c = m.classes();
    Matrix coding = Matrix::Identity(c, c);
    for (int k = 0; k < c; ++k)
        for (int q = 0; q < c; ++q)
            coding(k, q) = balanced ? (coding(k, q) - 1.0 / c) / m.class_size(q)
                                    : coding(k, q) - m.class_size(k) / m.n();
    return {spread_over_classes(coding, m.sample()), Vector::Ones(c)};
}

EntryWeights alignment_weights(const Moments& m, const std::string& name, bool survey,
                               double value) {
    const bool centred = name == "ckta";
    TargetMatrix target = name == "kta" ? plain_target(m) : class_target(m, name == "ekta");
    if (survey) target.signs *= 2.0;
    const double squares = centred ? m.centred_frobenius_squared() : std::pow(m.frobenius(), 2);
    const double share = 1.0 / (std::sqrt(squares) * (survey ? m.n() : target.norm()));
    Pairs pairs(m.sample().size());
    for (Index p = 0; p < target.signs.size(); ++p)
        pairs.add(target.vectors.row(p).transpose(), target.vectors.row(p).transpose(),
                  target.signs(p) * share);
    const double kernel = -value / squares;
    if (centred) {
        // HKH = K - (r1' + 1r')/n + (1'r/n^2) 11', r = K1
        const Vector ones = Vector::Ones(m.sample().size());
        const Vector rows = m.class_product(Vector::Ones(m.classes()), false);
        pairs.add(rows, ones, -2.0 * kernel / m.n());
        pairs.add(ones, ones, kernel * rows.sum() / (m.n() * m.n()));
    }
    EntryWeights weights = pairs.weights();
    weights.kernel = kernel;
    return weights;
}

Matrix product(const Program& program, const Sample& sample, const Matrix& vectors,
               Control& control) {
    const KernelSet set(sample, {program}, false, Tails::rounded);
    return stream_products(set, {vectors}, control).front();
}

EntryWeights spectral_weights(const SpectralForm& form, const Program& program,
                              const Sample& sample, const Target& target, double value,
                              Control& control) {
    const int r = form.degree;
    if (r > kMostPowers) throw std::invalid_argument("sm of such a degree is not differentiated");
    const Index n = sample.size();
    const Vector diagonal_entries = diagonal(program, sample.sources(), n);
    const double trace = diagonal_entries.sum(), scale = static_cast<double>(n) / trace;
    // (scale K)^j w, all vectors below one another
    std::vector<Matrix> powers{label_vectors(sample, target, form.plain).rows};
    while (static_cast<int>(powers.size()) < std::max(r, (r + 1) / 2 + 1))
        powers.push_back(scale * product(program, sample, powers.back(), control));
    const double whole = powers[place(r / 2)].cwiseProduct(powers[place((r + 1) / 2)]).sum();
    Pairs pairs(n);
    for (int j = 0; 2 * j <= r - 1; ++j)
        for (Index q = 0; q < powers.front().rows(); ++q)
            pairs.add(powers[place(j)].row(q).transpose(),
                      powers[place(r - 1 - j)].row(q).transpose(),
                      (2 * j == r - 1 ? 1.0 : 2.0) * scale * value / whole);
    const double less = -static_cast<double>(r) * value;
    if (form.entry_sum) {
        const Vector ones = Vector::Ones(n);
        const Matrix row_sums = product(program, sample, Matrix::Ones(1, n), control);
        pairs.add(ones, ones, less / row_sums.sum());
        return pairs.weights();
    }
    EntryWeights weights = pairs.weights();
    weights.diagonal = Vector::Constant(n, less / trace);
    return weights;
}

EntryWeights stability_weights(const Moments& m, const Program& program, Control& control) {
    // (d + sqrt(d^2 + 4 s)) / 2 with d the diagonal and s the other squares of a row
    const Vector& d = m.diagonal();
    const Vector roots = (4.0 * m.row_squares() - 3.0 * d.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
    Index worst = 0;
    (d + roots).maxCoeff(&worst);
    Vector unit = Vector::Zero(m.sample().size());
    unit(worst) = 1.0;
    const Vector row =
        product(program, m.sample(), Matrix(unit.transpose()), control).row(0).transpose();
    const double root = roots(worst);
    Vector slopes = (root > 0.0 ? 2.0 / root : 0.0) * row;
    slopes(worst) = 0.5 + (root > 0.0 ? 0.5 * d(worst) / root : 0.0);
    Pairs pairs(m.sample().size());
    pairs.add(unit, slopes, 1.0);
    return pairs.weights();
}

}  // namespace

MomentSlopes differentiate(const MomentCriterion& form, const Program& program,
                           const Sample& sample, const Target& target,
                           const std::vector<WeightedLeaf>& leaves, Control& control) {
    const simd::FlushDenormals flush;
    const Team team(control, control.threads(), true);
    const std::string name = form.entry->name;
    EntryWeights weights;
    double value = 0.0;
    if (form.entry->powers) {
        value = checked(score_moments(sample, target, {program}, {form}, kMemory, control)[0][0]);
        weights = spectral_weights(form.spectral, program, sample, target, value, control);
    } else {
        const bool aligned = name == "kta" || name == "ekta" || name == "ckta";
        if (!aligned && name != "stability")
            throw std::invalid_argument("the derivatives of " + name + " are not known");
        const KernelSet set(sample, {program}, true);
        const KernelSums sums = stream_sums(set, {target.centred, true}, control).front();
        const Moments m(sample, target, sums, diagonal(program, sample.sources(), sample.size()));
        value = checked(score_of(form, {m, nullptr, nullptr}));
        weights = aligned ? alignment_weights(m, name, form.variant, value)
                          : stability_weights(m, program, control);
    }
    return {value, kernel_gradient(program, sample, weights, leaves, team)};
}

}  // namespace kernelect
