"""Programs of the repository that build and check its products."""
