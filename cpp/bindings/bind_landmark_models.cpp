#include <limits>

#include "kernelect/landmarks/ridge.hpp"
#include "kernelect/landmarks/sums.hpp"
#include "kernelect/ridge/losses.hpp"
#include "landmarks.hpp"

namespace kernelect::python {
namespace {

// The model of one training set, with the sums it was made from let go.
class Model {
  public:
    Model(std::shared_ptr<Landmarks> landmarks, const LandmarkSums& sums, const Array& origin,
          bool bias, int without_fold, Index order, int threads, const py::object& progress)
        : landmarks_(std::move(landmarks)) {
        const LandmarkBasis& basis = landmarks_->basis();
        checked_range(order, 1, basis.size(), "order");
        checked_range(without_fold, -1, sums.fold_count() - 1, "without_fold");
        const Vector target_origin = to_vector(origin, "target_origin");
        check_size(target_origin.size(), sums.columns(), "target_origin");
        Control control(checked_threads(threads), make_tick(progress));
        run(4.0 * 8.0 * static_cast<double>(sums.order()) * static_cast<double>(sums.order()), [&] {
            model_.emplace(basis, training_sums(sums.whole(), without_fold), target_origin, bias,
                           order, Team(control, threads, true));
        });
    }

    Array residuals(const py::object& rows, const Array& targets, const std::vector<double>& ridges,
                    int threads, const py::object& progress) const {
        const ScoredRows wanted{to_matrix(targets, "targets")};
        return residuals_of(score(rows, wanted, ridges, threads, progress,
                                  [&](const LandmarkColumns& columns, Control& control) {
                                      return model_->residuals(columns, wanted, ridges, false,
                                                               control);
                                  }),
                            wanted);
    }

    py::dict left_out(const py::object& rows, const Array& targets, const Array& weights,
                      const Numbers& landmark, const std::vector<double>& ridges, int threads,
                      const py::object& progress) const {
        ScoredRows wanted{to_matrix(targets, "targets"), to_vector(weights, "weights"), {}};
        for (py::ssize_t i = 0; i < landmark.size(); ++i)
            wanted.landmark.push_back(checked_range(
                landmark.data()[i], -1, landmarks_->basis().size() - 1, "the landmark of a row"));
        LandmarkResiduals found =
            score(rows, wanted, ridges, threads, progress,
                  [&](const LandmarkColumns& columns, Control& control) {
                      return model_->residuals(columns, wanted, ridges, true, control);
                  });
        py::dict out;
        out["residuals"] = residuals_of(found, wanted);
        out["shares"] = to_array(std::move(found.shares));
        out["unseen"] = to_array(found.unseen);
        return out;
    }

    Array expanded(const py::object& rows, const Array& targets, const LandmarkSums& sums, int fold,
                   Index held_out, int order, const std::vector<double>& ridges, int threads,
                   const py::object& progress) const {
        checked_range(fold, 0, sums.fold_count() - 1, "fold");
        checked_range(order, 1, 1000, "order");
        checked_range(held_out, 1, sums.rows() - 1, "held_out");
        const ScoredRows wanted{to_matrix(targets, "targets")};
        const double others = static_cast<double>(sums.rows() - held_out);
        return residuals_of(
            score(rows, wanted, ridges, threads, progress,
                  [&](const LandmarkColumns& columns, Control& control) {
                      const FoldSeries series{sums_of_fold(sums.whole(), fold),
                                              static_cast<double>(held_out) / others, order};
                      return model_->expanded(columns, wanted, ridges, series, control);
                  }),
            wanted);
    }

    py::tuple fit(const std::vector<double>& ridges) const {
        check_ridges(ridges);
        std::vector<linalg::ColMatrix> coefficients, biases;
        for (const double rho : ridges) {
            LandmarkFit fit = model_->fit(rho);
            coefficients.push_back(std::move(fit.coefficients));
            biases.push_back(fit.bias);
        }
        const Index width = model_->total_squares().size();
        Array bias = stacked(biases, width, 1);
        return py::make_tuple(stacked(coefficients, model_->order(), width),
                              bias.reshape({static_cast<Index>(ridges.size()), width}));
    }

    py::tuple spread(const std::vector<double>& ridges) const {
        check_ridges(ridges);
        const Index width = model_->total_squares().size();
        Matrix squares(static_cast<Index>(ridges.size()), width);
        Vector freedom(squares.rows());
        for (Index l = 0; l < squares.rows(); ++l) {
            squares.row(l) = model_->squared_residuals(ridges[place(l)]);
            freedom(l) = model_->degrees_of_freedom(ridges[place(l)]);
        }
        return py::make_tuple(to_array(std::move(squares)), to_array(model_->total_squares()),
                              to_array(std::move(freedom)));
    }

    const LandmarkRidge& model() const { return *model_; }

  private:
    template <class Make>
    LandmarkResiduals score(const py::object& rows, const ScoredRows& wanted,
                            const std::vector<double>& ridges, int threads,
                            const py::object& progress, const Make& make) const {
        check_ridges(ridges);
        Control control(checked_threads(threads), make_tick(progress));
        const double numbers =
            static_cast<double>(ridges.size()) * static_cast<double>(wanted.targets.size());
        return landmarks_->with(rows, [&](const LandmarkColumns& columns) {
            return run(16.0 * numbers, [&] { return make(columns, control); });
        });
    }
    static Array residuals_of(const LandmarkResiduals& found, const ScoredRows& wanted) {
        return stacked(found.of_ridge, wanted.targets.rows(), wanted.targets.cols());
    }
    static void check_ridges(const std::vector<double>& ridges) {
        for (const double rho : ridges)
            if (!(rho > 0.0 && rho < std::numeric_limits<double>::infinity()))
                refuse("ridges must be positive and finite");
    }
    static Array stacked(const std::vector<linalg::ColMatrix>& all, Index rows, Index columns) {
        Array out({static_cast<Index>(all.size()), rows, columns});
        double* to = out.mutable_data();
        for (const linalg::ColMatrix& one : all) {
            Eigen::Map<Matrix>(to, rows, columns) = one;
            to += one.size();
        }
        return out;
    }

    std::shared_ptr<Landmarks> landmarks_;
    std::optional<LandmarkRidge> model_;
};

// Losses of residuals of shape (lambdas, n, columns), as core.ridge gives them.
py::dict losses_of(const Array& residuals, const Array& targets, bool zero_one) {
    const ConstMatrixRef wanted = to_matrix(targets, "targets");
    const Index n = wanted.rows(), columns = wanted.cols();
    if (residuals.ndim() != 3 || residuals.shape(1) != n || residuals.shape(2) != columns ||
        !is_aligned(residuals) || (residuals.flags() & py::array::c_style) == 0)
        refuse("residuals must be contiguous, lambdas x n x columns");
    if (wanted.size() == 0) refuse("targets must have a row and a column at least");
    const Index lambdas = residuals.shape(0);
    Matrix squared(lambdas, columns), point_squared(lambdas, n), point_zero_one(lambdas, n);
    for (Index l = 0; l < lambdas; ++l) {
        const Eigen::Map<const Matrix> own(residuals.data() + l * n * columns, n, columns);
        const HeldOutLosses found = held_out_losses(own, wanted, zero_one);
        squared.row(l) = found.squared;
        point_squared.row(l) = found.point_squared;
        if (zero_one) point_zero_one.row(l) = found.point_zero_one;
    }
    py::dict out;
    out["squared"] = to_array(std::move(squared));
    out["point_squared"] = to_array(std::move(point_squared));
    if (zero_one) out["point_zero_one"] = to_array(std::move(point_zero_one));
    return out;
}

}  // namespace

void bind_landmark_models(py::module_& m) {
    py::class_<Model>(m, "LandmarkRidge", "A landmark model, with every ridge.")
        .def(py::init<std::shared_ptr<Landmarks>, const LandmarkSums&, const Array&, bool, int,
                      Index, int, const py::object&>(),
             py::arg("landmarks").none(false), py::arg("sums"), py::kw_only(),
             py::arg("target_origin").noconvert(), py::arg("bias"), py::arg("without_fold"),
             py::arg("order"), py::arg("threads"), py::arg("progress"))
        .def_property_readonly("order", [](const Model& own) { return own.model().order(); })
        .def_property_readonly("eigenvalues",
                               [](const Model& own) { return to_array(own.model().eigenvalues()); })
        .def("residuals", &Model::residuals, py::arg("rows"), py::arg("targets").noconvert(),
             py::kw_only(), py::arg("ridges"), py::arg("threads"), py::arg("progress"),
             "y - f of rows.")
        .def("left_out", &Model::left_out, py::arg("rows"), py::arg("targets").noconvert(),
             py::kw_only(), py::arg("weights").noconvert(), py::arg("landmark"), py::arg("ridges"),
             py::arg("threads"), py::arg("progress"),
             "y - f of training rows, of models without them, and what their variances are of.")
        .def("expanded", &Model::expanded, py::arg("rows"), py::arg("targets").noconvert(),
             py::arg("sums"), py::kw_only(), py::arg("fold"), py::arg("held_out"), py::arg("order"),
             py::arg("ridges"), py::arg("threads"), py::arg("progress"),
             "y - f of rows, approximately of models without a fold.")
        .def("fit", &Model::fit, py::arg("ridges"), "Coefficients of the landmarks, and biases.")
        .def("spread", &Model::spread, py::arg("ridges"),
             "Sums of squared residuals, of squares, and degrees of freedom.");
    m.def("held_out_losses", &losses_of, py::arg("residuals").noconvert(),
          py::arg("targets").noconvert(), py::kw_only(), py::arg("zero_one"),
          "Losses of residuals, lambda by lambda.");
}

}  // namespace kernelect::python
