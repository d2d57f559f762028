"""Several databases that are read as one: found by paths, patterns and lists, or in a ZIP archive."""
