#include "kernelect/moments/criteria.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernelect/linalg/serial.hpp"

namespace kernelect::criteria {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Relative to tr(K): what counts as rounding in a denominator.
constexpr double kTiny = 1e-12;

void need_classes(const Moments& m, const char* name) {
    if (m.target().regression() || m.classes() < 2)
        throw std::invalid_argument(std::string(name) + " needs class labels");
}
void need_two_classes(const Moments& m, const char* name) {
    need_classes(m, name);
    if (m.classes() != 2) throw std::invalid_argument(std::string(name) + " needs two classes");
}

// The difference of the means of classes k and l as coefficients of the class indicators.
Vector mean_difference(const Moments& m, int k, int l) {
    Vector a = Vector::Zero(m.classes());
    a(k) = 1.0 / m.class_size(k);
    a(l) = -1.0 / m.class_size(l);
    return a;
}

// a b', all products of a row of a with a row of b.
Matrix row_products(const Matrix& a, const Matrix& b) { return serial::product(a, b.transpose()); }

// <K, T> and ||T|| for the target matrix T of each alignment.
struct Cosine {
    double inner;
    double target_norm;
};

// T = sum_k w_k w_k' for vectors w_k that are constant on classes (rows of w) and sum to zero.
Cosine class_cosine(const Moments& m, const Matrix& w) {
    const int c = m.classes();
    Vector sizes(c);
    for (int k = 0; k < c; ++k) sizes(k) = m.class_size(k);
    Cosine cosine{0.0, row_products(w * sizes.asDiagonal(), w).norm()};
    for (Index k = 0; k < w.rows(); ++k) cosine.inner += m.centred_form(w.row(k).transpose());
    return cosine;
}

Cosine plain_cosine(const Moments& m) {
    if (m.target().regression()) {  // T = sum_p t_p t_p', t = centred + mean
        const Matrix& t = m.target().centred;
        const Vector& means = m.target().means;
        Cosine cosine{0.0, 0.0};
        for (Index p = 0; p < t.rows(); ++p)
            cosine.inner += m.target_form(p, p) + 2.0 * means(p) * m.target_total(p) +
                            means(p) * means(p) * m.total();
        Matrix products = row_products(t, t);
        products += m.n() * means * means.transpose();
        cosine.target_norm = products.norm();
        return cosine;
    }
    // T_ij = 1 within a class, -1/(c-1) between classes; yy' for two.
    const int c = m.classes();
    const double between = -1.0 / (c - 1.0);
    double inner = 0.0, sum = 0.0, squares = 0.0;
    for (int k = 0; k < c; ++k)
        for (int l = 0; l < c; ++l) {
            const double t = k == l ? 1.0 : between;
            inner += t * m.shifted_block(k, l);
            sum += t * m.class_size(k) * m.class_size(l);  // exactly 0 for two balanced classes
            squares += t * t * m.class_size(k) * m.class_size(l);
        }
    return {m.sign() * inner + m.shift() * sum, std::sqrt(squares)};
}

Cosine balanced_cosine(const Moments& m) {
    // w_k = z_k/n_k - (1/c) sum_q z_q/n_q
    const int c = m.classes();
    Matrix w(c, c);
    for (int k = 0; k < c; ++k)
        for (int q = 0; q < c; ++q) w(k, q) = ((k == q ? 1.0 : 0.0) - 1.0 / c) / m.class_size(q);
    return class_cosine(m, w);
}

Cosine centred_cosine(const Moments& m) {
    if (m.target().regression()) {
        const Matrix& t = m.target().centred;
        Cosine cosine{0.0, row_products(t, t).norm()};
        for (Index p = 0; p < t.rows(); ++p) cosine.inner += m.target_form(p, p);
        return cosine;
    }
    // w_k = H z_k: the target ZZ', centred
    const int c = m.classes();
    Matrix w(c, c);
    for (int k = 0; k < c; ++k)
        for (int q = 0; q < c; ++q) w(k, q) = (k == q ? 1.0 : 0.0) - m.class_size(k) / m.n();
    return class_cosine(m, w);
}

}  // namespace

Score alignment(const Moments& m, Alignment kind) {
    if (!m.target().regression()) need_classes(m, "alignment");
    if (kind == Alignment::balanced) need_classes(m, "ekta");
    if (kind == Alignment::centred_survey) need_two_classes(m, "ckta's survey variant");
    const bool centred = kind == Alignment::centred || kind == Alignment::centred_survey;
    const double squares = centred ? m.centred_frobenius_squared() : 0.0;
    const double kernel_norm = centred ? std::sqrt(std::max(squares, 0.0)) : m.frobenius();
    if (kernel_norm <= kTiny * std::abs(m.trace()))
        return undefined(centred ? "the centred kernel matrix vanishes"
                                 : "the kernel matrix vanishes");
    Cosine cosine = kind == Alignment::plain      ? plain_cosine(m)
                    : kind == Alignment::balanced ? balanced_cosine(m)
                                                  : centred_cosine(m);
    if (kind == Alignment::centred_survey) {
        // <K_c, yy'> = 2 <K_c, ZZ'> for two classes, divided by n in place of ||H yy' H||
        cosine = {2.0 * cosine.inner, m.n()};
    }
    if (!(cosine.target_norm > 0.0)) return undefined("the target is constant");
    return {cosine.inner / (kernel_norm * cosine.target_norm), {}};
}

Score separability(const Moments& m) {
    need_classes(m, "fsm");
    const int c = m.classes();
    for (int k = 0; k < c; ++k)
        if (m.class_size(k) < 2.0) return undefined("a class of one member has no spread");
    double sum = 0.0;
    for (int k = 0; k < c; ++k)
        for (int l = k + 1; l < c; ++l) {
            const Vector a = mean_difference(m, k, l);
            const double distance = m.centred_form(a);
            if (distance <= kTiny * m.trace() / m.n())
                return undefined("two class means coincide in feature space");
            const auto spread = [&](int q) {
                const Vector d = m.class_product_on(q, a, k, l);
                return std::sqrt((d.array() - d.mean()).square().sum() / (m.class_size(q) - 1.0));
            };
            sum += (spread(k) + spread(l)) / distance;
        }
    return {sum / (0.5 * c * (c - 1)), {}};
}

Score class_separability(const Moments& m, bool bounded) {
    need_classes(m, "kcsm");
    double within = 0.0;  // sum_k 1_k'E 1_k / n_k
    for (int k = 0; k < m.classes(); ++k) within += m.shifted_block(k, k) / m.class_size(k);
    const double between_scatter = m.sign() * (within - m.shifted_total() / m.n());
    const double within_scatter = m.shifted_trace() - m.sign() * within;
    const double tiny = kTiny * std::abs(m.trace());
    if (bounded) {
        const double all = between_scatter + within_scatter;
        if (all <= tiny) return undefined("the centred kernel matrix vanishes");
        return {between_scatter / all, {}};
    }
    if (within_scatter <= tiny) {
        if (between_scatter <= tiny) return undefined("the centred kernel matrix vanishes");
        return {kInfinity, {}};
    }
    return {between_scatter / within_scatter, {}};
}

Score normalized_cut(const Moments& m, bool shi_malik) {
    need_two_classes(m, "ncut");
    const double tiny = kTiny * std::abs(m.trace());
    const double cut = m.block(0, 1);
    if (!shi_malik) {
        if (m.total() <= tiny) return undefined("the sum of the kernel's entries is not positive");
        return {4.0 * cut / m.total(), {}};
    }
    const double first = m.block(0, 0) + cut, second = m.block(1, 1) + cut;
    if (first <= tiny || second <= tiny) return undefined("the volume of a class is not positive");
    return {cut / first + cut / second, {}};
}

Score mean_discrepancy(const Moments& m) {
    need_two_classes(m, "mmd");
    return {m.centred_form(mean_difference(m, 0, 1)), {}};
}

Score stability(const Moments& m) {
    double largest = 0.0;
    for (Index i = 0; i < m.diagonal().size(); ++i) {
        const double d = std::abs(m.diagonal()(i));
        const double others = std::max(m.row_squares()(i) - d * d, 0.0);
        largest = std::max(largest, 0.5 * (d + std::sqrt(d * d + 4.0 * others)));
    }
    return {largest, {}};
}

}  // namespace kernelect::criteria
