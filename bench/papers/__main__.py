"""``python -m bench.papers NAME --data DIR --splits N --jobs N``; ``--list`` names the tables."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from .tools.pages import write
from .tools.runner import Setting

NAMES = {
    "sm-table2": "sm.table2",
    "sm-table3": "sm.table3",
    "sm-figure1": "sm.figure1",
    "ks-table1": "ks.table1",
    "ks-figure1": "ks.figure1",
    "pep-table1": "pep.table1",
    "survey-closed": "survey.closed",
    "survey-figure4": "survey.figure4",
    "survey-table5": "survey.table5",
    "survey-newsgroups": "survey.newsgroups_table",
    "regret": "elections.regret",
    "auto": "elections.auto_cost",
}


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.papers", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="tables and figures, or all")
    parser.add_argument("--list", action="store_true", help="name the tables and figures")
    parser.add_argument("--data", type=Path, help="folder with MANIFEST.csv and the data sets")
    parser.add_argument("--splits", type=int, default=5, help="random splits (default 5)")
    parser.add_argument(
        "--jobs", type=int, default=1, help="processes, one thread each (default 1)"
    )
    parser.add_argument("--sets", default="", help="only these sets, separated by commas")
    parser.add_argument("--most-rows", type=int, help="leave out sets with more rows")
    parser.add_argument("--quick", action="store_true", help="2 splits of the 3 smallest sets")
    parser.add_argument("--report", action="store_true", help="only write up what was run before")
    parser.add_argument("--out", type=Path, default=Path("docs/papers"), help="folder of the pages")
    parser.add_argument(
        "--cache", type=Path, default=Path("build/papers"), help="folder of results so far"
    )
    chosen = parser.parse_args(argv)
    if not chosen.list and (not chosen.names or chosen.data is None):
        parser.error("give a NAME and --data, or --list")
    unknown = [name for name in chosen.names if name not in NAMES and name != "all"]
    if unknown:
        parser.error(f"unknown name {unknown[0]!r}; known are {', '.join(NAMES)}, all")
    return chosen


def main(argv: list[str] | None = None) -> None:
    chosen = arguments(argv)
    if chosen.list:
        for name, module in NAMES.items():
            print(f"{name:18} {importlib.import_module(f'.{module}', __package__).TITLE}")
        return
    setting = Setting(
        chosen.data,
        chosen.out,
        chosen.cache,
        chosen.splits,
        chosen.jobs,
        chosen.quick,
        tuple(name for name in chosen.sets.split(",") if name),
        chosen.most_rows,
        not chosen.report,
    )
    for name in NAMES if "all" in chosen.names else chosen.names:
        page = importlib.import_module(f".{NAMES[name]}", __package__).page(setting)
        print(write(page, name, chosen.out))


if __name__ == "__main__":
    main()
