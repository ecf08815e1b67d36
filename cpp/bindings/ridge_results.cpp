#include "ridge_results.hpp"

#include <limits>

namespace kernelect::python {
namespace {

// One array out of a piece of every result: `piece` gives its data and whether there is any.
class Stack {
  public:
    Stack(const std::vector<RidgeResult>& results, Index candidates, Index lambdas)
        : results_(results), candidates_(candidates), lambdas_(lambdas) {}

    template <class Piece>
    Array operator()(std::vector<Index> shape, Piece piece) const {
        Index size = 1;
        for (const Index extent : shape) size *= extent;
        shape.insert(shape.begin(), {candidates_, lambdas_});
        Array array(shape);
        double* out = array.mutable_data();
        for (const RidgeResult& result : results_) {
            if (result.error.empty()) {
                const auto& values = piece(result);
                std::copy(values.data(), values.data() + size, out);
            } else {
                std::fill(out, out + size, std::numeric_limits<double>::quiet_NaN());
            }
            out += size;
        }
        return array;
    }

    template <class Piece>
    Array scalars(Piece piece) const {
        return (*this)({}, [&](const RidgeResult& result) {
            return Eigen::Matrix<double, 1, 1>(piece(result));
        });
    }

    template <class Text>
    py::list texts(Text text) const {
        py::list rows;
        for (Index c = 0; c < candidates_; ++c) {
            py::list row;
            for (Index l = 0; l < lambdas_; ++l)
                row.append(text(results_[static_cast<std::size_t>(c * lambdas_ + l)]));
            rows.append(row);
        }
        return rows;
    }

  private:
    const std::vector<RidgeResult>& results_;
    Index candidates_, lambdas_;
};

template <class Get>
py::dict held_out(const Stack& stack, const RidgeRequest& request, Get get) {
    const Index n = request.targets.rows(), columns = request.targets.cols();
    py::dict out;
    out["squared"] = stack({columns}, [&](const RidgeResult& r) { return get(r).losses.squared; });
    out["point_squared"] =
        stack({n}, [&](const RidgeResult& r) { return get(r).losses.point_squared; });
    if (request.zero_one) {
        out["zero_one"] =
            stack.scalars([&](const RidgeResult& r) { return get(r).losses.zero_one; });
        out["point_zero_one"] =
            stack({n}, [&](const RidgeResult& r) { return get(r).losses.point_zero_one; });
    }
    if (request.outputs)
        out["outputs"] = stack({n, columns}, [&](const RidgeResult& r) { return get(r).outputs; });
    return out;
}

}  // namespace

py::dict ridge_results(const std::vector<RidgeResult>& results, Index candidates,
                       const RidgeRequest& request) {
    const Index n = request.targets.rows(), columns = request.targets.cols();
    const Stack stack(results, candidates, static_cast<Index>(request.lambdas.size()));
    py::dict out;
    out["error"] = stack.texts([](const RidgeResult& r) { return py::str(r.error); });
    out["path"] = stack.texts([](const RidgeResult& r) { return py::str(path_name(r.path)); });
    out["jitter"] = stack.scalars([](const RidgeResult& r) { return r.jitter; });
    if (request.fit) {
        out["alpha"] = stack({n, columns}, [](const RidgeResult& r) { return r.alpha; });
        out["bias"] = stack({columns}, [](const RidgeResult& r) { return r.bias; });
    }
    if (request.gcv) {
        out["trace"] = stack.scalars([](const RidgeResult& r) { return r.trace; });
        out["leverages"] = stack({n}, [](const RidgeResult& r) { return r.leverages; });
        out["gcv"] = stack({columns}, [](const RidgeResult& r) { return r.gcv; });
    }
    if (request.loo)
        out["loo"] =
            held_out(stack, request, [](const RidgeResult& r) -> const HeldOut& { return r.loo; });
    py::list cv, bif;
    for (std::size_t s = 0; s < request.fold_sets.size(); ++s) {
        if (request.cv)
            cv.append(held_out(stack, request,
                               [s](const RidgeResult& r) -> const HeldOut& { return r.cv[s]; }));
        if (request.bif_order > 0)
            bif.append(held_out(stack, request,
                                [s](const RidgeResult& r) -> const HeldOut& { return r.bif[s]; }));
    }
    out["cv"] = cv;
    out["bif"] = bif;
    return out;
}

}  // namespace kernelect::python
