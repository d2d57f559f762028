"""What can be done with databases of any format: convert, compare, verify, summarize, and change them as a whole."""
