"""The look of a page: light and dark, narrow and wide, on paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b1f24; --soft: #59636e; --line: #d8dee4; --panel: #f6f8fa;
  --mark: #0072b2; --warn: #9a6700; --warn-panel: #fff8c5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --ink: #e6e9ed; --soft: #9aa4af; --line: #363d46; --panel: #1d222a;
    --mark: #56b4e9; --warn: #e9c46a; --warn-panel: #2b2716;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 68rem;
  background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0.5rem 0 0.25rem; overflow-wrap: anywhere; }
h2 {
  font-size: 1.2rem; margin: 2.5rem 0 0.5rem; padding-top: 1rem;
  border-top: 1px solid var(--line);
}
p, li { max-width: 46rem; }
.soft { color: var(--soft); }
.lead { font-size: 1.15rem; }
.lead strong { overflow-wrap: anywhere; }
.figures {
  display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.25rem 0; padding: 0; list-style: none;
}
.figures li {
  flex: 1 1 9rem; max-width: 17rem; padding: 0.75rem 1rem;
  background: var(--panel); border-radius: 8px;
}
.figures b {
  display: block; font-size: 1.5rem; line-height: 1.25; font-variant-numeric: tabular-nums;
}
.figures span { color: var(--soft); font-size: 0.85rem; }
.warning {
  margin: 0.75rem 0; padding: 0.7rem 1rem; max-width: none;
  background: var(--warn-panel); border-left: 4px solid var(--warn); border-radius: 4px;
}
.pictures { display: flex; flex-wrap: wrap; gap: 1rem 2rem; align-items: flex-start; }
.pictures figure { min-width: 0; }
figure { margin: 1rem 0; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: 0.9rem; margin-top: 0.35rem; max-width: 40rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.88rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding: 0.4rem 0; }
th, td {
  padding: 0.25rem 0.75rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--line);
}
th:first-child, td:first-child { text-align: left; padding-left: 0; }
pre {
  white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.9rem 1rem;
  background: var(--panel); border-radius: 8px;
  font: 0.86rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
summary { cursor: pointer; color: var(--mark); }
@media (max-width: 30rem) {
  body { padding: 1rem 0.9rem 3rem; font-size: 15px; }
  h1 { font-size: 1.35rem; }
  .lead { font-size: 1.05rem; }
  .figures li { flex-basis: 7.5rem; padding: 0.6rem 0.75rem; }
}
@page { margin: 15mm; }
@media print {
  :root {
    --paper: #ffffff; --ink: #000000; --soft: #444444; --line: #cccccc; --panel: #f4f4f4;
    --mark: #0072b2; --warn: #7a5200; --warn-panel: #ffffff;
  }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  h2 { break-after: avoid; }
  h2 + p { break-after: avoid; }
  .pictures { display: block; }
  .pictures figure { max-width: 13cm; }
  figure, .figures, .warning, pre { break-inside: avoid; }
  .scroll { overflow: visible; }
  a { color: inherit; }
}
"""

# What is folded on a screen is read on paper.
SCRIPT = """
addEventListener("beforeprint", () =>
  document.querySelectorAll("details").forEach(part => { part.open = true; }));
"""
