"""clang-tidy on every source of the core, with the list of ``.clang-tidy``.

    python -m tests.long.tidy [FILE ...]

It reads how files are compiled from ``build/tidy``, as the step configures it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from ..steps import CPUS, ROOT, TOOLS


def main() -> int:
    program = shutil.which("clang-tidy", path=TOOLS)
    if program is None:
        sys.exit(f'clang-tidy is not installed: run {sys.executable} -m pip install ".[test,long]"')
    sources = sys.argv[1:] or sorted(str(path) for path in (ROOT / "cpp" / "src").rglob("*.cpp"))

    def looked_at(source: str) -> int:
        command = [program, "--quiet", "-p", "build/tidy", source]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{source}: exit code {done.returncode}\n{done.stdout}{done.stderr}", flush=True)
        return done.returncode

    with ThreadPoolExecutor(CPUS) as pool:
        codes = list(pool.map(looked_at, sources))
    print(f"{len(codes)} files, something found in {sum(code != 0 for code in codes)}")
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
