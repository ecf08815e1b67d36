"""How the library talks and runs: argument checks, warnings, progress, threads."""
