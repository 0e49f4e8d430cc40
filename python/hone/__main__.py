"""The program `hone`, as a console script and as `python -m hone`: it takes this process's
place."""
from __future__ import annotations

import os
import sys
from typing import NoReturn

from ._errors import HoneError
from ._program import environment, program


def main() -> NoReturn:
    try:
        path = program()
    except HoneError as error:
        sys.exit(f"hone: {error}")
    os.execve(path, [path, *sys.argv[1:]], environment())


if __name__ == "__main__":
    main()
