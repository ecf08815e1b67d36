"""How a learner comes by its kernel and lambda."""
