"""The paper on kernel stability: table 1, figure 1."""
