#include "kernelect/moments/scoring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "kernelect/tiles/schedule.hpp"

namespace kernelect {
namespace {

using criteria::Score;

// What the criteria together ask of the passes.
struct Needs {
    bool squares = false;
    bool bare_cuts = false;  // sums between classes that are judged without the diagonal
    std::array<int, 2> degree = {0, 0};  // of SM, for weighted and for plain labels

    explicit Needs(const std::vector<MomentCriterion>& wanted) {
        for (const MomentCriterion& c : wanted) {
            squares |= c.entry->squares;
            bare_cuts |= c.entry->bare_cuts;
            if (c.entry->powers) {
                int& most = degree[c.spectral.plain ? 1 : 0];
                most = std::max(most, c.spectral.degree);
            }
        }
    }
    // Pass p brings w'K^(2p-1) w and w'K^(2p) w.
    int passes(std::size_t labels) const { return (degree[labels] + 1) / 2; }
    int passes() const { return std::max({1, passes(0), passes(1)}); }
    // Whether the even one is asked for by no criterion.
    bool odd_only(int pass) const { return degree[0] < 2 * pass && degree[1] < 2 * pass; }
};

// The sums and scores of one group of candidates.
class Group {
  public:
    Group(const Sample& sample, const Target& target, const std::vector<Program>& programs,
          const std::vector<MomentCriterion>& wanted, const Needs& needs)
        : sample_(sample),
          target_(target),
          programs_(programs),
          wanted_(wanted),
          needs_(needs),
          waiting_(programs.size()),
          scores_(programs.size()) {
        for (std::size_t p = 0; p < 2; ++p)
            if (needs.degree[p] > 0) labels_[p] = label_vectors(sample, target, p == 1);
    }

    KernelSet first_set() const {
        return KernelSet(sample_, programs_, needs_.squares,
                         needs_.bare_cuts ? Tails::exact : Tails::rounded);
    }
    SumsRequest first_request() const { return {target_.centred, needs_.squares}; }

    // Takes the sums of the first pass, of any candidate at any time: they are scored at once where
    // no further pass is wanted, and kept until then where one is.
    void take(Index candidate, KernelSums sums) {
        const std::size_t k = place(candidate);
        auto contender = std::make_unique<Contender>(*this, k, std::move(sums));
        if (needs_.passes() == 1)
            scores_[k] = score(*contender);
        else
            waiting_[k] = std::move(contender);
    }

    std::vector<std::vector<Score>> scores(Control& control) {
        for (int pass = 2; pass <= needs_.passes(); ++pass) further_pass(pass, control);
        if (needs_.passes() > 1)
            for (std::size_t k = 0; k < waiting_.size(); ++k) scores_[k] = score(*waiting_[k]);
        return std::move(scores_);
    }

  private:
    struct Contender {
        Contender(const Group& group, std::size_t k, KernelSums its)
            : sums(std::move(its)),
              moments(group.sample_, group.target_, sums,
                      diagonal(group.programs_[k], group.sample_.sources(), group.sample_.size())) {
            for (std::size_t p = 0; p < 2; ++p)
                if (group.needs_.degree[p] > 0)
                    powers[p].emplace(group.first_power(moments, group.labels_[p]));
        }

        KernelSums sums;
        Moments moments;
        std::array<std::optional<SpectralPowers>, 2> powers;
    };

    SpectralPowers first_power(const Moments& m, const LabelVectors& labels) const {
        Matrix products(labels.rows.rows(), labels.rows.cols());
        for (Index v = 0; v < products.rows(); ++v)
            products.row(v) =
                (target_.regression()
                     ? Vector(m.target_product(v) *
                              (labels.rows.row(v).norm() / target_.centred.row(v).stableNorm()))
                     : m.class_product(labels.coding.row(v).transpose(), labels.centred))
                    .transpose();
        return SpectralPowers(labels, m.trace(), products);
    }

    // Both codings travel in one pass, stacked.
    void further_pass(int pass, Control& control) {
        const KernelSet set(sample_, programs_, false, Tails::rounded);
        std::vector<Matrix> vectors;
        const auto wants = [&](std::size_t p) { return needs_.passes(p) >= pass; };
        for (std::size_t k = 0; k < programs_.size(); ++k) {
            Index rows = 0;
            for (std::size_t p = 0; p < 2; ++p)
                if (wants(p)) rows += labels_[p].rows.rows();
            Matrix stacked(rows, sample_.size());
            Index at = 0;
            for (std::size_t p = 0; p < 2; ++p)
                if (wants(p)) {
                    stacked.middleRows(at, labels_[p].rows.rows()) = waiting_[k]->powers[p]->top();
                    at += labels_[p].rows.rows();
                }
            vectors.push_back(std::move(stacked));
        }
        const auto deliver = [&](const auto& made, const auto& push) {
            for (std::size_t k = 0; k < programs_.size(); ++k) {
                Index begin = 0;
                for (std::size_t p = 0; p < 2; ++p)
                    if (wants(p)) {
                        const Index count = labels_[p].rows.rows();
                        push(*waiting_[k]->powers[p], made[k].middleRows(begin, count));
                        begin += count;
                    }
            }
        };
        if (needs_.odd_only(pass))
            deliver(stream_quadratic_forms(set, vectors, control),
                    [](SpectralPowers& powers, const auto& forms) { powers.push_last(forms); });
        else
            deliver(stream_products(set, vectors, control),
                    [](SpectralPowers& powers, const auto& rows) { powers.push(rows); });
    }

    std::vector<Score> score(const Contender& contender) const {
        std::vector<Score> scores;
        for (const MomentCriterion& c : wanted_) {
            const std::size_t p = c.spectral.plain ? 1 : 0;
            scores.push_back(
                score_of(c, {contender.moments, c.entry->powers ? &labels_[p] : nullptr,
                             c.entry->powers ? &*contender.powers[p] : nullptr}));
        }
        return scores;
    }

    const Sample& sample_;
    const Target& target_;
    const std::vector<Program>& programs_;
    const std::vector<MomentCriterion>& wanted_;
    const Needs& needs_;
    std::array<LabelVectors, 2> labels_;
    std::vector<std::unique_ptr<Contender>> waiting_;
    std::vector<std::vector<Score>> scores_;
};

// The kernel, times a number where its mean diagonal is so far from 1 that squares could leave the
// range of doubles.
Program with_safe_squares(Program program, const Sample& sample) {
    check_program(program, sample.sources().size());
    const double mean = diagonal(program, sample.sources(), sample.size()).mean();
    constexpr double kLeastSafe = 1e-100, kMostSafe = 1e100;
    const bool extreme = mean < kLeastSafe || mean > kMostSafe;
    if (extreme && std::isnormal(mean) && std::isnormal(1.0 / mean))
        program.push_back({Op::scale, 1.0 / mean});
    return program;
}

}  // namespace

std::vector<std::vector<Score>> score_moments(const Sample& sample, const Target& target,
                                              const std::vector<Program>& programs,
                                              const std::vector<MomentCriterion>& wanted,
                                              double memory, Control& control) {
    if (programs.empty()) return {};
    const Needs needs(wanted);
    // Per candidate: its sums while they are streamed, or at the end those and what is handed over,
    // and the label vectors of the products before and after a pass.
    const double n = static_cast<double>(sample.size());
    const double label_rows = std::max(1.0, static_cast<double>(sample.classes()));
    const double copies = std::max(2.0, Leaves(sample).most_copies());
    const double lanes =
        copies * (sample.classes() + static_cast<double>(target.centred.rows()) + 1) +
        (needs.passes() > 1 ? 3.0 * label_rows : label_rows);
    const std::size_t at_once = static_cast<std::size_t>(
        std::clamp(memory / (8.0 * n * lanes), 1.0, static_cast<double>(programs.size())));
    const std::size_t groups = (programs.size() + at_once - 1) / at_once;
    control.begin(tile_count(static_cast<Index>(sample.blocks().size())) *
                  static_cast<double>(groups) * needs.passes());

    std::vector<std::vector<Score>> scores;
    for (std::size_t g = 0; g < groups; ++g) {
        const auto first =
            programs.begin() + static_cast<std::ptrdiff_t>(g * programs.size() / groups);
        const auto last =
            programs.begin() + static_cast<std::ptrdiff_t>((g + 1) * programs.size() / groups);
        const std::vector<Program> part(first, last);
        Group group(sample, target, part, wanted, needs);
        stream_sums(group.first_set(), group.first_request(), control,
                    [&](Index k, KernelSums sums) { group.take(k, std::move(sums)); });
        for (auto& s : group.scores(control)) scores.push_back(std::move(s));
    }
    return scores;
}

PartialSums moment_sums(const Sample& sample, const Target& target,
                        const std::vector<Program>& programs,
                        const std::vector<MomentCriterion>& wanted, Index first_leaf,
                        Index last_leaf, Control& control) {
    const Needs needs(wanted);
    const Group group(sample, target, programs, wanted, needs);
    control.begin(tile_count(Leaves(sample).panels(first_leaf, last_leaf)));
    return stream_partial_sums(group.first_set(), group.first_request(), first_leaf, last_leaf,
                               control);
}

std::vector<std::vector<Score>> score_moments_from(const PartialSums& sums, const Sample& sample,
                                                   const Target& target,
                                                   const std::vector<Program>& programs,
                                                   const std::vector<MomentCriterion>& wanted,
                                                   Control& control) {
    const Needs needs(wanted);
    Group group(sample, target, programs, wanted, needs);
    control.begin(tile_count(static_cast<Index>(sample.blocks().size())) * (needs.passes() - 1));
    finish_sums(group.first_set(), group.first_request(), sums, control,
                [&](Index k, KernelSums its) { group.take(k, std::move(its)); });
    return group.scores(control);
}

Vector off_diagonal_shares(const Sample& sample, const std::vector<Program>& programs, bool squares,
                           Control& control) {
    const Target none{Matrix(0, sample.size()), Vector(0)};
    std::vector<Program> kernels;
    for (const Program& program : programs)
        kernels.push_back(squares ? with_safe_squares(program, sample) : program);
    const KernelSet set(sample, kernels, squares);
    constexpr double kTiny = 1e-300;  // what is divided by in place of zero
    Vector shares(static_cast<Index>(programs.size()));
    stream_sums(set, {none.centred, squares}, control, [&](Index k, KernelSums its) {
        const KernelSums sums = std::move(its);
        const Moments m(sample, none, sums,
                        diagonal(kernels[place(k)], sample.sources(), sample.size()));
        const double on = squares ? m.diagonal().squaredNorm() : m.trace();
        const double all = squares ? m.row_squares().sum() : m.total();
        shares(k) = (all - on) / ((m.n() - 1.0) * std::max(on, kTiny));
    });
    return shares;
}

}  // namespace kernelect
