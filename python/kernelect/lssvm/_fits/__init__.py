"""Ways to solve the ridge system of one kernel, and deviations of what it predicts."""
