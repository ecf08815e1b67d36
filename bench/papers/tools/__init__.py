"""What all pages share: data, splits and judging, the runner, pages, pictures, printed figures."""
