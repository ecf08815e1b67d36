"""The survey of kernel evaluation measures: its closed examples, figure 4, table 5, newsgroups."""
