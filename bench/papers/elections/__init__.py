"""Elections among 31 Gaussians: what criteria elect, lose and cost. Beyond the papers."""
