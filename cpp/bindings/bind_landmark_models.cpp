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

    py::tuple residuals(const py::object& rows, const Array& targets, const Array& weights,
                        const Numbers& landmark, const std::vector<double>& ridges, bool left_out,
                        int threads, const py::object& progress) const {
        check_ridges(ridges);
        ScoredRows wanted{to_matrix(targets, "targets"), to_vector(weights, "weights"), {}};
        for (py::ssize_t i = 0; i < landmark.size(); ++i)
            wanted.landmark.push_back(checked_range(
                landmark.data()[i], -1, landmarks_->basis().size() - 1, "the landmark of a row"));
        Control control(checked_threads(threads), make_tick(progress));
        const auto found = landmarks_->with(rows, [&](const LandmarkColumns& columns) {
            return run(
                16.0 * static_cast<double>(ridges.size()) *
                    static_cast<double>(wanted.targets.size()),
                [&] { return model_->residuals(columns, wanted, ridges, left_out, control); });
        });
        return py::make_tuple(stacked(found.of_ridge, wanted.targets.rows(), wanted.targets.cols()),
                              to_array(found.least_share));
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
             py::kw_only(), py::arg("weights").noconvert(), py::arg("landmark"), py::arg("ridges"),
             py::arg("left_out"), py::arg("threads"), py::arg("progress"),
             "y - f of rows, of models with them or without.")
        .def("fit", &Model::fit, py::arg("ridges"), "Coefficients of the landmarks, and biases.")
        .def("spread", &Model::spread, py::arg("ridges"),
             "Sums of squared residuals, of squares, and degrees of freedom.");
    m.def("held_out_losses", &losses_of, py::arg("residuals").noconvert(),
          py::arg("targets").noconvert(), py::kw_only(), py::arg("zero_one"),
          "Losses of residuals, lambda by lambda.");
}

}  // namespace kernelect::python
