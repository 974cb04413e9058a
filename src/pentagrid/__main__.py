"""`python -m pentagrid` is the command `pentagrid`."""

from __future__ import annotations

import sys

from pentagrid.terminal.main import main

sys.exit(main())
