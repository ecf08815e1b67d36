"""What ``--help`` says: of each command what it does, and how it is used."""

DESCRIPTION = "Elect a kernel: score candidates straight from their matrices, pick the best."

EPILOG = """\
FILE is svmlight (LIBSVM) text, CSV with a header (.csv, .tsv), or a NumPy archive (.npz) with the
arrays X and y; text may be compressed (.gz, .bz2, .xz). FILE - is standard input, with --format.

from a table to predictions, without a line of Python:
  kernelect select flowers.csv --target species --standardize
  kernelect fit flowers.csv --target species --standardize --save flowers.npz
  kernelect predict flowers.npz new_flowers.csv --output predicted.csv

'kernelect COMMAND --help' lists the options of a command, with examples.
exit codes: 0 success, 2 bad input (one sentence on standard error), 130 interrupted by Ctrl-C.
"""

COMMANDS = {
    "demo": (
        "elect a kernel on data where the choice matters",
        """\
examples:
  kernelect demo                         what the library does, in a few seconds
  kernelect demo --plot demo.png         with the curves of the election
  kernelect demo --quiet --json demo.json
""",
    ),
    "select": (
        "elect a kernel for FILE",
        """\
examples:
  kernelect select flowers.csv --target species --standardize
      predict column 'species' from all others, brought to one scale
  kernelect select people.csv --drop name --encode --impute --standardize
      text becomes columns of 0 and 1, gaps become medians
  kernelect select houses.csv --task regression --lam auto --plot curves.png
      predict numbers; choose the regularisation along with the kernel
  kernelect select flowers.csv --standardize --report report.html
      a web page to look at and to share
  kernelect select visits.csv --groups patient --standardize
      rows of one patient are held out together; the column is not learned from
  zcat rows.csv.gz | kernelect select - --format csv --json result.json
      read standard input; in Python, ke.load("result.json") loads the result
""",
    ),
    "evaluate": (
        "score every candidate for FILE by several criteria",
        """\
examples:
  kernelect evaluate flowers.csv --standardize
      the spectral measure and kernel-target alignments of 31 Gaussians
  kernelect evaluate a1a --criteria sm,kta,ckta,loo --grid -10:10 --json scores.json
  kernelect evaluate flowers.csv --criteria all --plot curves.png
""",
    ),
    "fit": (
        "fit a model to FILE and save it",
        """\
examples:
  kernelect fit flowers.csv --target species --standardize --save flowers.npz
      a least-squares SVM; kernels and regularisation by exact leave-one-out
  kernelect fit people.csv --drop name --encode --impute --save people.npz
      texts and medians are saved too, so that new tables are treated the same way
  kernelect fit visits.csv --groups patient --folds 10 --save visits.npz
      kernels and regularisation by ten folds of whole patients
  kernelect fit houses.csv --task regression --kernel matern --lam 0.1 --save houses.npz
      a kernel and a lambda of your own
  kernelect fit flowers.csv --report report.html
      a web page on the model: what was compared, its members, held-out predictions

In Python: model = ke.load("flowers.npz")
""",
    ),
    "predict": (
        "predict the rows of FILE with a saved MODEL",
        """\
examples:
  kernelect predict flowers.npz new.csv
      one prediction per line; columns are found by name, and the target may be missing
  kernelect predict flowers.npz new.csv --probabilities --output predicted.csv
  kernelect predict houses.npz new.csv --deviations --plot predicted.png
  cat new.csv | kernelect predict flowers.npz - --quiet > predicted.csv

Where FILE has the target, standard error says how good the predictions are.
""",
    ),
    "completion": (
        "print the completion script for SHELL",
        """\
examples:
  bash:  source <(kernelect completion bash)          in ~/.bashrc
  zsh:   kernelect completion zsh > "${fpath[1]}/_kernelect"
  fish:  kernelect completion fish > ~/.config/fish/completions/kernelect.fish
""",
    ),
}
