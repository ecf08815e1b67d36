"""What criteria are functions of: sums over kernel matrices, spectra, ridge systems."""
