"""Nothing of this kernel is visible to Python; other kernels use it through its ``.pxd``."""
