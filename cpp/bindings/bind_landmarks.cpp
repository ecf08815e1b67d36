#include "kernelect/landmarks/choose.hpp"
#include "kernelect/landmarks/coordinates.hpp"
#include "kernelect/landmarks/sums.hpp"
#include "landmarks.hpp"

namespace kernelect::python {
namespace {

constexpr Index kMostLandmarks = 100000;  // beyond it their own matrix is the problem

py::dict chosen(const PoolKernel& pool, Index limit, double tolerance, std::uint64_t seed,
                int threads, const py::object& progress) {
    checked_range(limit, 1, kMostLandmarks, "limit");
    if (!(tolerance >= 0.0)) refuse("tolerance must be a number that is not negative");
    Control control(checked_threads(threads), make_tick(progress));
    ChosenLandmarks found =
        run(8.0 * static_cast<double>(limit) * static_cast<double>(pool.size()), [&] {
            return choose_landmarks(pool, limit, tolerance, seed, Team(control, threads, true));
        });
    py::dict out;
    out["rows"] =
        py::array_t<Index>(static_cast<py::ssize_t>(found.rows.size()), found.rows.data());
    out["origin"] = to_array(std::move(found.origin));
    out["left"] = to_array(std::move(found.left));
    out["mean_diagonal"] = found.mean_diagonal;
    return out;
}

LandmarkTargets to_targets(const Array& targets, const Array& origin, const Array& weights,
                           const Numbers& folds, int fold_count) {
    LandmarkTargets made{to_matrix(targets, "targets"), to_vector(origin, "target_origin"),
                         to_vector(weights, "weights")};
    checked_range(fold_count, 0, kMostDegree, "fold_count");
    made.fold_count = fold_count;
    for (py::ssize_t i = 0; i < folds.size(); ++i)
        made.folds.push_back(static_cast<std::int32_t>(
            checked_range(folds.data()[i], 0, fold_count, "the fold of a row")));
    return made;
}

// Lower triangles one column after another, which is all that is ever read.
Array packed(const linalg::ColMatrix& a) {
    Array out(a.rows() * (a.rows() + 1) / 2);
    double* to = out.mutable_data();
    for (Index j = 0; j < a.cols(); ++j) to = std::copy_n(a.col(j).data() + j, a.rows() - j, to);
    return out;
}

linalg::ColMatrix unpacked(const Array& numbers, Index order) {
    check_size(numbers.size(), order * (order + 1) / 2, "a triangle of sums");
    linalg::ColMatrix a = linalg::ColMatrix::Zero(order, order);
    const double* from = to_vector(numbers, "sums").data();
    for (Index j = 0; j < order; from += order - j, ++j)
        std::copy_n(from, order - j, a.col(j).data() + j);
    return a;
}

py::tuple sums_state(const LandmarkSums& sums) {
    py::list parts;
    for (const LandmarkSums::Part& part : sums.parts()) {
        py::list groups;
        for (const linalg::ColMatrix& group : part.sums.groups) groups.append(packed(group));
        parts.append(py::make_tuple(part.level, part.index, groups, to_array(part.sums.plain)));
    }
    return py::make_tuple(sums.landmarks(), sums.columns(), sums.fold_count(), parts);
}

LandmarkSums sums_of_state(const py::tuple& state) {
    constexpr const char* kNoState = "this is no state of landmark sums";
    if (state.size() != 4) refuse(kNoState);
    try {
        LandmarkSums sums(
            checked_range(state[0].cast<Index>(), 1, kMostLandmarks, "landmarks"),
            checked_range(state[1].cast<Index>(), 1, kMostLandmarks, "columns"),
            static_cast<int>(checked_range(state[2].cast<Index>(), 0, kMostDegree, "folds")));
        for (const py::handle item : state[3]) {
            const auto [level, index, groups, plain] =
                item.cast<std::tuple<int, Index, std::vector<Array>, Array>>();
            RowSums part{{}, to_vector(plain, "sums")};
            for (const Array& group : groups) part.groups.push_back(unpacked(group, sums.order()));
            sums.add({level, index, std::move(part)});
        }
        return sums;
    } catch (const py::cast_error&) {
        refuse(kNoState);
    }
}

void bind_choice(py::module_& m) {
    m.def(
        "choose_landmarks",
        [](const ProgramTuples& program, const py::list& rows, Index limit, double tolerance,
           std::uint64_t seed, int threads, const py::object& progress) {
            const RowTables tables = to_tables(rows);
            const RowPool pool(tables, to_program(program, tables.range(0, 1)));
            return chosen(pool, limit, tolerance, seed, threads, progress);
        },
        py::arg("program"), py::arg("rows"), py::kw_only(), py::arg("limit"), py::arg("tolerance"),
        py::arg("seed"), py::arg("threads"), py::arg("progress"),
        "Landmarks of a kernel among the rows of a pool.");
    m.def(
        "choose_stored_landmarks",
        [](const Array& k, Index limit, double tolerance, std::uint64_t seed, int threads,
           const py::object& progress) {
            const ConstMatrixRef matrix = to_matrix(k, "k");
            return chosen(StoredPool(matrix), limit, tolerance, seed, threads, progress);
        },
        py::arg("k").noconvert(), py::kw_only(), py::arg("limit"), py::arg("tolerance"),
        py::arg("seed"), py::arg("threads"), py::arg("progress"),
        "Landmarks among the rows of a kernel matrix.");
}

}  // namespace

void bind_landmarks(py::module_& m) {
    bind_choice(m);
    py::class_<LandmarkSums>(m, "LandmarkSums", "Sums over rows for a landmark model.")
        .def_property_readonly("rows", &LandmarkSums::rows)
        .def_property_readonly("centred_trace",
                               [](const LandmarkSums& sums) { return centred_trace(sums.whole()); })
        .def_property_readonly(
            "left",
            [](const LandmarkSums& sums) {
                const Vector plain = sums.whole().plain;
                return plain(plain.size() - 2) / plain(plain.size() - 1);
            },
            "Mean of k(x, x) - |g|^2.")
        .def_readonly_static("leaf_rows", &LandmarkSums::kLeafRows)
        .def(
            "merge", [](LandmarkSums& sums, const LandmarkSums& other) { sums.merge(other); },
            py::arg("other"), "Add the sums over other leaves.")
        .def(py::pickle(&sums_state, &sums_of_state));

    py::class_<Landmarks, std::shared_ptr<Landmarks>>(m, "Landmarks",
                                                      "The landmarks of a kernel, as a basis.")
        .def(py::init<const ProgramTuples&, const py::list&, const Array&>(), py::arg("program"),
             py::arg("rows"), py::arg("origin").noconvert())
        .def(py::init<const Array&, const Array&>(), py::arg("gram").noconvert(),
             py::arg("origin").noconvert())
        .def_property_readonly("size", [](const Landmarks& own) { return own.basis().size(); })
        .def(
            "sums",
            [](const Landmarks& own, const py::object& rows, const Array& targets,
               const Array& target_origin, const Array& weights, const Numbers& folds,
               int fold_count, Index first_row, int threads, const py::object& progress) {
                const LandmarkTargets wanted =
                    to_targets(targets, target_origin, weights, folds, fold_count);
                Control control(checked_threads(threads), make_tick(progress));
                const double order = static_cast<double>(own.basis().size() + targets.shape(1) + 1);
                return own.with(rows, [&](const LandmarkColumns& columns) {
                    return run(8.0 * order * (order * (8.0 + fold_count) + 4096.0 * threads), [&] {
                        return landmark_sums(own.basis(), columns, wanted, first_row, control);
                    });
                });
            },
            py::arg("rows"), py::arg("targets").noconvert(), py::kw_only(),
            py::arg("target_origin").noconvert(), py::arg("weights").noconvert(), py::arg("folds"),
            py::arg("fold_count"), py::arg("first_row"), py::arg("threads"), py::arg("progress"),
            "Sums over a chunk of rows.")
        .def(
            "coordinates",
            [](const Landmarks& own, const py::object& rows, int threads,
               const py::object& progress) {
                Control control(checked_threads(threads), make_tick(progress));
                return to_array(own.with(rows, [&](const LandmarkColumns& columns) {
                    const double entries = static_cast<double>(columns.rows()) *
                                           static_cast<double>(columns.landmarks());
                    return run(8.0 * entries,
                               [&] { return landmark_coordinates(own.basis(), columns, control); });
                }));
            },
            py::arg("rows"), py::kw_only(), py::arg("threads"), py::arg("progress"),
            "L^-1 k(x, Z) of rows, one after the other.");
    bind_landmark_models(m);
}

}  // namespace kernelect::python
