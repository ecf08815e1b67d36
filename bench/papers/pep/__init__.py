"""The paper on principal eigenvalue proportions: table 1."""
