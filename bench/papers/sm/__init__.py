"""The paper on the spectral measure (IJCAI 2017): tables 2 and 3, figure 1."""
