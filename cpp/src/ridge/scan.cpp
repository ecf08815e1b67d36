#include "kernelect/ridge/scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "kernelect/base/parallel.hpp"
#include "kernelect/base/simd.hpp"
#include "kernelect/ridge/bif.hpp"
#include "kernelect/ridge/dense.hpp"
#include "kernelect/ridge/eigen.hpp"
#include "kernelect/ridge/jobs.hpp"
#include "kernelect/ridge/near_low_rank.hpp"
#include "ridge/lazy_matrix.hpp"
#include "ridge/retrained.hpp"

namespace kernelect {
namespace {

using linalg::ColMatrix;

// Residuals of one lambda while its jobs fill them in.
struct Residuals {
    ColMatrix loo;
    std::vector<ColMatrix> cv, bif;
};

ColMatrix unknown(const ColMatrix& like) {
    return ColMatrix::Constant(like.rows(), like.cols(), std::numeric_limits<double>::quiet_NaN());
}

class Candidate {
  public:
    Candidate(const RidgeRequest& request, RidgeResult* results)
        : request_(request), results_(results), residuals_(request.lambdas.size()) {
        plan();
    }

    void run(LazyMatrix& kernel, const Team& team);

  private:
    void plan();
    void solve(LazyMatrix& kernel, const Team& team);
    Jobs take_shortcuts(GramBuffer& gram, const Team& team, Jobs jobs);
    Jobs take_eigenvectors(LazyMatrix& kernel, const Team& team, Jobs jobs);
    bool retrain(GramBuffer& gram, double rho, const std::vector<Job>& jobs);
    void factor_and_answer(GramBuffer& gram, double rho, const std::vector<Job>& jobs,
                           const Team& team);
    void answer(const RidgeSystem& system, const std::vector<Job>& jobs);
    bool try_answer(const RidgeSystem& system, const std::vector<Job>& jobs);
    void finish();

    Index size() const { return request_.targets.rows(); }
    Ridge ridge(double rho) const { return {rho, request_.bias, request_.weights}; }

    const RidgeRequest& request_;
    RidgeResult* results_;
    std::vector<Residuals> residuals_;
    Jobs jobs_;
};

void Candidate::plan() {
    const bool mean = request_.convention == LambdaConvention::mean;
    const bool cross_validates = request_.cv && !request_.fold_sets.empty();
    const bool bif = request_.bif_order > 0 && !request_.fold_sets.empty();
    for (std::size_t l = 0; l < request_.lambdas.size(); ++l) {
        const auto job = [&](Index held_out) -> Job& {
            const double m = static_cast<double>(size() - held_out);
            auto& list = jobs_[mean ? m * request_.lambdas[l] : request_.lambdas[l]];
            for (Job& known : list)
                if (known.lambda == l) return known;
            list.push_back(Job{l});
            return list.back();
        };
        if (request_.fit || request_.gcv || request_.evidence || bif) job(0).full = true;
        if (bif) residuals_[l].bif.resize(request_.fold_sets.size());
        if (request_.loo) job(1).loo = true;
        if (request_.loo) residuals_[l].loo = unknown(request_.targets);
        if (!cross_validates) continue;
        for (std::size_t s = 0; s < request_.fold_sets.size(); ++s) {
            residuals_[l].cv.push_back(unknown(request_.targets));
            for (const Fold& fold : request_.fold_sets[s]) {
                Job& here = job(static_cast<Index>(fold.size()));
                here.folds.push_back(fold);
                here.set_of_fold.push_back(s);
            }
        }
    }
}

// Answers what it can and returns the rest. The smallest ridge needs the best split, which then
// serves the larger ones too; where there is none, half of the ridges may still have one.
Jobs Candidate::take_shortcuts(GramBuffer& gram, const Team& team, Jobs jobs) {
    for (int attempt = 0; attempt < 2 && !jobs.empty(); ++attempt) {
        auto first = std::next(jobs.begin(),
                               attempt == 0 ? 0 : static_cast<std::ptrdiff_t>(jobs.size() / 2));
        if (attempt > 0 && first == jobs.begin()) break;
        const auto split = KernelSplit::find(gram, ridge(first->first).diagonal(size()));
        if (!split) continue;
        while (first != jobs.end()) {
            const auto system = NearLowRankRidge::make(*split, ridge(first->first));
            team.pause();
            const bool done = system && affordable(*system, first->second, request_) &&
                              (!request_.evidence || system->log_determinant()) &&
                              try_answer(*system, first->second);
            first = done ? jobs.erase(first) : std::next(first);
        }
    }
    return jobs;
}

// Answers all ridges from one decomposition and returns those for which it is not good enough.
Jobs Candidate::take_eigenvectors(LazyMatrix& kernel, const Team& team, Jobs jobs) {
    std::optional<EigenKernel> made;
    try {
        made.emplace(kernel.give_away(), request_.bias, team);
    } catch (const linalg::NoConvergence&) {
        return jobs;  // for the factorisation, which fails ridge by ridge if at all
    }
    const EigenKernel& eigen = *made;
    team.pause();
    for (auto job = jobs.begin(); job != jobs.end();) {
        const auto system = EigenRidge::make(eigen, job->first);
        const bool done = system && try_answer(*system, job->second);
        job = done ? jobs.erase(job) : std::next(job);
        team.pause();
    }
    return jobs;
}

// What is wrong with one kernel is the reason why it has no answer, and does not end the scan.
void Candidate::run(LazyMatrix& kernel, const Team& team) {
    try {
        solve(kernel, team);
    } catch (const std::domain_error& reason) {
        for (std::size_t l = 0; l < request_.lambdas.size(); ++l) results_[l].error = reason.what();
    }
    finish();
}

void Candidate::solve(LazyMatrix& kernel, const Team& team) {
    Jobs left = jobs_;
    if (request_.shortcuts && !left.empty()) {
        GramBuffer gram(kernel.get(), team);
        team.pause();
        left = take_shortcuts(gram, team, std::move(left));
        gram.restore();
    }
    if (eigen_is_cheaper(left, request_)) left = take_eigenvectors(kernel, team, std::move(left));
    if (!left.empty()) {
        GramBuffer gram(kernel.get(), team);
        team.pause();
        for (const auto& [rho, jobs] : left) {
            try {
                if (!retrain(gram, rho, jobs)) factor_and_answer(gram, rho, jobs, team);
            } catch (const std::domain_error& reason) {
                for (const Job& job : jobs) results_[job.lambda].error = reason.what();
            }
        }
    }
}

// False where that is not cheaper, or not possible.
bool Candidate::retrain(GramBuffer& gram, double rho, const std::vector<Job>& jobs) {
    if (!retraining_is_cheaper(jobs, size())) return false;
    for (const Job& job : jobs) {
        const auto held_out = retrained(gram, ridge(rho), request_.targets, job.folds);
        if (!held_out) return false;
        for (std::size_t f = 0; f < job.folds.size(); ++f)
            residuals_[job.lambda].cv[job.set_of_fold[f]](job.folds[f], Eigen::all) =
                (*held_out)[f];
        RidgeResult& result = results_[job.lambda];
        result.path = std::max(result.path, RidgePath::dense);
    }
    return true;
}

void Candidate::factor_and_answer(GramBuffer& gram, double rho, const std::vector<Job>& jobs,
                                  const Team& team) {
    for (double jitter = 0.0;;) {
        const DenseRidge system(gram, ridge(rho), jitter);
        team.pause();
        try {
            answer(system, jobs);
            team.pause();
            return;
        } catch (const SingularFoldBlock&) {
            const auto next = next_jitter(system.jitter(), gram.mean_diagonal());
            if (rho <= 0.0 || !next) throw;
            jitter = *next;
        }
    }
}

// False where a fold is too much for the system; the factorisation can then add jitter.
bool Candidate::try_answer(const RidgeSystem& system, const std::vector<Job>& jobs) {
    try {
        answer(system, jobs);
        return true;
    } catch (const SingularFoldBlock&) {
        return false;
    }
}

void Candidate::answer(const RidgeSystem& system, const std::vector<Job>& jobs) {
    for (const Job& job : jobs) {
        RidgeResult& result = results_[job.lambda];
        Residuals& residuals = residuals_[job.lambda];
        const RidgeSolution solution = system.solve(request_.targets, job.folds);
        const RidgeFit& fit = solution.fit;
        for (std::size_t f = 0; f < job.folds.size(); ++f)
            residuals.cv[job.set_of_fold[f]](job.folds[f], Eigen::all) = solution.held_out[f];
        if (job.loo) residuals.loo = system.loo_residuals(fit);
        if (job.loo && request_.variances) result.loo_variances = system.diagonal().cwiseInverse();
        if (job.full) {
            if (request_.fit) {
                result.alpha = fit.alpha;
                result.bias = fit.bias;
                result.fit_jitter = system.jitter();
            }
            if (request_.gcv) {
                const Vector diagonal = system.diagonal();
                result.trace = diagonal.sum();
                result.leverages = Vector::Ones(size()) - system.penalty().cwiseProduct(diagonal);
                result.gcv = gcv(fit.alpha, diagonal, system.penalty(), request_.weights);
            }
            if (request_.evidence) {
                result.log_determinant = system.log_determinant().value();
                result.energies =
                    request_.targets.cwiseProduct(fit.alpha).colwise().sum().transpose();
            }
            for (std::size_t s = 0; s < residuals.bif.size(); ++s)
                residuals.bif[s] = bif_residuals(system, request_.fold_sets[s], request_.targets,
                                                 fit, request_.bif_order);
        }
        result.path = std::max(result.path, system.path());
        result.jitter = std::max(result.jitter, system.jitter());
    }
}

void Candidate::finish() {
    const auto held_out = [&](const ColMatrix& residuals) {
        HeldOut result{held_out_losses(residuals, request_.targets, request_.zero_one), {}};
        if (request_.outputs) result.outputs = request_.targets - residuals;
        return result;
    };
    for (std::size_t l = 0; l < residuals_.size(); ++l) {
        if (!results_[l].error.empty()) {
            RidgeResult nothing;
            nothing.error = results_[l].error;
            results_[l] = nothing;
            continue;
        }
        if (request_.loo) results_[l].loo = held_out(residuals_[l].loo);
        for (const ColMatrix& residuals : residuals_[l].cv)
            results_[l].cv.push_back(held_out(residuals));
        for (const ColMatrix& residuals : residuals_[l].bif)
            results_[l].bif.push_back(held_out(residuals));
    }
}

}  // namespace

std::vector<RidgeResult> ridge_scan(const KernelSource& kernels, RidgeRequest request,
                                    Control& control) {
    request = checked_request(std::move(request));
    const std::size_t lambdas = request.lambdas.size();
    std::vector<RidgeResult> results(place(kernels.candidates()) * lambdas);
    std::vector<ColMatrix> buffers(place(std::max(control.threads(), 1)));
    // Few candidates leave threads over, which then share the work on one matrix.
    const Index side_by_side =
        std::clamp<Index>(kernels.candidates(), 1, std::max(control.threads(), 1));
    const int threads_each = control.threads() / static_cast<int>(side_by_side);
    control.begin(static_cast<double>(kernels.candidates()));

    parallel_tasks(kernels.candidates(), control, [&](Index c, int worker) {
        const simd::FlushDenormals flush;  // narrow kernels are full of them
        const Team team(control, threads_each, worker == 0);
        LazyMatrix kernel(kernels, c, request.targets.rows(), buffers[place(worker)], team);
        Candidate(request, results.data() + place(c) * lambdas).run(kernel, team);
        control.advance(1.0, worker == 0);
    });
    return results;
}

}  // namespace kernelect
