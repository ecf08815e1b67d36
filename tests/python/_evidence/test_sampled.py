"""Sums over pairs estimated by some rows against all: beside all pairs, and how sure they are."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.stats import t as student
from sklearn.datasets import load_digits, make_classification

import kernelect as ke
from kernelect._data.objects import as_objects
from kernelect._data.strata import GROUPS, Strata
from kernelect._data.target import check_target
from kernelect._evidence.moments import moment_evidence
from kernelect._evidence.sampled.cells import SampledCells
from kernelect._evidence.sampled.evidence import check_sampled, rivals, sampled_evidence
from kernelect._evidence.sampled.forms import FORMULAS, Totals, codings
from kernelect._evidence.work import SampleOptions, Work
from kernelect.criteria import CKTA, EKTA, KCSM, KTA, MMD, SM

KERNELS = [
    *(ke.Gaussian(2.0**power) for power in (-6, -2, -1, 0, 2, 8)),
    ke.Laplacian(2.0),
    ke.Polynomial(2) + ke.Gaussian(1.0),
]
NUMBERS = [SM(r=1), SM(), SM(relative=True), KTA(), CKTA()]
CLASSES = [*NUMBERS, SM(weighted=False), SM(r=1, normalization="sum", weighted=False), EKTA(),
           KCSM(), KCSM(bounded=True)]  # fmt: skip
TWO = [*CLASSES, MMD(), CKTA(variant="survey")]
ROWS = 600


def problem(classes):
    """Rows with as many classes, one of them of 24 rows; numbers to be predicted for none."""
    x, y = make_classification(
        ROWS, 6, n_informative=4, n_classes=max(classes, 2), random_state=0, n_clusters_per_class=1
    )
    if classes == 0:
        y = np.sin(x[:, 0]) + x[:, 1] + 0.3 * np.random.default_rng(0).normal(size=ROWS)
    else:
        rare = np.flatnonzero(y == classes - 1)
        y[rare[24:]] = 0
    return x, y


def work_of(x, y, kernels=KERNELS, threads=1):
    return Work.of(kernels, x, check_target(y, "auto", len(y)), threads=threads)


def forms_of(criteria):
    return [criterion.to_core() for criterion in criteria]


def values(scores, forms):
    return np.array([scores[form].values for form in forms])


CASES = [(0, NUMBERS), (2, TWO), (4, CLASSES)]


@pytest.mark.parametrize(("classes", "criteria"), CASES)
def test_a_sample_of_all_rows_gives_what_all_pairs_give(classes, criteria):
    work, forms = work_of(*problem(classes)), forms_of(criteria)
    strata = Strata(work.target.codes, 3)
    cells = SampledCells(work, strata, codings(strata.sizes.astype(float)))
    cells.grow(ROWS, None)
    totals, exact = Totals.of(cells), moment_evidence(work, forms)
    for form in forms:
        # The variances of CKTA are within groups of 75 rows, as if these had not been stratified.
        close = 1e-2 if form[0] == "ckta" else 1e-12
        np.testing.assert_allclose(
            FORMULAS[form[0]](form, totals)[0], exact[form].values, rtol=close
        )


@pytest.mark.parametrize(("classes", "criteria"), CASES)
def test_errors_cover_the_exact_values(classes, criteria):
    work, forms = work_of(*problem(classes)), forms_of(criteria)
    exact, inside, offsets = values(moment_evidence(work, forms), forms), [], []
    for seed in range(30):
        found = sampled_evidence(work, forms, SampleOptions(160, seed))
        errors = np.array([found[form].errors for form in forms])
        offset = values(found, forms) - exact
        inside.append(np.abs(offset) <= student.ppf(0.975, GROUPS - 1) * errors)
        offsets.append(offset)
    assert np.mean(inside) > 0.9
    assert np.mean(inside, axis=(0, 2)).min() > 0.8  # of 30 samples, for each criterion
    bias = np.mean(offsets, axis=0) / (np.std(offsets, axis=0) / np.sqrt(30))
    assert np.abs(bias).mean() < 1.5


def test_narrow_kernels_are_not_flattered():
    """A sample on both sides weighs the diagonal too much; this one does not."""
    x, y = make_classification(2000, 10, n_informative=5, random_state=1)
    kernels = ke.gaussian_grid(-4, 2)
    form = SM(r=1).to_core()
    exact = moment_evidence(work_of(x, y, kernels), [form])[form].values
    inside = []
    for seed in range(10):
        found = sampled_evidence(work_of(x, y, kernels), [form], SampleOptions(250, seed))[form]
        inside.append(np.abs(found.values - exact) <= 3.0 * found.errors)
        assert (np.abs(found.values - exact)[:4] < 0.1 * exact[:4]).all()
    assert np.mean(inside) > 0.9
    part = moment_evidence(work_of(x[:250], y[:250], kernels), [form])[form].values
    assert (part[:4] > 4.0 * exact[:4]).all()


def test_the_winner_of_centred_alignment():
    x, y = load_digits(return_X_y=True)
    work, form = work_of(x / 16.0, y, ke.gaussian_grid(-4, 8)), CKTA().to_core()
    exact = moment_evidence(work, [form])[form].values
    for seed in range(5):
        found = sampled_evidence(work, [form], SampleOptions(320, seed))[form]
        assert found.values.argmax() == exact.argmax()


def test_sorted_rows_are_no_other_sample():
    x, y = problem(2)
    form = SM(r=1).to_core()
    for order in (np.argsort(y, kind="stable"), np.argsort(x[:, 0])):
        work = work_of(x[order], y[order])
        exact = moment_evidence(work, [form])[form].values
        found = sampled_evidence(work, [form], SampleOptions(160, 1))[form]
        reach = student.ppf(0.999, GROUPS - 1) * found.errors
        assert (np.abs(found.values - exact) <= reach).mean() > 0.9


@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_kernels_outside_the_core_are_sampled_alike(task):
    x, y = problem(3 if task == "classes" else 0)
    forms = forms_of(NUMBERS)
    inside = sampled_evidence(work_of(x, y, [ke.Gaussian(2.0)]), forms, SampleOptions(160, 0))
    outside = ke.kernels.Function(ke.Gaussian(2.0))
    found = sampled_evidence(work_of(x, y, [outside]), forms, SampleOptions(160, 0))
    for form in forms:
        np.testing.assert_allclose(found[form].values, inside[form].values, rtol=1e-11)
        np.testing.assert_allclose(found[form].errors, inside[form].errors, rtol=1e-9)


def test_the_same_bits_whatever_the_threads():
    x, y = problem(3)
    forms = forms_of(CLASSES)
    one, three = (
        sampled_evidence(work_of(x, y, threads=threads), forms, SampleOptions(200, 5))
        for threads in (1, 3)
    )
    for form in forms:
        assert np.array_equal(one[form].values, three[form].values)
        assert np.array_equal(one[form].errors, three[form].errors)


def test_rare_classes_are_represented_and_samples_nested():
    codes = np.random.default_rng(0).permutation(np.repeat([0, 1, 2], [40_000, 400, 5]))
    strata = Strata(codes, 1)
    few, more = strata.taken(512), strata.taken(1024)
    assert few.tolist() == [507, 32, 5]
    assert (few <= more).all()
    before = strata.between(np.zeros(3, dtype=int), few)[0]
    both = strata.between(np.zeros(3, dtype=int), more)[0]
    assert set(before) < set(both)
    rows, ranks = strata.between(few, more)
    assert set(rows) == set(both) - set(before)
    groups = np.concatenate([np.arange(count) for count in more]) % GROUPS
    counts = np.zeros((GROUPS, 3), dtype=int)
    np.add.at(counts, (groups, codes[both]), 1)
    weights = strata.weights(counts)
    # Every estimate knows how many rows of each class there are.
    np.testing.assert_allclose((weights * counts).sum(axis=1), np.tile([40_000, 400, 5], (9, 1)))
    assert ranks.min() >= 0


def test_equal_candidates_stay_rivals():
    """Of twenty equal ones none may be left out but for the doubt that is allowed, 1 in 100."""
    wrong = 0
    for seed in range(400):
        random = np.random.default_rng(seed)
        groups = random.normal(size=(GROUPS, 20)) + random.normal(size=(GROUPS, 1))
        rounds = [groups, np.concatenate([groups[:, 1:], groups[:, :1]], axis=1)]
        out = [rivals(g.mean(axis=0), g, 1.0, 0.01 / (20 * len(rounds))) for g in rounds]
        wrong += not all((mask == 1.0).all() for mask in out)
    assert wrong <= 0.05 * 400


def test_rivals():
    groups = np.array([3.0, 2.999, 1.0, np.nan]) + np.zeros((GROUPS, 1))
    groups += 1e-2 * np.random.default_rng(0).normal(size=groups.shape)
    assert rivals(groups.mean(axis=0), groups, 1.0, 1e-4).tolist() == [1.0, 1.0, 0.0, 0.0]
    assert rivals(np.full(4, np.nan), groups, 1.0, 1e-4).tolist() == [0.0] * 4


@pytest.mark.parametrize("name", ["sm(r=3)", "fsm", "ncut", "stability"])
def test_what_rows_do_not_tell_is_refused(name):
    criterion = SM(r=3) if name == "sm(r=3)" else ke.criteria.resolve(name)[0]
    with pytest.raises(ValueError, match="cannot be estimated by a sample of rows"):
        check_sampled([criterion.to_core()])


def test_sparse_rows_columns_and_objects():
    x, y = problem(3)
    x[np.abs(x) < 0.5] = 0.0
    forms = forms_of(NUMBERS)
    kernels = [
        ke.Gaussian(2.0),
        ke.on_columns([0, 2], ke.Gaussian(0.5)),
        ke.Linear() * ke.Laplacian(1.0),
    ]
    dense, sparse = (
        sampled_evidence(work_of(rows, y, kernels), forms, SampleOptions(160, 0))
        for rows in (x, csr_matrix(x))
    )
    for form in forms:
        np.testing.assert_allclose(sparse[form].values, dense[form].values, rtol=1e-9)
    words = [f"{a:.1f}" for a in x[:, 0]]
    same = ke.kernels.Function(lambda a, b: np.equal.outer(np.array(a), np.array(b)).astype(float))
    work = Work.of([same], as_objects(words), check_target(y, "auto", ROWS))
    assert np.isfinite(sampled_evidence(work, forms, SampleOptions(160, 0))[forms[0]].values).all()
