"""Claims about speed, each a script that measures ours and its anchor in one run (``README.md``).

The thread counts are set here because they must stand before numpy and torch are imported.
"""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ[_name] = "1"
