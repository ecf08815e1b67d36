"""The pictures of a result by name, for those who offer them without drawing any."""

PICTURES = {
    "curves": "criteria over the candidates",
    "lambda_map": "kernels by lambdas",
    "spectra": "eigenvalues of the winners",
    "label_energy": "share of the labels at each eigenvalue",
}
